/** Transactions go through a pool of sessions unharmed; what belongs to a session does not. */
import { Client, type ClientConfig } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { PoolingProxy } from './pooling-proxy.ts';
import { PostgresClients } from './postgres-clients.ts';
import { dropSchemas, freshSchema } from './postgres-schema.ts';
import { Gate } from './stage.ts';

const url = inject('postgres');
const schema = freshSchema();
const witness = new Client(url);
const clients = new PostgresClients();
const proxies: PoolingProxy[] = [];

beforeAll(async () => {
  await witness.connect();
  await witness.query(`create schema ${schema}; create table ${schema}.seen (id int)`);
});
afterEach(async () => {
  await clients.end();
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
});
afterAll(async () => {
  await witness.end();
  await dropSchemas(url);
});

async function pool(size: number): Promise<PoolingProxy> {
  const proxy = await PoolingProxy.start(url, { size });
  proxies.push(proxy);
  return proxy;
}

function join(proxy: PoolingProxy, config?: ClientConfig): Promise<Client> {
  return clients.join(proxy.url(url), config);
}

async function sessionOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

describe('transactions', () => {
  test('those of twenty clients go through two sessions, each within one', async () => {
    const proxy = await pool(2);
    const twenty = await Promise.all(Array.from({ length: 20 }, () => join(proxy)));
    const pairs = await Promise.all(
      twenty.map(async (client, id) => {
        await client.query('begin');
        const before = await sessionOf(client);
        await client.query(`insert into ${schema}.seen values ($1)`, [id]);
        const after = await sessionOf(client);
        await client.query('commit');
        return [before, after];
      }),
    );
    expect(pairs.every(([before, after]) => before === after)).toBe(true);
    expect(new Set(pairs.flat()).size).toBe(2);
    const { rows } = await witness.query(`select count(distinct id)::int from ${schema}.seen`);
    expect(rows).toEqual([{ count: 20 }]);
  });

  test('who finds no free session waits for one', async () => {
    const proxy = await pool(1);
    const [first, second] = [await join(proxy), await join(proxy)];
    const order: string[] = [];
    await first.query('begin');
    const waiting = second.query('select 1').then(() => order.push('second'));
    await first.query('select 1').then(() => order.push('first'));
    await first.query('commit').then(() => order.push('commit'));
    await waiting;
    expect(order).toEqual(['first', 'commit', 'second']);
  });

  test('an error within a transaction leaves the session to it until it is over', async () => {
    const proxy = await pool(2);
    const client = await join(proxy);
    await client.query('begin');
    await expect(client.query('select $1::int', ['x'])).rejects.toMatchObject({ code: '22P02' });
    await expect(client.query('select 1')).rejects.toMatchObject({ code: '25P02' });
    await client.query('rollback');
    await client.query('select 1');
  });

  test('rounds that are sent without waiting for answers are answered by one session', async () => {
    const proxy = await pool(2);
    const client = await join(proxy, { pipeline: true });
    const answers = await Promise.all([
      client.query('begin'),
      sessionOf(client),
      sessionOf(client),
      client.query('commit'),
    ]);
    expect(answers[1]).toBe(answers[2]);
  });
});

describe('what belongs to a session', () => {
  test('a client meets another session each time', async () => {
    const client = await join(await pool(3));
    const sessions: number[] = [];
    for (let i = 0; i < 6; i += 1) sessions.push(await sessionOf(client));
    expect(new Set(sessions.slice(0, 3)).size).toBe(3);
    expect(sessions.slice(3)).toEqual(sessions.slice(0, 3));
  });

  test('a named statement is unknown, or known already', async () => {
    const proxy = await pool(2);
    const [one, two] = [await join(proxy), await join(proxy)];
    const statement = { name: 'named', text: 'select 1' };
    await one.query(statement);
    await expect(one.query(statement)).rejects.toMatchObject({ code: '26000' });
    await expect(two.query(statement)).rejects.toMatchObject({ code: '42P05' });
  });

  test('a setting is lost to the one who made it, and found by the next', async () => {
    const proxy = await pool(2);
    const [one, two] = [await join(proxy), await join(proxy)];
    await one.query(`set work_mem = '77MB'`);
    const { rows: missed } = await one.query('show work_mem');
    const { rows: found } = await two.query('show work_mem');
    expect(missed).not.toEqual(found);
    expect(found).toEqual([{ work_mem: '77MB' }]);
  });

  test('a lock of a session cannot be given back', async () => {
    const client = await join(await pool(2));
    await client.query('select pg_advisory_lock(7_919)');
    const { rows } = await client.query('select pg_advisory_unlock(7_919) as done');
    expect(rows).toEqual([{ done: false }]);
  });

  test('who listens hears nothing, whoever is told', async () => {
    const client = await join(await pool(1));
    const heard: string[] = [];
    client.on('notification', ({ channel }) => heard.push(channel));
    await client.query(`listen ${schema}`);
    await witness.query(`listen ${schema}`);
    const told = new Promise((resolve) => witness.once('notification', resolve));
    await witness.query(`notify ${schema}`);
    await told;
    expect(heard).toEqual([]);
  });
});

describe('comings and goings', () => {
  test('a client that vanishes in a transaction takes its session with it', async () => {
    const proxy = await pool(1);
    const [first, second] = [await join(proxy), await join(proxy)];
    await first.query('begin');
    const before = await sessionOf(first);
    await first.query(`create table ${schema}.never (id int)`);
    await first.end();
    expect(await sessionOf(second)).not.toBe(before);
    await second.query(`create table ${schema}.never (id int)`);
  });

  test('a session that the server ends takes its client with it, and another follows', async () => {
    const proxy = await pool(1);
    const [first, second] = [await join(proxy), await join(proxy)];
    const heard = new Gate<Error>();
    first.once('error', heard.open);
    await first.query('begin');
    const before = await sessionOf(first);
    await witness.query('select pg_terminate_backend($1)', [before]);
    expect(await heard.opened).toMatchObject({ code: '57P01' });
    expect(await sessionOf(second)).not.toBe(before);
  });

  test('what the original would not understand is refused', async () => {
    const proxy = await pool(1);
    const options = { options: '-c search_path=elsewhere' };
    await expect(join(proxy, options)).rejects.toThrow('unsupported startup parameter: options');
    await expect(join(proxy, { ssl: true })).rejects.toThrow('does not support SSL');
  });
});
