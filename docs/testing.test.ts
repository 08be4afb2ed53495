/** What the page about testing shows is run: here, or as the test file it is taken from. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { flow } from 'perdure';
import { createTestEngine } from 'perdure/testing';
import { expect, inject, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/testing.md'), 'utf8');

async function node(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { cwd: root, env: { ...process.env, ...env } };
  const all = ['--conditions=perdure-source', ...args];
  return (await promisify(execFile)(process.execPath, all, options)).stdout;
}

test('the test for the runner of Node passes there', async () => {
  const told = await node(['--test', 'examples/testing-with-node.ts']);
  expect(told).toMatch(/pass 1\n.*fail 0\n/);
});

test('the program for Postgres runs, and leaves nothing behind', async () => {
  const found = /<!-- given\n([^]*?)-->\n```ts\n([^]*?)^```/m.exec(page);
  // Inside the checkout, so that the package's own name leads to it; .gitignore knows the folder.
  const folder = join(root, '.perdure', `testing-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const schemas = async (): Promise<unknown> => {
    const client = new Client(inject('postgres'));
    await client.connect();
    const names = `select 1 from pg_namespace where nspname like 'test!_%' escape '!'`;
    const { rows } = await client.query(names);
    await client.end();
    return rows;
  };
  try {
    writeFileSync(join(folder, 'program.ts'), `${found?.[1]}${found?.[2]}`);
    expect(found?.[2]).toContain('drop schema');
    await node([join(folder, 'program.ts')], { DATABASE_URL: inject('postgres') });
    expect(await schemas()).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('every block of a test file stands in one', () => {
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, body]) => body ?? '');
  const files = ['testing.ts', 'testing.test.ts', 'testing-with-node.ts'];
  const text = files.map((name) => readFileSync(join(root, 'examples', name), 'utf8')).join('\n');
  const strange = blocks.filter((block) => !text.includes(block));
  expect(strange).toHaveLength(1);
  expect(strange[0]).toContain('drop schema');
  // And none of the tests is left out.
  const titles = [...text.matchAll(/^(?:await )?test[^']*'(.+?)'/gm)].map(([, title]) => title);
  expect(titles.length).toBeGreaterThan(10);
  for (const title of titles) expect(page).toContain(title);
});

test('the kit has what its table says, and begins when it says', async () => {
  const kit = createTestEngine({ flows: [flow('empty').end()] });
  const [, table = ''] = page.split('## What a kit has');
  const named = [...table.matchAll(/`kit\.(\w+)/g)].map(([, name]) => name ?? '');
  expect(named.length).toBeGreaterThan(7);
  for (const name of named) expect(Reflect.get(kit, name), name).toBeDefined();
  expect(new Date(kit.now).toISOString()).toBe('2026-01-01T00:00:00.000Z');
  await kit.close();
});

test('a transactional step that is not mocked says that there is no database', async () => {
  const book = flow('book')
    .step('put', ({ tx }) => tx.query('select 1'), { transactional: true })
    .end();
  const kit = createTestEngine({ flows: [book] });
  const run = await kit.start(book, null);
  await kit.runUntilIdle();
  expect((await run.inspect()).fault?.code).toBe('test.no-database');
});

test('in a row of steps each handler runs once, though the worker dies every time', async () => {
  const ran: string[] = [];
  const row = flow('row')
    .step('a', async () => void ran.push('a'))
    .step('b', async () => void ran.push('b'))
    .end();
  const kit = createTestEngine({ flows: [row], chaos: { crashAfterEveryCommit: true } });
  const run = await kit.start(row, null);
  await kit.runUntilIdle();
  expect([await run.status(), ran]).toEqual(['completed', ['a', 'b']]);
});
