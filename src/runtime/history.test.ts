import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { fold } from '../kernel/fold.ts';
import { rowsOf } from '../kernel/instance.ts';
import type { HistoryRow } from '../model/commit.ts';
import type { InstanceId } from '../model/ids.ts';
import type { InstanceRows, Token } from '../model/instance.ts';
import type { Store } from '../stores/store.ts';
import { createTestEngine } from '../testing/test-engine.ts';
import { World } from '../testing/world.ts';
import { wrappedStore } from '../testing/wrapped-store.ts';
import type { HistoryEntry, Run } from './run.ts';

/** A bit of everything: branches, a loop, a wait, a sleep, a scope with variables of its own. */
const busy = flow<{ n: number }>('busy')
  .set('begin', ({ input }) => ({ total: input.n }), { in: 'instance' })
  .parallel('fork', {
    loop: (b) => b.repeat('three', { times: 3 }, (b) => b.step('tick', ({ index }) => index)),
    nap: (b) => b.sleep('nap', '1h').step('woken', () => 'up'),
  })
  .scope('inner', (b) => b.waitFor('mail', { event: 'mail', timeout: '1d' }))
  .end(({ results }) => ({ ...results }));

const waits = flow('waits').waitFor('w', { event: 'e', key: 'k' }).end();

async function busyRun(): Promise<Run> {
  const kit = createTestEngine({ flows: [busy] });
  const run = await kit.start(busy, { n: 7 }, { key: 'k' });
  await kit.advance('2h');
  await kit.engine.publish({ type: 'mail', key: 'k', data: 'hello' });
  await run.result();
  return run;
}

function rowsFrom(entries: readonly HistoryEntry[]): HistoryRow[] {
  return entries.map(({ n, at, commitId, changes }) => {
    if (n === null || commitId === null) throw new Error('a commit has a number and an id');
    return { n, at, commitId, changes };
  });
}

test('scenario 26: history is numbered from 1 without gaps', async () => {
  const history = await (await busyRun()).history();
  expect(history.map(({ n }) => n)).toEqual(history.map((_, index) => index + 1));
  expect(new Set(history.map(({ commitId }) => commitId)).size).toBe(history.length);
  const moments: number[] = history.map(({ at }) => at);
  expect(moments).toEqual(moments.toSorted((a, b) => a - b));
});

test('scenario 26: at(n) is what history folds to, at every commit', async () => {
  const run = await busyRun();
  const history = rowsFrom(await run.history());
  expect(history.length).toBeGreaterThan(6);
  for (const { n } of history) {
    const { status: seen, tokens, scopes, undos, incidents, held, ...head } = await run.at(n);
    const folded = rowsOf(fold(run.id, history.slice(0, n)));
    const { status, ...rest } = folded.head;
    expect({ head, tokens, scopes, undos }).toEqual({
      head: rest,
      tokens: folded.tokens,
      scopes: folded.scopes,
      undos: folded.undos,
    });
    expect([incidents, held]).toEqual([[], []]);
    expect(seen === 'waiting' ? 'running' : seen).toBe(status);
  }
});

test('at the last commit an instance is as it is now', async () => {
  const run = await busyRun();
  const { version } = await run.inspect();
  expect(await run.at(version)).toEqual(await run.inspect());
});

test.each([0, -1, 1.5, 999, Number.NaN])('there is no commit %s', async (n) => {
  const run = await busyRun();
  await expect(run.at(n)).rejects.toMatchObject({
    code: 'instance.not-found',
    details: { instance: run.id },
  });
});

test('an old commit is shown from the nearest snapshot', async () => {
  const long = flow('long')
    .repeat('passes', { times: 1_100 }, (b) => b.step('tick', ({ index }) => index))
    .end(({ results }) => results.tick);
  const kit = createTestEngine({ flows: [long] });
  const run = await kit.start(long, null);
  expect(await run.result()).toBe(1_099);

  const history = rowsFrom(await run.history());
  expect(history).toHaveLength(1_101);
  for (const n of [1, 999, 1_000, 1_001, 1_101]) {
    const { tokens } = await run.at(n);
    expect(tokens).toEqual(rowsOf(fold(run.id, history.slice(0, n))).tokens);
  }
  expect(await kit.engine.check()).toMatchObject({ ok: true, violations: [] });
});

test('an instance is waiting when nothing in it can run, and running otherwise', async () => {
  const world = new World();
  const office = await world.open([busy, waits], { worker: false });
  const ready = await office.start(busy, { n: 1 });
  const waiting = await office.start(waits, null);
  expect(await ready.status()).toBe('running');
  expect(await waiting.status()).toBe('waiting');
  expect(await waiting.inspect()).toMatchObject({
    ...{ status: 'waiting', version: 1, stalled: null, endedAt: null },
    tokens: [{ node: 'w', status: 'waiting', wait: { on: 'message', type: 'e', key: 'k' } }],
  });
  expect(await waiting.tokens()).toHaveLength(1);
});

test('an instance nobody knows has no history', async () => {
  const world = new World();
  const nothing = wrappedStore(world.store, { history: async () => [] });
  const engine = await world.open([waits], { store: nothing });
  const run = await engine.start(waits, null);
  await expect(run.history()).rejects.toMatchObject({ code: 'instance.not-found' });
});

describe('check', () => {
  /** A store that shows its instances other than they are. */
  function lying(store: Store, lie: (rows: InstanceRows) => InstanceRows): Store {
    return wrappedStore(store, {
      load: async (ids) => {
        const found = await store.load(ids);
        return found.map((rows) => rows && lie(rows));
      },
    });
  }

  async function checked(lie: (rows: InstanceRows) => InstanceRows) {
    const world = new World();
    const office = await world.open([busy, waits], { worker: false });
    await office.start(waits, null);
    await office.start(busy, { n: 1 });
    const liar = await world.open([busy, waits], { worker: false, store: lying(world.store, lie) });
    return { honest: await office.check(), found: await liar.check() };
  }

  const tokens = (rows: InstanceRows, lie: (token: Token) => Token): InstanceRows => ({
    ...rows,
    tokens: rows.tokens.map(lie),
  });

  test('finds nothing where all is well', async () => {
    const { honest, found } = await checked((rows) => rows);
    expect(honest).toEqual({ ok: true, instances: 2, violations: [], stalled: [], unserved: [] });
    expect(found).toEqual(honest);
  });

  test.each<[string, string, (rows: InstanceRows) => InstanceRows]>([
    ['a token that is lost', 'P9', (rows) => ({ ...rows, tokens: rows.tokens.slice(1) })],
    [
      'a token elsewhere',
      'P9',
      (rows) => tokens(rows, (token) => ({ ...token, node: 'w2' as never })),
    ],
    ['a version that is ahead', 'P9', (rows) => ({ ...rows, head: { ...rows.head, version: 9 } })],
    [
      'an end that is none',
      'P7',
      (rows) => ({ ...rows, head: { ...rows.head, status: 'completed' } }),
    ],
    [
      'a scope nobody owns',
      'P8',
      (rows) => ({
        ...rows,
        scopes: rows.scopes.map((scope) => ({ ...scope, owner: 77 as never, parent: 1 as never })),
      }),
    ],
    [
      'a variable nobody wrote',
      'P9',
      (rows) => ({
        ...rows,
        scopes: rows.scopes.map((scope) => ({ ...scope, vars: { planted: true } })),
      }),
    ],
  ])('finds %s', async (_, promise, lie) => {
    const { honest, found } = await checked(lie);
    expect(honest.ok).toBe(true);
    expect(found.ok).toBe(false);
    expect(found.violations.map((violation) => violation.promise)).toContain(promise);
    for (const { instance, message } of found.violations) {
      expect(instance).toMatch(/^[0-9a-f-]{36}$/);
      expect(message).not.toBe('');
    }
  });

  test('lists every broken instance, and says which ones', async () => {
    let first: InstanceId | undefined;
    const { found } = await checked((rows) => {
      first ??= rows.head.id;
      return first === rows.head.id ? rows : { ...rows, tokens: [] };
    });
    expect(found.instances).toBe(2);
    expect(found.violations.every(({ instance }) => instance !== first)).toBe(true);
  });

  test('walks any number of instances', async () => {
    const kit = createTestEngine({ flows: [waits] });
    await Promise.all(Array.from({ length: 450 }, () => kit.start(waits, null)));
    expect(await kit.engine.check()).toMatchObject({ ok: true, instances: 450 });
  });
});
