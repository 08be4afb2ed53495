/**
 * jq's own tests, run against our jq: every `*.test` file of a folder, in the format that
 * `jq-tests.ts` reads. Any folder with files in that format will do.
 *
 * A case that we leave out on purpose is counted as skipped, but only if it does not pass anyway.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Json } from '../src/base/json.ts';
import { no, ok, type Result } from '../src/base/result.ts';
import { JQ_BUDGET_DEFAULT, type JqBudget, Meter } from '../src/expressions/jq/budget.ts';
import { equalValues } from '../src/expressions/jq/values/compare.ts';
import { compileJq } from '../src/expressions/jq/jq.ts';
import { readJson } from '../src/expressions/jq/values/json-read.ts';
import { isLeftOut, type JqAnswer, type JqCase, judge, readJqTests } from './jq-tests.ts';
import type { Say, Tally } from './suite.ts';

/**
 * jq's tests try its own limits: arrays ten thousand levels deep, and every day of sixty-seven
 * years. That takes more than an expression in a workflow gets.
 */
const TEST_BUDGET: JqBudget = {
  ...JQ_BUDGET_DEFAULT,
  steps: 50_000_000,
  elements: 20_000_000,
  stringBytes: 268_435_456,
  valueDepth: 20_000,
};

/** Runs all there is in a folder. The problem is a sentence, if there is nothing to run. */
export function runJqSuite(folder: string, say: Say): Result<Tally, string> {
  const files = findTests(folder);
  if (!files.ok) return files;
  const tally = { passed: 0, failed: 0, skipped: 0, total: 0 };
  const leftOut: string[] = [];
  for (const file of files.value) {
    const cases = readJqTests(readFileSync(file, 'utf8'));
    say.progress(`${basename(file)}: ${cases.length} cases`);
    for (const one of cases) count(one, basename(file), { tally, leftOut, say });
  }
  if (tally.total === 0) return no(`there is no case in the *.test files of ${folder}`);
  if (leftOut.length > 0) say.result('left out on purpose:');
  for (const one of leftOut) say.result(`  ${one}`);
  return ok(tally);
}

function findTests(folder: string): Result<readonly string[], string> {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.test'));
    if (names.length === 0) return no(`there is no *.test file in ${folder}`);
    return ok(names.toSorted().map((name) => join(folder, name)));
  } catch {
    return no(`${folder} is not a folder that can be read`);
  }
}

interface Count {
  readonly tally: { -readonly [Part in keyof Tally]: Tally[Part] };
  readonly leftOut: string[];
  readonly say: Say;
}

function count(one: JqCase, file: string, { tally, leftOut, say }: Count): void {
  tally.total += 1;
  const verdict = judge(one, answerTo(one), agrees);
  if (verdict.passed) {
    tally.passed += 1;
  } else if (isLeftOut(one.program)) {
    tally.skipped += 1;
    leftOut.push(`${file}:${one.line}  ${one.program}`);
  } else {
    tally.failed += 1;
    say.result(
      [
        `FAILED ${file}:${one.line}`,
        `  program   ${one.program}`,
        ...(one.refused ? [] : [`  input     ${one.input}`]),
        `  expected  ${verdict.expected}`,
        `  got       ${verdict.got}`,
      ].join('\n'),
    );
  }
}

function answerTo(one: JqCase): JqAnswer {
  const compiled = compileJq(one.program);
  if (!compiled.ok) {
    const message = compiled.problem.map(({ message }) => message).join('; ');
    return { end: 'refused', message };
  }
  // A program that must not compile has no input; that it compiled is all there is to say.
  if (one.refused) return { end: 'done', outputs: [] };
  const input = read(one.input);
  if (!input.ok) return { end: 'refused', message: input.problem };
  const run = compiled.value.run(input.value, {}, TEST_BUDGET, Date.now());
  if (run.ok) return { end: 'done', outputs: run.value };
  const { code, outputs, message } = run.problem;
  return { end: code === 'jq.limit' ? 'limit' : 'error', outputs, message };
}

function agrees(wanted: string, got: Json): boolean {
  const value = read(wanted);
  return value.ok && equalValues(value.value, got, meter());
}

function read(text: string): Result<Json, string> {
  try {
    return ok(readJson(text, meter()));
  } catch {
    return no(`${text} is not JSON`);
  }
}

function meter(): Meter {
  const full = new Meter();
  full.begin(TEST_BUDGET);
  return full;
}
