/**
 * A commit as a database gets it: what to guard, and which statements to run with which cells, the
 * same for every database. Everything is text or a number by then; encoding is where a value that
 * is no JSON shows, before the database has heard of it.
 */
import type { Touched } from '../model/commit.ts';
import type { Head, Scope, Token, Undo } from '../model/instance.ts';
import type { Letter } from '../model/letter.ts';
import { ownName } from '../model/own-names.ts';
import { firstVersion, holdWrites, isRare, pauseWrites, takesKey } from './holds.ts';
import { lanesHolding, laneWrites, sleepWrites } from './lane-writes.ts';
import {
  assertWritable,
  type CommitRef,
  encode,
  encodeUnlessNull,
  exact,
  isOver,
  refOf,
  ROOT,
} from './payload.ts';
import { deliveryWrites, heardIn, subscriptionWrites } from './message-writes.ts';
import type { NewSchedule } from './schedules.ts';
import { tagWrites } from './tags.ts';
import { closing, taskWrites } from './task-rows.ts';
import type { Commit, DroppedNote, Fence, Held, PlanRow, Take } from './store.ts';

/** What a column can hold here. */
export type Cell = string | number | null;

/** Statements that write rows of an instance, in the order in which a commit runs them. */
export type WriteName =
  | 'putInstance'
  | 'updateInstance'
  | 'putPauses'
  | 'putInput'
  | 'putKey'
  | 'dropKey'
  | 'endToken'
  | 'putScope'
  | 'closeScope'
  | 'closeVariables'
  | 'addVariable'
  | 'putVariable'
  | 'putLatch'
  | 'dropLatch'
  | 'subscribe'
  | 'unsubscribe'
  | 'turn'
  | 'catchUp'
  | 'hush'
  | 'putTask'
  | 'closeTask'
  | 'listTask'
  | 'unlistTask'
  | 'putUndo'
  | 'dropUndo'
  | 'putTag'
  | 'dropTag'
  | 'clearTokens'
  | 'clearScopes'
  | 'clearVariables'
  | 'clearLatches'
  | 'clearSubscriptions'
  | 'clearTasks'
  | 'clearTaskLists'
  | 'clearUndos'
  | 'freeTokens'
  | 'putDelivery'
  | 'dropUnheard'
  | 'putHistory'
  | 'putSnapshot'
  | 'putPost'
  | 'putLetter'
  | 'lockTokens'
  | 'sleepLanes'
  | 'holdTokens'
  | 'holdToken'
  | 'tellLanes'
  | 'leaveLanes'
  | 'putLanes'
  | 'enterLane'
  | 'tellLane'
  | 'wakeLanes'
  | 'tellAll'
  | 'holdWaiting'
  | 'tellDrained'
  | 'leaveDrained'
  | 'freeDrained';

/** A statement by name, and its parameters. */
export type Write = readonly [query: WriteName, ...cells: readonly Cell[]];

export interface CommitRow extends CommitRef {
  /** Flow and own key of an instance that starts or is restored: nobody else may have them. */
  readonly key: readonly [string, string] | null;
  readonly fence: Fence | null;
  readonly message: string | null;
  /** By whom it is had: 0 by one who waits, 1 by those who listen. */
  readonly heard: readonly number[];
  /** Rows with a greater id are new. */
  readonly bornAfter: number;
  /** Whether only the long way will do, where there is another. */
  readonly isRare: boolean;
  readonly writes: readonly Write[];
  readonly tokens: readonly (readonly Cell[])[];
  /** Tokens to be written as claimed; who, when and until when is added in the transaction. */
  readonly taken: readonly (readonly Cell[])[];
  readonly take: Omit<Take, 'tokens'> | null;
  /** The version with which tokens begin that have no row. */
  readonly firstVersion: number;
  /** What is written after the tokens. */
  readonly holds: readonly Write[];
}

/** Values written by one commit are counted within it; more than this would share their places. */
const VALUES_PER_COMMIT = 1_000_000;

export function encodeCommit(commit: Commit): CommitRow {
  assertWritable(commit);
  const { fence, message, touched, take } = commit;
  const { id, flow } = touched.head;
  const key = ownKey(touched.head);
  const isTaken = (token: Token): boolean => take?.tokens.includes(token.id) ?? false;
  return {
    ...refOf(commit),
    key: key !== null && takesKey(commit) ? [exact(flow), exact(key)] : null,
    fence,
    message,
    heard: heardIn(commit),
    bornAfter: touched.bornAfter,
    isRare: isRare(touched),
    writes: [
      ...headWrites(commit),
      ...endings(commit),
      ...rowWrites(commit),
      ...taskWrites(touched),
      ...undoWrites(commit),
      ...tagWrites(touched),
      ...pauseWrites(touched),
      ...recordWrites(commit),
    ],
    tokens: touched.tokens
      .filter((token) => !isTaken(token))
      .map((token) => tokenCells(id, heldBack(token, commit), token.status)),
    taken: touched.tokens.filter(isTaken).map((token) => tokenCells(id, token, 'executing')),
    take: take && { worker: take.worker, leaseMs: take.leaseMs },
    firstVersion: firstVersion(touched),
    holds: [...sleepWrites(touched), ...holdWrites(touched), ...laneWrites(commit)],
  };
}

function headWrites(commit: Commit): readonly Write[] {
  const { head } = commit.touched;
  const cells: readonly Cell[] = [
    head.id,
    head.plan,
    head.flow,
    head.flowVersion,
    head.status,
    head.version,
    head.counter,
    head.priority,
    encodeUnlessNull(head.output),
    encodeUnlessNull(head.fault),
    encodeUnlessNull(head.stalled),
    head.updatedAt,
    head.endedAt,
    head.outcome,
  ];
  const { id, flow, key, input, tenant, createdAt, parent } = head;
  const own = ownKey(head);
  if (commit.expected > 0) {
    const update: Write = ['updateInstance', ...cells];
    return own !== null && takesKey(commit) ? [update, ['putKey', flow, own, id]] : [update];
  }
  const fixed = [key, tenant, createdAt, parent?.instance ?? null, parent?.token ?? null];
  const writes: Write[] = [['putInstance', ...cells, ...fixed]];
  if (input !== null) writes.push(['putInput', id, encode(input)]);
  if (own !== null && !isOver(head.status)) writes.push(['putKey', flow, own, id]);
  return writes;
}

/** A business key as it is kept: each tenant has its own. */
export function ownKey({ key, tenant }: Pick<Head, 'key' | 'tenant'>): string | null {
  return key === null ? null : ownName(key, tenant);
}

/** Beyond this an instance that is over is cleared table by table, and not row by row. */
const ENDINGS_MAX = 8;

function endings({ touched }: Commit): readonly Write[] {
  const { id, flow, status } = touched.head;
  const key = ownKey(touched.head);
  const writes: Write[] = [];
  if (isOver(status)) {
    if (key !== null) writes.push(['dropKey', flow, key, id]);
    if (endingsOf(touched) > ENDINGS_MAX) return [...writes, ...clearing(touched)];
  }
  for (const token of touched.unsubscribed) writes.push(['unsubscribe', id, token]);
  writes.push(...closing(id, touched.closedTasks));
  for (const token of touched.endedTokens) writes.push(['endToken', id, token]);
  for (const { scope, node, group } of touched.droppedLatches) {
    writes.push(['dropLatch', id, scope, node, group]);
  }
  for (const scope of touched.closedScopes) {
    writes.push(['closeVariables', id, scope], ['closeScope', id, scope]);
  }
  return writes;
}

function endingsOf(touched: Touched): number {
  const { endedTokens, closedScopes, droppedLatches, unsubscribed, closedTasks } = touched;
  const tokens = endedTokens.length + unsubscribed.length + closedTasks.length;
  return tokens + closedScopes.length + droppedLatches.length;
}

function clearing({ head: { id }, closedTasks }: Touched): readonly Write[] {
  const writes: Write[] = [
    ['clearTokens', id],
    ['clearScopes', id],
    ['clearVariables', id],
    ['clearLatches', id],
    ['clearSubscriptions', id],
  ];
  if (closedTasks.length > 0) writes.push(['clearTaskLists', id], ['clearTasks', id]);
  return writes;
}

function rowWrites({ touched }: Commit): readonly Write[] {
  const { id, version } = touched.head;
  const writes: Write[] = [];
  for (const scope of touched.scopes) {
    if (!isNewRoot(scope, touched)) writes.push(['putScope', id, ...scopeCells(scope)]);
  }
  for (const [index, { scope, space, name, value, isNew }] of touched.values.entries()) {
    const place = version * VALUES_PER_COMMIT + index;
    const query = isNew ? 'addVariable' : 'putVariable';
    writes.push([query, id, scope, space, exact(name), place, encode(value)]);
  }
  for (const { scope, node, group, fired } of touched.latches) {
    writes.push(['putLatch', id, scope, node, group, Number(fired)]);
  }
  writes.push(...subscriptionWrites(touched));
  return writes;
}

function isNewRoot(scope: Scope, { bornAfter }: Touched): boolean {
  if (scope.id !== ROOT || scope.id <= bornAfter) return false;
  const [, ...cells] = scopeCells(scope);
  return cells.every((cell) => cell === null);
}

/** Cleared last, because the commit that ends an instance may also say what became of them. */
function undoWrites({ touched }: Commit): readonly Write[] {
  const { id, status } = touched.head;
  const writes: Write[] = touched.undos.map((undo) => ['putUndo', id, ...undoCells(undo)]);
  for (const undo of touched.droppedUndos) writes.push(['dropUndo', id, undo]);
  if (isOver(status) && touched.undos.length + touched.droppedUndos.length > 0) {
    writes.push(['clearUndos', id]);
  }
  return writes;
}

function recordWrites(commit: Commit): readonly Write[] {
  const { commitId, snapshot, touched } = commit;
  const { id, version, updatedAt } = touched.head;
  const writes: Write[] = [
    ['putHistory', id, version, commitId, updatedAt, encode(touched.changes)],
  ];
  for (const post of touched.posts) writes.push(['putPost', exact(post.id), id, encode(post)]);
  for (const letter of touched.letters) {
    writes.push(['putLetter', ...letterCells(touched.head, letter)]);
  }
  writes.push(...deliveryWrites(commit));
  if (snapshot !== null) writes.push(['putSnapshot', id, version, encode(snapshot)]);
  return writes;
}

function letterCells({ id: instance, flow, updatedAt }: Head, letter: Letter): readonly Cell[] {
  const { id, type, key, data, trace } = letter;
  const by = key === null ? null : exact(key);
  const of = trace === undefined ? null : exact(trace);
  return [exact(id), instance, flow, exact(type), by, encode(data), of, updatedAt];
}

/** One that is in a lane is nobody's to claim before it is let through. */
function heldBack(token: Token, commit: Commit): Token {
  return lanesHolding(token, commit).length === 0 ? token : { ...token, handler: null };
}

function tokenCells(instance: string, token: Token, status: Token['status']): readonly Cell[] {
  return [
    instance,
    token.id,
    token.scope,
    token.node,
    token.via,
    token.handler,
    token.seq,
    status,
    token.mode,
    token.groups.length === 0 ? null : encode(token.groups),
    token.visit,
    token.attempts,
    token.crashes,
    token.maxAttempts,
    token.priority,
    token.availableAt,
    encodeUnlessNull(token.wait),
    token.wakeAt,
    encodeUnlessNull(token.wake),
    encodeUnlessNull(token.lastError),
    token.hops,
    token.createdAt,
    token.updatedAt,
  ];
}

function scopeCells({ id, parent, owner, drains, node, index, item }: Scope): readonly Cell[] {
  return [id, parent, owner, drains, node, index, encodeUnlessNull(item)];
}

function undoCells(undo: Undo): readonly Cell[] {
  return [
    undo.id,
    undo.saga,
    undo.node,
    undo.token,
    undo.visit,
    encodeUnlessNull(undo.result),
    undo.index,
    encodeUnlessNull(undo.item),
    Number(undo.inDoubt),
    undo.status,
    undo.by,
    encodeUnlessNull(undo.fault),
  ];
}

export function planCells({ hash, name, version, body, links }: PlanRow): readonly Cell[] {
  return [hash, name, version, encode(body), links === undefined ? null : encode(links)];
}

export function droppedCells(note: DroppedNote): readonly Cell[] {
  return [note.instance, note.token, note.version, note.worker, note.reason, note.at];
}

/** Now follows, and then the version that was seen. */
export function scheduleCells(schedule: NewSchedule): readonly Cell[] {
  const { name, flow, spec, status, nextAt, lastAt, since } = schedule;
  return [exact(name), exact(flow), exact(spec), status, nextAt, lastAt, since];
}

export function heldCells({ instance, token, worker, version }: Held): readonly Cell[] {
  return [instance, token, worker, version];
}
