/** A network that fails on demand, between plain clients and the real server. */
import { Client, type ClientConfig } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { PostgresClients } from './postgres-clients.ts';
import { dropSchemas, freshSchema } from './postgres-schema.ts';
import { addressOf } from './postgres-wire.ts';
import { type CommitLoss, TcpProxy } from './tcp-proxy.ts';

const url = inject('postgres');
const schema = freshSchema();
/** Which of them it is depends on what was still on its way. */
const BROKEN = /terminated unexpectedly|ECONNRESET|EPIPE/;
/** Sees what is really there, not by way of the proxy. */
const witness = new Client(url);
const clients = new PostgresClients();
let proxy: TcpProxy;

beforeAll(async () => {
  await witness.connect();
  await witness.query(`create schema ${schema}; create table ${schema}.seen (id int)`);
});
beforeEach(async () => {
  proxy = await TcpProxy.start(addressOf(url));
});
afterEach(async () => {
  await proxy.close();
  await clients.end();
  await witness.query(`truncate ${schema}.seen`);
});
afterAll(async () => {
  await witness.end();
  await dropSchemas(url);
});

function join(config?: ClientConfig): Promise<Client> {
  return clients.join(proxy.url(url), config);
}

async function seen(): Promise<number[]> {
  const { rows } = await witness.query<{ id: number }>(`select id from ${schema}.seen order by id`);
  return rows.map(({ id }) => id);
}

/** Resolves once the server has noticed that nobody is there any more, and undone what it had. */
async function undone(): Promise<void> {
  await witness.query(`begin; lock table ${schema}.seen; commit`);
}

async function insertAndCommit(client: Client, id: number, commit: () => Promise<unknown>) {
  await client.query('begin');
  await client.query(`insert into ${schema}.seen values ($1)`, [id]);
  await commit();
}

describe('a network that works', () => {
  test('queries and answers of any size pass', async () => {
    const client = await join();
    const long = 'x'.repeat(1_000_000);
    const { rows } = await client.query('select $1::text as text', [long]);
    expect(rows).toEqual([{ text: long }]);
    await client.query({ name: 'again', text: 'select 1' });
    await client.query({ name: 'again', text: 'select 1' });
  });

  test('a client that asks to encrypt hears what the server says to that', async () => {
    const client = new Client({ connectionString: proxy.url(url), ssl: true });
    await expect(client.connect()).rejects.toThrow('does not support SSL');
  });

  test('what the server says last is heard before the end', async () => {
    const client = await join();
    const { rows } = await client.query('select pg_backend_pid() as pid');
    const heard = new Promise((resolve) => client.once('error', resolve));
    await witness.query('select pg_terminate_backend($1)', [rows[0].pid]);
    expect(await heard).toMatchObject({ code: '57P01' });
  });
});

describe('a network that fails', () => {
  test('a cut breaks what is under way, and a new connection works', async () => {
    const client = await join();
    proxy.pause();
    const asked = client.query('select 1');
    proxy.cut();
    await expect(asked).rejects.toThrow(BROKEN);
    proxy.resume();
    await (await join()).query('select 1');
  });

  test('who is refused cannot connect, and who is connected stays', async () => {
    const client = await join();
    proxy.refuse();
    await expect(join()).rejects.toThrow(BROKEN);
    await client.query('select 1');
    proxy.accept();
    await (await join()).query('select 1');
  });

  test('what is held back comes later, in order', async () => {
    const client = await join({ pipeline: true });
    const order: string[] = [];
    proxy.pause();
    const asked = [1, 2].map(async (id) => {
      await client.query(`insert into ${schema}.seen values (${id})`);
      order.push(`answer ${id}`);
    });
    expect(await seen()).toEqual([]);
    order.push('resume');
    proxy.resume();
    await Promise.all(asked);
    expect(order).toEqual(['resume', 'answer 1', 'answer 2']);
    expect(await seen()).toEqual([1, 2]);
  });

  test('a slow network takes its time in both directions', async () => {
    const client = await join();
    proxy.delay(20);
    const before = performance.now();
    await client.query('select 1');
    // Timers may ring up to a millisecond early.
    expect(performance.now() - before).toBeGreaterThan(38);
  });
});

describe('a commit that is lost', () => {
  const ways: Record<string, (client: Client) => () => Promise<unknown>> = {
    'in plain text': (client) => () => client.query('commit'),
    'among others': (client) => () => client.query('select 1; COMMIT ; select 2'),
    'as a statement': (client) => () => client.query({ name: 'c', text: 'commit' }),
  };

  describe.each(Object.entries(ways))('%s', (_, way) => {
    test('with its reply is done, and the client never learns', async () => {
      const client = await join();
      proxy.armCommitLoss('lose-reply');
      await expect(insertAndCommit(client, 1, way(client))).rejects.toThrow(BROKEN);
      expect(await seen()).toEqual([1]);
      expect(proxy.lost).toBe(1);
    });

    test('with its request is undone', async () => {
      const client = await join();
      proxy.armCommitLoss('lose-request');
      await expect(insertAndCommit(client, 1, way(client))).rejects.toThrow(BROKEN);
      await undone();
      expect(await seen()).toEqual([]);
      expect(proxy.lost).toBe(1);
    });
  });

  test('is found by the name of a statement that was prepared long ago', async () => {
    const client = await join();
    const commit = (): Promise<unknown> => client.query({ name: 'c', text: 'commit' });
    await insertAndCommit(client, 1, commit);
    proxy.armCommitLoss('lose-request');
    await expect(insertAndCommit(client, 2, commit)).rejects.toThrow(BROKEN);
    await undone();
    expect(await seen()).toEqual([1]);
  });

  test.each(['lose-reply', 'lose-request'] as const)('%s: only the next one', async (kind) => {
    const [first, second] = [await join(), await join()];
    proxy.armCommitLoss(kind);
    await expect(insertAndCommit(first, 1, () => first.query('commit'))).rejects.toThrow(BROKEN);
    await insertAndCommit(second, 2, () => second.query('commit'));
    expect(proxy.lost).toBe(1);
  });

  test('is what the test decides, asked about every commit and nothing else', async () => {
    const asked: CommitLoss[] = [];
    const note = (kind: CommitLoss) => () => asked.push(kind) < 0;
    proxy.armCommitLoss('lose-request', note('lose-request'));
    proxy.armCommitLoss('lose-reply', note('lose-reply'));
    const client = await join();
    await client.query('create temporary table commit (commit int)');
    await client.query('select commit from commit');
    await insertAndCommit(client, 1, () => client.query('commit'));
    await client.query('begin; rollback');
    expect(asked).toEqual(['lose-request', 'lose-reply']);
    proxy.disarm();
    await insertAndCommit(client, 2, () => client.query('commit'));
    expect(asked).toHaveLength(2);
    expect(proxy.lost).toBe(0);
    expect(await seen()).toEqual([1, 2]);
  });

  test('a commit of what had failed is no commit', async () => {
    const client = await join();
    proxy.armCommitLoss('lose-reply');
    await client.query('begin');
    await expect(client.query('select nothing')).rejects.toMatchObject({ code: '42703' });
    await client.query('commit');
    expect(proxy.lost).toBe(0);
  });
});
