/** Programs that share their transactions with Perdure, run as anybody would run them. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

// Their tables have the names they have, so it is a database of their own.
const name = `examples_${process.pid}_${randomBytes(4).toString('hex')}`;
const url = new URL(inject('postgres'));
const server = new Client(url.href);
url.pathname = name;
const client = new Client(url.href);

beforeAll(async () => {
  await server.connect();
  await server.query(`create database ${name}`);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await server.query(`drop database ${name} with (force)`);
  await server.end();
});

async function run(program: string, argument: string): Promise<string> {
  const file = join(import.meta.dirname, `${program}.ts`);
  const args = ['--conditions=perdure-source', file, url.href, argument];
  return (await promisify(execFile)(process.execPath, args)).stdout.trim();
}

async function rows(query: string): Promise<unknown[]> {
  return (await client.query({ text: query, rowMode: 'array' })).rows;
}

test('money moves with the step that moves it, or not at all', async () => {
  expect(await run('transfer', '60')).toBe('ann has 40 left');
  expect(await run('transfer', '40')).toBe('ann has 0 left');
  expect(await run('transfer', '1')).toContain('nothing moved: failed at "move"');
  expect(await rows('select * from account order by name')).toEqual([
    ['ann', 0],
    ['bob', 100],
  ]);
  expect(await rows('select * from request')).toEqual([[60], [40], [1]]);
});

test.each(['with-drizzle', 'with-kysely', 'with-prisma'])('%s places an order', async (program) => {
  expect(await run(program, program)).toBe(`${program} is paid`);
  expect(await rows(`select state from orders where id = '${program}'`)).toEqual([['paid']]);
  // One that cannot be inserted is not started either.
  const instances = await rows('select count(*) from perdure.instance');
  await expect(run(program, program)).rejects.toThrow('orders_pkey');
  expect(await rows('select count(*) from perdure.instance')).toEqual(instances);
});
