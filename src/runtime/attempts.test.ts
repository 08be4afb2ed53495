/** Attempts, as D11 counts them, by the engine and on every store (scenario 4). */
import { expect, test } from 'vitest';
import { Fatal } from '../index.ts';
import { flow } from '../frontends/builder/flow.ts';
import type { RetryOptions } from '../frontends/builder/retry-options.ts';
import type { Flow } from '../model/definition.ts';
import { onEveryStore, type OpenLab } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';

/** What the handler does, execution by execution: answers, throws, or takes its worker with it. */
type Fate = 'ok' | 'throws' | 'crashes' | 'fatal';

interface Seen {
  readonly attempt: number;
  readonly reason: string;
  readonly key: string;
  readonly at: number;
}

async function live(open: OpenLab, fates: readonly Fate[], retry?: RetryOptions) {
  const seen: Seen[] = [];
  const job: Flow = flow('job')
    .step(
      'work',
      async ({ attempt, wake, idempotencyKey }) => {
        const fate = fates[seen.length] ?? 'throws';
        seen.push({ attempt, reason: wake.reason, key: idempotencyKey, at: lab.now });
        if (fate === 'fatal') throw new Fatal('no use');
        if (fate === 'throws') throw new Error('again');
        if (fate === 'ok') return 'done';
        lab.crash();
        return new Gate().opened;
      },
      retry === undefined ? {} : { retry },
    )
    .end();
  const lab = await open([job]);
  const run = await lab.engine.start(job, null as never);
  await lab.advance('1d');
  return { lab, run, seen, view: await run.inspect() };
}

function gaps(seen: readonly Seen[]): number[] {
  return seen.slice(1).map(({ at }, index) => at - (seen[index]?.at ?? 0));
}

onEveryStore('scenario 4: maxAttempts counts executions in all (D11, X-04, X-05)', (open) => {
  test.each([1, 2, 3])('X-04: a handler that always fails is run %i times', async (maxAttempts) => {
    const { seen, view } = await live(open, [], { maxAttempts, delay: '1s' });
    expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2, 3].slice(0, maxAttempts));
    expect(view).toMatchObject({ status: 'failed', fault: { code: 'handler.threw' } });
  });

  test('without a policy it is run once', async () => {
    const { seen, view } = await live(open, []);
    expect([seen.length, view.status]).toEqual([1, 'failed']);
  });

  // How often it is run if its worker dies in the first execution and it fails ever after.
  test.each([
    [1, 2],
    [2, 2],
    [3, 3],
  ])(
    'X-05: of %i, with a crash first, it is run %i times: a crash counts and is never the last',
    async (maxAttempts, runs) => {
      const { seen, view } = await live(open, ['crashes'], { maxAttempts, delay: '1s' });
      expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2, 3].slice(0, runs));
      expect(seen[1]?.reason).toBe('lease-recovery');
      expect(view.fault?.code).toBe('handler.threw');
    },
  );

  test.each([
    [1, 3],
    [2, 3],
    [3, 3],
  ])('X-05: of %i, after two crashes in a row, it is run %i times', async (maxAttempts, runs) => {
    const { seen, view } = await live(open, ['crashes', 'crashes'], { maxAttempts, delay: '1s' });
    expect([seen.length, view.status]).toEqual([runs, 'failed']);
  });

  test('X-05: crashes alone never use up the policy', async () => {
    const fates: Fate[] = ['crashes', 'crashes', 'crashes', 'crashes', 'ok'];
    const { seen, view } = await live(open, fates, { maxAttempts: 2 });
    expect([seen.length, view.status]).toEqual([5, 'completed']);
  });

  test('B-44 B-47: failing twice and then not, it is one token throughout', async () => {
    const policy = { maxAttempts: 3, delay: '2s' };
    const { run, seen, view } = await live(open, ['throws', 'throws', 'ok'], policy);
    expect(view).toMatchObject({ status: 'completed', output: { work: 'done' } });
    expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
    expect(seen.map(({ reason }) => reason)).toEqual(['first', 'retry', 'retry']);
    expect(gaps(seen)).toEqual([2_000, 2_000]);
    const changes = (await run.history()).flatMap((entry) => entry.changes);
    const born = changes.filter(({ did }) => did === 'birth-token');
    const atWork = born.filter((change) => 'token' in change && isAtWork(change.token));
    expect(atWork).toHaveLength(1);
  });

  test('a Fatal is not retried', async () => {
    const { seen, view } = await live(open, ['throws', 'fatal'], { maxAttempts: 5 });
    expect(seen).toHaveLength(2);
    expect(view.fault).toMatchObject({ code: 'handler.fatal', message: 'no use' });
  });
});

function isAtWork(token: unknown): boolean {
  return typeof token === 'object' && token !== null && Reflect.get(token, 'node') === 'work';
}

onEveryStore('B-45: the pauses between executions', (open) => {
  const policies: readonly (readonly [string, RetryOptions, readonly number[]])[] = [
    ['fixed', { maxAttempts: 4, delay: '3s' }, [3_000, 3_000, 3_000]],
    ['linear', { maxAttempts: 4, delay: '3s', backoff: 'linear' }, [3_000, 6_000, 9_000]],
    ['exponential', { maxAttempts: 4, delay: '3s', backoff: 'exponential' }, [3e3, 6e3, 12e3]],
    [
      'capped',
      { maxAttempts: 5, delay: '3s', backoff: 'exponential', maxDelay: '7s' },
      [3e3, 6e3, 7e3, 7e3],
    ],
    ['none', { maxAttempts: 3, delay: 0 }, [0, 0]],
  ];

  test.each(policies)('%s', async (_, policy, expected) => {
    expect(gaps((await live(open, [], policy)).seen)).toEqual(expected);
  });

  test('jitter takes off up to its share, differently for each', async () => {
    const policy = { maxAttempts: 20, delay: '10s', jitter: 0.2 };
    const pauses = gaps((await live(open, [], policy)).seen);
    expect(pauses).toHaveLength(19);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(8_000);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(10_000);
    expect(new Set(pauses).size).toBeGreaterThan(15);
  });

  test('X-18: meanwhile the token is ready from its moment on, and says what failed', async () => {
    const job = flow('job')
      .step('work', () => Promise.reject(new Error('down')), {
        retry: { maxAttempts: 2, delay: '1h' },
      })
      .end();
    const lab = await open([job]);
    const run = await lab.engine.start(job, null);
    await lab.settle();
    expect(await run.tokens()).toMatchObject([
      {
        status: 'ready',
        availableAt: lab.now + 3_600_000,
        attempts: 1,
        wake: { reason: 'retry' },
        lastError: { code: 'handler.threw', message: 'down', node: 'work' },
      },
    ]);
  });
});
