/**
 * How much is read to find a page of instances among many: of an index what the page needs, times
 * the shards, and never the table. What must walk has an end.
 */
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allGone, freshSchema, MANY, manyIds, readSoFar } from '../../testing/postgres-schema.ts';
import { PostgresStores } from '../../testing/postgres-stores.ts';
import { T0 } from '../../testing/store-commits.ts';
import type { FindRequest, Sought } from '../instances.ts';
import type { Store } from '../store.ts';

const ROWS = 100_000;
const LIMIT = 20;
const WALK = 2_000;

const stores = new PostgresStores();
const schema = freshSchema();
let client: Client;
let store: Store;

beforeAll(async () => {
  store = await stores.open({ schema });
  client = await stores.client();
  await fill();
  await client.query('analyze');
});
afterAll(() => stores.drop());

/** Most are over, one in a thousand has failed, some wait; every shard is that of its id. */
async function fill(): Promise<void> {
  const ids = manyIds(ROWS);
  const failed = 'n % 1000 = 7';
  const open = 'n % 500 = 3';
  await client.query(
    `insert into ${schema}.instance (shard, id, plan_hash, flow, flow_version, status, version,
            counter, key, tenant, priority, fault, parent_instance_id, parent_token_id, created_at,
            updated_at, ended_at)
     select shard, id, 'hash', case when n % 50 = 0 then 'rare' else 'order' end, 1,
            case when ${failed} then 'failed' when ${open} then 'running' else 'completed' end, 2,
            2, 'k' || n / 2, 't' || n % 200, 0,
            case when ${failed} then '{"code":"pay.declined","message":"no","node":null}' end,
            'p' || n / 10, 2, ${T0} + n, ${T0} + n, case when not ${open} then ${T0} + n end
       from ${MANY}`,
    [...ids],
  );
  await client.query(
    `insert into ${schema}.token (shard, instance_id, id, scope_id, node_id, status, mode, visit,
            attempts, crashes, max_attempts, priority, available_at, hops, created_at, updated_at,
            version)
     select shard, id, 2, 1, 'work', 'waiting', 'forward', 1, 0, 0, 1, 0, ${T0}, 0, ${T0}, ${T0}, 1
       from ${MANY} where ${open}`,
    [...ids],
  );
  await client.query(
    `insert into ${schema}.tag
     select shard, id, 'customer', 'text', 'c' || n % 1000, null from ${MANY}
      union all
     select shard, id, 'total', 'number', n::text, n from ${MANY}`,
    [...ids],
  );
}

const ANY: FindRequest = {
  ...{ flow: null, version: null, statuses: null, stalled: false, key: null, tenant: null },
  ...{ parent: null, created: { from: null, to: null }, ended: { from: null, to: null } },
  ...{ fault: null, attributes: [], before: null, limit: LIMIT, walk: WALK },
};

function named(name: string): URL {
  const url = new URL(stores.url);
  url.searchParams.set('application_name', name);
  return url;
}

const total: Sought = { name: 'total', low: 50_000, high: 50_100 };
const wide: Sought = { name: 'total', low: 0, high: null };

/** What is asked, how many a page has, and what may be read for it. */
const ASKED: readonly [string, Partial<FindRequest>, number, number][] = [
  ['nothing in particular', {}, LIMIT, 2_000],
  ['a flow', { flow: 'order' }, LIMIT, 2_000],
  ['a rare flow', { flow: 'rare' }, LIMIT, 2_000],
  ['a flow that nobody has', { flow: 'none' }, 0, 2_000],
  ['a flow’s failed ones', { flow: 'order', statuses: ['failed'] }, LIMIT, 2_000],
  [
    'a code',
    { fault: { code: 'pay.declined', prefix: null, text: null, node: null } },
    LIMIT,
    2_000,
  ],
  ['open ones', { statuses: ['waiting', 'running'] }, LIMIT, 3_000],
  ['a flow’s open ones', { flow: 'order', statuses: ['waiting'] }, LIMIT, 3_000],
  ['a tenant', { tenant: 't7' }, LIMIT, 2_000],
  ['a key', { key: 'k500' }, 2, 2_000],
  ['who was called', { parent: 'p77' }, 10, 2_000],
  ['an attribute', { attributes: [{ name: 'customer', is: 'c5' }] }, LIMIT, 3_000],
  ['a short range', { attributes: [total] }, LIMIT, 3_000],
  // As many as a short one may have are counted.
  ['a range of nearly all', { attributes: [wide] }, LIMIT, 25_000],
  ['what nobody has', { version: 9 }, 0, WALK * 8],
];

test.each(ASKED)('a page by %s reads little', async (_what, asked, count, most) => {
  const one = await stores.open({ schema, url: named(schema).href, listen: false });
  const before = await readSoFar(client, schema);
  const found = await one.instances.find({ ...ANY, ...asked });
  await one.close();
  await allGone(client, schema);
  expect(found.instances).toHaveLength(count);
  expect((await readSoFar(client, schema)) - before).toBeLessThan(most);
});

/** Each is read once to be counted and once for its cause, and once to know how far to go. */
test.each([
  ['all', { flow: null, tenant: null }, WALK, false],
  ['a rare flow', { flow: 'rare', tenant: null }, ROWS / 50, true],
  ['a tenant', { flow: null, tenant: 't7' }, ROWS / 200, true],
])('counting %s reads no more than is walked', async (_what, asked, counted, isAll) => {
  const one = await stores.open({ schema, url: named(schema).href, listen: false });
  const before = await readSoFar(client, schema);
  const tally = await one.instances.tally({ ...asked, walk: WALK });
  await one.close();
  await allGone(client, schema);
  expect(tally).toMatchObject({ counted, isAll });
  expect((await readSoFar(client, schema)) - before).toBeLessThan(WALK * 8);
});

test('a walk that finds nothing ends where it was told to, and goes on from there', async () => {
  const { instances, next } = await store.instances.find({ ...ANY, version: 9 });
  expect([instances, next]).toEqual([[], `i${String(ROWS - WALK).padStart(6, '0')}`]);
});
