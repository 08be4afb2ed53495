/** What a worker does with chains, turn by turn (L-10 to L-19), on every store. */
import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { chain } from '../frontends/chain/chain.ts';
import { completed, retry, waiting } from '../frontends/chain/results.ts';
import type { InstanceId, TokenId } from '../model/ids.ts';
import type { StepResult } from '../model/chain.ts';
import { expectRows, expectShown, rowsOf, Script } from '../testing/chain-rows.ts';
import { begin, onEveryStore } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';
import { newWorkerId } from './ids.ts';
import type { ChainHandler } from './links.ts';
import { readWorker } from './options.ts';

const one = chain('one', 1, ['WORK']);
const LEASE_MS = 10_000;

onEveryStore('the turns of a worker', (open) => {
  test('L-10: first what ran out, then what waited too long, then what is ready', async () => {
    const verbs: string[] = [];
    const waits = chain('waits', 1, ['WAIT']);
    const lab = await open([one, waits], {
      handlers: { WORK: () => completed(), WAIT: () => completed() },
      around: (verb, call) => {
        verbs.push(verb);
        return call();
      },
    });
    // Of each something that another process has left.
    const other = await lab.beside([one, waits], {
      handlers: {
        WORK: () => new Gate<StepResult>().opened,
        WAIT: () => waiting('go', '1s'),
      },
    });
    await other.engine.start(one, {});
    await other.engine.start(waits, {});
    await other.tick(0);
    other.engine.parts.worker?.abandon();
    await other.engine.start(one, {});
    await lab.tick(0);
    verbs.length = 0;
    await lab.tick('1m');
    const turn = verbs.filter((verb) => ['expired', 'due', 'claim'].includes(verb));
    expect(turn.slice(0, 3)).toEqual(['expired', 'due', 'claim']);
  });

  test('L-11: what has been due longest comes first, as there is room for it', async () => {
    const lab = await open([one]);
    const pauses = [30, 10, 20];
    const runs: string[] = [];
    const starter = await lab.beside([one], {
      handlers: { WORK: ({ context }) => retry(`${context['pause']}s`, 'not yet') },
    });
    for (const pause of pauses) runs.push((await starter.engine.start(one, { pause })).id);
    await starter.settle();
    await starter.engine.close();

    const [order, most] = [[] as unknown[], { now: 0, ever: 0 }];
    const gate = new Gate();
    const next = await lab.beside([], {
      concurrency: 2,
      handlers: {
        WORK: async ({ context }) => {
          order.push(context['pause']);
          most.now += 1;
          most.ever = Math.max(most.ever, most.now);
          if (order.length === 1) await gate.opened;
          most.now -= 1;
          return completed();
        },
      },
    });
    // All three are due, and none of them was looked at before.
    await next.tick('1h');
    gate.open();
    await next.settle();
    expect(order).toEqual([10, 20, 30]);
    expect(most.ever).toBeLessThanOrEqual(2);
    await next.engine.close();
  });

  test('L-12 L-17: nothing is run that is not claimed, for the time of a lease', async () => {
    const [gate, begun] = [new Gate<StepResult>(), new Gate<ReturnType<typeof rowsOf>>()];
    const lab = await open([one], {
      handlers: {
        WORK: (step) => {
          begun.open(rowsOf(lab, { id: step.instance }));
          return gate.opened;
        },
      },
    });
    const run = await lab.engine.start(one, {});
    // As the handler itself sees it.
    const seen = await begun.opened;
    const held = { status: 'RUNNING', locked_until: lab.now + LEASE_MS, attempts: 0 };
    expectShown(seen, { steps: [held] });
    const [token] = await run.tokens();
    expect(token?.id).toBe(3);
    const other = { worker: 'other', instance: run.id, leaseMs: 1 };
    for (const version of [0, 1, 2, 3]) {
      const claim = { ...other, token: 3 as TokenId, version };
      expect(await lab.store.claimOne(claim)).toBeUndefined();
    }
    gate.open(completed());
    await lab.settle();
    const claims = (await run.history()).flatMap(({ changes }) =>
      changes.flatMap((change) => (change.did === 'claim-token' ? [change] : [])),
    );
    expect(claims).toHaveLength(1);
    expectShown(seen, { steps: [{ locked_by: claims[0]?.worker }] });
  });

  test('L-13: two workers side by side never run the same step', async () => {
    const count = 12;
    const three = chain('three', 1, ['A', 'B', 'C']);
    const runs = new Map<string, number>();
    const handler: ChainHandler = ({ idempotencyKey }) => {
      runs.set(idempotencyKey, (runs.get(idempotencyKey) ?? 0) + 1);
      return completed();
    };
    const handlers = { A: handler, B: handler, C: handler };
    const lab = await open([three]);
    const ids: InstanceId[] = [];
    for (let i = 0; i < count; i += 1) ids.push((await lab.engine.start(three, {})).id);
    const workers = [await lab.beside([], { handlers }), await lab.beside([], { handlers })];
    await Promise.all(workers.map((worker) => worker.settle()));
    await Promise.all(workers.map((worker) => worker.settle()));
    expect(runs.size).toBe(count * 3);
    expect([...runs.values()]).toEqual(Array.from(runs, () => 1));
    for (const rows of await lab.store.load(ids)) expect(rows?.head.status).toBe('completed');
    for (const worker of workers) await worker.engine.close();
  });

  test('L-14: what is due later is not claimed before', async () => {
    const script = new Script(retry('5s', 'not yet'), completed());
    const { lab, run } = await begin(open, one, { handlers: { WORK: script.handler } });
    await lab.advance(4_999);
    expect(script.told).toHaveLength(1);
    await lab.advance(1);
    expect(script.told).toMatchObject([{ reason: 'first' }, { reason: 'retry', attempt: 2 }]);
    expect(await run.status()).toBe('completed');
  });

  test('L-15 X-12: what waited too long is run as that, and as nothing else', async () => {
    const script = new Script(waiting('payment', '15m'), completed());
    const { lab, run } = await begin(open, one, { handlers: { WORK: script.handler } });
    await lab.advance('15m');
    expect(script.told).toMatchObject([
      { taskType: 'READY_STEP', reason: 'first', stepSeq: 0, attempt: 1 },
      { taskType: 'WAITING_TIMEOUT', reason: 'timeout', stepSeq: 0, attempt: 1, event: null },
    ]);
    expect(await run.status()).toBe('completed');
    const did = (await run.history()).map(({ changes }) => changes.map((change) => change.did));
    // By way of ready: the end of its time is one entry, and its second run another.
    expect(did.slice(2)).toEqual([
      ['wake-token'],
      ['claim-token', 'end-token', 'close-scope', 'finish'],
    ]);
  });

  test('L-16: with waitingTimeouts off it waits on past its deadline', async () => {
    const patient = chain('patient', 1, ['WORK'], { waitingTimeouts: false });
    const script = new Script(waiting('payment', '15m'), completed());
    const { lab, run } = await begin(open, patient, { handlers: { WORK: script.handler } });
    const deadline = lab.now + 900_000;
    await lab.advance('7d');
    expect(script.told).toHaveLength(1);
    expect(await run.tokens()).toMatchObject([
      { status: 'waiting', wakeAt: null, wait: { type: 'payment', until: deadline } },
    ]);
    await expectRows(lab, run, {
      steps: [{ status: 'WAITING', waiting_event_type: 'payment', deadline_at: deadline }],
    });
    await run.send('payment');
    await lab.settle();
    expect(await run.status()).toBe('completed');
    expect(script.told).toMatchObject([{}, { taskType: 'READY_STEP', reason: 'event' }]);
  });

  test('L-16: one that is on wakes at the very moment', async () => {
    const script = new Script(waiting('payment', '15m'), completed());
    const { lab, run } = await begin(open, one, { handlers: { WORK: script.handler } });
    await expectRows(lab, run, { steps: [{ status: 'WAITING', deadline_at: lab.now + 900_000 }] });
    await lab.advance(899_999);
    expect(script.told).toHaveLength(1);
    await lab.advance(1);
    expect(script.told).toHaveLength(2);
  });
});

test('L-18: the usual worker holds for 10 s and looks every second; there may be none', () => {
  expect(readWorker({})).toMatchObject({ leaseMs: 10_000, pollMs: 1_000, concurrency: 64 });
  expect(readWorker(false)).toBe(null);
});

describe('L-19: who a worker is', () => {
  test('its program, host, process and chance, in small and plain letters', () => {
    const [program, host, pid, chance, ...more] = newWorkerId().split(':');
    expect(more).toEqual([]);
    expect(program).toMatch(/^[a-z0-9._-]+$/);
    expect(host).toBe(
      hostname()
        .toLowerCase()
        .replaceAll(/[^a-z0-9._-]+/g, '-'),
    );
    expect(pid).toBe(String(process.pid));
    expect(chance).toMatch(/^[0-9a-f]{8}$/);
  });

  test('another one at each start, and what it is told to be', () => {
    expect(newWorkerId()).not.toBe(newWorkerId());
    expect(readWorker({})?.id).not.toBe(readWorker({})?.id);
    expect(readWorker({ id: 'my worker' })?.id).toBe('my worker');
  });
});
