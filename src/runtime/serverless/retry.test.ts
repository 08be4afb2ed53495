/** What is tried again, when and how often: TR-18 to TR-29. Times are of a virtual clock. */
import { describe, expect, test } from 'vitest';
import { Receiver } from '../../testing/receiver.ts';
import { createTestEngine, type TestEngineOptions } from '../../testing/test-engine.ts';
import { type Ended, endOf, error, oneLine, output, workflow } from '../../testing/workflows.ts';
import type { Run } from '../run.ts';

const TIMEOUT = 'https://serverlessworkflow.io/spec/1.0.0/errors/timeout';
const RAISE = "{ bad: { raise: { error: { type: 'about:blank', status: 418, title: T } } } }";
const CRASHES = { chaos: { crashAfterEveryCommit: true } };

interface Parts {
  readonly use: string;
  readonly list: string;
  readonly caught: string;
  readonly options: Omit<TestEngineOptions, 'flows'>;
}

interface Tries {
  /** When each of them began, in milliseconds since the first. */
  readonly at: readonly number[];
  readonly ended: Ended;
}

/** Tries what fails by a policy, until it is over. */
async function tries(policy: string, more: Partial<Parts> = {}): Promise<Tries> {
  const { use = '{}', list = RAISE, caught = '', options = {} } = more;
  const handling = caught === '' ? '' : `, ${caught}`;
  const body = `
      use: ${use}
      do: [{ tried: { try: [${list}], catch: { retry: ${policy}${handling} } } }]
  `;
  const kit = createTestEngine({ flows: [workflow(body)], ...options });
  try {
    const run = await kit.start(workflow(body), {});
    await kit.advance('2d');
    expect(await kit.engine.check()).toMatchObject({ ok: true });
    return { at: await beginnings(run), ended: await endOf(run) };
  } finally {
    await kit.close();
  }
}

/** When the first task of what is tried began. */
async function beginnings(run: Run): Promise<readonly number[]> {
  const at = (await run.history()).flatMap(({ changes, at: moment }) =>
    changes.flatMap((change) =>
      change.did === 'birth-token' && /\/try\/0\/[^/#]+$/.test(change.token.node) ? [moment] : [],
    ),
  );
  return at.map((moment) => moment - (at[0] ?? 0));
}

const count = (n: number): string => `limit: { attempt: { count: ${n} } }`;

describe('a policy', () => {
  test('may stand there or be named [TR-18]', async () => {
    const policy = `{ delay: { seconds: 1 }, ${count(2)} }`;
    const inline = await tries(policy);
    expect(inline.at).toEqual([0, 1_000, 2_000]);
    const named = await tries('a/b', { use: `{ retries: { a/b: ${policy} } }` });
    expect(named).toEqual(inline);
  });

  test.each([
    ['{ delay: { seconds: 2, milliseconds: 5 }, LIMIT }', [0, 2_005, 4_010, 6_015]],
    ['{ delay: PT2S, LIMIT }', [0, 2_000, 4_000, 6_000]],
    [`{ delay: '\${ "PT\\(1 + 2)S" }', LIMIT }`, [0, 3_000, 6_000, 9_000]],
    ['{ LIMIT }', [0, 0, 0, 0]],
  ])('says how long to wait: %s [TR-19]', async (policy, at) => {
    const { at: came } = await tries(policy.replace('LIMIT', count(3)));
    expect(came).toEqual(at);
  });

  test.each([
    ['constant', [0, 1_000, 2_000, 3_000, 4_000]],
    ['linear', [0, 1_000, 3_000, 6_000, 10_000]],
    ['exponential', [0, 1_000, 3_000, 7_000, 15_000]],
  ])('backs off: %s [TR-20]', async (backoff, at) => {
    const { at: came } = await tries(
      `{ delay: { seconds: 1 }, backoff: { ${backoff}: {} }, ${count(4)} }`,
    );
    expect(came).toEqual(at);
  });

  test('never backs off for longer than the host allows [TR-20]', async () => {
    const policy = `{ delay: { seconds: 1 }, backoff: { exponential: {} }, ${count(4)} }`;
    const options = { limits: { RETRY_DELAY_MS_MAX: 2_000 } };
    expect((await tries(policy, { options })).at).toEqual([0, 1_000, 3_000, 5_000, 7_000]);
  });

  test('adds something between two times to each pause [TR-21]', async () => {
    const policy = oneLine`
      { delay: { seconds: 1 }, jitter: { from: { milliseconds: 100 }, to: { milliseconds: 300 } },
      ${count(40)} }`;
    const { at } = await tries(policy);
    const pauses = at.slice(1).map((moment, n) => moment - (at[n] ?? 0));
    expect(pauses).toHaveLength(40);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1_100);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1_300);
    expect(new Set(pauses).size).toBeGreaterThan(20);
    const alone = await tries(`{ jitter: { from: PT1S, to: PT1S }, ${count(2)} }`);
    expect(alone.at).toEqual([0, 1_000, 2_000]);
  });

  test('whose jitter goes from the longer to the shorter is wrong [TR-21]', async () => {
    const { ended } = await tries(`{ jitter: { from: PT2S, to: PT1S }, ${count(2)} }`);
    expect(ended).toMatchObject({ status: 'failed', error: { status: 400 } });
  });

  test('says how many retries there are, the first try not counted [TR-22]', async () => {
    for (const n of [0, 1, 2, 5]) {
      const { at, ended } = await tries(`{ delay: PT1S, ${count(n)} }`);
      expect(at).toHaveLength(n + 1);
      expect(ended).toMatchObject({ status: 'failed', error: { status: 418 } });
    }
  });

  test('says how long one attempt may take [TR-23]', async () => {
    const policy = '{ delay: PT1S, limit: { attempt: { count: 2, duration: PT5S } } }';
    const slow = await tries(policy, { list: '{ slow: { wait: PT1H } }' });
    expect(slow.at).toEqual([0, 6_000, 12_000]);
    expect(slow.ended).toMatchObject({
      status: 'failed',
      error: { type: TIMEOUT, status: 408, instance: '/do/0/tried' },
    });
    const quick = await tries(policy, { list: '{ quick: { wait: PT4S } }' });
    expect(quick).toMatchObject({ at: [0], ended: { status: 'completed' } });
  });

  test('says how long all attempts may take together [TR-24]', async () => {
    const within = await tries('{ delay: PT2S, limit: { duration: PT7S } }');
    expect(within.at).toEqual([0, 2_000, 4_000, 6_000]);
    expect(within.ended).toMatchObject({ status: 'failed', error: { status: 418 } });
    const none = await tries('{ delay: PT2S, limit: { duration: PT1S } }');
    expect(none.at).toEqual([0]);
    const both = await tries(
      '{ delay: PT1S, limit: { duration: PT8S, attempt: { count: 10, duration: PT2S } } }',
      { list: '{ slow: { wait: PT1H } }' },
    );
    expect(both.at).toEqual([0, 3_000, 6_000]);
  });

  test.each([
    ['when: .status == 418', 3],
    ['when: .status == 500', 1],
    ['exceptWhen: $error.title == "T"', 1],
    ['exceptWhen: .status == 500', 3],
  ])('says which errors are worth it: %s [TR-25]', async (condition, times) => {
    const { at } = await tries(`{ ${condition}, ${count(2)} }`);
    expect(at).toHaveLength(times);
  });

  test('is used up: then something is done about it, or it fails [TR-26]', async () => {
    const policy = `{ delay: PT1S, ${count(2)} }`;
    const done = await tries(policy, {
      caught: "do: [{ c: { set: { e: '${ $error.status }' } } }]",
    });
    expect(done).toMatchObject({ at: [0, 1_000, 2_000], ended: { output: { e: 418 } } });
    const failed = await tries(policy);
    expect(failed.ended).toEqual({
      status: 'failed',
      error: { type: 'about:blank', status: 418, title: 'T', instance: '/do/0/tried/try/0/bad' },
    });
    const outer = `
      do:
        - outer: { try: [{ tried: { try: [${RAISE}], catch: { retry: ${policy} } } }],
            catch: { do: [{ c: { set: { by: outer } } }] } }
    `;
    expect(await output(outer)).toEqual({ by: 'outer' });
  });

  test('is begun anew by a try that is itself tried again [TR-22]', async () => {
    const inner = oneLine`
      { inner: { try: [{ a: { set: { x: 1 } } }, ${RAISE}], catch: { retry: { delay: PT1S,
      ${count(1)} } } } }`;
    const { at } = await tries(`{ delay: PT10S, ${count(1)} }`, { list: inner });
    // The outer list and the inner one in it, twice each.
    expect(at).toEqual([0, 0, 1_000, 11_000, 11_000, 12_000]);
  });
});

describe('what is tried again', () => {
  test('is the whole list, with the input of the try [TR-27]', async () => {
    const body = `
      do:
        - before: { set: { n: 7, keep: true } }
        - tried:
            input: { from: '{ n: .n }' }
            try:
              - first: { set: { n: '\${ .n + 1 }' }, export: { as: '{
                  seen: ($context.seen + [$input]) }' } }
              - second: { if: ($context.seen | length) < 3,
                  raise: { error: { type: 'about:blank', status: 500 } } }
            catch: { retry: { ${count(5)} } }
        - last: { set: { data: '\${ . }', seen: '\${ $context.seen }' } }
    `;
    expect(await output(body, { seen: [] })).toEqual({
      data: { n: 8 },
      seen: [{ n: 7 }, { n: 7 }, { n: 7 }],
    });
  });

  test('waits and counts on after a crash [TR-28]', async () => {
    const policy = `{ delay: PT10S, backoff: { linear: {} }, ${count(3)} }`;
    const smooth = await tries(policy);
    const rough = await tries(policy, { options: CRASHES });
    expect(rough.ended).toEqual(smooth.ended);
    expect(rough.at).toHaveLength(4);
    // A lease that a crash leaves behind is a millisecond long there.
    const late = rough.at.map((moment, n) => moment - (smooth.at[n] ?? 0));
    for (const ms of late) expect(ms).toBeGreaterThanOrEqual(0);
    for (const ms of late) expect(ms).toBeLessThan(100);
  });

  test('is told of each time [TR-29]', async () => {
    const outbox = new Receiver();
    await tries(`{ delay: PT1S, ${count(2)} }`, { options: { outbox } });
    const types = outbox.taken.map(({ type }) => type.replace('io.serverlessworkflow.', ''));
    expect(types.filter((type) => type === 'task.retried.v1')).toHaveLength(2);
  });

  test('without a number waits a while at least, as the host has it [TR-19, TR-24]', async () => {
    const policy = '{ limit: { duration: PT3S } }';
    expect((await tries(policy)).at).toEqual([0, 1_000, 2_000, 3_000]);
    const options = { limits: { RETRY_DELAY_MS_MIN: 1_500 } };
    expect((await tries(policy, { options })).at).toEqual([0, 1_500, 3_000]);
    const quick = '{ delay: { milliseconds: 1499 }, limit: { duration: PT3S } }';
    expect((await tries(quick, { options })).at).toEqual([0, 1_500, 3_000]);
    const slow = '{ delay: { milliseconds: 1501 }, limit: { duration: PT3S } }';
    expect((await tries(slow, { options })).at).toEqual([0, 1_501]);
  });

  test('is given up at last, as the host has it [TR-22]', async () => {
    const options = { limits: { RETRIES_MAX: 3 } };
    expect((await tries('{ delay: PT1S }', { options })).at).toHaveLength(4);
    expect((await tries(`{ ${count(3)} }`, { options })).at).toHaveLength(4);
    expect((await tries(`{ ${count(4)} }`, { options })).at).toHaveLength(4);
  });

  test('fails with what a policy cannot be read as [TR-19]', async () => {
    const body = `do: [{ tried: { try: [${RAISE}], catch: { retry: { delay: '\${ .x }' } } } }]`;
    const failed = await error(body, { x: 'soon' });
    expect(failed).toMatchObject({ status: 400, instance: '/do/0/tried' });
  });
});
