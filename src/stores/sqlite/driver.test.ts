/** What SQLite says when the disk or the file will not have it, and what the caller is told. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { Driver, troubleOf } from './driver.ts';
import { writing } from './transaction.ts';

const folder = mkdtempSync(join(tmpdir(), 'perdure-driver-'));
afterAll(() => rmSync(folder, { recursive: true }));

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (thrown) {
    return thrown;
  }
  throw new Error('it did not throw');
}

test('a full disk is store.full, may be tried again, and leaves nothing half-written', () => {
  const driver = new Driver(join(folder, 'full.db'));
  driver.exec('create table note (body text) strict; pragma max_page_count = 3');
  const write = (): unknown =>
    writing(driver, () => {
      driver.run('insert into note (body) values (?1)', 'kept?');
      driver.run('insert into note (body) values (?1)', 'x'.repeat(1_000_000));
    });
  const error = troubleOf(thrownBy(write), 'full.db');
  expect(error).toMatchObject({ code: 'store.full', retryable: true });
  expect(error?.message).toContain('free some space');
  expect(driver.all('select body from note')).toEqual([]);
  driver.close();
});

test('a file that can only be read is store.read-only', () => {
  const path = join(folder, 'read-only.db');
  new DatabaseSync(path).exec('create table note (body text)');
  const db = new DatabaseSync(path, { readOnly: true });
  const error = troubleOf(
    thrownBy(() => db.exec(`insert into note values ('x')`)),
    path,
  );
  expect(error).toMatchObject({ code: 'store.read-only', retryable: false });
  db.close();
});
