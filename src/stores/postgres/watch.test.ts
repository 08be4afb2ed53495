/** What a process holds is renewed by a thread of the store's when it cannot do so itself (D15). */
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { Pool } from 'pg';
import { freshSchema } from '../../testing/postgres-schema.ts';
import { PostgresStores } from '../../testing/postgres-stores.ts';
import { namesOf } from '../../testing/store-bench.ts';
import {
  block,
  blockedCases,
  claimFirst,
  committed,
  LEASE_MS,
  ready,
} from '../../testing/store-blocked.ts';
import { fenceOf, finish, next } from '../../testing/store-commits.ts';
import type { Store } from '../store.ts';
import { Postgres, postgres } from './postgres.ts';

const stores = new PostgresStores();
const ours: Store[] = [];
afterEach(async () => {
  await Promise.all(ours.splice(0).map((store) => store.close()));
  await stores.close();
});
afterAll(() => stores.drop());

/** Until the thread is at work: how long it takes to start is not what is looked at here. */
async function warmUp(store: Store, schema: string): Promise<Store> {
  await committed(store, ready('warm'));
  const claim = await claimFirst(store);
  const client = await stores.client();
  const renewed = `select from ${schema}.token where locked_until > ${claim.until}`;
  while ((await client.query(renewed)).rows.length === 0) block(LEASE_MS / 2);
  await committed(store, finish('warm', 1, { fence: fenceOf(claim) }));
  return store;
}

blockedCases(async (blockedMsMax) => {
  const schema = freshSchema();
  const store = new Postgres(stores.url, { schema, listen: false }, blockedMsMax);
  ours.push(store);
  await store.open();
  // One that is soon taken for stuck would never be seen to renew anything.
  if (blockedMsMax === undefined) await warmUp(store, schema);
  return { store, other: await stores.open({ schema, listen: false }) };
});

describe('a claim', () => {
  test('that its holder was told is lost is not renewed any longer', async () => {
    const schema = freshSchema();
    const store = await warmUp(await stores.open({ schema, listen: false }), schema);
    await committed(store, ready('a'));
    const claim = await claimFirst(store);
    // As after a pause of the whole machine: over, and nobody has taken it back yet.
    const client = await stores.client();
    await client.query(`update ${schema}.token set locked_until = 0`);
    expect(await store.commit([next('a', 1, { fence: fenceOf(claim) })])).toEqual([
      { outcome: 'fenced' },
    ]);
    block(LEASE_MS);
    expect(namesOf(await store.expired(9))).toEqual(['a.2']);
  });

  test('that is stale, or would be recovered too early, is kept; by way of any pool', async () => {
    const pool = new Pool({ connectionString: stores.url });
    const schema = freshSchema();
    const store = postgres(pool, { schema, listen: false });
    await store.open();
    await warmUp(store, schema);
    await committed(store, ready('a'));
    const claim = await claimFirst(store);
    const early = next('a', 1, { fence: fenceOf(claim, { expired: true }) });
    const outcomes = await store.commit([next('a', 7, { fence: fenceOf(claim) }), early]);
    expect(outcomes).toEqual([{ outcome: 'stale' }, { outcome: 'fenced' }]);
    block();
    expect(await store.expired(9)).toEqual([]);
    await store.close();
    await pool.end();
  });

  test('goes without when only this thread can make connections', async () => {
    const { username, password, hostname, port, pathname } = new URL(stores.url);
    const pool = new Pool({
      host: hostname,
      port: Number(port),
      user: username,
      password: () => decodeURIComponent(password),
      database: pathname.slice(1),
    });
    const store = postgres(pool, { schema: freshSchema(), listen: false });
    await store.open();
    await committed(store, ready('a'));
    const claim = await claimFirst(store);
    expect(await store.renew([claim], LEASE_MS)).toEqual([]);
    await committed(store, next('a', 1, { fence: fenceOf(claim) }));
    await store.close();
    await pool.end();
  });
});
