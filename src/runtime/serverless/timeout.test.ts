/** Timeouts of tasks and of workflows: TO rows. Times are of a virtual clock. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { createTestEngine, type TestEngineOptions } from '../../testing/test-engine.ts';
import { endOf, type Ended, error, output, workflow } from '../../testing/workflows.ts';

const TIMEOUT = 'https://serverlessworkflow.io/spec/1.0.0/errors/timeout';
const CRASHES = { chaos: { crashAfterEveryCommit: true } };

/** How it ends, and after which time. */
async function timed(
  body: string,
  input: JsonObject = {},
  options: Omit<TestEngineOptions, 'flows'> = {},
): Promise<{ ended: Ended; ms: number }> {
  const kit = createTestEngine({ flows: [workflow(body)], ...options });
  try {
    const run = await kit.start(workflow(body), input);
    const began = kit.now;
    await kit.advance('2d');
    expect(await kit.engine.check()).toMatchObject({ ok: true });
    const last = (await run.history()).at(-1);
    return { ended: await endOf(run), ms: (last?.at ?? 0) - began };
  } finally {
    await kit.close();
  }
}

const failure = (instance: string): Ended => ({
  status: 'failed',
  error: expect.objectContaining({ type: TIMEOUT, status: 408, instance }) as JsonObject,
});

describe('a task', () => {
  test.each([
    ['wait', 'wait: PT1H'],
    ['listen', 'listen: { to: { one: { with: { type: never } } } }'],
    ['do', 'do: [{ a: { wait: PT2S } }, { b: { wait: PT1H } }]'],
    ['for', "for: { in: '[1, 2, 3]' }, do: [{ a: { wait: PT2S } }]"],
    ['fork', 'fork: { branches: [{ a: { wait: PT1S } }, { b: { wait: PT1H } }] }'],
    ['try', 'try: [{ a: { wait: PT1H } }], catch: {}'],
  ])('that takes longer than its timeout fails: %s [TO-01]', async (_, task) => {
    const body = `do: [{ slow: { ${task}, timeout: { after: { seconds: 5 } } } }]`;
    expect(await timed(body)).toEqual({ ended: failure('/do/0/slow'), ms: 5_000 });
  });

  test('that is done in time goes on as ever, and its timeout with it [TO-01]', async () => {
    const body = `
      do:
        - quick: { wait: PT5S, timeout: { after: { milliseconds: 5001 } },
            output: { as: '{ a: 1 }' }, export: { as: . }, then: last }
        - never: { set: { never: true } }
        - last: { wait: PT1H, output: { as: '. + $context' } }
    `;
    const { ended, ms } = await timed(body);
    expect(ended).toEqual({ status: 'completed', output: { a: 1 } });
    expect(ms).toBe(3_605_000);
  });

  test('that is skipped has no time that runs [TO-01]', async () => {
    const body = "do: [{ slow: { if: 'false', wait: PT1H, timeout: { after: PT1S } } }]";
    expect(await timed(body, { a: 1 })).toEqual({
      ended: { status: 'completed', output: { a: 1 } },
      ms: 0,
    });
  });

  test('has its input and its place as without a timeout [TO-01]', async () => {
    const body = `
      do:
        - timed:
            timeout: { after: PT1H }
            input: { from: .x }
            set: { dot: '\${ . }', raw: '\${ $task.input }', at: '\${ $task.reference }',
                name: '\${ $task.name }' }
            output: { as: '. + { input: $input, raw2: $task.input }' }
    `;
    const x = { y: 1 };
    expect(await output(body, { x })).toEqual({
      ...{ dot: x, raw: { x }, at: '/do/0/timed', name: 'timed', input: x, raw2: { x } },
    });
  });
});

describe('a workflow', () => {
  test('that takes longer than its timeout fails, and all in it ends [TO-02]', async () => {
    const body = `
      timeout: { after: PT5S }
      do: [{ f: { fork: { branches: [{ a: { wait: PT1H } },
          { b: { listen: { to: { any: [] } } } }] } } }]
    `;
    expect(await timed(body)).toEqual({ ended: failure('/timeout'), ms: 5_000 });
  });

  test('that takes longer than its timeout is not saved by a try inside [TO-02]', async () => {
    const body = `
      timeout: { after: PT5S }
      do: [{ t: { try: [{ a: { wait: PT1H } }], catch: { do: [{ c: { set: { no: 1 } } }] } } }]
    `;
    expect(await timed(body)).toEqual({ ended: failure('/timeout'), ms: 5_000 });
  });

  test('that is done in time completes, however it ends [TO-02]', async () => {
    for (const then of ['continue', 'exit', 'end']) {
      const body = `
      timeout: { after: PT5S }
      output: { as: '{ out: . }' }
      do: [{ a: { wait: PT1S } }, { d: { do: [{ b: { set: { b: 1 }, then: ${then} } }] } }]
      `;
      const { ended, ms } = await timed(body);
      expect([ended, ms]).toEqual([{ status: 'completed', output: { out: { b: 1 } } }, 1_000]);
    }
  });
});

describe('a timeout', () => {
  test('may be named, of a task and of the workflow [TO-03]', async () => {
    const use = 'use: { timeouts: { short: { after: PT2S } } }';
    const task = `${use}\ndo: [{ slow: { wait: PT1H, timeout: short } }]`;
    expect(await timed(task)).toEqual({ ended: failure('/do/0/slow'), ms: 2_000 });
    const whole = `${use}\ntimeout: short\ndo: [{ slow: { wait: PT1H } }]`;
    expect(await timed(whole)).toEqual({ ended: failure('/timeout'), ms: 2_000 });
  });

  test('covers all that is in the task, retries among it [TO-04]', async () => {
    const body = `
      do:
        - slow:
            timeout: { after: PT10S }
            try: [{ a: { wait: PT2S } }, { b: { raise: { error: { type: 'about:blank',
                status: 500 } } } }]
            catch: { retry: { delay: PT1S, limit: { attempt: { count: 100 } } } }
    `;
    expect(await timed(body)).toEqual({ ended: failure('/do/0/slow'), ms: 10_000 });
    const nested = `
      do:
        - outer: { timeout: { after: PT4S }, do: [{ inner: { timeout: { after: PT3S },
            do: [{ a: { wait: PT2S } }, { b: { wait: PT2S } }] } }] }
    `;
    expect(await timed(nested)).toEqual({ ended: failure('/do/0/outer/do/0/inner'), ms: 3_000 });
  });

  test('may be as long as an expression says [TO-05]', async () => {
    const task = "do: [{ slow: { wait: PT1H, timeout: { after: '${ .limit }' } } }]";
    expect((await timed(task, { limit: 'PT3S' })).ms).toBe(3_000);
    expect((await timed(task, { limit: { seconds: 4 } })).ms).toBe(4_000);
    const whole = "timeout: { after: '${ .limit }' }\ndo: [{ slow: { wait: PT1H } }]";
    expect((await timed(whole, { limit: 'PT3S' })).ms).toBe(3_000);
    const shaped =
      "do: [{ slow: { input: { from: .x }, wait: PT1H, timeout: { after: '${ .limit }' } } }]";
    expect((await timed(shaped, { x: { limit: 'PT3S' } })).ms).toBe(3_000);
    const failed = await error(task, { limit: 'soon' });
    expect(failed).toMatchObject({ status: 400, instance: '/do/0/slow' });
  });

  test('runs on, and not anew, whatever dies meanwhile [TO-06]', async () => {
    const body = `
      do:
        - slow: { timeout: { after: PT10S }, for: { in: '[range(100)]' },
            do: [{ a: { wait: PT1S } }] }
    `;
    const { ended, ms } = await timed(body, {}, CRASHES);
    expect(ended).toEqual(failure('/do/0/slow'));
    expect(ms).toBeGreaterThanOrEqual(10_000);
    expect(ms).toBeLessThan(10_100);
  });
});
