/** Answers that are lost on the way (D3): what came about is found out, and happens once. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freshSchema } from '../../testing/postgres-schema.ts';
import { PostgresStores } from '../../testing/postgres-stores.ts';
import { addressOf } from '../../testing/postgres-wire.ts';
import { settled } from '../../testing/stage.ts';
import type { Bench } from '../../testing/store-bench.ts';
import {
  fenceOf,
  finish,
  idOf,
  next,
  start,
  token,
  tokenId,
  value,
} from '../../testing/store-commits.ts';
import { TcpProxy } from '../../testing/tcp-proxy.ts';
import type { Commit } from '../store.ts';

const stores = new PostgresStores();
afterAll(() => stores.drop());

let schema: string;
let proxy: TcpProxy;
/** By way of a network that fails, and beside it. */
let bench: Bench;
let witness: Bench;
beforeEach(async () => {
  proxy = await TcpProxy.start(addressOf(stores.url));
  schema = freshSchema();
  bench = await stores.bench({ url: proxy.url(stores.url), schema });
  witness = await stores.bench({ schema });
});
afterEach(async () => {
  await proxy.close();
  await stores.close();
});

const COMMITTED = { outcome: 'committed', taken: [] };
const UNSURE = {
  name: 'EngineError',
  code: 'store.unreachable',
  retryable: true,
  details: { unsure: true },
};

/** Unreachable, and sure that nothing came about. */
async function expectNothing(asked: Promise<unknown>): Promise<void> {
  const error: unknown = await asked.then(
    () => 'an answer',
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: 'store.unreachable', retryable: true });
  expect(error).not.toMatchObject(UNSURE);
}

/** Those of one batch that came about, as the store has them. */
async function versions(...names: string[]): Promise<unknown[]> {
  const loaded = await witness.store.load(names.map(idOf));
  return loaded.map((rows) => rows?.head.version);
}

describe('a commit whose answer is lost', () => {
  const take = { worker: 'ann', leaseMs: 500, tokens: [tokenId(3), tokenId(4)] };
  const taking = start('a', { take, rows: { tokens: [token(3), token(4), token(5)] } });

  test('is unsure, and recalled together with what it took', async () => {
    proxy.armCommitLoss('lose-reply');
    await expect(bench.store.commit([taking, start('b')])).rejects.toMatchObject(UNSURE);
    expect(proxy.lost).toBe(1);
    const [a, b, c] = await bench.store.recall([taking, start('b'), start('c')]);
    expect(a?.taken).toMatchObject([
      { token: 3, version: 1, worker: 'ann' },
      { token: 4, version: 1, worker: 'ann' },
    ]);
    expect([b, c]).toEqual([COMMITTED, undefined]);
    const fence = fenceOf(
      a?.taken[0] ?? { ...taking.touched.head, ...take, instance: idOf('a'), token: tokenId(3) },
    );
    expect(await bench.commit(next('a', 1, { fence }))).toEqual(COMMITTED);
  });

  test.each<[string, Commit, object]>([
    ['a start', start('b'), { outcome: 'exists', instance: 'b' }],
    [
      'a start with a key',
      start('b', { head: { key: 'k' } }),
      { outcome: 'exists', instance: 'b' },
    ],
    ['a later one', next('a', 1), { outcome: 'stale' }],
    ['the last one', finish('a', 1), { outcome: 'stale' }],
  ])('%s, handed in again, is refused and still recalled', async (_what, commit, refused) => {
    await bench.given(start('a'));
    proxy.armCommitLoss('lose-reply');
    await expect(bench.store.commit([commit])).rejects.toMatchObject(UNSURE);
    for (let again = 0; again < 2; again += 1) {
      expect(await bench.commit(commit)).toEqual(refused);
      expect(await bench.store.recall([commit])).toEqual([COMMITTED]);
    }
    const { head } = commit.touched;
    expect(await versions(head.id)).toEqual([head.version]);
  });
});

describe('a commit that is lost itself', () => {
  test('is unsure, not recalled, and comes about when it is handed in again', async () => {
    await bench.given(start('a'));
    const batch = [next('a', 1), start('b', { head: { key: 'k' } })];
    proxy.armCommitLoss('lose-request');
    await expect(bench.store.commit(batch)).rejects.toMatchObject(UNSURE);
    expect(await bench.store.recall(batch)).toEqual([undefined, undefined]);
    // The server may still have to notice that nobody is there; whoever comes next waits for that.
    expect(await bench.store.commit(batch)).toEqual([COMMITTED, COMMITTED]);
    expect(await versions('a', 'b')).toEqual([2, 1]);
  });

  test.each(['lose-reply', 'lose-request'] as const)(
    'in a second transaction of the batch (%s) it leaves the first unsure, too',
    async (loss) => {
      const keyed = { head: { key: 'k' } };
      await bench.given(start('a', keyed));
      let commits = 0;
      proxy.armCommitLoss(loss, () => {
        commits += 1;
        return commits === 2;
      });
      const batch = [finish('a', 1, keyed), start('b', keyed)];
      await expect(bench.store.commit(batch)).rejects.toMatchObject(UNSURE);
      const found = loss === 'lose-reply' ? COMMITTED : undefined;
      expect(await bench.store.recall(batch)).toEqual([COMMITTED, found]);
    },
  );

  test('while a batch is taken apart it leaves those before it unsure, too', async () => {
    const poison = start('m', { rows: { tokens: [token(2, { mode: 'sideways' as 'forward' })] } });
    let commits = 0;
    proxy.armCommitLoss('lose-reply', () => {
      commits += 1;
      return commits === 2;
    });
    const batch = [start('a'), poison, start('b'), start('c')];
    await expect(bench.store.commit(batch)).rejects.toMatchObject(UNSURE);
    const found = [COMMITTED, undefined, COMMITTED, undefined];
    expect(await bench.store.recall(batch)).toEqual(found);
  });
});

describe('a connection that breaks before the end', () => {
  test('leaves nothing behind, and recall knows', async () => {
    await bench.given(start('a'));
    proxy.pause();
    const batch = [next('a', 1), start('b')];
    const asked = bench.store.commit(batch);
    await settled();
    proxy.cut();
    proxy.resume();
    // All of it was said at once, and nobody knows how much was heard.
    await expect(asked).rejects.toMatchObject(UNSURE);
    expect(await versions('a', 'b')).toEqual([1, undefined]);
    expect(await bench.store.recall(batch)).toEqual([undefined, undefined]);
  });

  test('is made anew, without anyone asking for it', async () => {
    await bench.given(start('a'));
    await Promise.all(Array.from({ length: 5 }, () => bench.store.scan(null, 9)));
    proxy.cut();
    proxy.refuse();
    // It was said to someone who is gone, which nobody has noticed yet.
    await expect(bench.store.commit([next('a', 1)])).rejects.toMatchObject(UNSURE);
    await expectNothing(bench.store.load([idOf('a')]));
    await expectNothing(bench.store.begin());
    proxy.accept();
    expect(await bench.commit(next('a', 1))).toEqual(COMMITTED);
  });

  test('is no loss when the server ends it while nobody uses it', async () => {
    await bench.given(start('a'));
    const client = await stores.client();
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where query like '%"${schema}"%' and pid <> pg_backend_pid()`,
    );
    await settled();
    // One that has not been noticed yet may still be handed out, and is then gone.
    const tries = Array.from({ length: 10 }, () => bench.store.scan(null, 9));
    const answers = await Promise.allSettled(tries);
    const refused = answers.flatMap((answer) =>
      answer.status === 'rejected' ? answer.reason : [],
    );
    for (const error of refused) expect(error).toMatchObject({ code: 'store.unreachable' });
    expect(await bench.commit(next('a', 1))).toEqual(COMMITTED);
  });
});

describe('a transaction for a handler', () => {
  const keyed = start('b', { head: { key: 'k' }, rows: { values: [value('vars', 'x', 1)] } });

  test.each([
    ['lose-reply', [COMMITTED], ['b']],
    ['lose-request', [undefined], []],
  ] as const)('whose end meets %s is unsure, and recall knows', async (loss, found, there) => {
    const transaction = await bench.store.begin();
    await transaction.tx.query(`create table ${schema}.mine as select 1 as one`);
    expect(await transaction.commit(keyed)).toEqual(COMMITTED);
    proxy.armCommitLoss(loss);
    await expect(transaction.end()).rejects.toMatchObject(UNSURE);
    expect(await bench.store.recall([keyed])).toEqual(found);
    expect(await witness.store.scan(null, 9)).toEqual(there);
    // Over is over, and the connection is back.
    await transaction.cancel();
    expect(await bench.commit(start('c'))).toEqual(COMMITTED);
  });

  test('that breaks before its end leaves nothing behind', async () => {
    const transaction = await bench.store.begin();
    await transaction.commit(keyed);
    proxy.cut();
    await expectNothing(transaction.commit(start('c')));
    await transaction.cancel().catch(() => {});
    expect(await bench.commit(keyed)).toEqual(COMMITTED);
  });

  test('of which a statement has failed does not end well', async () => {
    const transaction = await bench.store.begin();
    await transaction.commit(keyed);
    await expect(transaction.tx.query('select 1 / 0')).rejects.toThrow('division by zero');
    await expect(transaction.end()).rejects.toMatchObject({ code: 'store.refused' });
    expect(await bench.store.scan(null, 9)).toEqual([]);
  });

  test('of which a statement fails that nobody waits for does not end well', async () => {
    const transaction = await bench.store.begin();
    await transaction.commit(keyed);
    const asked = [transaction.tx.query('select 1 / 0'), transaction.end()];
    expect(await Promise.allSettled(asked)).toMatchObject([
      { reason: { message: 'division by zero' } },
      { reason: { code: 'store.refused' } },
    ]);
    expect(await bench.store.scan(null, 9)).toEqual([]);
  });

  test('that the handler has ended itself does not end well', async () => {
    const transaction = await bench.store.begin();
    await transaction.tx.query('rollback');
    const refused = { code: 'engine.option-invalid' };
    await expect(transaction.commit(keyed)).rejects.toMatchObject(refused);
    await expect(transaction.end()).rejects.toMatchObject({ code: 'store.refused' });
    expect(await bench.store.scan(null, 9)).toEqual([]);
    expect(await bench.commit(keyed)).toEqual(COMMITTED);
  });

  test('whose end is refused has not come about, and that is sure', async () => {
    const client = await stores.client();
    await client.query(`create table ${schema}.mine (
      id int primary key, other int references ${schema}.mine deferrable initially deferred)`);
    const transaction = await bench.store.begin();
    await transaction.commit(keyed);
    await transaction.tx.query(`insert into ${schema}.mine values (1, 2)`);
    const error: unknown = await transaction.end().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'store.refused', retryable: false });
    expect(error).not.toMatchObject({ details: { unsure: true } });
    expect(await bench.store.scan(null, 9)).toEqual([]);
  });
});
