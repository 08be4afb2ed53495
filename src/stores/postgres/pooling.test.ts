/**
 * The store behind a pooler that hands every transaction to another connection: everything it can
 * do it can do there, but for bells.
 */
import { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { PoolingProxy } from '../../testing/pooling-proxy.ts';
import { freshSchema } from '../../testing/postgres-schema.ts';
import { SharedPostgres } from '../../testing/postgres-shared.ts';
import { PostgresStores } from '../../testing/postgres-stores.ts';
import { namesOf } from '../../testing/store-bench.ts';
import { HANDLER, idOf, start } from '../../testing/store-commits.ts';
import { storeSuite } from '../../testing/store-suite.ts';

const url = inject('postgres');
let proxy: PoolingProxy;
let pool: Pool;
let shared: SharedPostgres;
beforeAll(async () => {
  proxy = await PoolingProxy.start(url, { size: 2 });
  // One of the program's own, which asks one thing after the other.
  pool = new Pool({ connectionString: proxy.url(url), max: 4 });
  shared = new SharedPostgres(pool);
});
afterAll(async () => {
  await shared.close();
  await pool.end();
  await proxy.close();
});

storeSuite('the Postgres store behind a pooler', (clock) => shared.storeFor(clock));

describe('a pooler that knows none of the statements we prepare', () => {
  const stores = new PostgresStores();
  afterEach(() => stores.close());
  afterAll(() => stores.drop());

  test('is noticed by nobody, however much is asked at the same time', async () => {
    const schema = freshSchema();
    await stores.open({ schema });
    // A pool of the store's own sends ahead what needs no answer in between.
    const bench = await stores.bench({ url: proxy.url(url), schema, poolSize: 4 });
    const names = Array.from({ length: 30 }, (_, n) => `i${n}`);
    const looking = names.map(() => bench.store.findByKey('order', 'k', null));
    const starting = names.map((name) => bench.store.commit([start(name)]));
    expect(new Set(await Promise.all(looking))).toEqual(new Set([undefined]));
    const outcomes = (await Promise.all(starting)).flat();
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['committed']));
    const loaded = await Promise.all(names.map((name) => bench.load(name)));
    expect(loaded.map(({ head }) => head.id)).toEqual(names.map(idOf));
    const claims = await Promise.all(
      names.map((worker) => bench.claim({ worker, limit: 1, handlers: [HANDLER] })),
    );
    expect(new Set(namesOf(claims.flat())).size).toBe(names.length);
    expect(await bench.store.renew(claims.flat(), 1_000)).toEqual([]);
  });
});
