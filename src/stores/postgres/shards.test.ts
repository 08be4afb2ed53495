/** Every key begins with a shard, and no statement touches one that it did not name (D18). */
import type { Client } from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freshSchema } from '../../testing/postgres-schema.ts';
import { PostgresStores } from '../../testing/postgres-stores.ts';
import type { Bench } from '../../testing/store-bench.ts';
import {
  asking,
  at,
  fenceOf,
  finish,
  HANDLER,
  hearing,
  idOf,
  latch,
  letter,
  listening,
  next,
  post,
  ROOT,
  scope,
  sleeping,
  start,
  T0,
  token,
  tokenId,
  undo,
  undoId,
  value,
} from '../../testing/store-commits.ts';
import { prune } from '../../testing/store-pruning.ts';
import { ANY_TASK } from '../../testing/store-tasks.ts';
import type { NewSchedule } from '../schedules.ts';
import type { Commit } from '../store.ts';
import { column, inSchema } from './driver.ts';
import * as queries from './queries.ts';
import { SHARDS, shardOf } from './shard.ts';

const stores = new PostgresStores();
afterEach(() => stores.close());
afterAll(() => stores.drop());

const TOKENS = [token(2), token(3), token(4, { crashes: 2 }), sleeping(5, 10)];

/** An instance with something in every table, and a message that it has had. */
async function furnish(bench: Bench): Promise<void> {
  const full = { head: { key: 'k', input: { n: 1 } } };
  const { tokens = [], subscribed = [] } = listening(6, 'paid', 'k');
  const task = asking(12, { assignee: 'ann' });
  await bench.given(
    start('a', {
      ...full,
      rows: {
        tokens: [...tokens, ...task.tokens, ...TOKENS],
        tasks: task.tasks,
        scopes: [scope(1), scope(7, { parent: ROOT })],
        values: [value('vars', 'x', 1), value('vars', 'y', 2, 7)],
        latches: [latch(1), latch(2)],
        subscribed,
        undos: [undo(8), undo(9)],
        posts: [post('p1'), post('p2')],
        letters: [letter('l1'), letter('l2')],
        tags: [{ name: 'total', value: 1 }],
      },
    }),
  );
  await bench.given(start('h', { rows: hearing(2, { type: 'news' }) }));
  for (const id of ['n1', 'n2']) await bench.store.publish({ id, ...NEWS });
  for (const id of ['m1', 'm2']) await bench.store.publish({ id, ...PAID });
  const snapshot = await bench.load('a');
  await bench.given(next('a', 1, { ...full, message: 'm1', snapshot }));
  await bench.store.drop({ ...HELD, reason: 'fenced', at: at(0) });
  await bench.store.schedules.put(NIGHTLY, null);
  await bench.store.halts.put(HALT);
  await bench.store.servers.put('ann', [HANDLER], 1_000);
  await bench.store.receipts.take('asked', 1, 1_000);
  await bench.store.receipts.take('over', 1, 15);
  await bench.given(start('old'), finish('old', 1, { head: { endedAt: at(0) } }));
  await prune(bench, OVER);
  // One that was let through, and one that has just come.
  await bench.given(limited('l1'));
  await bench.store.lanes.letThrough(OURS);
  await bench.given(limited('l2'));
}

/** What is limited is another's affair, and is claimed by nobody here. */
function limited(name: string): Commit {
  const lanes = [{ name: 'step:order/work', concurrency: 1, rate: null }];
  const tokens = [token(2, { lanes, handler: 'order@1/limited' })];
  return start(name, { rows: { tokens, laned: [tokenId(2)] } });
}

const HALT = { flow: 'nightly', version: 0, suspended: true, by: null, why: null };
const OVER = {
  ...{ statuses: ['completed'] as const, flow: null, tenant: null, before: at(1), after: null },
  ...{ limit: 9, walk: 99, dryRun: false },
};
const OVER_RECEIPTS = { after: null, walk: 9, dryRun: false };
const OURS = { handlers: [HANDLER], lanes: [] };

const A = idOf('a');
const HELD = { instance: A, token: tokenId(2), version: 1, worker: 'ann' };
const KEYED = { head: { key: 'k' } };
const NIGHTLY: NewSchedule = {
  ...{ name: 'nightly', flow: 'order', spec: '{}', status: 'active' },
  ...{ nextAt: at(10), lastAt: null, since: at(0) },
};

/** Each verb, on the instance alone or wherever there is work; each after the one before it. */
type Verb = readonly [name: string, use: (bench: Bench) => Promise<unknown>];

const ON_ONE: readonly Verb[] = [
  ['load', ({ store }) => store.load([A, idOf('nobody')])],
  ['history', ({ store }) => store.history({ instance: A, after: 0, limit: 9 })],
  ['snapshot', ({ store }) => store.snapshot(A, 9)],
  ['dropped', ({ store }) => store.dropped(A)],
  ['findByKey', ({ store }) => store.findByKey('order', 'k', null)],
  ['recall', ({ store }) => store.recall([next('a', 1), next('a', 2)])],
  ['claimOne', ({ store }) => store.claimOne({ ...HELD, version: 0, leaseMs: 100 })],
  ['renew', ({ store }) => store.renew([HELD], 200)],
  ['a commit that is fenced', ({ store }) => store.commit([next('a', 2, STRANGER)])],
  ['release', ({ store }) => store.release([HELD])],
  ['tasks of one', ({ store }) => store.tasks.find({ ...ANY_TASK, instance: 'a' })],
  ['a commit of all kinds', ({ store }) => store.commit([ALTERING])],
  ['a commit that is stale', ({ store }) => store.commit([next('a', 2)])],
  ['a message it had', ({ store }) => store.commit([next('a', 3, { message: 'm1' })])],
  ['what it heard, once', ({ store }) => store.commit([next('h', 1, HEARD), next('h', 2, HEARD)])],
  ['busy, and behind', ({ store }) => store.commit([next('h', 2, { rows: BUSY })])],
  ['nobody listens', ({ store }) => store.commit([next('h', 3, { rows: HUSHED })])],
  ['the id again', ({ store }) => store.commit([start('a')])],
  ['the key again', ({ store }) => store.commit([start('b', KEYED)])],
  ['a known message', ({ store }) => store.publish({ id: 'm1', ...PAID })],
  ['drop', ({ store }) => store.drop({ ...HELD, reason: 'late', at: at(1) })],
  ['the end', ({ store }) => store.commit([finish('a', 3, KEYED), start('b', KEYED)])],
  ['load again', ({ store }) => store.load([A, idOf('b')])],
  ['a known schedule', ({ store }) => store.schedules.put(NIGHTLY, null)],
  ['alter a schedule', ({ store }) => store.schedules.put(NIGHTLY, at(0))],
  ['advance', ({ store }) => store.schedules.advance('nightly', at(1), NIGHTLY)],
  ['find a schedule', ({ store }) => store.schedules.get('nightly')],
  ['who was pruned', ({ store }) => store.instances.wasPruned(idOf('old'))],
  ['say it again', ({ store }) => store.halts.put(HALT)],
  ['take it back', ({ store }) => store.halts.remove({ ...HALT, at: at(0) })],
  ['serve', ({ store }) => store.servers.put('ann', [HANDLER], 2_000)],
  ['ask again', ({ store }) => store.receipts.take('asked', 2, 1_000)],
  ['put an answer', ({ store }) => store.receipts.put('asked', 3, 1)],
  ['find it', ({ store }) => store.receipts.find('asked')],
  ['ask anew', ({ store }) => store.receipts.take('over', 2, 1_000)],
  ['serve no more', ({ store }) => store.servers.remove('ann')],
  ['remove a schedule', ({ store }) => store.schedules.remove('nightly')],
];

const EVERYWHERE: readonly Verb[] = [
  ['claim', (bench) => bench.claim({ limit: 1 })],
  ['claim a lone one', (bench) => bench.claim({ lone: true, leaseMs: 5 })],
  ['outlook', (bench) => bench.outlook(ANY)],
  ['later', async (bench) => bench.setTime(20)],
  ['due', ({ store }) => store.due(9)],
  ['expired', ({ store }) => store.expired(9)],
  ['claim the rest', (bench) => bench.claim()],
  ['claim nothing', (bench) => bench.claim()],
  ['deliverable', ({ store }) => store.deliverable(9)],
  ['deliverable, one', ({ store }) => store.deliverable(9, 'm2')],
  ['deliverable, heard', ({ store }) => store.deliverable(9, 'n1')],
  ['deliverableTo', ({ store }) => store.deliverableTo([HELD, { ...HELD, instance: idOf('h') }])],
  ['pending', ({ store }) => store.pending({ limit: 9 })],
  ['consume', ({ store }) => store.consume(['m1', 'm2'])],
  ['knows', ({ store }) => store.knows('m1')],
  ['posts', ({ store }) => store.posts(9)],
  ['carried', ({ store }) => store.carried(['p1'])],
  ['posts left', ({ store }) => store.posts(9)],
  ['letters', ({ store }) => store.letters.list({ ...LETTERS, limit: 9 })],
  ['claim a letter', ({ store }) => store.letters.claim({ ...SENDER, limit: 9, leaseMs: 5 })],
  ['a letter fails', ({ store }) => store.letters.failed([FAILED])],
  ['requeue it', ({ store }) => store.letters.requeue(['l1'])],
  ['claim it again', ({ store }) => store.letters.claim({ ...SENDER, limit: 9, leaseMs: 5 })],
  ['later still', async (bench) => bench.setTime(30)],
  ['expired letters', ({ store }) => store.letters.expired(9)],
  ['time again', async (bench) => bench.setTime(20)],
  ['a letter is sent', ({ store }) => store.letters.sent([{ ...LETTER, version: 4 }])],
  ['lanes', ({ store }) => store.lanes.list(null, 9)],
  ['let through', ({ store }) => store.lanes.letThrough(OURS)],
  ['who is held', ({ store }) => store.lanes.heldOf(idOf('l2'))],
  ['halts', ({ store }) => store.halts.list()],
  ['who is suspended', ({ store }) => store.halts.held(null, 9)],
  ['servers', ({ store }) => store.servers.list()],
  ['unserved', ({ store }) => store.servers.unserved([A, idOf('l1')])],
  ['find', ({ store }) => store.instances.find(SOUGHT)],
  ['tally', ({ store }) => store.instances.tally({ flow: null, tenant: null, walk: 99 })],
  ['tasks', ({ store }) => store.tasks.find({ ...ANY_TASK, assignee: 'ann' })],
  ['prune', ({ store }) => store.instances.prune(OVER)],
  ['prune receipts', ({ store }) => store.receipts.prune(OVER_RECEIPTS)],
  ['scan', ({ store }) => store.scan(null, 9)],
  ['schedules', ({ store }) => store.schedules.list(null, 9)],
  ['due schedules', ({ store }) => store.schedules.due({ flows: ['order'] }, 9)],
  ['outlook when much is due', (bench) => bench.outlook(ANY)],
];

const SOUGHT = {
  ...{ flow: null, version: null, statuses: null, stalled: false, key: null, tenant: null },
  ...{ parent: null, created: { from: null, to: null }, ended: { from: null, to: null } },
  ...{ fault: null, attributes: [{ name: 'total', is: 1 }], before: null, limit: 9, walk: 99 },
};
const ANY = { letters: null, schedules: { flows: ['order'] } };
const SENDER = { worker: 'ann', types: null };
const LETTERS = { status: null, type: null, instance: null, after: 0 };
const LETTER = { id: 'l1', instance: A, version: 1, worker: 'ann' };
const FAILED = { held: LETTER, expired: false, error: 'no', afterMs: null };
const PAID = { type: 'paid', key: 'k', data: 2, ttlMs: 1_000 };
const NEWS = { ...PAID, type: 'news' };
const HEARD = { message: 'n1', heard: 'only' } as const;
const BUSY = { ...hearing(3), turned: [{ token: tokenId(2), busy: true }] };
const HUSHED = { unsubscribed: [tokenId(2), tokenId(3)], hushed: true };
const STRANGER = { fence: fenceOf(HELD, { worker: 'bob' }) };
const ALTERING = next('a', 2, {
  ...KEYED,
  rows: {
    tokens: [token(2, { visit: 2 }), token(10)],
    endedTokens: [tokenId(3), tokenId(6), tokenId(12)],
    closedTasks: [tokenId(12)],
    scopes: [scope(11)],
    closedScopes: [scope(7).id],
    values: [value('vars', 'x', 2)],
    latches: [latch(1, true)],
    droppedLatches: [latch(2)],
    unsubscribed: [tokenId(6)],
    undos: [undo(8, { status: 'completed' })],
    droppedUndos: [undoId(9)],
    posts: [post('p3')],
    letters: [letter('l3')],
  },
});

describe('rows of another shard with the same keys', () => {
  // Inside of what there is, for verbs that name one; outside, for those that name all.
  test.each<[string, string, readonly Verb[]]>([
    ['the next one', `(shard + 1) % ${SHARDS}`, ON_ONE],
    ['no shard of ours', '99', [...EVERYWHERE, ...ON_ONE]],
  ])('are neither seen nor touched by any verb, in %s', async (_where, decoy, verbs) => {
    const plain = await stores.bench();
    await furnish(plain);
    const schema = freshSchema();
    const bench = await stores.bench({ schema });
    await furnish(bench);
    const client = await stores.client();
    const names = await shardedTables(client, schema);
    const reals = await dump(client, schema, names, 'true');
    const isDecoy = `row_to_json(t)::text <> all ($1)`;
    for (const name of names) await copyInto(client, `${schema}.${name}`, decoy);
    const before = await dump(client, schema, names, isDecoy, reals.flat());
    expect(before.map((rows) => rows.length)).toEqual(reals.map((rows) => rows.length));
    expect(Math.min(...before.map((rows) => rows.length))).toBeGreaterThan(0);

    for (const [name, use] of verbs) {
      expect(await use(bench), name).toEqual(await use(plain));
      const after = await dump(
        client,
        schema,
        names,
        'row_to_json(t)::text = any ($1)',
        before.flat(),
      );
      expect(after, name).toEqual(before);
    }
  });
});

/** Every column as it is, also those that the database fills in itself. */
async function copyInto(client: Client, table: string, shard: string): Promise<void> {
  const { rows } = await client.query<{ names: string }>(
    `select string_agg(attname, ', ' order by attnum) as names
       from pg_attribute where attrelid = $1::regclass and attnum > 0 and attname <> 'shard'`,
    [table],
  );
  const names = rows[0]?.names;
  await client.query(
    `insert into ${table} (shard, ${names}) overriding system value
     select ${shard}, ${names} from ${table}`,
  );
}

/** Row by row as text, of each table those that the condition is true of. */
async function dump(
  client: Client,
  schema: string,
  names: readonly string[],
  condition: string,
  texts?: readonly string[],
): Promise<string[][]> {
  const tables: string[][] = [];
  for (const name of names) {
    const { rows } = await client.query<{ text: string }>(
      `select row_to_json(t)::text as text from ${schema}.${name} as t
        where ${condition} order by 1`,
      texts && [texts],
    );
    tables.push(rows.map(({ text }) => text));
  }
  return tables;
}

async function shardedTables(client: Client, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.columns
      where table_schema = $1 and column_name = 'shard' order by 1`,
    [schema],
  );
  expect(rows.length).toBeGreaterThan(12);
  return rows.map(({ name }) => name);
}

describe('a statement that looks for work in one shard', () => {
  const schema = freshSchema();
  /** Of two shards: 13 and 2. */
  const [own, other] = [shardOf('a'), shardOf('b')];
  let client: Client;
  beforeEach(async () => {
    const bench = await stores.bench({ schema });
    client = await stores.client();
    if ((await bench.store.scan(null, 1)).length > 0) return;
    for (const name of ['a', 'b', 'a again', 'b again', 'c', 'd']) {
      const tokens = [token(2), token(3, { priority: 5 }), token(4), sleeping(5, 0)];
      await bench.given(
        start(name, { rows: { tokens, posts: [post(name)], letters: [letter(name)] } }),
      );
      await bench.store.claimOne({ ...HELD, instance: idOf(name), version: 0, leaseMs: 1 });
    }
  });

  async function ask(sql: string, ...values: unknown[]): Promise<readonly string[]> {
    const { rows } = await client.query<{ instance_id?: string; id: string }>(
      inSchema(sql, schema),
      values,
    );
    return rows.map((row) => row.instance_id ?? row.id);
  }

  const LATE = T0 + 1_000;
  const HANDLERS = column([HANDLER]);
  const NOBODY = column([]);

  test.each<[string, string, (shards: string) => unknown[]]>([
    ['claimable', queries.claimable, (shards) => [shards, HANDLERS, LATE, 99, 99, 'ann', 9, 99]],
    ['due', queries.due, (shards) => [shards, LATE, 99]],
    ['expired', queries.expired, (shards) => [shards, LATE, 99]],
    ['posts', queries.posts, (shards) => [shards, 99, NOBODY]],
    ['claimLetters', queries.claimLetters, (shards) => [shards, LATE, null, 99, 99, 'ann', 9]],
    ['letters', queries.letters, (shards) => [shards, 0, null, null, null, 99]],
    ['scan', queries.scan, (shards) => [shards, '', 99]],
  ])('%s finds what is there and nothing else', async (_name, sql, values) => {
    await client.query('begin');
    const found = await ask(sql, ...values(column([own])));
    await client.query('rollback');
    expect(new Set(found.map((id) => shardOf(id)))).toEqual(new Set([own]));
    await client.query('begin');
    const both = await ask(sql, ...values(column([own, other])));
    await client.query('rollback');
    expect(new Set(both.map((id) => shardOf(id)))).toEqual(new Set([own, other]));
    expect(both.filter((id) => shardOf(id) === own).toSorted()).toEqual(found.toSorted());
  });

  test('a claim changes and locks nothing elsewhere', async () => {
    const witness = await stores.client();
    const elsewhere = `from ${schema}.token where shard <> ${own}`;
    const versions = `select shard, instance_id, id, version, status ${elsewhere} order by 1, 2, 3`;
    const before = (await witness.query(versions)).rows;
    await client.query('begin');
    const values = [column([own]), HANDLERS, LATE, 99, 99, 'ann', 9, 99];
    expect((await ask(queries.claimable, ...values)).length).toBeGreaterThan(1);
    const free = await witness.query(`select ${elsewhere} for update skip locked`);
    expect(free.rows).toHaveLength(before.length);
    const locked = await witness.query(
      `select from ${schema}.token where shard = ${own} and status = 'ready'
          for update skip locked`,
    );
    expect(locked.rows).toHaveLength(0);
    await client.query('commit');
    expect((await witness.query(versions)).rows).toEqual(before);
  });
});
