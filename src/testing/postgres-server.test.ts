/** A server that tests may kill does what they rely on: it starts, keeps what it said, and goes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { dropSchemas, freshSchema } from './postgres-schema.ts';
import { PostgresServer } from './postgres-server.ts';

async function ask(url: string, ...statements: string[]): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  try {
    const answers: unknown[] = [];
    for (const statement of statements) answers.push((await client.query(statement)).rows);
    return answers;
  } finally {
    await client.end();
  }
}

describe('a server of its own', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start({ auth: 'password', settings: { work_mem: '5MB' } });
  });
  afterAll(() => server.stop());

  test('it has the settings it was given, and syncs to the disk', async () => {
    const url = server.url();
    expect(await ask(url, 'show work_mem', 'show fsync', 'show max_connections')).toEqual([
      [{ work_mem: '5MB' }],
      [{ fsync: 'on' }],
      [{ max_connections: '200' }],
    ]);
  });

  test('a wrong password is refused', async () => {
    const url = new URL(server.url());
    url.password = 'wrong';
    await expect(ask(url.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  });

  test('what it acknowledged survives a crash, and sessions do not', async () => {
    await ask(server.url(), 'create database other');
    const url = server.url('other');
    const { port } = server;
    const session = new Client(url);
    const cut = once(session, 'error');
    await session.connect();
    await session.query('create table kept as select 7 as seven');

    await server.stopImmediately();
    await cut;
    await expect(ask(url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });

    await server.startAgain();
    expect(server.port).toBe(port);
    expect(await ask(url, 'select seven from kept')).toEqual([[{ seven: 7 }]]);
  });

  test('a server that cannot start says why', async () => {
    await server.stopImmediately();
    const squatter = createServer().listen(server.port, '127.0.0.1');
    await once(squatter, 'listening');
    await expect(server.startAgain()).rejects.toThrow('could not bind IPv4 address');
    squatter.close();
    await once(squatter, 'close');
    await server.startAgain();
    await ask(server.url(), 'select 1');
  });
});

test('a program is not kept alive by its server, and takes it along', async () => {
  const module = pathToFileURL(join(import.meta.dirname, 'postgres-server.ts')).href;
  const program = `
    import { PostgresServer } from '${module}';
    const server = await PostgresServer.start();
    console.log(server.url());`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [url] = await once(createInterface({ input: child.stdout }), 'line');
  expect(await exited).toEqual([0, null]);
  await expect(ask(String(url), 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

describe('the server of the run', () => {
  const url = inject('postgres');
  afterAll(() => dropSchemas(url));

  test('schemas have names of their own and are dropped with everything in them', async () => {
    const [one, two, never] = [freshSchema(), freshSchema(), freshSchema()];
    expect(new Set([one, two, never]).size).toBe(3);
    await ask(url, `create schema ${one}`, `create table ${one}.a (b int)`, `create schema ${two}`);
    await dropSchemas(url);
    const left = `select nspname from pg_namespace where nspname in ('${one}', '${two}')`;
    expect(await ask(url, left)).toEqual([[]]);
  });
});
