/** Opening: the schema that is checked in, durability as asked, and errors that say what to do. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import {
  keepTheirKeys,
  migrationCases,
  migrationFiles,
  OLD_INSTANCES,
  OLD_KEYS,
  oldKeyOf,
} from '../../testing/migrations.ts';
import { HANDLER, idOf, scope, T0 } from '../../testing/store-commits.ts';
import { openDatabase } from './migrate.ts';
import { MIGRATIONS } from './migrations.gen.ts';
import * as queries from './queries.ts';
import { sqlite } from './sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'perdure-open-'));
afterAll(() => rmSync(folder, { recursive: true }));

const migrations = migrationFiles(join(import.meta.dirname, 'migrations'));
const allSql = migrations.map(({ sql }) => sql).join('\n');

/** How both files below are made after a change: the same tests, told to update. */
const MADE_BY = 'by `npx vitest run src/stores/sqlite -u`';

const { own, ...shared } = queries;
const statements: Readonly<Record<string, string>> = { ...shared, ...own };

let files = 0;

function freshPath(): string {
  files += 1;
  return join(folder, `${files}.db`);
}

describe('the schema', () => {
  migrationCases({
    folder: import.meta.dirname,
    files: migrations,
    migrations: MIGRATIONS,
    statements,
    madeBy: MADE_BY,
  });

  test('the schema after the last migration is the one that is checked in', async () => {
    const db = new DatabaseSync(':memory:');
    db.exec(allSql);
    const rows = db
      .prepare('select sql from sqlite_schema where sql is not null order by rowid')
      .all();
    db.close();
    const dump = rows.map(({ sql }) => `${String(sql)};\n`).join('\n');
    await expect(
      `-- The schema after the last migration, made ${MADE_BY}.\n\n${dump}`,
    ).toMatchFileSnapshot('./schema.sql');
  });

  test('no statement reads a whole table', () => {
    // What was carried is not in the outbox, and the rest is read from the front up to the limit.
    // Of halts there are as many as people have said. The doctor looks at everything alive. What a
    // statement has found itself is no table.
    const DOCTORS = new Set(['countIncidents', 'countCrashed', 'overdueWork']);
    const SMALL = ['sqlite_schema', 'json_each', 'halt$', 'outbox$'];
    const OWN = ['level', 'page$', 'wanted$', 'hearer$', 'told$', 'met$', 'name$'];
    const COUNTED = ['meant$', 'cause$', 'said$', 'ranked$'];
    const FOUND = [...OWN, ...COUNTED, '\\(join', '\\(subquery', '(?:\\d+ )?CONSTANT'];
    const SCAN = new RegExp(`^SCAN (?!${[...SMALL, ...FOUND].join('|')})`);
    const driver = openDatabase(freshPath(), { durability: 'relaxed' });
    const scans = Object.entries(statements)
      .filter(([name]) => !DOCTORS.has(name))
      .filter(([, sql]) => /^\s*(select|with|update|delete|insert)/.test(sql))
      .flatMap(([name, sql]) =>
        driver
          .all(`explain query plan ${sql}`)
          .map(({ detail }) => String(detail))
          .filter((detail) => SCAN.test(detail))
          .map((detail) => `${name}: ${detail}`),
      );
    driver.close();
    expect(scans).toEqual([]);
  });

  test('a database of the first schema is brought up to date and keeps what it holds', async () => {
    const path = freshPath();
    const db = new DatabaseSync(path);
    db.exec(migrations[0]?.sql ?? '');
    db.exec(`
      insert into migration values (1, '0001_state', 0);
      insert into instance values
        ('a', 'h', 'order', 1, 'running', 1, 2, null, null, 0, null, null, null, 0, 0, null);
      insert into scope values ('a', 1, null, null, null, null, '"item"');
      insert into variable values ('a', 1, 'vars', 'z', 1, '2'), ('a', 1, 'vars', 'a', 2, '3'),
        ('a', 1, 'results', 'x', 3, '"y"');`);
    db.close();
    const store = sqlite(path);
    await store.open();
    const [rows] = await store.load([idOf('a')]);
    expect(rows?.head).toMatchObject({ version: 1, outcome: null, parent: null });
    const values = { vars: { z: 2, a: 3 }, results: { x: 'y' } };
    expect(rows?.scopes).toEqual([scope(1, { item: 'item', ...values })]);
    expect(Object.keys(rows?.scopes[0]?.vars ?? {})).toEqual(['z', 'a']);
    expect(rows?.undos).toEqual([]);
    await store.close();
  });

  test.each(OLD_INSTANCES)('instances of before there were %s', async (_what, number, check) => {
    const path = freshPath();
    const db = new DatabaseSync(path);
    for (const [index, { name, sql }] of migrations.slice(0, number).entries()) {
      db.exec(sql);
      db.exec(`insert into migration values (${index + 1}, '${name}', 0)`);
    }
    const columns = `instance_id, id, scope_id, node_id, handler, status, mode, visit, attempts,
      crashes, max_attempts, priority, available_at, wake_at, hops, created_at, updated_at,
      version`;
    db.exec(`
      insert into instance (id, plan_hash, flow, flow_version, status, version, counter, priority,
             created_at, updated_at)
      values ('a', 'plan-hash', 'order', 1, 'running', 1, 2, 0, ${T0}, ${T0});
      insert into variable values ('a', 1, 'vars', 'x', 1, '1');
      insert into token (${columns}) values
        ('a', 2, 1, 'work', '${HANDLER}', 'ready', 'forward', 1, 0, 0, 1, 0, 0, null, 0, 0, 0, 0),
        ('a', 3, 1, 'nap', null, 'waiting', 'forward', 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0)`);
    db.close();
    const store = sqlite(path);
    await store.open();
    await check(store);
    await store.close();
  });

  test('keys of before each tenant had its own are those of their tenants', async () => {
    const path = freshPath();
    const db = new DatabaseSync(path);
    for (const [index, { name, sql }] of migrations.slice(0, 14).entries()) {
      db.exec(sql);
      db.exec(`insert into migration values (${index + 1}, '${name}', 0)`);
    }
    const long = { id: 'key 9', tenant: 'x'.repeat(61) };
    for (const { id, tenant } of [...OLD_KEYS, long]) {
      db.prepare(`
        insert into instance (id, plan_hash, flow, flow_version, status, version, counter, priority,
               key, tenant, created_at, updated_at)
        values (?1, 'plan-hash', 'order', 1, 'running', 1, 2, 0, ?2, ?3, ${T0}, ${T0})`).run(
        ...[id, oldKeyOf(id), tenant],
      );
      db.prepare(`insert into business_key values ('order', ?1, ?2)`).run(oldKeyOf(id), id);
    }
    db.close();
    const store = sqlite(path);
    await store.open();
    await keepTheirKeys(store, OLD_KEYS);
    // It would be kept under a hash, which SQLite cannot tell.
    const key = oldKeyOf(long.id);
    expect(await store.findByKey('order', key, long.tenant)).toBeUndefined();
    expect(await store.findByKey('order', key, null)).toBeUndefined();
    await store.close();
  });

  test('opening a database again changes nothing in it', () => {
    const path = freshPath();
    openDatabase(path, { durability: 'relaxed' }).close();
    const before = dump(path);
    openDatabase(path, { durability: 'full' }).close();
    expect(dump(path)).toEqual(before);
  });
});

describe('durability', () => {
  test.each([
    ['full', 2],
    ['relaxed', 1],
  ] as const)('%s is WAL with synchronous %i, read back', (durability, synchronous) => {
    const driver = openDatabase(freshPath(), { durability });
    expect(driver.get(own.journalMode)).toMatchObject({ journal_mode: 'wal' });
    expect(driver.get(own.synchronous)).toMatchObject({ synchronous });
    driver.close();
  });

  test('a database that cannot be durable is refused', async () => {
    await expect(sqlite(':memory:').open()).rejects.toMatchObject({
      code: 'store.not-durable',
      details: { path: ':memory:', mode: 'memory' },
    });
  });
});

describe('databases that cannot be opened', () => {
  test('a schema newer than this program is left alone', async () => {
    const path = freshPath();
    openDatabase(path, { durability: 'relaxed' }).close();
    const db = new DatabaseSync(path);
    db.exec(`insert into migration values (999, '0999_future', 0)`);
    db.close();
    await expect(sqlite(path).open()).rejects.toMatchObject({
      code: 'store.too-new',
      details: { path, found: 999, newest: MIGRATIONS.length },
    });
  });

  test('a path without a folder is unreachable, and the error says why', async () => {
    const path = join(folder, 'nowhere', 'a.db');
    await expect(sqlite(path).open()).rejects.toMatchObject({
      name: 'EngineError',
      code: 'store.unreachable',
      retryable: false,
      message: expect.stringMatching(/nowhere.*directory exists/),
      cause: expect.any(Error),
      details: { path },
    });
  });

  test('a folder is not a database', async () => {
    const path = freshPath();
    mkdirSync(path);
    await expect(sqlite(path).open()).rejects.toMatchObject({ code: 'store.unreachable' });
  });

  test('a file of another kind is not a database, and is not touched', async () => {
    const path = freshPath();
    writeFileSync(path, 'a letter to my aunt, and rather a long one'.repeat(100));
    await expect(sqlite(path).open()).rejects.toMatchObject({
      code: 'store.unreachable',
      message: expect.stringContaining('not a SQLite database'),
    });
    expect(readFileSync(path, 'utf8')).toMatch(/^a letter to my aunt/);
  });

  // Root may write everything, so there is nothing to see.
  test.skipIf(process.getuid?.() === 0)(
    'a file that may not be written is unreachable',
    async () => {
      const path = freshPath();
      openDatabase(path, { durability: 'relaxed' }).close();
      chmodSync(path, 0o444);
      await expect(sqlite(path).open()).rejects.toMatchObject({ code: 'store.unreachable' });
    },
  );
});

function dump(path: string): unknown[] {
  const db = new DatabaseSync(path);
  const schema = db.prepare('select type, name, sql from sqlite_schema').all();
  const migrations = db.prepare('select number, name, applied_at from migration').all();
  db.close();
  return [...schema, ...migrations];
}
