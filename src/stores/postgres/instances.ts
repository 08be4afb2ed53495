/**
 * Finding and removing instances in a Postgres database. What is found is planned for the tables as
 * they are now: how many instances a flow or a tenant has decides which index is the right one.
 *
 * Removing goes through one shard after the other: each batch lies in one of them, and so its
 * statements read no more of an index than they remove.
 */
import { assert } from '../../base/assert.ts';
import type { InstanceId } from '../../model/ids.ts';
import { type FindTools, RANGE_MAX, type Walked, walkOf } from '../finding.ts';
import type { FindRequest, Instances, PruneRequest } from '../instances.ts';
import { chosenOf, type PruneMessageTools, type PruneTools, REMOVALS } from '../pruning.ts';
import { readId } from '../rows.ts';
import { instancesBy } from '../searching.ts';
import { readFound, soughtHead } from '../summaries.ts';
import { soughtCells } from '../tags.ts';
import { causeCells, type TallyTools } from '../tallying.ts';
import type { StoreClock } from './clock.ts';
import { Desk } from './desk.ts';
import { type Ask, column, columns, type Driver, type Session } from './driver.ts';
import * as queries from './queries.ts';
import { ALL_SHARDS, SHARDS, shardOf } from './shard.ts';

const ALL = column(ALL_SHARDS);

export function postgresInstances(driver: () => Driver, clock: StoreClock): Instances {
  const desk = new Desk(driver);
  return instancesBy({
    finding: findingAt(desk),
    tallying: tallyingAt(desk),
    pruning: pruningAt(desk, clock),
    messages: messagesAt(desk),
  });
}

function findingAt(desk: Desk): FindTools {
  return {
    walk: async (stretch, before, limit) => {
      const [name, ...more] = walkOf(stretch);
      // A range is sorted as a whole.
      const each = stretch.of === 'range' ? limit : sharePerShard(limit);
      const ids = (await desk.ask(queries[name], ALL, before, each, ...more)).map(readId);
      return stretch.of === 'range' ? { ids, isEnd: ids.length < limit } : wholePart(ids, each);
    },
    isShort: async ({ name, low, high }) => {
      const rows = await desk.ask(queries.rangeBeyond, ALL, name, low, high, RANGE_MAX);
      return rows.length === 0;
    },
    match: async (ids, request) => {
      const rows = await desk.ask(queries.matching, ...matchCells(ids, request));
      if (rows.length === 0) return [];
      return readFound(rows, await desk.ask(queries.tagsOf, ...refs(rows.map(readId))));
    },
  };
}

function tallyingAt(desk: Desk): TallyTools {
  return {
    tally: async ({ flow, tenant, walk }) => {
      const each = sharePerShard(walk + 1);
      const [floor] = await desk.ask(queries.tallyFloor, ALL, flow, tenant, walk, each);
      const above = [ALL, flow, tenant, floor === undefined ? '' : readId(floor)];
      const groups = await desk.ask(queries.tallyGroups, ...above);
      const causes = await desk.ask(queries.tallyCauses, ...above, ...causeCells());
      return { floor, groups, causes };
    },
  };
}

function pruningAt(desk: Desk, clock: StoreClock): PruneTools {
  return {
    walk: async (after, limit) => {
      const place = placeOf(after);
      const rows = await desk.ask(queries.own.scanShard, place.shard, place.id, limit);
      const ids = rows.map(readId);
      const last = ids.length < limit ? undefined : ids.at(-1);
      if (last !== undefined) return { ids, next: cursorOf({ shard: place.shard, id: last }) };
      const shard = place.shard + 1;
      return { ids, next: shard < SHARDS ? cursorOf({ shard, id: '' }) : null };
    },
    cursorAt: (id) => cursorOf({ shard: shardOf(id), id }),
    prunable: async (ids, request) => {
      const rows = await desk.ask(queries.prunable, ...pruneCells(ids, request));
      return rows.map((row) => ({ id: readId(row), isHeld: row.held === 1 }));
    },
    remove: (ids, request) => desk.transact((session) => remove(session, ids, request, clock.told)),
    wasPruned: async (id) => (await desk.askOne(queries.prunedById, shardOf(id), id)).length > 0,
  };
}

function messagesAt(desk: Desk): PruneMessageTools {
  return {
    messages: async ({ after, walk, before }) => {
      const rows = await desk.ask(queries.messagesAfter, ALL, after ?? '', walk, before);
      return rows.map((row) => ({ id: readId(row), isSpent: row.spent === 1 }));
    },
    removeMessages: (ids) =>
      desk.transact(async (session) => {
        const cells = [ALL, column(ids)];
        await session.ask(
          [queries.removeDeliveries, ...cells],
          [queries.removeUnheard, ...cells],
          [queries.removeMessages, ...cells],
        );
      }),
  };
}

/** Whoever else holds one of them is about to open it again, or to remove it. */
async function remove(
  session: Session,
  ids: readonly InstanceId[],
  request: PruneRequest,
  told: number | null,
): Promise<number> {
  const [locked = []] = await session.ask([queries.own.lockInstances, ...among(ids)]);
  const standing = locked.map(readId);
  if (standing.length === 0) return 0;
  const [rows = []] = await session.ask([queries.prunable, ...pruneCells(standing, request)]);
  const free = rows.filter(({ held }) => held === 0).map(readId);
  if (free.length === 0) return 0;
  const removals = REMOVALS.map((name): Ask => [queries[name], ...among(free)]);
  const [shard] = among(free);
  const kept: Ask = [queries.putPruned, shard, column(chosenOf(free)), told];
  await session.ask(...removals, kept);
  return free.length;
}

/** Ids are spread by a hash: so many of each shard are mostly enough, and not much too many. */
function sharePerShard(limit: number): number {
  return Math.ceil((limit / SHARDS) * SPREAD) + SPREAD_MORE;
}

const SPREAD = 1.5;
const SPREAD_MORE = 8;

/** A shard that gave all it was asked for may have more: behind its last there are gaps. */
function wholePart(ids: readonly InstanceId[], each: number): Walked {
  const counts = new Map<number, number>();
  for (const [at, id] of ids.entries()) {
    const shard = shardOf(id);
    const count = (counts.get(shard) ?? 0) + 1;
    counts.set(shard, count);
    if (count === each) return { ids: ids.slice(0, at + 1), isEnd: false };
  }
  return { ids, isEnd: true };
}

interface Place {
  readonly shard: number;
  readonly id: string;
}

function cursorOf({ shard, id }: Place): string {
  return `${shard}/${id}`;
}

function placeOf(cursor: string | null): Place {
  if (cursor === null) return { shard: 0, id: '' };
  const slash = cursor.indexOf('/');
  const shard = Number(cursor.slice(0, slash));
  assert(Number.isInteger(shard), 'a walk goes on where it ended');
  return { shard, id: cursor.slice(slash + 1) };
}

/** Instances of one shard. */
function among(ids: readonly InstanceId[]): readonly unknown[] {
  return [ids[0] === undefined ? 0 : shardOf(ids[0]), column(ids)];
}

function refs(ids: readonly string[]): readonly string[] {
  return columns(ids.map((id) => [shardOf(id), id]));
}

function matchCells(ids: readonly string[], request: FindRequest): readonly unknown[] {
  const { statuses, stalled, attributes, limit } = request;
  const { before, after } = soughtHead(request);
  const sought = attributes.map(soughtCells);
  return [
    ...[...refs(ids), ...before, statuses && column(statuses), stalled, ...after],
    ...(sought.length === 0 ? NOTHING_SOUGHT : columns(sought)),
    limit + 1,
  ];
}

const NOTHING_SOUGHT = Array.from({ length: 5 }, () => '{}');

function pruneCells(ids: readonly InstanceId[], request: PruneRequest): readonly unknown[] {
  const { statuses, flow, tenant, before, limit } = request;
  return [...among(ids), ALL, column(statuses), flow, tenant, before, limit];
}
