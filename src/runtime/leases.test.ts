import { describe, expect, test, vi } from 'vitest';
import { EngineError } from '../base/engine-error.ts';
import { flow } from '../frontends/builder/flow.ts';
import type { HandlerTools } from '../frontends/builder/views.ts';
import { Gate, settled, Stage } from '../testing/stage.ts';
import { VirtualAlarm } from '../testing/virtual-alarm.ts';
import { World } from '../testing/world.ts';
import { wrappedStore } from '../testing/wrapped-store.ts';

type Work = (tools: HandlerTools) => unknown;

/** One step, whose handler each process brings itself: the plan is the same for all. */
function job(work: Work) {
  return flow('job')
    .step('work', work)
    .end(({ results }) => results.work);
}

/** A process that stands still: nothing rings its alarms. */
const stalled = (): VirtualAlarm => new VirtualAlarm(0);

describe('scenario 3, L-22, X-03: worker A stalls beyond its lease', () => {
  async function stall() {
    const world = new World();
    const [late, prompt] = [new Gate<string>(), new Gate<string>()];
    const seen: HandlerTools[] = [];
    const a = await world.open([job(() => late.opened)], { alarm: stalled(), worker: { id: 'A' } });
    const run = await a.start('job', null);
    await settled();
    const b = await world.open(
      [
        job((tools) => {
          seen.push(tools);
          return prompt.opened;
        }),
      ],
      { worker: { id: 'B' } },
    );
    return { world, run, a, b, late, prompt, seen };
  }

  test('B recovers the token: one attempt more, a higher version, its own reason', async () => {
    const { world, run, seen, prompt } = await stall();
    await world.pass('10s');
    expect(seen).toEqual([]);
    await world.pass('1s');
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ attempt: 2, wake: { reason: 'lease-recovery' } });
    expect(await run.tokens()).toMatchObject([
      { attempts: 1, crashes: 1, lastError: { code: 'LEASE_EXPIRED', node: 'work' } },
    ]);
    prompt.open('from B');
    await settled();

    const changes = (await run.history()).flatMap((entry) => entry.changes);
    const claims = changes.filter((change) => change.did === 'claim-token');
    expect(claims.map(({ worker }) => worker)).toEqual(['A', 'B']);
    expect(claims[1]?.version).toBeGreaterThan(claims[0]?.version ?? Number.NaN);
    expect(changes.map(({ did }) => did)).toContain('recover-token');
  });

  test('B completes, and what A brings later is dropped and shown as dropped', async () => {
    const { world, run, a, late, prompt } = await stall();
    await world.pass('11s');
    prompt.open('from B');
    await settled();
    const before = await run.history();
    late.open('from A');
    await settled();

    expect(await run.inspect()).toMatchObject({ status: 'completed', output: 'from B' });
    expect(await run.history()).toEqual(before);
    const notes = (await run.history({ notes: true })).filter(({ n }) => n === null);
    expect(notes).toMatchObject([
      { changes: [], dropped: { instance: run.id, worker: 'A', reason: 'token gone' } },
    ]);
    expect(world.log.lines).toMatchObject([{ level: 'info', details: { worker: 'A' } }]);
    expect(await a.check()).toMatchObject({ ok: true });
  });

  test('what A brings while B works is dropped too', async () => {
    const { world, run, late, prompt } = await stall();
    await world.pass('11s');
    late.open('from A');
    await settled();
    expect(await run.status()).toBe('running');
    const dropped = await world.store.dropped(run.id);
    expect(dropped).toMatchObject([{ worker: 'A', version: 1, reason: 'lease lost' }]);
    prompt.open('from B');
    await settled();
    expect((await run.inspect()).output).toBe('from B');
  });

  test('what A brings after its lease and before anyone noticed counts', async () => {
    const { world, run, a, b, late } = await stall();
    world.kill(b);
    await world.pass('11s');
    late.open('from A');
    await settled();
    expect(await run.inspect()).toMatchObject({ status: 'completed', output: 'from A' });
    expect(await world.store.dropped(run.id)).toEqual([]);
    expect(await a.check()).toMatchObject({ ok: true });
  });

  test('L-23: what A brings in the last millisecond of its lease counts', async () => {
    const { world, run, late } = await stall();
    await world.pass('10s');
    late.open('from A');
    await settled();
    expect(await run.inspect()).toMatchObject({ status: 'completed', output: 'from A' });
    expect(await world.store.dropped(run.id)).toEqual([]);
  });
});

test('two that find the same lease over recover it once', async () => {
  const world = new World();
  const [stage, gate] = [new Stage(), new Gate<string>()];
  const a = await world.open([job(() => new Gate().opened)], { alarm: stalled() });
  const run = await a.start('job', null);
  await settled();
  const store = stage.watch(world.store, 'b', ['commit']);
  await world.open([job(() => 'never')], { store });
  await world.pass('11s');
  expect(stage.held).toEqual(['b commit']);
  await world.open([job(() => gate.opened)], { worker: { id: 'C' } });
  await settled();
  // It has been recovered, and is at work again, when the other recovery arrives.
  await stage.letAllGo();
  expect(await run.tokens()).toMatchObject([{ attempts: 1, crashes: 1 }]);
  gate.open('from C');
  await settled();
  expect((await run.inspect()).output).toBe('from C');
});

test('a heartbeat renews the lease for as long as the handler runs', async () => {
  const world = new World();
  const gate = new Gate<string>();
  const engine = await world.open([job(() => gate.opened)]);
  const run = await engine.start('job', null);
  await world.open([job(() => 'stolen')]);
  for (let second = 0; second < 120; second += 1) await world.pass('1s');
  gate.open('mine');
  await settled();
  expect(await run.inspect()).toMatchObject({ output: 'mine', version: 2 });
});

test('a handler may renew its lease itself', async () => {
  const world = new World();
  const [beat, gate] = [new Gate(), new Gate<string>()];
  const work: Work = async ({ heartbeat }) => {
    await beat.opened;
    heartbeat();
    return gate.opened;
  };
  const engine = await world.open([job(work)], { alarm: stalled() });
  await world.open([job(() => 'stolen')]);
  const run = await engine.start('job', null);
  await world.pass('9s');
  beat.open();
  await settled();
  await world.pass('9s');
  gate.open('mine');
  await settled();
  expect((await run.inspect()).output).toBe('mine');
});

test('a heartbeat of a handler while the store is away does not end the process', async () => {
  const world = new World();
  const rejected = vi.fn<(reason: unknown) => void>();
  process.on('unhandledRejection', rejected);
  const away = (): Promise<never> =>
    Promise.reject(new EngineError('store.unreachable', 'away', { retryable: true }));
  const work: Work = ({ heartbeat }) => {
    heartbeat();
    return 'done';
  };
  const store = wrappedStore(world.store, { renew: away });
  const engine = await world.open([job(work)], { store });
  const run = await engine.start('job', null);
  expect(await run.result()).toBe('done');
  await settled();
  process.off('unhandledRejection', rejected);
  expect(rejected).not.toHaveBeenCalled();
  expect(world.log.lines).toMatchObject([{ level: 'warn', message: 'a heartbeat failed' }]);
});

describe('the signal of a handler', () => {
  /** A process that stands still until another has taken its work back, and goes on then. */
  async function lose(work: Work) {
    const world = new World();
    const alarm = new VirtualAlarm(world.clock.now);
    const engine = await world.open([job(work)], { alarm });
    await engine.start('job', null);
    await settled();
    await world.open([job(() => 'taken over')]);
    await world.pass('11s');
    alarm.moveTo(world.clock.now);
    await settled();
  }

  test('aborts when the lease is lost', async () => {
    const seen: AbortSignal[] = [];
    const aborted: boolean[] = [];
    await lose(({ signal }) => {
      seen.push(signal);
      aborted.push(signal.aborted);
      return new Gate().opened;
    });
    expect(aborted).toEqual([false]);
    expect(seen[0]?.aborted).toBe(true);
    expect(seen[0]?.reason).toMatchObject({ message: 'the lease is lost' });
  });

  test('is aborted already for whoever asks for it only then', async () => {
    const [gate, told] = [new Gate(), new Gate<boolean>()];
    await lose(async (tools) => {
      await gate.opened;
      told.open(tools.signal.aborted);
    });
    gate.open();
    expect(await told.opened).toBe(true);
  });

  /** One branch works for ever, the other ends everything when the gate opens. */
  function race() {
    const [told, gate] = [new Gate<unknown>(), new Gate()];
    const flowOfBoth = flow('race')
      .waitFor('go', { event: 'go', key: 'k' })
      .parallel('fork', {
        slow: (b) =>
          b.step('slow', ({ signal }) => {
            signal.addEventListener('abort', () => told.open(signal.reason));
            return new Gate().opened;
          }),
        quick: (b) => b.step('quick', () => gate.opened).terminate('stop', () => 'stopped'),
      })
      .end();
    return { told, gate, flow: flowOfBoth };
  }

  test('aborts when a terminate elsewhere takes the token away', async () => {
    const { told, gate, flow: both } = race();
    const world = new World();
    const engine = await world.open([both]);
    const run = await engine.start(both, null);
    await engine.publish({ type: 'go', key: 'k' });
    await settled();
    gate.open();
    expect(await run.result()).toBe('stopped');
    expect(await told.opened).toMatchObject({ message: 'the token is gone' });
  });

  test('aborts in the process that has the token, once it hears of it', async () => {
    const { told, gate, flow: both } = race();
    const world = new World();
    const small = { worker: { concurrency: 1 } };
    const first = await world.open([both], small);
    await world.open([both], small);
    await first.start(both, null);
    await first.publish({ type: 'go', key: 'k' });
    await world.pass('1s');
    gate.open();
    await settled();
    await world.pass('4s');
    expect(await told.opened).toMatchObject({ message: 'the lease is lost' });
  });
});

describe('D11: a token whose leases run out again and again', () => {
  async function crash(times: number, limits = {}) {
    const world = new World();
    const seen: { attempt: number; idempotencyKey: string }[] = [];
    const poison = job((tools) => {
      seen.push(tools);
      return new Gate().opened;
    });
    const office = await world.open([poison], { worker: false, limits });
    const run = await office.start(poison, null);
    for (let n = 0; n < times; n += 1) {
      const engine = await world.open([poison], { limits });
      await settled();
      world.kill(engine);
      await world.pass('11s');
    }
    await world.open([], { limits });
    await settled();
    return { run, seen };
  }

  test('is tried CRASHES_MAX times more, each as another attempt of one visit', async () => {
    const { run, seen } = await crash(10);
    expect(await run.tokens()).toMatchObject([{ status: 'ready', attempts: 10, crashes: 10 }]);
    expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(new Set(seen.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  test('then fails as LEASE_EXPIRED', async () => {
    const { run } = await crash(11);
    expect(await run.inspect()).toMatchObject({
      status: 'failed',
      fault: { code: 'LEASE_EXPIRED', node: 'work', message: expect.stringContaining('10') },
    });
  });

  test.each([
    [0, 'failed'],
    [1, 'running'],
  ])('a CRASHES_MAX of %i leaves it %s after one', async (CRASHES_MAX, status) => {
    const { run } = await crash(1, { CRASHES_MAX });
    expect(await run.status()).toBe(status);
  });
});
