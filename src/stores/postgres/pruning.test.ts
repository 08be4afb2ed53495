/** Removing instances while others do the same, or hold one of them. */
import { afterAll, expect, test } from 'vitest';
import { freshSchema } from '../../testing/postgres-schema.ts';
import { PostgresStores } from '../../testing/postgres-stores.ts';
import { at, finish, start } from '../../testing/store-commits.ts';
import type { PruneRequest } from '../instances.ts';
import type { Store } from '../store.ts';

const stores = new PostgresStores();
afterAll(() => stores.drop());

const ANY: PruneRequest = {
  ...{ statuses: ['completed'], flow: null, tenant: null, before: at(100), after: null },
  ...{ limit: 5, walk: 1_000, dryRun: false },
};

async function pruneAll(store: Store): Promise<number> {
  let count = 0;
  for (let after: string | null = null; ; ) {
    const { pruned, next } = await store.instances.prune({ ...ANY, after });
    count += pruned;
    if (next === null) return count;
    after = next;
  }
}

async function fill(store: Store, count: number): Promise<readonly string[]> {
  const names = Array.from({ length: count }, (_, index) => `i${index}`);
  await store.commit(names.map((name) => start(name)));
  await store.commit(names.map((name) => finish(name, 1)));
  return names;
}

test('several who remove at once remove each once, and nobody waits in a circle', async () => {
  const schema = freshSchema();
  const crew = await Promise.all([1, 2, 3].map(() => stores.open({ schema })));
  const [first] = crew as [Store, ...Store[]];
  await fill(first, 200);
  const counts = await Promise.all(crew.map(pruneAll));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(200);
  expect(await first.scan(null, 9)).toEqual([]);
});

test('one that somebody holds is passed over, and nobody waits for it', async () => {
  const schema = freshSchema();
  const store = await stores.open({ schema });
  await fill(store, 20);
  const client = await stores.client();
  await client.query('begin');
  await client.query(`select from ${schema}.instance where id = 'i7' for update`);
  expect(await pruneAll(store)).toBe(19);
  // Whoever held it has opened it again.
  await client.query(`update ${schema}.instance set status = 'running', ended_at = null`);
  await client.query('commit');
  expect(await pruneAll(store)).toBe(0);
  expect(await store.scan(null, 9)).toEqual(['i7']);
});
