/**
 * How much is read to find a page of tasks among many: of each list what the page needs, times the
 * shards, and never the table.
 */
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allGone, freshSchema, MANY, manyIds, readSoFar } from '../../testing/postgres-schema.ts';
import { PostgresStores } from '../../testing/postgres-stores.ts';
import { at, idOf, T0, tokenId } from '../../testing/store-commits.ts';
import { ANY_TASK } from '../../testing/store-tasks.ts';
import type { TaskOrder, TaskPlace, TaskRequest } from '../tasks.ts';

const ROWS = 30_000;
const LIMIT = 20;
/** Of a shard no more than a page, and of each task its rows; of them all there are many more. */
const READ_MAX = 2_500;

const schema = freshSchema();
const stores = new PostgresStores();
afterAll(() => stores.drop());
let client: Client;
beforeAll(async () => {
  await stores.open({ schema });
  client = await stores.client();
  await fill();
});

/** Each of another instance: half of them are offered to staff, and one in ten is somebody's. */
async function fill(): Promise<void> {
  const ranks = `${T0} + n, ${T0} + n * 7919 % 30011, - (n % 10)`;
  const inserts = [
    `instance (shard, id, plan_hash, flow, flow_version, status, version, counter, key, tenant,
            priority, created_at, updated_at)
     select shard, id, 'hash', 'order', 1, 'running', 2, 2, 'k' || n / 2, 't' || n % 200, 0, ${T0},
            ${T0} from ${MANY}`,
    `token (shard, instance_id, id, scope_id, node_id, status, mode, visit, attempts, crashes,
            max_attempts, priority, available_at, hops, created_at, updated_at, version, wait)
     select shard, id, 2, 1, 'work', 'waiting', 'forward', 1, 0, 0, 1, 0, ${T0}, 0, ${T0} + n,
            ${T0}, 1, '{"on":"task","task":{"kind":"task","trail":[]}}' from ${MANY}`,
    `task (shard, instance_id, token_id, node_id, kind, flow, tenant, assignee, priority, due_at,
            created_at)
     select shard, id, 2, 'work', 'task', 'order', 't' || n % 200,
            case when n % 10 = 0 then 'u' || n % 1000 end, n % 10, ${T0} + n * 7919 % 30011,
            ${T0} + n from ${MANY}`,
    `task_list select shard, id, 2, 'open', '', ${ranks} from ${MANY}`,
    `task_list select shard, id, 2, 'flow', 'order', ${ranks} from ${MANY}`,
    `task_list select shard, id, 2, 'tenant', 't' || n % 200, ${ranks} from ${MANY}`,
    `task_list select shard, id, 2, 'assignee', 'u' || n % 1000, ${ranks} from ${MANY}
      where n % 10 = 0`,
    `task_list select shard, id, 2, 'group', 'staff', ${ranks} from ${MANY} where n % 2 = 1`,
    `task_list select shard, id, 2, 'user', 'u' || n % 999, ${ranks} from ${MANY} where n % 2 = 1`,
  ];
  for (const insert of inserts) {
    await client.query(`insert into ${schema}.${insert}`, [...manyIds(ROWS)]);
  }
}

const ANN = { user: 'u10', groups: ['staff', 'none'], assigned: true, offered: true };

/** Far on in the list of all, and of staff. */
const FAR: Readonly<Record<TaskOrder, TaskPlace>> = {
  created: { rank: T0 + (ROWS * 9) / 10, instance: idOf('i'), token: tokenId(2) },
  due: { rank: T0 + (ROWS * 9) / 10, instance: idOf('i'), token: tokenId(2) },
  priority: { rank: -2, instance: idOf('i'), token: tokenId(2) },
};

/** What is asked, how many a page has, and whether it is asked for behind many others. */
const ASKED: readonly [string, Partial<TaskRequest>, number, boolean][] = [
  ['nothing in particular', {}, LIMIT, true],
  ['what somebody has', { assignee: 'u10' }, LIMIT, false],
  ['what somebody can do', { for: ANN }, LIMIT, true],
  ['a tenant', { tenant: 't7' }, LIMIT, false],
  ['a flow', { flow: 'order' }, LIMIT, true],
  ['a flow that nobody waits in', { flow: 'none' }, 0, false],
  ['an instance', { instance: 'i000007' }, 1, false],
  ['a key', { key: 'k500' }, 2, false],
];

const cases = ASKED.flatMap(([what, asked, count, isFar]) =>
  (['created', 'due', 'priority'] as const).map((order) => {
    const request = { ...asked, order, after: isFar ? FAR[order] : null, limit: LIMIT };
    return [what, order, request, count] as const;
  }),
);

async function expectLittle(asked: Partial<TaskRequest>, count: number): Promise<void> {
  const url = new URL(stores.url);
  url.searchParams.set('application_name', schema);
  const one = await stores.open({ schema, url: url.href, listen: false });
  const before = await readSoFar(client, schema);
  const { tasks } = await one.tasks.find({ ...ANY_TASK, ...asked });
  await one.close();
  await allGone(client, schema);
  expect(tasks).toHaveLength(count);
  expect((await readSoFar(client, schema)) - before).toBeLessThan(READ_MAX);
}

test.each(cases)('a page by %s reads little, in order of %s', async (_what, _order, ...asked) => {
  await expectLittle(...asked);
});

describe('once the server has counted them', () => {
  beforeAll(async () => {
    await client.query('analyze');
  });

  test.each(cases)(
    'a page by %s reads no more, in order of %s',
    async (_what, _order, ...asked) => {
      await expectLittle(...asked);
    },
  );
});

test('what is due by then is read up to there, and no further', async () => {
  const due = { from: null, to: at(30) };
  await expectLittle({ order: 'due', due, limit: 99 }, 29);
});
