import { expect, test } from 'vitest';
import { codes, wrong } from '../../testing/flow-text.ts';
import { chain } from '../chain/chain.ts';
import { flow } from './flow.ts';

test('a flow and its steps say how many at a time, and per time', () => {
  const line = flow('line', { limit: { concurrency: 5, by: 'input.customer.id' } })
    .step('call', () => 1, { limit: { rate: { max: 10, per: '1s' }, by: 'key' } })
    .step('plain', () => 1)
    .end();
  const { draft, diagnostics } = line.definition;
  expect(diagnostics).toEqual([]);
  expect(draft.limit).toEqual({ concurrency: 5, by: 'input.customer.id' });
  const settings = draft.nodes.flatMap((node) => (node.kind === 'step' ? [node.settings] : []));
  expect(settings).toEqual([{ limit: { rate: { max: 10, perMs: 1_000 }, by: 'key' } }, {}]);
});

test('a chain has a limit for all of it, and its steps have limits and priorities', () => {
  const line = chain('line', 1, ['A', 'B'], {
    limit: { concurrency: 5 },
    priority: 1,
    steps: { B: { limit: { concurrency: 1, by: 'tenant' }, priority: 7 } },
  });
  const { draft, diagnostics } = line.definition;
  expect(diagnostics).toEqual([]);
  expect(draft.limit).toEqual({ concurrency: 5 });
  const [, first, second] = draft.nodes.map(({ settings }) => settings);
  expect(first).toMatchObject({ priority: 1 });
  expect(first).not.toHaveProperty('limit');
  expect(second).toMatchObject({ limit: { concurrency: 1, by: 'tenant' }, priority: 7 });
});

const nonsense: readonly (readonly [unknown, string])[] = [
  [{}, 'has a concurrency, a rate, or both'],
  [{ by: 'key' }, 'has a concurrency, a rate, or both'],
  [{ concurrency: 0 }, 'has a concurrency that is a whole number, 1 or more'],
  [{ concurrency: -1 }, 'has a concurrency that is a whole number, 1 or more'],
  [{ concurrency: 1.5 }, 'has a concurrency that is a whole number, 1 or more'],
  [{ rate: { max: 0, per: '1s' } }, 'has a rate of a max, a whole number of 1 or more, per a time'],
  [{ rate: { max: 1 } }, 'per a time longer than 0'],
  [{ rate: { max: 1, per: 0 } }, 'is longer than 0; came 0'],
  [{ rate: { max: 1, per: 'soon' } }, 'a duration is milliseconds'],
  [{ concurrency: 1, by: 'input' }, "goes by 'key', 'tenant' or a path such as 'input.customer'"],
  [{ concurrency: 1, by: 'input.' }, "goes by 'key', 'tenant' or a path such as"],
  [{ concurrency: 1, by: 'vars.x' }, "goes by 'key', 'tenant' or a path such as"],
  [{ concurrency: 1, by: 7 }, "goes by 'key', 'tenant' or a path such as"],
];

test.each(nonsense)('the limit %j is refused, by a flow, a step and a chain', (limit, why) => {
  const [ofFlow, ...more] = wrong((b) => b.step('a', () => 1), 'ok', { limit });
  expect(more).toEqual([]);
  expect(ofFlow).toContain('flow.bad-limit - the');
  expect(ofFlow).toContain(why);
  const [ofStep] = wrong((b) => b.step('a', () => 1, { limit }));
  expect(ofStep).toContain('step.bad-limit at a - the');
  expect(ofStep).toContain(why);
  const line = chain('c', 1, ['A'], { steps: { A: { limit } } } as never);
  expect(line.definition.diagnostics).toMatchObject([
    { code: 'chain.bad-option', message: expect.stringContaining(why) },
  ]);
});

test('what a limit does not know is said', () => {
  expect(codes((b) => b.step('a', () => 1, { limit: { most: 5 } }))).toEqual(['option.unknown']);
  expect(codes((b) => b.step('a', () => 1, { limit: 5 }))).toEqual(['option.not-an-object']);
  expect(chain('c', 1, ['A'], { priority: 'high' } as never).definition.diagnostics).toMatchObject([
    { code: 'chain.bad-option', message: 'priority of chain "c" is a whole number; came "high"' },
  ]);
});
