/** What a flow has its instances found by, from its options to its plan. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { chain } from '../frontends/chain/chain.ts';
import type { Flow } from '../model/definition.ts';
import type { Draft } from '../model/draft.ts';
import type { Plan } from '../model/plan.ts';
import { kinds } from '../nodes/index.ts';
import { compile, planBody, planFrom } from './compile.ts';

function planOf({ definition }: Flow): Plan {
  const plan = compile(definition.draft, kinds);
  if (!plan.ok) throw new Error(plan.problem.map(({ message }) => message).join());
  return plan.value;
}

const found = (search?: readonly string[]): Flow =>
  flow('f', search === undefined ? {} : { search }).end();

test('the names stand in the plan, in their order, and come back from the store', () => {
  const plan = planOf(found(['customer', 'total']));
  expect(plan.search).toEqual(['customer', 'total']);
  expect(planFrom(planBody(plan))).toEqual(plan);
  expect(planOf(chain('c', 1, ['ONE'], { search: ['customer'] })).search).toEqual(['customer']);
});

test('a flow without any is the same plan as before there were any', () => {
  const plan = planOf(found());
  expect(plan.search).toEqual([]);
  expect(planBody(plan)).not.toHaveProperty('search');
  expect(planOf(found([])).hash).toBe(plan.hash);
  expect(planOf(found(['a'])).hash).not.toBe(plan.hash);
});

test('what the author does with the list afterwards changes nothing', () => {
  const names = ['a'];
  const made = found(names);
  names.push('b');
  expect(planOf(made).search).toEqual(['a']);
});

test('wrong names are told of a flow, of a chain, and of whatever else is compiled', () => {
  const wrong = ['a', 'a'];
  const saysOf = ({ definition }: Flow): unknown => definition.diagnostics;
  expect(saysOf(found(wrong))).toMatchObject([
    { code: 'flow.bad-search', message: 'the search of flow "f" names "a" twice' },
  ]);
  expect(saysOf(chain('c', 1, ['ONE'], { search: wrong }))).toMatchObject([
    { code: 'chain.bad-option', message: expect.stringContaining('names "a" twice') },
  ]);
  const draft: Draft = { ...found().definition.draft, search: wrong };
  expect(compile(draft, kinds)).toMatchObject({
    ok: false,
    problem: [{ code: 'flow.bad-search', message: 'the search of a flow names "a" twice' }],
  });
});
