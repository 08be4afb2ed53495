/** What is handed out, to whom, and what is not: names, tenants, limits, and what is suspended. */
import { describe, expect, test } from 'vitest';
import { flow } from '../../frontends/builder/flow.ts';
import { remote } from '../../frontends/builder/remote.ts';
import { chain } from '../../frontends/chain/chain.ts';
import { onEveryStore } from '../../testing/lab.ts';
import { createTestEngine } from '../../testing/test-engine.ts';
import { World } from '../../testing/world.ts';
import type { Around } from '../../testing/wrapped-store.ts';
import {
  ASSIGNMENTS_MAX,
  HANDLERS_MAX,
  LEASE_MS_MAX,
  LEASE_MS_MIN,
  WAIT_MS_MAX,
} from './options.ts';

const W = { worker: 'w1' };
const job = flow<number>('job').step('work', remote<string>()).end();
const old = chain('old', 1, ['SHIP']);
const other = chain('other', 1, ['SHIP', 'BILL']);

describe('a handler is named', () => {
  test('by a type for all flows, or for one of them', async () => {
    const world = new World();
    const engine = await world.open([old, other]);
    for (const each of [old, other, old]) await engine.start(each, {});
    const one = await engine.work.fetch({ ...W, handlers: ['old/SHIP'], limit: 1 });
    expect(one.map(({ handler }) => handler)).toEqual(['old/SHIP']);
    const all = await engine.work.fetch({ ...W, handlers: ['SHIP'], limit: 10 });
    expect(all.map(({ handler }) => handler).toSorted()).toEqual(['old/SHIP', 'other/SHIP']);
  });

  test('by a flow and a step, of any version or of one', async () => {
    const world = new World();
    const step = (version: number) => flow('f', { version }).step('s', remote()).end();
    const [v1, v2, v3] = [step(1), step(2), step(3)];
    const engine = await world.open([v1, v2, v3]);
    for (const each of [v1, v2, v3]) await engine.start(each, null);
    const second = await engine.work.fetch({ ...W, handlers: ['f@2/s'], limit: 10 });
    expect(second.map(({ version }) => version)).toEqual([2]);
    const rest = await engine.work.fetch({ ...W, handlers: ['f/s'], limit: 10 });
    expect(rest.map(({ version }) => version)).toEqual([1, 3]);
  });

  test('also for chains that only another process has heard of, after a while', async () => {
    const world = new World();
    const server = await world.open([], { worker: false });
    expect(await server.work.fetch({ ...W, handlers: ['SHIP'] })).toEqual([]);
    const said = world.log.lines.map(({ details, message }) => ({ ...details, message }));
    expect(said).toMatchObject([{ handler: 'SHIP', message: expect.stringContaining('no flow') }]);
    const store = await world.open([old], { worker: false });
    await store.start(old, {});
    await world.pass('2s');
    expect(await server.work.fetch({ ...W, handlers: ['SHIP'] })).toHaveLength(1);
  });

  test('and not if it is transactional, or our own', async () => {
    const world = new World();
    const booked = flow('booked')
      .step('book', () => 1, { transactional: true })
      .end();
    const kit = createTestEngine({ flows: [booked] });
    await kit.runUntilIdle();
    const refused = kit.engine.work.fetch({ ...W, handlers: ['booked/book'] });
    await expect(refused).rejects.toThrow('in one transaction of this database');
    await kit.close();
    const engine = await world.open([]);
    for (const name of ['$http', 'flow/$http', '', ' ', '/x', 'x/', 3]) {
      const odd = engine.work.fetch({ ...W, handlers: [name as string] });
      await expect(odd, String(name)).rejects.toMatchObject({ code: 'engine.option-invalid' });
    }
  });

  test('of a flow that this process lacks gives nothing: its code may be needed', async () => {
    const world = new World();
    const here = await world.open([job]);
    const server = await world.open([], { worker: false });
    const run = await here.start(job, 1);
    expect(await server.work.fetch({ ...W, handlers: ['job@1/work', 'job/work'] })).toEqual([]);
    const [work] = await here.work.fetch({ ...W, handlers: ['job/work'] });
    const error = { message: 'no' };
    const failed = server.work.fail(work?.id ?? '', { ...W, error });
    await expect(failed).rejects.toMatchObject({ code: 'definition.not-found' });
    await server.work.complete(work?.id ?? '', { ...W, result: 'kept' });
    await world.pass('2s');
    expect(await run.result()).toEqual({ work: 'kept' });
  });
});

test('a mocked remote step is run by the test, and one that is not waits', async () => {
  const kit = createTestEngine({ flows: [job] });
  const waiting = await kit.start(job, 1);
  await kit.advance('1m');
  expect(await waiting.tokens()).toMatchObject([{ node: 'work', status: 'ready' }]);
  kit.mock('work', ({ input }) => `mocked ${JSON.stringify(input)}`);
  const run = await kit.start(job, 2);
  await kit.runUntilIdle();
  expect(await run.result()).toEqual({ work: 'mocked 2' });
  await kit.close();
});

test('a limit is obeyed at n and refused at n + 1', async () => {
  const world = new World();
  const engine = await world.open([old]);
  const handlers = ['SHIP'];
  const names = Array.from({ length: HANDLERS_MAX }, (_, n) => `T${n}`);
  const good: readonly object[] = [
    ...[{ limit: 1 }, { limit: ASSIGNMENTS_MAX }, { lease: LEASE_MS_MIN }],
    ...[{ lease: LEASE_MS_MAX }, { wait: 0 }, { handlers: names }],
  ];
  for (const each of good) {
    expect(await engine.work.fetch({ ...W, handlers, ...each })).toEqual([]);
  }
  const gone = AbortSignal.abort();
  expect(await engine.work.fetch({ ...W, handlers, wait: WAIT_MS_MAX, signal: gone })).toEqual([]);
  const bad: readonly object[] = [
    ...[{ limit: 0 }, { limit: ASSIGNMENTS_MAX + 1 }, { limit: 1.5 }, { lease: LEASE_MS_MIN - 1 }],
    ...[{ lease: LEASE_MS_MAX + 1 }, { wait: WAIT_MS_MAX + 1 }, { handlers: [] }],
    ...[{ handlers: [...names, 'one more'] }, { handlers: 'SHIP' }, { worker: '' }],
    ...[{ tenant: '' }, { leese: '1s' }],
  ];
  for (const each of bad) {
    const refused = engine.work.fetch({ ...W, handlers, ...each });
    await expect(refused, JSON.stringify(each)).rejects.toMatchObject({
      code: 'engine.option-invalid',
    });
  }
  for (const id of ['', 'nonsense', 'W10', Buffer.from('["a",1,2]').toString('base64url')]) {
    await expect(engine.work.extend(id, W)).rejects.toMatchObject({
      code: 'engine.option-invalid',
    });
  }
});

onEveryStore('work', (open) => {
  test('is handed out as often as there is some, and never twice', async () => {
    const lab = await open([old]);
    for (let n = 0; n < 5; n += 1) await lab.engine.start(old, { n });
    const first = await lab.engine.work.fetch({ ...W, handlers: ['SHIP'], limit: 3 });
    const rest = await lab.engine.work.fetch({ ...W, handlers: ['SHIP'], limit: 3 });
    expect([first.length, rest.length]).toEqual([3, 2]);
    const ids = [...first, ...rest].map(({ instance }) => instance);
    expect(new Set(ids).size).toBe(5);
  });

  test('of a suspended instance, or a suspended flow, waits until that goes on', async () => {
    const lab = await open([old, other]);
    const run = await lab.engine.start(old, {});
    await lab.engine.start(other, {});
    await run.suspend();
    await lab.engine.flows.suspend('other');
    expect(await lab.engine.work.fetch({ ...W, handlers: ['SHIP'], limit: 5 })).toEqual([]);
    await run.resume();
    const [work] = await lab.engine.work.fetch({ ...W, handlers: ['SHIP'], limit: 5 });
    expect(work?.instance).toBe(run.id);
    await run.suspend();
    await lab.engine.work.complete(work?.id ?? '', { ...W, context: { a: 1 } });
    expect((await run.inspect()).status).toBe('suspended');
    await run.resume();
    expect(await run.result()).toEqual({ a: 1 });
  });

  test('of a tenant is there for that tenant, and for nobody else to answer', async () => {
    const lab = await open([old]);
    const [a] = [await lab.engine.start(old, {}, { tenant: 'a' })];
    await lab.engine.start(old, {}, { tenant: 'b' });
    await lab.settle();
    const mine = { ...W, tenant: 'a' };
    const found = await lab.engine.work.fetch({ ...mine, handlers: ['SHIP'], limit: 5 });
    expect(found).toMatchObject([{ instance: a.id, tenant: 'a' }]);
    const id = found[0]?.id ?? '';
    const theirs = { ...W, tenant: 'b' };
    for (const call of [
      () => lab.engine.work.extend(id, theirs),
      () => lab.engine.work.complete(id, theirs),
      () => lab.engine.work.fail(id, { ...theirs, error: { message: 'no' } }),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'work.lost' });
    }
    expect(await a.history({ notes: true })).toHaveLength(1);
    const until = lab.now + 30_000;
    expect(await lab.engine.work.extend(id, mine)).toEqual({ until });
    const settledOnce = await lab.engine.work.complete(id, mine);
    expect(await lab.engine.work.complete(id, mine)).toEqual({ ...settledOnce, repeated: true });
    await expect(lab.engine.work.complete(id, theirs)).rejects.toMatchObject({ code: 'work.lost' });
  });

  test('of many tenants all comes through, though nobody here has a handler for it', async () => {
    const lab = await open([old]);
    for (let n = 0; n < 60; n += 1) {
      await lab.engine.start(old, {}, { tenant: n % 2 === 0 ? 'a' : 'b' });
    }
    const ids = new Set<string>();
    for (let rounds = 0; rounds < 60 && ids.size < 60; rounds += 1) {
      const request = { ...W, handlers: ['SHIP'], limit: 5 };
      for (const { instance } of await lab.engine.work.fetch(request)) ids.add(instance);
    }
    expect(ids.size).toBe(60);
  });

  test('that a worker asks for is not shown as work that nobody has a handler for', async () => {
    const lab = await open([old]);
    const run = await lab.engine.start(old, {});
    await lab.advance('20s');
    expect((await run.inspect()).stalled).toMatchObject({ reason: 'handler.missing' });
    await lab.engine.work.fetch({ ...W, handlers: ['SHIP'], limit: 5 });
    await lab.engine.start(old, {});
    const second = await lab.engine.start(old, {});
    await lab.advance('20s');
    expect((await second.inspect()).stalled).toBe(null);
    expect(await lab.store.servers.list()).toContainEqual(
      expect.objectContaining({ worker: 'w1', handlers: ['old/SHIP'] }),
    );
    await lab.advance('10m');
    expect((await second.inspect()).stalled).toMatchObject({ reason: 'handler.missing' });
  });

  test('that was suspended, or is not wanted, since it was claimed is not handed out', async () => {
    const undoable = flow('undoable')
      .step('b', remote<number>(), { undo: () => 1 })
      .end();
    const after: (() => Promise<unknown>)[] = [];
    const around: Around = async (verb, call) => {
      const answer = await call();
      const isClaim = verb === 'claim' && (answer as readonly unknown[]).length > 0;
      if (isClaim) await after.shift()?.();
      return answer;
    };
    const lab = await open([undoable], { around });
    const run = await lab.engine.start(undoable, null);
    await lab.settle();
    const request = { ...W, handlers: ['undoable/b'] };
    after.push(() => run.suspend());
    expect(await lab.engine.work.fetch(request)).toEqual([]);
    await run.resume();
    after.push(() => run.cancel({ saga: true }));
    expect(await lab.engine.work.fetch(request)).toEqual([]);
    await lab.settle();
    expect(await run.status()).toBe('canceled');
    const changes = (await run.history()).flatMap((entry) => entry.changes);
    expect(changes.filter(({ did }) => did === 'claim-token')).toHaveLength(1);
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test('that has cost two workers their lives is handed out alone, after all else', async () => {
    const lab = await open([old]);
    const poison = await lab.engine.start(old, {});
    for (const _ of [1, 2]) {
      expect(await lab.engine.work.fetch({ ...W, handlers: ['SHIP'], lease: '1s' })).toHaveLength(
        1,
      );
      await lab.advance('10s');
    }
    const usual = await lab.engine.start(old, {});
    const first = await lab.engine.work.fetch({ ...W, handlers: ['SHIP'], limit: 5 });
    expect(first.map(({ instance }) => instance)).toEqual([usual.id]);
    const second = await lab.engine.work.fetch({ ...W, handlers: ['SHIP'], limit: 5 });
    expect(second).toMatchObject([{ instance: poison.id, attempt: 3 }]);
  });
});
