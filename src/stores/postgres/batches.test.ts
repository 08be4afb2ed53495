/** Batches: one transaction for all that is good in them, and no two that wait for each other. */
import type { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { childId } from '../../kernel/child-id.ts';
import { freshSchema } from '../../testing/postgres-schema.ts';
import { PostgresStores } from '../../testing/postgres-stores.ts';
import { at, finish, next, type Parts, start, token, value } from '../../testing/store-commits.ts';
import { poisonCases } from '../../testing/store-poison.ts';
import { checkAfterStorm, storm } from '../../testing/store-storm.ts';

const stores = new PostgresStores();
afterEach(() => stores.close());
afterAll(() => stores.drop());

poisonCases(() => stores.bench());

describe('what only this database refuses', () => {
  // Too much for an index to hold, and not to be made smaller.
  const long = Array.from({ length: 300 }, (_, n) => childId(`${n}`, at(n))).join('');

  test.each<[string, Parts]>([
    ['a name of a variable that is too long', { rows: { values: [value('vars', long, 1)] } }],
    ['a business key that is too long', { head: { key: long } }],
    ['a number that is too large', { rows: { tokens: [token(2, { visit: 2 ** 31 })] } }],
    ['a number that is no whole one', { rows: { tokens: [token(2, { priority: 0.5 })] } }],
  ])('%s fails its own commit', async (_what, parts) => {
    const bench = await stores.bench();
    const outcomes = await bench.store.commit([start('a'), start('b', parts), next('a', 1)]);
    expect(outcomes).toMatchObject([
      { outcome: 'committed' },
      { outcome: 'failed', error: { code: 'store.refused', details: { instance: 'b' } } },
      { outcome: 'committed' },
    ]);
    expect(await bench.store.scan(null, 9)).toEqual(['a']);
  });

  test('what can be kept of any length is kept', async () => {
    const bench = await stores.bench();
    await bench.given(start('a', { rows: { values: [value('vars', 'x', long.repeat(100))] } }));
    expect((await bench.load('a')).scopes[0]?.vars).toEqual({ x: long.repeat(100) });
  });
});

describe('a batch of which all is good', () => {
  test('is one transaction, however many instances it starts, moves and ends', async () => {
    const schema = freshSchema();
    const bench = await stores.bench({ schema });
    const names = Array.from({ length: 25 }, (_, n) => `i${n}`);
    const batch = names.flatMap((name) => [
      start(name, { head: { key: name } }),
      next(name, 1, { head: { key: name } }),
      finish(name, 2, { head: { key: name } }),
      start(`${name}, too`),
    ]);
    const outcomes = await bench.store.commit(batch);
    expect(outcomes).toEqual(batch.map(() => ({ outcome: 'committed', taken: [] })));
    const client = await stores.client();
    const { rows } = await client.query(
      `select count(*)::int, count(distinct xmin::text)::int as made from ${schema}.history`,
    );
    expect(rows).toEqual([{ count: 100, made: 1 }]);
  });
});

describe('a business key that is set free while another asks for it', () => {
  /** Holds whoever has tried to write a key, until the test lets go. */
  async function holdAtKeys(schema: string): Promise<Client> {
    const gate = await stores.client();
    await gate.query(`
      create function ${schema}.wait() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(hashtext('${schema}'));
        return null;
      end $$;
      create trigger wait after insert on ${schema}.business_key
        for each statement execute function ${schema}.wait();`);
    await gate.query(`begin; select pg_advisory_xact_lock(hashtext('${schema}'))`);
    return gate;
  }

  /** Resolves once so many wait at the gate. */
  async function someoneWaits(client: Client): Promise<void> {
    for (;;) {
      const { rows } = await client.query(
        `select from pg_locks where locktype = 'advisory' and not granted and database =
           (select oid from pg_database where datname = current_database())`,
      );
      if (rows.length > 0) return;
    }
  }

  test.each([
    ['alone', []],
    ['among others', [start('m', { head: { key: 'l' } }), start('n')]],
  ])('is had by it, %s, and by nobody else', async (_how, others) => {
    const schema = freshSchema();
    const bench = await stores.bench({ schema });
    const keyed = { head: { key: 'k' } };
    await bench.given(start('a', keyed));
    const gate = await holdAtKeys(schema);
    const starting = bench.store.commit([start('b', keyed), ...others]);
    await someoneWaits(gate);
    await bench.given(finish('a', 1, keyed));
    await gate.query('commit');
    const committed = { outcome: 'committed', taken: [] };
    expect(await starting).toEqual([committed, ...others.map(() => committed)]);
    expect(await bench.store.findByKey('order', 'k', null)).toBe('b');
    expect(await bench.commit(start('c', keyed))).toEqual({ outcome: 'exists', instance: 'b' });
  });
});

/** Of 16 instances and 6 keys: enough to meet in a deadlock three times, when that could happen. */
const BATCHES = 300;

describe('two processes with the same instances and keys', () => {
  /** One of its own: the server counts deadlocks by database. */
  const database = freshSchema();
  let admin: Client;
  beforeAll(async () => {
    admin = await stores.client();
    await admin.query(`create database ${database}`);
  });
  afterAll(async () => {
    admin = await stores.client();
    await admin.query(`drop database ${database} with (force)`);
    await stores.close();
  });

  test('never meet in a deadlock, and lose and double nothing', async () => {
    const url = new URL(stores.url);
    url.pathname = `/${database}`;
    url.searchParams.set('options', '-c synchronous_commit=off');
    const schema = 'storm';
    const store = await stores.open({ url: url.href, schema, durability: 'relaxed' });
    const told = await storm(`${url.href}#${schema}`, [1, 2], BATCHES);
    const { rows } = await (await stores.client()).query(
      'select deadlocks from pg_stat_database where datname = $1',
      [database],
    );
    expect(rows).toEqual([{ deadlocks: '0' }]);
    await checkAfterStorm(store, told);
  });
});
