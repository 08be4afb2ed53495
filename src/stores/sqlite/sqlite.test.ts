import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeSuite } from '../../testing/store-suite.ts';
import { sqlite } from './sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'perdure-suite-'));
const path = join(folder, 'suite.db');
let clock: () => number = Date.now;

// One thread and one file for all cases, emptied before each: starting a thread takes longer than
// most cases do. Relaxed, since meaning is what is looked at here; durability has its own tests.
const store = sqlite(path, { clock: () => clock(), durability: 'relaxed' });
beforeAll(() => store.open());
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

storeSuite('the SQLite store', (caseClock) => {
  clock = caseClock;
  return new Proxy(store, {
    get(target, verb) {
      if (verb === 'open') return async () => empty();
      if (verb === 'close') return async () => {};
      const method: unknown = Reflect.get(target, verb);
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
});

function empty(): void {
  const db = new DatabaseSync(path);
  const tables = db.prepare(`select name from sqlite_schema where type = 'table'`).all();
  const names = tables.map(({ name }) => String(name)).filter((name) => name !== 'migration');
  db.exec(names.map((name) => `delete from ${name};`).join('\n'));
  db.close();
}

test('it has no transactions, and says what to do instead', async () => {
  const refusal = {
    code: 'store.no-transactions',
    message: expect.stringMatching(/SQLite store .*Postgres store .*leave out `tx`/),
  };
  await expect(store.begin()).rejects.toMatchObject(refusal);
  const tx = { query: async () => ({ rows: [] }) };
  expect(() => store.within(tx)).toThrow(expect.objectContaining(refusal));
});
