/** What another transaction holds delays whoever needs it, and nobody else for long (P12). */
import { afterAll, describe, expect, test } from 'vitest';
import { freshSchema } from '../../testing/postgres-schema.ts';
import { PostgresStores } from '../../testing/postgres-stores.ts';
import { idOf, next, start } from '../../testing/store-commits.ts';

const stores = new PostgresStores();
afterAll(() => stores.drop());

/** One wait for all, and a moment for each: far below a wait for each. */
const ONE_WAIT_MS = 4_000;

describe('while another transaction holds what some commits need', () => {
  test('the others of the batch are committed after one wait for all of them', async () => {
    const schema = freshSchema();
    const { store } = await stores.bench({ schema });
    const held = Array.from({ length: 20 }, (_, i) => `held-${i}`);
    await store.commit([...held, 'free'].map((name) => start(name)));
    const other = await stores.client();
    await other.query('begin');
    const lock = `select id from ${schema}.instance where id <> $1 for no key update`;
    await other.query(lock, [idOf('free')]);

    const before = performance.now();
    const outcomes = await store.commit([...held, 'free'].map((name) => next(name, 1)));
    expect(performance.now() - before).toBeLessThan(ONE_WAIT_MS);
    expect(outcomes.at(-1)).toMatchObject({ outcome: 'committed' });
    for (const outcome of outcomes.slice(0, -1)) {
      const error = { code: 'store.unreachable', retryable: true, details: { busy: true } };
      expect(outcome).toMatchObject({ outcome: 'failed', error });
    }
    await other.query('rollback');
    const [again] = await store.commit([next('held-0', 1)]);
    expect(again).toMatchObject({ outcome: 'committed' });
  });

  test('many starts with the key that it has just taken wait once', async () => {
    const schema = freshSchema();
    const { store } = await stores.bench({ schema });
    const other = await stores.client();
    await other.query('begin');
    await store.within(other).commit(start('first', { head: { key: 'k' } }));

    const before = performance.now();
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const outcomes = await store.commit(names.map((name) => start(name, { head: { key: 'k' } })));
    expect(performance.now() - before).toBeLessThan(ONE_WAIT_MS);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ outcome: 'failed' });
    await other.query('commit');
    expect(await store.commit([start('a', { head: { key: 'k' } })])).toEqual([
      { outcome: 'exists', instance: 'first' },
    ]);
  });
});

test('workers that come back together do not wait for each other to say so', async () => {
  const schema = freshSchema();
  const bench = await stores.bench({ schema });
  const { store } = bench;
  await store.servers.put('ann', ['a'], 1_000);
  await store.servers.put('bob', ['b'], 1_000);
  bench.setTime(2_000);
  const other = await stores.client();
  // As the other would that just says so itself.
  await other.query(`begin; select from ${schema}.server where worker = 'bob' for update`);
  await store.servers.put('ann', ['a'], 1_000);
  await other.query('commit');
  expect(await store.servers.list()).toMatchObject([{ worker: 'ann' }]);
  await store.servers.put('ann', ['a'], 1_000);
  const { rows } = await other.query(`select worker from ${schema}.server`);
  expect(rows).toEqual([{ worker: 'ann' }]);
});

test('a process that stands still in the middle of a commit loses its locks', async () => {
  const { store } = await stores.bench();
  const { rows } = await (await stores.client()).query('show idle_in_transaction_session_timeout');
  // Not the server's doing, which leaves such sessions alone.
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: '0' }]);
  const transaction = await store.begin();
  await store.commit([start('a')]);
  await transaction.commit(next('a', 1));
  // It holds the instance from here on, and says nothing more.
  const said = await transaction.tx.query('show idle_in_transaction_session_timeout');
  expect(said.rows).toEqual([{ idle_in_transaction_session_timeout: '5s' }]);
  await transaction.cancel();
});
