/** Bad input: a flow that spins faults at the named limit and does not block others. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import { LIMITS, type Limits } from '../model/limits.ts';
import { createTestEngine } from '../testing/test-engine.ts';

const empty = flow<null>('empty')
  .repeat('round', { while: () => true }, (b) => b)
  .end();

const setting = flow<null, { n: number }>('setting', { vars: { n: 0 } })
  .repeat('round', { until: () => false }, (b) =>
    b.set('count', ({ vars }) => ({ n: vars.n + 1 }), { in: 'instance' }),
  )
  .end();

const choosing = flow<null>('choosing')
  .repeat('round', { times: () => 1_000_000 }, (b) =>
    b.choose('either', { left: { when: () => true, do: (b) => b } }, { otherwise: (b) => b }),
  )
  .end();

/** Waits for the outside world in between, as a handler that calls somebody does. */
const polite = flow<number>('polite')
  .step('ask', async ({ input }) => {
    await setImmediate();
    return input;
  })
  .step('answer', async ({ results }) => {
    await setImmediate();
    return results.ask;
  })
  .end(({ results }) => results.answer);

async function spin(spinner: Flow<null>, limits: Partial<Limits>) {
  const kit = createTestEngine({ flows: [spinner, polite], limits });
  const ends: string[] = [];
  const run = await kit.start(spinner, null);
  const others = Array.from({ length: 20 }, async (_, n) => {
    const other = await kit.start(polite, n);
    expect(await other.result()).toBe(n);
    ends.push('polite');
  });
  const failure = run.result().catch((error: unknown) => {
    ends.push('spinner');
    return error;
  });
  await Promise.all(others);
  const error = await failure;
  const { version: commits, ...view } = await run.inspect();
  expect(view).toMatchObject({ status: 'failed', tokens: [], scopes: [] });
  return { error, ends, commits };
}

describe('a flow that spins faults at MOVES_WITHOUT_REST_MAX, others complete', () => {
  test.each<[string, Flow<null>]>([
    ['a loop around nothing', empty],
    ['a loop that only sets', setting],
    ['a loop that only chooses', choosing],
  ])('%s', async (_, spinner) => {
    const limits = { MOVES_PER_COMMIT: 10, MOVES_WITHOUT_REST_MAX: 1_000 };
    const { error, ends, commits } = await spin(spinner, limits);
    expect(error).toMatchObject({
      code: 'instance.failed',
      details: {
        fault: { code: 'flow.spins', message: expect.stringContaining('MOVES_WITHOUT_REST_MAX') },
      },
    });
    expect(ends.at(-1)).toBe('spinner');
    expect(commits).toBeGreaterThanOrEqual(100);
  });

  test('with the limits nobody has changed', async () => {
    const { error, ends, commits } = await spin(empty, {});
    expect(error).toMatchObject({ details: { fault: { code: 'flow.spins' } } });
    expect(ends.at(-1)).toBe('spinner');
    expect(commits).toBeGreaterThanOrEqual(LIMITS.MOVES_WITHOUT_REST_MAX / LIMITS.MOVES_PER_COMMIT);
  });
});

test.each([
  [999, 'completed'],
  [998, 'failed'],
])('of 999 moves %i may be made without a rest: the instance has %s', async (max, end) => {
  const counted = flow<null>('counted')
    // Start, repeat and end, and two moves for every pass.
    .repeat('round', { times: 498 }, (b) => b)
    .end(() => 'done');
  const limits = { MOVES_PER_COMMIT: 300, MOVES_WITHOUT_REST_MAX: max };
  const kit = createTestEngine({ flows: [counted], limits });
  const run = await kit.start(counted, null);
  await kit.runUntilIdle();
  expect(await run.inspect()).toMatchObject({ status: end, version: 4 });
});

test('a wait or a handler starts the count anew', async () => {
  const resting = flow<null>('resting')
    .repeat('outer', { times: 5 }, (b) =>
      b
        .repeat('inner', { times: 80 }, (b) => b)
        .sleep('nap', 1)
        .repeat('again', { times: 80 }, (b) => b)
        .step('work', () => null),
    )
    .end(() => 'done');
  const limits = { MOVES_PER_COMMIT: 50, MOVES_WITHOUT_REST_MAX: 200 };
  const kit = createTestEngine({ flows: [resting], limits });
  const run = await kit.start(resting, null);
  await kit.advance('1s');
  expect(await run.result()).toBe('done');
});

test('a loop of handlers that await nothing lets the rest of the process live', async () => {
  const ends: string[] = [];
  const hasty = flow<null>('hasty')
    .repeat('round', { times: 1_000 }, (b) => b.step('work', () => null))
    .end();
  const kit = createTestEngine({ flows: [hasty] });
  const run = await kit.start(hasty, null);
  const all = [
    run.result().then(() => ends.push('hasty')),
    setImmediate().then(() => ends.push('process')),
  ];
  await Promise.all(all);
  expect(ends).toEqual(['process', 'hasty']);
});
