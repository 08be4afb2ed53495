/** Finding and removing instances in a SQLite file, on the caller's side. */
import { type FindTools, RANGE_MAX, walkOf } from '../finding.ts';
import type { FindRequest, Instances, PruneRequest } from '../instances.ts';
import { encode, encodeUnlessNull } from '../payload.ts';
import type { PruneMessageTools, PruneTools } from '../pruning.ts';
import { readId } from '../rows.ts';
import { instancesBy } from '../searching.ts';
import { readFound, soughtHead } from '../summaries.ts';
import { soughtCells } from '../tags.ts';
import { causeCells, type TallyTools } from '../tallying.ts';
import type { Cell } from '../writes.ts';
import type { Connection } from './connection.ts';

type Database = () => Connection;

export function sqliteInstances(database: Database): Instances {
  return instancesBy({
    finding: findingIn(database),
    tallying: tallyingIn(database),
    pruning: pruningIn(database),
    messages: messagesIn(database),
  });
}

function findingIn(database: Database): FindTools {
  return {
    walk: async (stretch, before, limit) => {
      const [name, ...more] = walkOf(stretch);
      const rows = await database().call('instances.walk', name, [before, limit, ...more]);
      return { ids: rows.map(readId), isEnd: rows.length < limit };
    },
    isShort: async ({ name, low, high }) => {
      return !(await database().call('instances.isBeyond', [name, low, high, RANGE_MAX]));
    },
    match: async (ids, request) => {
      const { rows, tags } = await database().call('instances.match', matchCells(ids, request));
      return readFound(rows, tags);
    },
  };
}

function matchCells(ids: readonly string[], request: FindRequest): readonly Cell[] {
  const { statuses, stalled, attributes, limit } = request;
  const { before, after } = soughtHead(request);
  return [
    ...[encode(ids), ...before, encodeUnlessNull(statuses), Number(stalled), ...after],
    ...[encode(attributes.map(soughtCells)), limit + 1],
  ];
}

function tallyingIn(database: Database): TallyTools {
  return {
    tally: ({ flow, tenant, walk }) =>
      database().call('instances.tally', [flow, tenant], walk, causeCells()),
  };
}

function pruningIn(database: Database): PruneTools {
  return {
    walk: async (after, limit) => {
      const ids = (await database().call('scan', after ?? '', limit)).map(readId);
      return { ids, next: ids.length < limit ? null : (ids.at(-1) ?? null) };
    },
    cursorAt: (id) => id,
    prunable: async (ids, request) => {
      const cells = pruneCells(request);
      const rows = await database().call('instances.prunable', encode(ids), cells);
      return rows.map((row) => ({ id: readId(row), isHeld: row.held === 1 }));
    },
    remove: (ids, request) => database().call('instances.remove', encode(ids), pruneCells(request)),
    wasPruned: (id) => database().call('instances.wasPruned', id),
  };
}

function pruneCells({ statuses, flow, tenant, before, limit }: PruneRequest): readonly Cell[] {
  return [encode(statuses), flow, tenant, before, limit];
}

function messagesIn(database: Database): PruneMessageTools {
  return {
    messages: async ({ after, walk, before }) => {
      const rows = await database().call('instances.messages', [after ?? '', walk, before]);
      return rows.map((row) => ({ id: readId(row), isSpent: row.spent === 1 }));
    },
    removeMessages: (ids) => database().call('instances.removeMessages', encode(ids)),
  };
}
