/** A file that one process has to itself. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { sqlite } from './sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'perdure-exclusive-'));
const path = join(folder, 'one.db');
afterAll(() => rmSync(folder, { recursive: true }));

const held = {
  code: 'store.unreachable',
  retryable: true,
  message: expect.stringContaining('has it to itself'),
};

test('nobody else opens a file while one has it to itself, but for who comes later', async () => {
  const store = sqlite(path, { exclusive: true });
  await store.open();
  expect(await store.plans()).toEqual([]);
  const others = [sqlite(path), sqlite(path, { exclusive: true })];
  const refused = others.map((other) => expect(other.open()).rejects.toMatchObject(held));
  await Promise.all(refused);
  const stranger = new DatabaseSync(path);
  expect(() => stranger.prepare('select * from instance').all()).toThrow('locked');
  stranger.close();
  expect(await store.scan(null, 1)).toEqual([]);
  await store.close();
  const later = sqlite(path);
  await later.open();
  await later.close();
});

test('nobody has a file to itself that another has open', async () => {
  const store = sqlite(path);
  await store.open();
  await expect(sqlite(path, { exclusive: true }).open()).rejects.toMatchObject(held);
  expect(await store.scan(null, 1)).toEqual([]);
  await store.close();
});

test('exclusive was ignored, whatever it was', () => {
  const odd = { exclusive: 'yes' } as never;
  expect(() => sqlite(path, odd)).toThrow('exclusive is true or false');
});
