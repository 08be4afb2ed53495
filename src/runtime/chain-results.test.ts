/** What a handler's answer makes of a chain (L-30 to L-41), on every store. */
import { describe, expect, test } from 'vitest';
import { chain, type ChainOptions } from '../frontends/chain/chain.ts';
import { completed, dead, retry, waiting } from '../frontends/chain/results.ts';
import type { Change } from '../model/change.ts';
import { LIMITS } from '../model/limits.ts';
import { pauseAfter, type Retry } from '../nodes/retry.ts';
import { expectRows, Script } from '../testing/chain-rows.ts';
import { begin, onEveryStore } from '../testing/lab.ts';
import type { HistoryEntry } from './run.ts';

const two = chain('two', 1, ['FIRST', 'SECOND']);

function didIn(entry: HistoryEntry | undefined): readonly Change['did'][] {
  return entry?.changes.map(({ did }) => did) ?? [];
}

onEveryStore('completed()', (open) => {
  test('L-30: it is done, the next one ready and pointed at, in one commit', async () => {
    // Not at the moment at which all of it began.
    const script = new Script(retry('1s', 'busy'), completed());
    const { lab, run } = await begin(open, two, { handlers: { FIRST: script.handler }, for: '1s' });
    expect(await run.tokens()).toMatchObject([
      { status: 'completed', attempts: 1 },
      { status: 'ready', attempts: 0, availableAt: lab.now },
    ]);
    const history = await run.history();
    expect(history.map(didIn).slice(2)).toEqual([['claim-token', 'activate-token', 'end-token']]);
    await expectRows(lab, run, {
      instance: { status: 'RUNNING', current_step_seq: 1, current_step_type: 'SECOND' },
      steps: [
        { status: 'DONE', next_run_at: null, locked_by: null, locked_until: null },
        { status: 'READY', next_run_at: lab.now },
      ],
    });
    // At no commit is the one done and the other not ready.
    expect((await run.at(2)).tokens).toMatchObject([{ status: 'ready' }, { status: 'created' }]);
  });

  test('L-31: nothing comes after it: the instance has completed', async () => {
    const { handler } = new Script(completed());
    const options = { handlers: { FIRST: handler, SECOND: handler } };
    const { lab, run } = await begin(open, two, options);
    expect(await run.inspect()).toMatchObject({ status: 'completed', endedAt: lab.now });
    await expectRows(lab, run, {
      instance: {
        status: 'COMPLETED',
        completed_at: lab.now,
        failed_at: null,
        canceled_at: null,
        current_step_seq: 1,
        current_step_type: 'SECOND',
      },
      steps: [{ status: 'DONE' }, { status: 'DONE' }],
    });
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test('L-33: what is done forgets what went wrong and what it waited for', async () => {
    const script = new Script(retry('1s', 'busy'), waiting('go', '1h'), completed());
    const { lab, run } = await begin(open, two, { handlers: { FIRST: script.handler }, for: '1s' });
    await run.send('go');
    await lab.settle();
    expect(script.told).toHaveLength(3);
    expect(await run.tokens()).toMatchObject([
      { status: 'completed', attempts: 1, visit: 2, lastError: null, wait: null, wakeAt: null },
      { status: 'ready' },
    ]);
    const empty = { waiting_event_type: null, deadline_at: null, locked_by: null };
    await expectRows(lab, run, {
      steps: [{ status: 'DONE', attempts: 1, last_error: null, ...empty }, {}],
    });
  });
});

onEveryStore('L-32: the next step is not in line any more', (open) => {
  test('the result is not applied, nothing is half written, and others go on', async () => {
    const lab = await open([two]);
    const run = await lab.engine.start(two, {});
    const [rows] = await lab.store.load([run.id]);
    const [first, next] = rows?.tokens ?? [];
    if (rows === undefined || first === undefined || next === undefined) throw new Error('no rows');
    // Somebody has run it out of its turn.
    const ran = { ...next, status: 'completed' as const };
    const head = { ...rows.head, version: 2 };
    const claim = { did: 'claim-token', token: next.id, worker: 'x', version: 1 } as const;
    const touched = {
      ...{ endedTokens: [], scopes: [], closedScopes: [], values: [], latches: [] },
      ...{
        droppedLatches: [],
        subscribed: [],
        unsubscribed: [],
        turned: [],
        hushed: false,
        undos: [],
        droppedUndos: [],
      },
      ...{ tasks: [], closedTasks: [] },
      ...{ tags: [], pausing: false, restoring: false, laned: [], drained: [] },
      ...{ posts: [], letters: [], head, tokens: [ran], bornAfter: head.counter },
      changes: [
        { did: 'activate-token' as const, token: next.id },
        { ...claim, at: rows.head.updatedAt },
        { did: 'end-token' as const, token: next.id, why: 'done' as const },
      ],
    };
    const commit = { commitId: 'odd', expected: 1, fence: null, message: null, touched };
    const outcome = await lab.store.commit([{ ...commit, snapshot: null, take: null }]);
    expect(outcome).toMatchObject([{ outcome: 'committed' }]);

    const script = new Script(completed());
    const worker = await lab.beside([], {
      handlers: { FIRST: script.handler, SECOND: script.handler },
    });
    const before = await run.history();
    await worker.settle();
    expect(script.told).toHaveLength(1);
    expect(await run.history()).toEqual(before);
    expect(await run.tokens()).toMatchObject([{ status: 'ready' }, { status: 'completed' }]);
    await expectRows(lab, run, { instance: { status: 'RUNNING', completed_at: null } });
    expect(worker.log.lines.map(({ message }) => message)).toContain('work was lost');

    const good = await lab.engine.start(two, {});
    await worker.settle();
    expect(await good.status()).toBe('completed');
    await worker.engine.close();
  });
});

onEveryStore('waiting()', (open) => {
  test('L-34 L-36: it waits for its event until its deadline; no attempt is counted', async () => {
    const script = new Script(waiting('payment.received', '15m'));
    const { lab, run } = await begin(open, two, {
      handlers: { FIRST: script.handler },
      key: 'order-42',
    });
    const deadline = lab.now + 900_000;
    expect(await run.inspect()).toMatchObject({
      status: 'waiting',
      tokens: [
        {
          status: 'waiting',
          attempts: 0,
          visit: 1,
          wait: { on: 'message', type: 'payment.received', key: 'order-42' },
          wakeAt: deadline,
        },
        { status: 'created' },
      ],
    });
    await expectRows(lab, run, {
      instance: { status: 'RUNNING', current_step_seq: 0, current_step_type: 'FIRST' },
      steps: [
        {
          status: 'WAITING',
          waiting_event_type: 'payment.received',
          deadline_at: deadline,
          attempts: 0,
          next_run_at: null,
          locked_by: null,
          locked_until: null,
        },
        { status: 'PENDING' },
      ],
    });
  });

  test('without a time there is no deadline', async () => {
    const script = new Script(waiting('payment.received'));
    const { lab, run } = await begin(open, two, { handlers: { FIRST: script.handler } });
    await lab.advance('30d');
    await expectRows(lab, run, { steps: [{ status: 'WAITING', deadline_at: null }, {}] });
    expect(script.told).toHaveLength(1);
  });

  test('L-35: what is outbound is written in the commit that has it wait', async () => {
    const outbound = [
      { type: 'payment.requested', data: { total: 5 } },
      { type: 'note', key: 'elsewhere' },
    ];
    const script = new Script(retry('1s', 'busy'), waiting('payment.received', '15m', outbound));
    const { lab, run } = await begin(open, two, {
      handlers: { FIRST: script.handler },
      key: 'order-42',
      for: '1s',
    });
    const history = await run.history();
    expect(history.map(didIn).slice(1)).toEqual([
      ['claim-token', 'retry-token'],
      ['claim-token', 'send', 'send', 'park-token'],
    ]);
    const sent = history.flatMap(({ changes }) =>
      changes.flatMap((change) => (change.did === 'send' ? [change.letter] : [])),
    );
    expect(sent).toMatchObject([
      { type: 'payment.requested', key: 'order-42', data: { total: 5 } },
      { type: 'note', key: 'elsewhere', data: null },
    ]);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(2);
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });
});

onEveryStore('retry() and dead()', (open) => {
  test('L-37 X-18: ready again after the pause, with an attempt more and the error', async () => {
    const script = new Script(retry('5s', 'carrier busy'));
    const { lab, run } = await begin(open, two, { handlers: { FIRST: script.handler } });
    expect(await run.tokens()).toMatchObject([
      {
        status: 'ready',
        attempts: 1,
        crashes: 0,
        availableAt: lab.now + 5_000,
        lastError: { code: 'chain.retry', message: 'carrier busy' },
      },
      {},
    ]);
    await expectRows(lab, run, {
      instance: { status: 'RUNNING', current_step_seq: 0 },
      steps: [
        {
          status: 'READY',
          attempts: 1,
          next_run_at: lab.now + 5_000,
          last_error: 'carrier busy',
          locked_by: null,
          locked_until: null,
        },
        { status: 'PENDING' },
      ],
    });
  });

  test('L-37 L-40: without a pause of its own, the policy says how long', async () => {
    const script = new Script(retry(null, 'busy'));
    const { lab, run } = await begin(open, two, { handlers: { FIRST: script.handler } });
    const pauses: number[] = [];
    for (let i = 0; i < 4; i += 1) {
      const [token] = await run.tokens();
      const pause = (token?.availableAt ?? 0) - lab.now;
      pauses.push(pause);
      await lab.advance(pause);
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000]);
  });

  test('L-41 L-44: dead at once; the instance has failed, and the rest stay in line', async () => {
    const script = new Script(dead('no such address'));
    const { lab, run } = await begin(open, two, { handlers: { FIRST: script.handler }, for: '1d' });
    expect(script.told).toHaveLength(1);
    expect(await run.inspect()).toMatchObject({
      status: 'failed',
      fault: { code: 'chain.dead', message: 'no such address', node: 'FIRST' },
      tokens: [
        { status: 'failed', attempts: 1 },
        { status: 'created', attempts: 0 },
      ],
    });
    const failedAt = (await run.inspect()).endedAt;
    await expectRows(lab, run, {
      instance: { status: 'FAILED', completed_at: null, failed_at: failedAt },
      steps: [
        { status: 'DEAD', attempts: 1, last_error: 'no such address', locked_by: null },
        { status: 'PENDING', attempts: 0, last_error: null, next_run_at: null },
      ],
    });
    await expect(run.result()).rejects.toMatchObject({
      code: 'instance.failed',
      details: { fault: { code: 'chain.dead' } },
    });
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });
});

describe('L-40: the pause after the n-th failure', () => {
  const max = { maxAttempts: 1_000_000 };
  const table: readonly (readonly [string, ChainOptions, number, number])[] = [
    ['the first', max, 1, 1_000],
    ['twice as long each time', max, 2, 2_000],
    ['twice as long each time', max, 5, 16_000],
    ['up to the longest', max, 9, 256_000],
    ['up to the longest', max, 10, 300_000],
    ['however many there were', max, 5_000, 300_000],
    ['a longest of none', { ...max, backoff: { max: 0 } }, 3, 0],
    ['a base of none', { ...max, backoff: { base: 0 } }, 5_000, 0],
    ['a base above the longest', { ...max, backoff: { base: '1h', max: '1m' } }, 1, 60_000],
    ['as the chain says', { ...max, backoff: { base: '10s' } }, 2, 20_000],
    ['as the step says', { ...max, steps: { A: { backoff: { base: '3s' } } } }, 2, 6_000],
    [
      'as the step says, and the chain where that is silent',
      { ...max, backoff: { base: '1s', max: '5s' }, steps: { A: { backoff: { base: '3s' } } } },
      2,
      5_000,
    ],
  ];
  test.each(table)('%s %j, n = %i', (_, options, failures, ms) => {
    const { draft } = chain('pauses', 1, ['A'], options).definition;
    const settings = draft.nodes.find(({ id }) => id === 'A')?.settings;
    const policy = settings?.['retry'] as unknown as Retry;
    expect(pauseAfter(policy, failures, 0.5, LIMITS.RETRY_DELAY_MS_MAX)).toBe(ms);
  });
});
