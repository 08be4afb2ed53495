/**
 * Counting instances, and why something is wrong with them, as any database does it: the newest so
 * many are walked, and rows by kind and by cause are all that leaves the database.
 */
import type { InstanceId } from '../model/ids.ts';
import { integer, text, textOrNull } from './cells.ts';
import type { Tally, TallyCause, TallyGroup, TallyRequest } from './instances.ts';
import type { Row } from './rows.ts';
import type { Cell } from './writes.ts';

/** Causes that are told, those with the most of them. */
export const CAUSES_MAX = 200;
/** Messages that are told of a cause, those that came most often. */
export const CAUSE_MESSAGES_MAX = 5;
/** As much of a message as is told, in characters. */
export const CAUSE_MESSAGE_CHARS_MAX = 200;

export interface TallyRows {
  /** The newest that was not counted, if there is one. */
  readonly floor: Row | undefined;
  readonly groups: readonly Row[];
  /** One for each message, those of a cause one after the other. */
  readonly causes: readonly Row[];
}

export interface TallyTools {
  tally(request: TallyRequest): Promise<TallyRows>;
}

export async function tallyBy(tools: TallyTools, request: TallyRequest): Promise<Tally> {
  const { floor, groups, causes } = await tools.tally(request);
  return tallyOf(groups.map(readGroup), floor === undefined, readCauses(causes));
}

export function tallyOf(
  groups: readonly TallyGroup[],
  isAll: boolean,
  causes: readonly TallyCause[],
): Tally {
  const counted = groups.reduce((sum, { count }) => sum + count, 0);
  return Object.freeze({ counted, isAll, groups: Object.freeze(groups), causes });
}

/** How much is told of causes, as their statement is asked. */
export function causeCells(): readonly Cell[] {
  return [CAUSE_MESSAGE_CHARS_MAX, CAUSE_MESSAGES_MAX, CAUSES_MAX * CAUSE_MESSAGES_MAX];
}

function readGroup(row: Row): TallyGroup {
  return Object.freeze({
    flow: text(row, 'flow'),
    version: integer(row, 'flow_version'),
    status: text(row, 'shown') as TallyGroup['status'],
    count: integer(row, 'count'),
  });
}

function readCauses(rows: readonly Row[]): readonly TallyCause[] {
  const causes = new Map<string, Row[]>();
  for (const row of rows) {
    const name = JSON.stringify([row.flow, row.node, row.code, row.kind]);
    const same = causes.get(name);
    if (same === undefined) causes.set(name, [row]);
    else same.push(row);
  }
  return Object.freeze(Array.from(causes.values(), readCause).slice(0, CAUSES_MAX));
}

/** All of its rows say how many there are in all, and which is the newest. */
function readCause(rows: readonly Row[]): TallyCause {
  const [row = {}] = rows;
  return Object.freeze({
    flow: text(row, 'flow'),
    node: textOrNull(row, 'node'),
    code: text(row, 'code'),
    kind: text(row, 'kind') as TallyCause['kind'],
    count: integer(row, 'total'),
    newest: text(row, 'latest') as InstanceId,
    messages: Object.freeze(
      rows.map((each) =>
        Object.freeze({ message: text(each, 'message'), count: integer(each, 'count') }),
      ),
    ),
  });
}
