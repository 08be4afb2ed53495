/** How the server goes about each statement once there is much: by an index, always. */
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allGone, freshSchema } from '../../testing/postgres-schema.ts';
import { PostgresStores } from '../../testing/postgres-stores.ts';
import { finish, next, start, T0 } from '../../testing/store-commits.ts';
import { column, columns, inSchema } from './driver.ts';
import * as queries from './queries.ts';
import { ALL_SHARDS } from './shard.ts';

/** Far beyond where reading the whole table is the quicker way. */
const ROWS = 20_000;

const stores = new PostgresStores();
const schema = freshSchema();
let client: Client;
beforeAll(async () => {
  await stores.open({ schema });
  client = await stores.client();
  await fill(schema, ROWS);
  await client.query('analyze');
});
afterAll(() => stores.drop());

/** As a database looks that has run for a while: most instances are over, most tokens wait. */
async function fill(into: string, count: number): Promise<void> {
  const some = `generate_series(1, ${count}) as n`;
  const body = `'{"some":"thing that takes a little room, as most values do"}'`;
  const inserts = [
    `plan select 'hash ' || n, 'order', n, ${body} from ${some}`,
    `instance (shard, id, plan_hash, flow, flow_version, status, version, counter, priority,
            created_at, updated_at)
     select n % 16, 'i' || n, 'hash', 'order', 1, 'running', 1, 1, 0, ${T0}, ${T0} from ${some}`,
    `instance_input select n % 16, 'i' || n, ${body} from ${some}`,
    `business_key select n % 16, 'order', 'k' || n, 'i' || n from ${some}`,
    `scope (shard, instance_id, id) select n % 16, 'i' || n, 1 from ${some}`,
    `variable select n % 16, 'i' || n, 1, 'vars', 'x', n, ${body} from ${some}`,
    `latch select n % 16, 'i' || n, 1, 'join', 1, 0 from ${some}`,
    `subscription select n % 16, 'i' || n, 2, 'paid', 'k' || n from ${some}`,
    `subscription select n % 16, 'i' || n, 3, 'news' || n % 99, '$any', ${T0}, 1 + n % 2
       from ${some} where n % 10 = 0`,
    `unheard select n % 16, 'i' || n / 100, n, n % 16, 'm' || n from ${some}`,
    `task (shard, instance_id, token_id, node_id, kind, flow, priority, created_at)
     select n % 16, 'i' || n, 2, 'review', 'task', 'order', n % 9, ${T0} + n from ${some}`,
    `task_list select n % 16, 'i' || n, 2, 'open', '', ${T0} + n, ${T0} - n, n % 9 from ${some}`,
    `task_list select n % 16, 'i' || n, 2, 'group', 'staff', ${T0} + n, ${T0} - n, n % 9
       from ${some} where n % 2 = 0`,
    `undo (shard, instance_id, id, saga_id, node_id, token_id, visit, in_doubt, status)
     select n % 16, 'i' || n, 1, 1, 'work', 2, 1, 0, 'pending' from ${some}`,
    `history select n % 16, 'i' || n, 1, 'c' || n, ${T0}, ${body} from ${some}`,
    `snapshot select n % 16, 'i' || n, 1, ${body} from ${some}`,
    `tag select n % 16, 'i' || n, 'total', 'number', n::text, n from ${some}`,
    `inbox (shard, id, type, key, data, status, published_at, expires_at)
     select n % 16, 'm' || n, 'paid', 'k' || n, ${body},
            case when n % 4000 = 0 then 'pending' else 'consumed' end, ${T0}, ${T0} + n
       from ${some}`,
    `delivery select n % 16, 'm' || n, 'i' || n from ${some}`,
    `outbox (shard, id, instance_id, body) select n % 16, 'p' || n, 'i' || n, ${body} from ${some}`,
    `schedule select n % 16, 's' || n, 'order' || n % 9, ${body}, 'active', ${T0} + n, null, ${T0},
            1, ${T0}, ${T0} from ${some}`,
    `letter (shard, id, instance_id, flow, type, data, status, attempts, available_at, created_at,
            updated_at, version, locked_by, locked_until)
     select n % 16, 'l' || n, 'i' || n, 'order', 'paid', ${body},
            case n % 4 when 1 then 'sending' when 2 then 'dead' else 'ready' end, 0, ${T0} + n,
            ${T0}, ${T0}, 1, case n % 4 when 1 then 'ann' end,
            case n % 4 when 1 then ${T0} + n end
       from ${some}`,
    `dropped (shard, instance_id, token_id, version, worker, reason, at)
     select n % 16, 'i' || n, 2, 1, 'ann', 'fenced', ${T0} from ${some}`,
    `receipt select n % 16, 'k' || n, ${body}, ${T0}, ${T0} + n, 1 from ${some}`,
    `pruned select n % 16, 'old' || n, ${T0} from ${some}`,
    `lane (shard, name, version, concurrency, look_at)
     select n % 16, 'lane ' || n, 1, 5, ${T0} + n from ${some}`,
    `lane_news (shard, lane) select n % 16, 'lane ' || n from ${some}`,
    `lane_token (shard, instance_id, token_id, lane, ordinal, lanes, state, handler, priority,
            since, available_at, begun, owed)
     select n % 16, 'i' || n, 2, 'lane ' || n % 9, 0, 1,
            case n % 100 when 0 then 'passed' when 1 then 'gone' when 2 then 'later'
                         when 3 then 'shelved' else 'waiting' end,
            'order@1/' || n % 9, n % 3, ${T0}, ${T0} + n, 0, (n % 100 = 4)::integer
       from ${some}`,
    `token (shard, instance_id, id, scope_id, node_id, handler, status, mode, visit, attempts,
            crashes, max_attempts, priority, available_at, wake_at, hops, created_at, updated_at,
            version, locked_by, locked_until)
     select n % 16, 'i' || n, 2, 1, 'work',
            case when n % 4 = 0 then null else 'order@1/' || n % 9 end,
            case n % 4 when 0 then 'waiting' when 1 then 'executing' else 'ready' end,
            'forward', 1, 0, n % 101 / 99, 1, n % 3, ${T0} + n,
            case n % 4 when 0 then ${T0} + n end, 0, ${T0}, ${T0}, 1,
            case n % 4 when 1 then 'ann' end,
            case n % 4 when 1 then ${T0} + n end
       from ${some}`,
  ];
  for (const insert of inserts) await client.query(`insert into ${into}.${insert}`);
}

/**
 * What the plan reads from end to end. Of migrations, halts and servers there is a handful: one for
 * each file, for what people have said, and for each process.
 */
async function scansOf(explain: string, values: readonly unknown[] = []): Promise<string[]> {
  const { rows } = await client.query<Record<string, string>>(explain, [...values]);
  const lines = rows.map((row) => row['QUERY PLAN'] ?? '');
  expect(lines.length).toBeGreaterThan(0);
  return lines.filter((line) => /Seq Scan on (?!pg_|migration|halt|server)/.test(line));
}

const { own, ...shared } = queries;
/** The doctor comes rarely, and looks at everything that is alive. */
const DOCTORS: ReadonlySet<string> = new Set(['countIncidents', 'countCrashed', 'overdueWork']);
const statements = Object.entries({ ...shared, ...own }).filter(
  ([name, sql]) => /^\s*(select|with|update|delete|insert)/.test(sql) && !DOCTORS.has(name),
);

test.each(statements)('%s reads no whole table, whatever it is asked', async (_name, sql) => {
  expect(await scansOf(`explain (generic_plan) ${inSchema(sql, schema)}`)).toEqual([]);
});

const ALL = column(ALL_SHARDS);
const HANDLERS = column(['order@1/2', 'order@1/3', 'order@1/7']);
const LANES = column(['lane 1', 'lane 2']);
const NOW = T0 + ROWS;
/** As a busy engine sends them. Past some hundreds the server is right to read so small a table. */
const BATCH = Array.from({ length: 25 }, (_, n) => [n % 16, `i${n}`]);
const REFS = columns(BATCH);
const LETTERS = columns(BATCH.map(([shard = 0, id = '']) => [shard, id, 'ann', 1]));
const FAILED = columns(BATCH.map(() => [0, 'no', 100]));
const HELD = columns(BATCH.map(([shard = 0, id = '']) => [shard, id, 2, 'ann', 1]));

const HOT: readonly [keyof typeof shared, readonly unknown[]][] = [
  ['findInstance', REFS],
  ['tokensOf', REFS],
  ['variablesOf', REFS],
  ['versionOf', REFS],
  ['keyHolder', columns(BATCH.map(([shard = 0]) => [shard, 'order', 'k']))],
  ['fence', HELD],
  ['endToken', HELD.slice(0, 3)],
  ['clearTokens', REFS],
  ['freeTokens', REFS],
  ['holdTokens', REFS],
  ['holdToken', columns(BATCH.map(([shard = 0, id = '']) => [shard, id, 2, 'order@1/2', null]))],
  ['clearVariables', REFS],
  ['clearTasks', REFS],
  ['clearTaskLists', REFS],
  ['closeTask', HELD.slice(0, 3)],
  ['unlistTask', HELD.slice(0, 3)],
  ['findCommit', columns(BATCH.map(([shard = 0, id = '']) => [shard, id, 1, 'c']))],
  ['claimable', [ALL, HANDLERS, NOW, 10, 120, 'ann', 1_000, 20]],
  ['claimableLone', [ALL, HANDLERS, NOW, 'ann', 1_000]],
  ['claimableOf', [ALL, HANDLERS, NOW, 10, 120, 'ann', 1_000, 20, 'acme']],
  ['claimableLoneOf', [ALL, HANDLERS, NOW, 'ann', 1_000, 'acme']],
  ['backlog', [ALL, NOW, 10_000]],
  ['claimOne', [1, 'i1', 2, 1, 'ann', NOW, 1_000]],
  ['renew', [...HELD, NOW, 1_000]],
  ['release', [...HELD, NOW]],
  ['expired', [ALL, NOW, 100]],
  ['holdsNow', [ALL, 1_000]],
  ['laneFacts', [ALL, LANES]],
  ['standingIn', [ALL, LANES]],
  ['sharesIn', [ALL, column([1, 2]), LANES, 50]],
  ['owingIn', [ALL, LANES]],
  [
    'queueOf',
    [
      ...[ALL, LANES, column([9, 9]), column([0, 0]), column(['', '']), column([0, 0])],
      ...[column([0, 100]), 5, column(['order@1/3'])],
    ],
  ],
  ['unservedIn', [ALL, LANES, NOW, 100]],
  ['duePlaces', [ALL, NOW, 100]],
  ['servedPlaces', [ALL, HANDLERS, 100]],
  ['laneNews', [ALL, 100]],
  ['dropGone', [ALL, LANES]],
  ['due', [ALL, NOW, 100]],
  ['outlook', [ALL, HANDLERS, column(['order1', 'order2']), '{}', true, null, '{}', true, T0]],
  ['awaited', [ALL, T0, 100]],
  ['deliverable', [ALL, 1, 'm1', T0, 100]],
  ['deliverableTo', [ALL, column([1]), column(['i1']), column([2]), T0]],
  ['knows', [1, 'm1']],
  ['consume', [ALL, column([1]), column(['m1'])]],
  ['pending', [ALL, T0, NOW, null, null, null, null, 100]],
  ['posts', [ALL, 100, '{}']],
  ['carried', [ALL, column(['p1', 'p2'])]],
  ['claimLetters', [ALL, NOW, null, 10, 120, 'ann', 1_000]],
  ['sentLetters', [...LETTERS, NOW]],
  ['failedLetters', [...LETTERS, ...FAILED, NOW]],
  ['releaseLetters', [...LETTERS, NOW]],
  ['expiredLetters', [ALL, NOW, 100]],
  ['letters', [ALL, 0, 'dead', null, null, 100]],
  ['requeueLetters', [ALL, column(['l2', 'l6']), NOW]],
  ['historyAfter', [1, 'i1', 0, 100]],
  ['scan', [ALL, 'i5', 100]],
  ['heldInstances', [ALL, 'i5', 100]],
  ['dueSchedules', [ALL, column(['order1', 'order2']), T0 + 100, 100, '{}']],
  ['clearReceipts', [1, NOW, 2]],
  ['putReceipt', [1, 'k1', '{}', '{}', T0]],
  ['receiptsAfter', [ALL, 'k5', 100, NOW]],
  ['removeReceipts', [ALL, column(['k1', 'k2']), NOW]],
];

test.each(HOT)('%s reads no whole table when it is asked for much', async (name, values) => {
  expect(await scansOf(`explain ${inSchema(shared[name], schema)}`, values)).toEqual([]);
});

test('what was planned while there was little is planned anew when there is much', async () => {
  const grown = freshSchema();
  const url = new URL(stores.url);
  url.searchParams.set('application_name', grown);
  const bench = await stores.bench({ schema: grown, url: url.href });
  const useEverything = async (names: readonly string[]): Promise<void> => {
    for (const name of names) {
      const key = { head: { key: name } };
      await bench.given(start(name, key), next(name, 1, key));
      await bench.load(name);
      await bench.given(finish(name, 2, key));
    }
  };
  // Often enough for the server to keep a plan; and nobody tells it that the tables have grown.
  await useEverything(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
  await fill(grown, 5_000);
  await useEverything(['l', 'm', 'n']);
  await bench.store.close();
  await allGone(client, grown);
  const { rows } = await client.query<{ read: string }>(
    'select sum(seq_tup_read) as read from pg_stat_all_tables where schemaname = $1',
    [grown],
  );
  expect(Number(rows[0]?.read)).toBeLessThan(5_000);
});

test('a page of a flow is read by key, also before the server has counted the flow', async () => {
  const young = freshSchema();
  await stores.open({ schema: young });
  await client.query(`alter table ${young}.instance set (autovacuum_enabled = false)`);
  await fill(young, 5_000);
  await client.query(inSchema(own.beginSearch, young));
  const wanted = [...REFS, 'order', null, column(['running', 'waiting']), false];
  const rest = [...Array.from({ length: 11 }, () => null), '{}', '{}', '{}', '{}', '{}', 100];
  const explain = `explain ${inSchema(shared.matching, young)}`;
  const { rows } = await client.query<Record<string, string>>(explain, [...wanted, ...rest]);
  await client.query('rollback');
  const lines = rows.map((row) => row['QUERY PLAN'] ?? '').join('\n');
  expect(lines.match(/instance_\w+(?= on instance\b)/g)).toEqual(['instance_pkey']);
});
