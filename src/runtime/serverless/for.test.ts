/** Loops: FO rows. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import type { Run } from '../run.ts';
import { createTestEngine } from '../../testing/test-engine.ts';
import { error, output, workflow } from '../../testing/workflows.ts';

const EXPRESSION = 'https://serverlessworkflow.io/spec/1.0.0/errors/expression';

/** A loop that writes down what it sees in each pass. */
function loop(given: string, more = '', see = '[$index, $item]'): string {
  return `
      do:
        - loop:
            for: ${given}
            ${more}
            do: [{ see: { set: { seen: '\${ .seen + [${see}] }' } } }]
  `;
}
const seen = async (body: string, input: Record<string, Json> = {}): Promise<Json> => {
  const made = await output(body, { seen: [], ...input });
  return (made as Record<string, Json>)['seen'] as Json;
};

describe('a loop', () => {
  test('is over a list that an expression yields, bare or in braces [FO-01]', async () => {
    const all = [
      [0, 'a'],
      [1, 'b'],
    ];
    expect(await seen(loop('{ in: .list }'), { list: ['a', 'b'] })).toEqual(all);
    expect(await seen(loop("{ in: '${ .list }' }"), { list: ['a', 'b'] })).toEqual(all);
  });

  test('may be over a list that is written down, with expressions in it [FO-02]', async () => {
    const list = "[{ name: ann }, { name: '${ .who }', deep: { list: ['${ 1 + 1 }'] } }]";
    const all = [
      [0, { name: 'ann' }],
      [1, { name: 'bob', deep: { list: [2] } }],
    ];
    expect(await seen(loop(`{ in: ${list} }`), { who: 'bob' })).toEqual(all);
  });

  test('names its item and its number, which begins at 0 [FO-03, FO-04]', async () => {
    expect(await seen(loop("{ in: '[7, 8]' }"))).toEqual([
      [0, 7],
      [1, 8],
    ]);
    const named = loop("{ each: pet, at: n, in: '[7, 8]' }", '', '[$n, $pet]');
    expect(await seen(named)).toEqual([
      [0, 7],
      [1, 8],
    ]);
  });

  test('gives each pass what the one before it came to [FO-05]', async () => {
    const body = `
      do:
        - loop:
            for: { in: '[1, 2, 3]' }
            do: [{ a: { set: { sum: '\${ .sum + $item }' } } },
                { b: { set: { sum: '\${ .sum * 2 }' } } }]
    `;
    expect(await output(body, { sum: 0 })).toEqual({ sum: 22 });
    expect(await output(body, { sum: 100 })).toEqual({ sum: 822 });
  });

  test('is over the list as it was before the first pass [FO-06]', async () => {
    const body = `
      do:
        - loop:
            for: { in: .list }
            do: [{ grow: { set: { list: '\${ .list + [0] }', count: '\${ .count + 1 }' } } }]
    `;
    expect(await output(body, { list: [1, 2], count: 0 })).toEqual({
      list: [1, 2, 0, 0],
      count: 2,
    });
  });

  test('ends before a pass for which while does not hold [FO-07]', async () => {
    const during = (condition: string): string =>
      loop("{ in: '[5, 6, 7]' }", `while: ${condition}`);
    expect(await seen(during('$index < 2'))).toEqual([
      [0, 5],
      [1, 6],
    ]);
    expect(await seen(during('$item < 6'))).toEqual([[0, 5]]);
    expect(await seen(during('(.seen | length) < 2'))).toEqual([
      [0, 5],
      [1, 6],
    ]);
    expect(await seen(during("'false'"))).toEqual([]);
  });

  test('has what its last pass came to as its output, or its input [FO-08]', async () => {
    expect(await seen(loop("{ in: '[]' }"), { kept: 1 })).toEqual([]);
    expect(await output(loop("{ in: '[]' }"), { kept: 1 })).toEqual({ kept: 1 });
    const made = loop("{ in: '[1]' }", "output: { as: '.seen | length' }");
    expect(await output(made, { seen: [] })).toBe(1);
  });

  test('over null has no passes, and over what is no list is an error [FO-09]', async () => {
    expect(await output(loop('{ in: .nothing }'), { kept: 1 })).toEqual({ kept: 1 });
    for (const list of ['{ a: 1 }', '1', '"text"', 'true']) {
      const failed = await error(loop(`{ in: '${list}' }`));
      expect(failed).toMatchObject({ type: EXPRESSION, status: 400, instance: '/do/0/loop' });
    }
  });

  test('inside another may have variables of the same names [FO-10]', async () => {
    const body = `
      do:
        - outer:
            for: { in: '["a", "b"]' }
            do:
              - inner: { for: { in: '[1, 2]' }, do: [{ x: { set: '\${
                  . + ["\\($item)\\($index)"] }' } }] }
              - after: { set: '\${ . + ["\\($item)\\($index)"] }' }
    `;
    expect(await output(body, [])).toEqual(['10', '21', 'a0', '10', '21', 'b1']);
  });

  test('whose while fails is an error of the loop [FO-07]', async () => {
    const failed = await error(loop("{ in: '[1]' }", "while: '$item | error'"));
    expect(failed).toMatchObject({ type: EXPRESSION, instance: '/do/0/loop' });
  });

  test('keeps apart what waits in its passes [FO-05]', async () => {
    const body = `
      do:
        - loop:
            for: { in: '[1, 2, 3]' }
            do: [{ pause: { wait: PT1S } }, { add: { set: '\${ . + $item }' } }]
    `;
    const kit = createTestEngine({ flows: [workflow(body)] });
    const run = await kit.start(workflow(body), 0);
    const began = kit.now;
    const passes: unknown[] = [];
    for (let pass = 0; pass < 3; pass += 1) {
      await kit.runUntilIdle();
      const { tokens } = await run.inspect();
      const waits = tokens.filter(({ wait }) => wait?.on === 'time');
      passes.push(...waits.map(({ wakeAt }) => (wakeAt ?? 0) - began));
      await kit.advance('1s');
    }
    expect(passes).toEqual([1_000, 2_000, 3_000]);
    expect(await run.result()).toBe(6);
    await kit.close();
  });
});

describe('a large loop', () => {
  async function sizes(run: Run): Promise<readonly number[]> {
    return (await run.history()).map(({ changes }) => JSON.stringify(changes).length);
  }

  async function looped(passes: number, task: string): Promise<readonly number[]> {
    const body = `
      do:
        - loop: { for: { in: '[range(${passes})]' }, do: [{ a: ${task} }] }
    `;
    const kit = createTestEngine({ flows: [workflow(body)] });
    try {
      const run = await kit.start(workflow(body), { n: 0 });
      await kit.advance('1d');
      expect(await run.status()).toBe('completed');
      expect(await kit.engine.check()).toMatchObject({ ok: true });
      return await sizes(run);
    } finally {
      await kit.close();
    }
  }

  /** Of all commits and of the largest, but for the list itself, which stands there once. */
  function measured(all: readonly number[], passes: number): { all: number; largest: number } {
    const list = JSON.stringify(Array.from({ length: passes }, (_, n) => n)).length;
    return { all: all.reduce((sum, each) => sum + each) - list, largest: Math.max(...all) - list };
  }

  test.each([
    ['of tasks that make data', "{ set: { n: '${ .n + 1 }' } }"],
    ['of tasks that wait', '{ wait: { milliseconds: 1 } }'],
  ])('%s writes as much for each pass, however many there are [FO-11]', async (_, task) => {
    const few = measured(await looped(500, task), 500);
    const many = measured(await looped(2_000, task), 2_000);
    // Numbers of passes and tokens have a digit more.
    expect(many.all).toBeLessThan(few.all * 4 * 1.1);
    expect(many.largest).toBeLessThan(few.largest * 1.1);
  });
});
