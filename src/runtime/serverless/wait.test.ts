/** Waits: WA rows. Times are of a virtual clock. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import { createTestEngine, type TestEngineOptions } from '../../testing/test-engine.ts';
import { endOf, error, workflow } from '../../testing/workflows.ts';

const NOW = Date.UTC(2026, 0, 31, 12);
const CRASHES = { chaos: { crashAfterEveryCommit: true } };

/** How long it waits. */
async function lengthOf(
  wait: string,
  input: Json = {},
  options: Omit<TestEngineOptions, 'flows'> = {},
): Promise<number> {
  const body = `do: [{ pause: { wait: ${wait} } }, { at: { set: '\${ now * 1000 | round }' } }]`;
  const kit = createTestEngine({ flows: [workflow(body)], now: NOW, ...options });
  try {
    const run = await kit.start(workflow(body), input);
    await kit.advance('1500d');
    return ((await run.result()) as number) - NOW;
  } finally {
    await kit.close();
  }
}

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

describe('a wait', () => {
  test.each([
    ['{ days: 1, hours: 2, minutes: 3, seconds: 4, milliseconds: 5 }', DAY + 2 * HOUR + 184_005],
    ['{ seconds: 90 }', 90 * SECOND],
    ['{ milliseconds: 1 }', 1],
    ['{ seconds: 0 }', 0],
  ])('of %s lasts as long as its parts together [WA-01]', async (wait, ms) => {
    expect(await lengthOf(wait)).toBe(ms);
  });

  test.each([
    ['PT30S', 30 * SECOND],
    ['P1DT2H', DAY + 2 * HOUR],
    ['P2W', 14 * DAY],
    ['PT0.5S', 500],
    ['PT1H30M', 1.5 * HOUR],
    ['P1M', Date.UTC(2026, 1, 28, 12) - NOW],
    ['P1Y', Date.UTC(2027, 0, 31, 12) - NOW],
    ['P1Y1M1D', Date.UTC(2027, 1, 28, 12) + DAY - NOW],
    ['P2Y', Date.UTC(2028, 0, 31, 12) - NOW],
    ['P25M', Date.UTC(2028, 1, 29, 12) - NOW],
  ])('of %s lasts as ISO 8601 has it, in the calendar of UTC [WA-02]', async (wait, ms) => {
    expect(await lengthOf(wait)).toBe(ms);
  });

  test.each([
    ['.text', 'PT5S', 5 * SECOND],
    ['.object', { minutes: 1, seconds: 1 }, 61 * SECOND],
  ])('may be as long as an expression says: %s [WA-03]', async (expression, value, ms) => {
    const input = { [expression.slice(1)]: value as Json };
    expect(await lengthOf(`'\${ ${expression} }'`, input)).toBe(ms);
  });

  test.each([['soon'], [5], [null], [{ fortnights: 1 }], [{}], ['PT'], ['P1.5M'], ['-PT1S']])(
    'as long as %j is an expression error [WA-03]',
    async (value) => {
      const failed = await error("do: [{ pause: { wait: '${ .d }' } }]", { d: value });
      expect(failed).toMatchObject({ status: 400, instance: '/do/0/pause' });
      expect(failed['type']).toContain('/expression');
    },
  );

  test('has its input as its output, and is waiting meanwhile [WA-04]', async () => {
    const body = "do: [{ pause: { wait: PT1H, output: { as: '{ got: . }' } } }]";
    const kit = createTestEngine({ flows: [workflow(body)] });
    const run = await kit.start(workflow(body), { a: 1 });
    await kit.advance('59m');
    expect(await run.status()).toBe('waiting');
    const token = (await run.tokens()).find(({ node }) => node === '/do/0/pause');
    expect(token).toMatchObject({ status: 'waiting', wait: { on: 'time' } });
    await kit.advance('1m');
    expect(await endOf(run)).toEqual({ status: 'completed', output: { got: { a: 1 } } });
    await kit.close();
  });

  test('ends when it was to end, whatever dies meanwhile [WA-05]', async () => {
    expect(await lengthOf('PT1H', {}, CRASHES)).toBeLessThan(HOUR + 100);
    const body = 'do: [{ pause: { wait: PT1H } }]';
    const kit = createTestEngine({ flows: [workflow(body)] });
    const run = await kit.start(workflow(body), {});
    const began = kit.now;
    for (const minutes of [10, 20, 29]) {
      await kit.advance(`${minutes}m`);
      kit.engine.restartWorker();
    }
    await kit.runUntilIdle();
    expect(await run.status()).toBe('waiting');
    await kit.advance('1m');
    expect(await run.status()).toBe('completed');
    const last = (await run.history()).at(-1);
    expect((last?.at ?? 0) - began).toBe(HOUR);
    await kit.close();
  });

  test.each(['{}', '.d', 'soon'])('of %s is refused [WA-06]', (wait) => {
    expect(() => workflow(`do: [{ pause: { wait: ${wait} } }]`)).toThrow(/definition/);
  });
});
