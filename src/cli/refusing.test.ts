/** What commands do not do: change what they only look at, or end as if nothing had happened. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { CommandLine } from '../testing/command-line.ts';
import { placeAt } from '../testing/place.ts';
import { dropSchemas, freshSchema } from '../testing/postgres-schema.ts';

const url: string = inject('postgres');
afterAll(() => dropSchemas(url));
const line = new CommandLine();
afterAll(() => line.remove());

/** Commands that are about what runs elsewhere. */
const LOOKS: readonly string[][] = [
  ['ls'],
  ['show', 'a'],
  ['history', 'a'],
  ['versions'],
  ['graph', 'order'],
  ['diff', 'order@1', 'order@2'],
  ['_complete', 'ids'],
  ['start', 'order'],
  ['cancel', 'a'],
  ['prune', '--older-than', '1d'],
];

describe('a database that Perdure has no tables in', () => {
  const other = new DatabaseSync(join(line.folder, 'other.db'));
  other.exec('create table customer (id integer)');
  other.close();

  test.each(LOOKS)('is left as it is by %s', async (...words) => {
    const { code, talk } = await line.run(...words, '--store', 'sqlite:other.db');
    expect(code).toBe(4);
    expect(talk).toMatch(
      /\d+ migrations are missing: run "perdure migrate --store sqlite:other.db"/,
    );
    const after = new DatabaseSync(join(line.folder, 'other.db'));
    const tables = after.prepare('select name from sqlite_schema').all();
    after.close();
    expect(tables).toEqual([{ name: 'customer' }]);
  });

  test('may be one of Postgres, where a schema that is misspelt is not made', async () => {
    const schema = freshSchema();
    const { code, talk } = await line.run('ls', '--store', placeAt(url, schema));
    expect(code).toBe(4);
    expect(talk).toMatch(/migrations are missing/);
    const client = new Client(url);
    await client.connect();
    const found = await client.query('select from pg_namespace where nspname = $1', [schema]);
    await client.end();
    expect(found.rowCount).toBe(0);
  });

  test('is not brought up to date by a newer program that only looks', async () => {
    const here = ['--store', 'sqlite:older.db'];
    await line.run('migrate', ...here);
    const older = new DatabaseSync(join(line.folder, 'older.db'));
    older.exec('delete from migration where number = (select max(number) from migration)');
    older.close();
    const { code, out } = await line.run('ls', ...here, '--json');
    expect(code).toBe(4);
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'store.too-old' } });
  });
});

test('a file that cannot be written is one line, and the fault of the command', async () => {
  const file = line.write(
    'e.mjs',
    `import { flow } from 'perdure';
export default flow('e').step('a', () => 1).end();`,
  );
  const here = ['--store', 'sqlite:export.db'];
  await line.run('start', file, '--id', 'e-1', ...here);
  const { code, talk } = await line.run('export', 'e-1', 'no/such/folder.json', ...here);
  expect(code).toBe(2);
  expect(talk).toMatch(/^perdure: no\/such\/folder\.json cannot be written: ENOENT[^\n]*\n$/);
  expect(await line.run('outbox', 'requeue', 'nope', ...here)).toMatchObject({
    code: 3,
    out: '0 sent again; no dead letter is nope\n',
  });
});

test('a doctor of a file in a folder that is not there says so', async () => {
  const { code, out } = await line.run('doctor', '--store', 'sqlite:no/such/folder.db');
  expect(code).toBe(1);
  expect(out).toMatch(/✗ store +there is no file at /);
});

test('a flow of a file is started on a database that is not there yet', async () => {
  const text = `import { flow } from 'perdure';
export default flow('fresh').step('a', () => 1).end();`;
  const file = line.write('fresh.ts', text);
  expect((await line.run('start', file, '--store', 'sqlite:fresh.db')).code).toBe(0);
  expect((await line.run('ls', '--store', 'sqlite:fresh.db')).out).toContain('fresh@1');
});

test.each([
  'mysql://bob:secret@db/app',
  'postgres://bob:se:cr@et@db:port/app',
  'bob:secret@db/app',
  'mysql://db/app?user=bob&password=secret',
])('a store that is none is said without its password: %s', async (store) => {
  const { code, talk } = await line.run('ls', '--store', store);
  expect(code).toBe(2);
  expect(talk).toMatch(/a store is memory:, .*; came ".*bob/);
  expect(talk).not.toMatch(/se:?cr/);
});

test('a command to be copied names the store, and an id as a shell reads it', async () => {
  const text = `import { flow } from 'perdure';
export default flow('held').step('a', () => 1).end();`;
  const here = ['--store', 'sqlite:my own.db'];
  await line.run('start', line.write('held.mjs', text), '--id', "bob's", ...here);
  await line.run('suspend', "bob's", ...here);
  const { out } = await line.run('show', "bob's", ...here);
  expect(out).toContain(`    perdure resume 'bob'\\''s' --store 'sqlite:my own.db'\n`);
  const { out: advice } = await line.run('doctor', '--store', 'sqlite:none.db');
  expect(advice).toContain('run "perdure migrate --store sqlite:none.db"');
});
