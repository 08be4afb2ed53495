/** How Postgres goes about lanes: by the queue of a lane, however many wait, and past commits. */
import type { Client } from 'pg';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { Lane } from '../../model/lane.ts';
import { freshSchema } from '../../testing/postgres-schema.ts';
import { PostgresStores } from '../../testing/postgres-stores.ts';
import { at, HANDLER, start, suspend, token, tokenId } from '../../testing/store-commits.ts';
import type { Commit } from '../store.ts';
import { inSchema } from './driver.ts';
import * as queries from './queries.ts';

const stores = new PostgresStores();
afterEach(() => stores.close());
afterAll(() => stores.drop());

const ONE: readonly Lane[] = [{ name: 'step:order/work', concurrency: 1, rate: null }];
const ALL_OF_US = { handlers: [HANDLER], lanes: [] };

function limited(name: string): Commit {
  return start(name, { rows: { tokens: [token(2, { lanes: ONE })], laned: [tokenId(2)] } });
}

describe('a lane is found by its queue', () => {
  const schema = freshSchema();

  test.each([
    'laneFacts',
    'standingIn',
    'queueOf',
    'unservedIn',
    'dropGone',
    'lanesAfter',
  ] as const)('by %s, also if it was planned while the tables were empty', async (name) => {
    await stores.open({ schema });
    const client = await stores.client();
    await client.query(inSchema(queries.own.beginLanes, schema));
    const { rows } = await client.query<Record<string, string>>(
      `explain (generic_plan) ${inSchema(queries[name], schema)}`,
    );
    const plan = rows.map((row) => row['QUERY PLAN'] ?? '').join('\n');
    expect(plan).toContain('lane_queue');
    expect(plan).not.toMatch(/lane_token_pkey on lane_token(?! p)/);
    await client.query('rollback');
  });
});

test('whoever lets through passes over what a commit has just locked', async () => {
  const schema = freshSchema();
  const bench = await stores.bench({ schema });
  await bench.given(limited('a'), limited('b'));
  const client = await stores.client();
  // As a commit would that is just under way.
  await client.query(`begin; select from ${schema}.token where instance_id = 'a' for update`);
  const { lanes } = bench.store;
  expect(await lanes.letThrough(ALL_OF_US)).toMatchObject({ tokens: 0, more: true });
  expect(await bench.claim()).toEqual([]);
  await client.query('commit');
  expect(await lanes.letThrough(ALL_OF_US)).toMatchObject({ tokens: 1, more: false });
  expect(await bench.claim()).toMatchObject([{ instance: 'a' }]);
});

test('one whose locker takes everything back is found within a second', async () => {
  const schema = freshSchema();
  const [client, bench] = [await stores.client(), await stores.bench({ schema })];
  const { lanes } = bench.store;
  await bench.given(limited('a'), limited('b'));
  await client.query(`begin; select from ${schema}.lane_token for update`);
  expect(await lanes.letThrough(ALL_OF_US)).toMatchObject({ tokens: 0, more: false });
  await client.query('rollback');
  const next = (await bench.outlook()).lanes;
  expect(next).toBe(at(1_000));
  bench.setTime(1_000);
  expect(await lanes.letThrough(ALL_OF_US)).toMatchObject({ tokens: 1 });
  expect(await bench.claim()).toMatchObject([{ instance: 'a' }]);
});

test('those who let through at the same time let no more through than one would', async () => {
  const schema = freshSchema();
  const clock = (): number => 1_790_000_000_000;
  const many = await Promise.all(
    Array.from({ length: 4 }, () => stores.open({ schema, clock, listen: false })),
  );
  const names = Array.from({ length: 40 }, (_, n) => `i${n}`);
  await many[0]?.commit(names.map(limited));
  const passed = await Promise.all(many.map(({ lanes }) => lanes.letThrough(ALL_OF_US)));
  expect(passed.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(1);
  expect(await many[1]?.lanes.list(null, 9)).toMatchObject([{ atWork: 1, waiting: 39 }]);
});

test('nobody waits for one who stands still while it looks, and is told to ask again', async () => {
  const schema = freshSchema();
  const bench = await stores.bench({ schema });
  await bench.given(limited('a'));
  const client = await stores.client();
  await client.query(`begin; ${inSchema(queries.own.lockLanes, schema)}`);
  const { lanes } = bench.store;
  const busy = { tokens: 0, looked: 0, more: false, isBusy: true };
  expect(await lanes.letThrough(ALL_OF_US)).toEqual(busy);
  await client.query('rollback');
  expect(await lanes.letThrough(ALL_OF_US)).toMatchObject({ tokens: 1, isBusy: false });
});

test('a step that is claimed while its instance is suspended counts as at work', async () => {
  const schema = freshSchema();
  const bench = await stores.bench({ schema });
  const both = [token(2, { handler: 'order@1/other' }), token(3, { lanes: ONE })];
  await bench.given(start('a', { rows: { tokens: both, laned: [tokenId(3)] } }), limited('b'));
  const { lanes } = bench.store;
  await lanes.letThrough(ALL_OF_US);
  const client = await stores.client();
  // As a claim of its other token would that is just under way: the suspending one waits for it.
  const other = `instance_id = 'a' and id = 2`;
  await client.query(`begin; select from ${schema}.token where ${other} for no key update`);
  const suspending = bench.commit(suspend('a', 1));
  await waiting(client);
  const claims = await bench.claim({ leaseMs: 60_000 });
  await client.query('commit');
  await suspending;
  await lanes.letThrough(ALL_OF_US);
  const more = await bench.claim({ leaseMs: 60_000 });
  expect([...claims, ...more].length).toBeLessThanOrEqual(1);
});

test('a step given back while its token is locked for a moment is let through again', async () => {
  const schema = freshSchema();
  const bench = await stores.bench({ schema });
  await bench.given(limited('a'), limited('b'));
  const { lanes } = bench.store;
  await lanes.letThrough(ALL_OF_US);
  const claims = await bench.claim({ leaseMs: 60_000 });
  const [token, news] = [await stores.client(), await stores.client()];
  // The token is locked when it is given back, as by a renewal, and free before that has ended.
  await token.query(`begin; select from ${schema}.token where instance_id = 'a' for update`);
  await news.query(`begin; lock table ${schema}.lane_news in share mode`);
  const releasing = bench.store.release(claims);
  await waiting(news);
  await token.query('commit');
  await news.query('commit');
  await releasing;
  await lanes.letThrough(ALL_OF_US);
  expect(await bench.claim()).toMatchObject([{ instance: 'a' }]);
  expect(await lanes.list(null, 9)).toMatchObject([{ atWork: 1, waiting: 1 }]);
});

test('a limit holds though those under it come while somebody looks', async () => {
  const schema = freshSchema();
  const bench = await stores.bench({ schema });
  const customer: Lane = { name: 'flow:order=acme', concurrency: 5, rate: null };
  const under = (name: string, lanes: readonly Lane[]): Commit =>
    start(name, { rows: { tokens: [token(2, { lanes })], laned: [tokenId(2)] } });
  await bench.given(under('x', [customer]));
  const client = await stores.client();
  // Whoever looks has read the news, and waits before it looks at the queues.
  await client.query(`begin; lock table ${schema}.lane in access exclusive mode`);
  const looking = bench.store.lanes.letThrough(ALL_OF_US);
  await waiting(client);
  for (const name of ['a', 'b', 'c']) await bench.given(under(name, [customer, ...ONE]));
  await client.query('commit');
  expect(await looking).toMatchObject({ more: true });
  await bench.store.lanes.letThrough(ALL_OF_US);
  const names = (await bench.claim()).map(({ instance }) => instance);
  expect(names.toSorted()).toEqual(['a', 'x']);
});

/** Until somebody waits for a lock of this client's. */
async function waiting(client: Client): Promise<void> {
  const asked = `
    select count(*)::integer as n from pg_stat_activity where pg_backend_pid() = any (
      pg_blocking_pids(pid))`;
  let n: number | undefined = 0;
  while (n === 0) n = (await client.query<{ n: number }>(asked)).rows[0]?.n;
}
