/** What our own jq says to a question. */
import type { Json } from '../base/json.ts';
import { JQ_BUDGET_DEFAULT, type JqBudget } from '../expressions/jq/budget.ts';
import { compileJq } from '../expressions/jq/jq.ts';
import type { OwnAnswer } from './jq-likeness.ts';
import type { Question } from './jq-asking.ts';

/** Less than an expression gets: the oracle has no limit and must come to an end, too. */
const ASKED_BUDGET: JqBudget = { ...JQ_BUDGET_DEFAULT, steps: 300_000, outputs: 2_000 };

/** Parts that outputs share unfold when they are written out; more than this is not. */
const PARTS_MAX = 20_000;

export function answerOf({ program, input, given }: Question): OwnAnswer {
  const compiled = compileJq(program, { vars: ['given'] });
  if (!compiled.ok) {
    return { end: 'refused', message: compiled.problem.map(({ message }) => message).join('; ') };
  }
  const run = compiled.value.run(input, { given }, ASKED_BUDGET, 0);
  if (!run.ok && run.problem.code === 'jq.limit') return { end: 'limit' };
  const outputs = run.ok ? run.value : run.problem.outputs;
  const error = run.ok ? null : run.problem.value;
  if (isBig([error, ...outputs])) return { end: 'limit' };
  return run.ok ? { end: 'done', outputs } : { end: 'error', outputs, error };
}

function isBig(value: Json): boolean {
  const open: Json[] = [value];
  for (let seen = 0; ; seen += 1) {
    const next = open.pop();
    if (next === undefined) return false;
    if (seen > PARTS_MAX) return true;
    if (typeof next !== 'object' || next === null) continue;
    const parts = Object.values(next);
    if (parts.length > PARTS_MAX) return true;
    open.push(...parts);
  }
}
