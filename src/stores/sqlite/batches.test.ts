/** Batches: what the file refuses hurts nobody else, and two processes may write to it at once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, test } from 'vitest';
import { Bench } from '../../testing/store-bench.ts';
import { T0 } from '../../testing/store-commits.ts';
import { poisonCases } from '../../testing/store-poison.ts';
import { checkAfterStorm, storm } from '../../testing/store-storm.ts';
import type { Store } from '../store.ts';
import { sqlite } from './sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'perdure-batches-'));
afterAll(() => rmSync(folder, { recursive: true }));

const opened: Store[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});

async function openAt(path: string): Promise<Store> {
  const store = sqlite(path, { clock: () => T0, durability: 'relaxed' });
  opened.push(store);
  await store.open();
  return store;
}

let files = 0;
poisonCases(async () => {
  files += 1;
  return new Bench(await openAt(join(folder, `${files}.db`)), { now: T0 });
});

test('two processes with the same instances and keys lose and double nothing', async () => {
  const path = join(folder, 'storm.db');
  const told = await storm(path, [3, 4], 1_000);
  await checkAfterStorm(await openAt(path), told);
});
