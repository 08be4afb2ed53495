/** The rows of suspended instances, as they lie in the file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { Bench } from '../../testing/store-bench.ts';
import {
  at,
  finish,
  HANDLER,
  pause,
  resume,
  sleeping,
  start,
  suspend,
  T0,
  token,
} from '../../testing/store-commits.ts';
import { LINKS } from '../../testing/store-pauses.ts';
import { sqlite } from './sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'perdure-pauses-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;

/** A store, and whatever a query finds in its file. */
async function opened(): Promise<{ bench: Bench; read: (sql: string) => readonly object[] }> {
  files += 1;
  const path = join(folder, `${files}.db`);
  const store = sqlite(path, { clock: () => T0, durability: 'relaxed' });
  await store.open();
  const read = (sql: string): readonly object[] => {
    const db = new DatabaseSync(path, { readOnly: true });
    const rows = db.prepare(sql).all();
    db.close();
    return rows.map((row) => ({ ...row }));
  };
  return { bench: new Bench(store, { now: T0 }), read };
}

const TOKENS =
  'select handler, wake_at, held_handler, held_wake_at, version from token order by id';

test('what is held is in no index that is looked through for work, and is put back', async () => {
  const { bench, read } = await opened();
  await bench.given(start('a', { rows: { tokens: [token(2), sleeping(3, 50)] } }));
  const free = { held_handler: null, held_wake_at: null, version: 0 };
  const before = [
    { ...free, handler: HANDLER, wake_at: null },
    { ...free, handler: null, wake_at: at(50) },
  ];
  expect(read(TOKENS)).toEqual(before);
  await bench.given(suspend('a', 1));
  expect(read(TOKENS)).toEqual([
    { handler: null, wake_at: null, held_handler: HANDLER, held_wake_at: null, version: 0 },
    { handler: null, wake_at: null, held_handler: null, held_wake_at: at(50), version: 0 },
  ]);
  await bench.given(resume('a', 2, 2));
  expect(read(TOKENS)).toEqual(before);
  await bench.store.close();
});

test('the views of chains show steps and deadlines of what is suspended', async () => {
  const { bench, read } = await opened();
  await bench.given(start('a', { rows: { tokens: LINKS } }));
  const views = (): unknown => [
    read('select * from workflow_step order by step_seq'),
    read('select current_step_type from workflow_instance'),
  ];
  const before = views();
  expect(before).toMatchObject([
    [{ step_type: 'PAY' }, { step_type: 'SHIP', deadline_at: at(80) }, {}],
    [{ current_step_type: 'SHIP' }],
  ]);
  await bench.given(suspend('a', 1));
  expect(views()).toEqual(before);
  const over = { status: 'canceled', pauses: [pause(2, 3)] } as const;
  const last = { ...token(3, { seq: 1, status: 'terminated' }), handler: 'order/SHIP' };
  const rows = { pausing: true, endedTokens: [], tokens: [last] };
  await bench.given(finish('a', 2, { head: over, rows }));
  const none = { held_handler: null, held_wake_at: null, wake_at: null };
  expect(read(TOKENS)).toMatchObject(LINKS.map(({ handler }) => ({ ...none, handler })));
  await bench.store.close();
});
