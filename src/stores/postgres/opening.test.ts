/** What can go wrong between a program and its database, and what the program is told. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ENDED_WELL, runProgram } from '../../testing/child-program.ts';
import { findFreePort } from '../../testing/local-port.ts';
import { freshSchema } from '../../testing/postgres-schema.ts';
import { PostgresServer } from '../../testing/postgres-server.ts';
import { PostgresStores } from '../../testing/postgres-stores.ts';
import { idOf, next, start, value } from '../../testing/store-commits.ts';
import { postgres } from './postgres.ts';

const stores = new PostgresStores();
afterEach(() => stores.close());
afterAll(() => stores.drop());

/** The same server, with settings of the session. */
function urlWith(...settings: string[]): string {
  const url = new URL(stores.url);
  url.searchParams.set('options', settings.map((setting) => `-c ${setting}`).join(' '));
  return url.href;
}

describe('what a store is given', () => {
  test.each([
    ['a name that Postgres would fold', { schema: 'Perdure' }, 'schema'],
    ['a name that would have to be quoted', { schema: 'a"; drop schema public; --' }, 'schema'],
    ['a name that Postgres would cut', { schema: 'x'.repeat(52) }, 'schema'],
    ['no name', { schema: '' }, 'schema'],
    ['too few connections', { poolSize: 1 }, 'pool'],
    ['half a connection', { poolSize: 3.5 }, 'pool'],
  ])('%s is refused before anything is done', (_what, options, word) => {
    expect(() => postgres(stores.url, options)).toThrow(
      expect.objectContaining({
        name: 'EngineError',
        code: 'engine.option-invalid',
        message: expect.stringContaining(word),
      }),
    );
  });

  test.each([
    ...['localhost', '', 'host=localhost dbname=a', undefined, null, {}],
    ...['mysql://ann@localhost/shop', 'sqlite:shop.db', 'https://localhost:5432/shop'],
  ])('what is neither a URL nor a pool is refused: %j', (from) => {
    expect(() => postgres(from as string)).toThrow(
      expect.objectContaining({
        code: 'engine.option-invalid',
        message: expect.stringContaining('postgres://user:password@host'),
      }),
    );
  });

  test('a pool that is too small is refused', async () => {
    const pool = new Pool({ connectionString: stores.url, max: 2 });
    expect(() => postgres(pool)).toThrow(/3 connections or more; came 2/);
    await pool.end();
  });

  test('the longest name there may be works, bells included', async () => {
    const schema = freshSchema().padEnd(51, 'x');
    const store = await stores.open({ schema });
    const rung = new Promise<void>((resolve) => store.listen(() => resolve()));
    await rung;
    const client = await stores.client();
    await client.query(`drop schema ${schema} cascade`);
  });
});

describe('where nobody is', () => {
  test('a port nobody listens on is unreachable, and may be tried again', async () => {
    const url = `postgres://ann:secret@127.0.0.1:${await findFreePort()}/orders`;
    const error: unknown = await stores.open({ url }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: 'EngineError',
      code: 'store.unreachable',
      retryable: true,
      message: expect.stringMatching(/127\.0\.0\.1:\d+\/orders.*ECONNREFUSED.*server runs/),
    });
    expect(JSON.stringify(error) + String(error)).not.toContain('secret');
  });

  test('a host nobody knows is unreachable', async () => {
    const url = 'postgres://ann@nobody.invalid/orders';
    await expect(stores.open({ url })).rejects.toMatchObject({ code: 'store.unreachable' });
  });

  test('a database that is not there has to be made first', async () => {
    const url = new URL(stores.url);
    url.pathname = '/nowhere';
    await expect(stores.open({ url: url.href })).rejects.toMatchObject({
      code: 'store.unreachable',
      retryable: false,
      message: expect.stringContaining('create the database first'),
    });
  });

  test('a store that could not be opened can be closed, and opened when it can', async () => {
    const port = await findFreePort();
    const store = stores.make({ url: `postgres://ann@127.0.0.1:${port}/orders` });
    await expect(store.open()).rejects.toMatchObject({ code: 'store.unreachable' });
    await expect(store.open()).rejects.toMatchObject({ code: 'store.unreachable' });
    await store.close();
  });
});

describe('a server with a password that may lose what it confirms', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start({ auth: 'password', settings: { fsync: 'off' } });
  });
  afterAll(() => server.stop());

  test('a wrong password is denied, and told to nobody', async () => {
    const url = new URL(server.url());
    url.password = 'a wrong one';
    const error: unknown = await stores.open({ url: url.href }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'store.denied',
      retryable: false,
      message: expect.stringContaining('check the user and the password'),
    });
    expect(JSON.stringify(error) + String(error)).not.toMatch(/wrong one|wrong%20one/);
  });

  test('without fsync it is not durable, unless that is asked for', async () => {
    await expect(stores.open({ url: server.url() })).rejects.toMatchObject({
      code: 'store.not-durable',
      retryable: false,
      message: expect.stringContaining(`fsync off`),
      details: { off: ['fsync'] },
    });
    const store = await stores.open({ url: server.url(), durability: 'relaxed' });
    expect(await store.commit([start('a')])).toMatchObject([{ outcome: 'committed' }]);
  });

  test('a pool that keeps its password to itself still hears bells', async () => {
    const { hostname, port, username, password, pathname } = new URL(server.url());
    const pool = new Pool({
      host: hostname,
      port: Number(port),
      user: username,
      password: decodeURIComponent(password),
      database: pathname.slice(1),
    });
    // The server may go before the last connection has.
    pool.on('error', () => {});
    const store = postgres(pool, { durability: 'relaxed' });
    await store.open();
    // Whoever begins to listen is rung once.
    await new Promise<void>((resolve) => store.listen(() => resolve()));
    await store.close();
    await pool.end();
  });
});

describe('a server that does not do as it is asked', () => {
  test('without synchronous commits it is not durable, unless that is asked for', async () => {
    const url = urlWith('synchronous_commit=off');
    await expect(stores.open({ url })).rejects.toMatchObject({
      code: 'store.not-durable',
      details: { off: ['synchronous_commit'] },
    });
    await stores.open({ url, durability: 'relaxed' });
  });

  test('one that only reads cannot make the schema', async () => {
    const url = urlWith('default_transaction_read_only=on');
    await expect(stores.open({ url })).rejects.toMatchObject({
      code: 'store.read-only',
      retryable: true,
      message: expect.stringContaining('connect to the primary'),
    });
  });

  test('one that only reads is not opened, though the schema is there', async () => {
    const schema = freshSchema();
    await stores.open({ schema });
    const url = urlWith('default_transaction_read_only=on');
    await expect(stores.open({ url, schema })).rejects.toMatchObject({ code: 'store.read-only' });
  });

  test('one whose disk is full takes nothing of a batch, and all of it later', async () => {
    const schema = freshSchema();
    const store = await stores.open({ schema });
    const client = await stores.client();
    await client.query(`
      create function ${schema}.refuse() returns trigger language plpgsql as $$
      begin
        raise exception 'could not extend file' using errcode = '53100';
      end $$;
      create trigger no_space before insert on ${schema}.history
        for each row when (new.instance_id = 'b') execute function ${schema}.refuse();`);
    const batch = [
      start('a', { head: { key: 'k' }, rows: { values: [value('vars', 'x', 1)] } }),
      start('b'),
      start('c'),
      next('a', 1),
    ];
    await expect(store.commit(batch)).rejects.toMatchObject({
      code: 'store.full',
      retryable: true,
      details: { state: '53100' },
    });
    expect(await store.scan(null, 9)).toEqual([]);
    expect(await store.findByKey('order', 'k', null)).toBeUndefined();
    await client.query(`drop trigger no_space on ${schema}.history`);
    const outcomes = await store.commit(batch);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(batch.map(() => 'committed'));
    const [a] = await store.load([idOf('a')]);
    expect(a?.scopes[0]?.vars).toEqual({ x: 1 });
  });

  test.each([
    ['token', 'a table of ours was dropped'],
    ['history', 'a table of ours was dropped'],
  ])('one that has lost the table %s is corrupt', async (table, why) => {
    const schema = freshSchema();
    const store = await stores.open({ schema });
    await store.commit([start('a')]);
    const client = await stores.client();
    await client.query(`drop table ${schema}.${table} cascade`);
    const corrupt = {
      code: 'store.corrupt',
      retryable: false,
      message: expect.stringContaining(why),
    };
    await expect(store.commit([next('a', 1), start('b')])).rejects.toMatchObject(corrupt);
    expect(await store.scan(null, 9)).toEqual(['a']);
  });

  test('one that has lost the schema is corrupt', async () => {
    const schema = freshSchema();
    const store = await stores.open({ schema });
    const client = await stores.client();
    await client.query(`drop schema ${schema} cascade`);
    await expect(store.scan(null, 9)).rejects.toMatchObject({ code: 'store.corrupt' });
    await expect(store.commit([start('a')])).rejects.toMatchObject({ code: 'store.corrupt' });
  });

  test('a row that someone spoiled is named, and hides nothing else', async () => {
    const schema = freshSchema();
    const store = await stores.open({ schema });
    await store.commit([start('a'), start('b')]);
    const client = await stores.client();
    await client.query(`update ${schema}.token set wake = '{"half' where instance_id = 'a'`);
    await expect(store.load([idOf('a')])).rejects.toMatchObject({
      code: 'store.corrupt',
      details: { column: 'wake', id: 2 },
    });
    expect(await store.load([idOf('b')])).toMatchObject([{ tokens: [{ id: 2 }] }]);
  });
});

describe('closing', () => {
  /** Those of the server that say they are ours. */
  async function connectionsOf(name: string): Promise<number> {
    const client = await stores.client();
    const { rows } = await client.query(
      'select from pg_stat_activity where application_name = $1',
      [name],
    );
    return rows.length;
  }

  function named(name: string): string {
    const url = new URL(stores.url);
    url.searchParams.set('application_name', name);
    return url.href;
  }

  test('no connection is left behind', async () => {
    const schema = freshSchema();
    const store = await stores.open({ url: named(schema), schema });
    await new Promise<void>((resolve) => store.listen(() => resolve()));
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => store.commit([start(name)])));
    expect(await connectionsOf(schema)).toBeGreaterThan(2);
    await store.close();
    // The server notices a moment later than we do.
    while ((await connectionsOf(schema)) > 0);
  });

  test('a pool of the program stays open', async () => {
    const pool = new Pool({ connectionString: stores.url });
    const store = postgres(pool, { schema: freshSchema() });
    await store.open();
    await store.close();
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  test('it can be done twice, and at the same time', async () => {
    const store = await stores.open();
    await Promise.all([store.close(), store.close()]);
    await store.close();
  });

  test('who has closed the store can open it again, and listen again', async () => {
    const store = await stores.open();
    for (const name of ['a', 'b', 'c']) {
      await store.commit([start(name)]);
      await new Promise<void>((resolve) => store.listen(() => resolve()));
      await store.close();
      await store.open();
    }
    expect(await store.scan(null, 9)).toEqual(['a', 'b', 'c']);
  });

  test('whoever asked before is answered, though some have no connection yet', async () => {
    const store = await stores.open({ poolSize: 3 });
    const names = Array.from({ length: 20 }, (_, n) => `i${n}`);
    const asked = Promise.all(names.map((name) => store.commit([start(name)])));
    const closing = store.close();
    const late = store.scan(null, 9);
    await expect(late).rejects.toMatchObject({ code: 'store.unreachable', retryable: false });
    await closing;
    expect((await asked).flat()).toEqual(names.map(() => ({ outcome: 'committed', taken: [] })));
  });

  test.each([
    ['has closed its store', 'await store.close();'],
    ['forgets to close its store', ''],
    [
      'could not open its store',
      'await postgres("postgres://127.0.0.1:1/a").open().catch(() => {})',
    ],
    [
      'listens and holds claims',
      `await new Promise((resolve) => store.listen(() => resolve()));
       await store.claim({ worker: 'ann', handlers: ['order@1/work'], limit: 9, leaseMs: 60000 });`,
    ],
  ])('a program that %s ends by itself', async (_what, last) => {
    const schema = freshSchema();
    const store = await stores.open({ schema });
    await store.commit([start('a')]);
    const module = pathToFileURL(join(import.meta.dirname, 'postgres.ts')).href;
    const ended = await runProgram(`
      import { postgres } from '${module}';
      const store = postgres(${JSON.stringify(stores.url)}, { schema: '${schema}' });
      await store.open();
      await store.scan(null, 1);
      ${last}`);
    expect(ended).toEqual(ENDED_WELL);
  });
});
