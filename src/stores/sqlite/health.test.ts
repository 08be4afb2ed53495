/** What a SQLite file says of itself, and what a damaged one does. */
import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { named } from '../health.ts';
import { sqlite } from './sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'perdure-health-'));
afterAll(() => rmSync(folder, { recursive: true }));

const REQUEST = { full: true, crashes: 2 };

test('a file that is not there lacks everything, and is not made by asking', async () => {
  const path = join(folder, 'none.db');
  const { made, missing } = await sqlite(path).health.migrations();
  expect(made).toBe(0);
  expect(missing[0]).toMatchObject({ number: 1, sql: expect.stringContaining('create table') });
  expect(() => openSync(path, 'r')).toThrow('ENOENT');
});

test('one that is open is durable, sound and not bloated', async () => {
  const store = sqlite(join(folder, 'sound.db'));
  await store.open();
  const symptoms = await store.health.diagnose(REQUEST);
  for (const name of ['durability', 'file', 'bloat', 'log']) {
    expect(named(symptoms, name)).toMatchObject({ status: 'ok' });
  }
  await store.close();
});

test('one that may lose what it confirms says so', async () => {
  const store = sqlite(join(folder, 'relaxed.db'), { durability: 'relaxed' });
  await store.open();
  const found = 'journal_mode wal, synchronous 1';
  expect(named(await store.health.diagnose(REQUEST), 'durability')).toMatchObject({
    ...{ status: 'fail', found },
  });
  await store.close();
});

test('a page that was written over is found', async () => {
  const path = join(folder, 'damaged.db');
  const store = sqlite(path);
  await store.open();
  await store.close();
  damage(path);
  await store.open();
  const file = named(await store.health.diagnose(REQUEST), 'file');
  expect(file).toMatchObject({ status: 'fail', advice: 'restore the file from a backup' });
  await store.close();
});

/** The page of an index that is empty, so that nothing else stumbles over it. */
function damage(path: string): void {
  const db = new DatabaseSync(path);
  const root = db.prepare(`select rootpage from sqlite_schema where name = 'letter'`).get();
  const size = db.prepare('pragma page_size').get();
  db.close();
  const at = (Number(root?.['rootpage']) - 1) * Number(size?.['page_size']);
  writeSync(openSync(path, 'r+'), Buffer.alloc(64, 0xff), 0, 64, at);
}
