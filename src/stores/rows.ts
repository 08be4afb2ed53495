/**
 * Rows of a database as model values; the only place that knows columns by name (how values become
 * rows is in `writes.ts`, by position). The columns of every database have the same names, and a
 * cell is a text, a number or null in each of them.
 *
 * What is read is checked (`cells.ts`).
 */
import type { HistoryRow, ValueRow } from '../model/commit.ts';
import type { InstanceId, Instant } from '../model/ids.ts';
import type {
  Head,
  InstanceRows,
  Latch,
  ParentRef,
  Scope,
  Token,
  Undo,
} from '../model/instance.ts';
import {
  instant,
  integer,
  integerOrNull,
  json,
  jsonIfAny,
  text,
  textOrNull,
  whole,
} from './cells.ts';
import type { PlanName } from '../model/plan-diff.ts';
import type { ClaimedLetter, ExpiredLetter, LetterRow } from './letters.ts';
import { decodeObject, isOver, ROOT } from './payload.ts';
import type { ScheduleRow } from './schedules.ts';
import type {
  Claim,
  Delivery,
  DroppedNote,
  PendingMessage,
  PlanRow,
  PostRow,
  TokenRef,
} from './store.ts';

export type Row = Readonly<Record<string, unknown>>;

/** The rows of one instance, as one read transaction saw them. */
export interface InstanceSet {
  readonly head: Row;
  readonly tokens: readonly Row[];
  readonly scopes: readonly Row[];
  readonly variables: readonly Row[];
  readonly latches: readonly Row[];
  readonly undos: readonly Row[];
}

export function readInstance(set: InstanceSet): InstanceRows {
  const values = valuesByScope(set.variables);
  const head = readHead(set.head);
  const scopes = isOver(head.status) ? set.scopes : withRoot(set.scopes);
  return Object.freeze({
    head,
    tokens: Object.freeze(set.tokens.map(readToken)),
    scopes: Object.freeze(scopes.map((row) => readScope(row, values))),
    latches: Object.freeze(set.latches.map(readLatch)),
    undos: Object.freeze(set.undos.map(readUndo)),
  });
}

const NO_PAUSES: Head['pauses'] = Object.freeze([]);

function readHead(row: Row): Head {
  return Object.freeze({
    id: text(row, 'id') as InstanceId,
    plan: text(row, 'plan_hash') as Head['plan'],
    flow: text(row, 'flow'),
    flowVersion: integer(row, 'flow_version'),
    status: text(row, 'status') as Head['status'],
    version: integer(row, 'version'),
    counter: integer(row, 'counter'),
    key: textOrNull(row, 'key'),
    tenant: textOrNull(row, 'tenant'),
    priority: integer(row, 'priority'),
    input: json(row, 'input'),
    output: json(row, 'output'),
    fault: json(row, 'fault') as Head['fault'],
    stalled: json(row, 'stalled') as Head['stalled'],
    outcome: textOrNull(row, 'outcome') as Head['outcome'],
    pauses: (json(row, 'pauses') as unknown as Head['pauses'] | null) ?? NO_PAUSES,
    parent: readParent(row),
    createdAt: instant(row, 'created_at'),
    updatedAt: instant(row, 'updated_at'),
    endedAt: integerOrNull(row, 'ended_at') as Instant | null,
  });
}

function readParent(row: Row): ParentRef | null {
  const instance = textOrNull(row, 'parent_instance_id') as InstanceId | null;
  if (instance === null) return null;
  return Object.freeze({ instance, token: integer(row, 'parent_token_id') as Token['id'] });
}

const NO_GROUPS: Token['groups'] = Object.freeze([]);
const NO_LANES: Token['lanes'] = Object.freeze([]);

function readToken(row: Row): Token {
  const status = text(row, 'status') as Token['status'];
  return Object.freeze({
    id: integer(row, 'id') as Token['id'],
    scope: integer(row, 'scope_id') as Token['scope'],
    node: text(row, 'node_id') as Token['node'],
    via: textOrNull(row, 'via') as Token['via'],
    handler: textOrNull(row, 'handler'),
    seq: integerOrNull(row, 'seq'),
    // A claim is the store's own business: to the kernel the token is still ready (D2).
    status: status === 'executing' ? 'ready' : status,
    mode: text(row, 'mode') as Token['mode'],
    groups: (json(row, 'groups') as unknown as Token['groups'] | null) ?? NO_GROUPS,
    visit: integer(row, 'visit'),
    attempts: integer(row, 'attempts'),
    crashes: integer(row, 'crashes'),
    maxAttempts: integer(row, 'max_attempts'),
    priority: integer(row, 'priority'),
    lanes: (json(row, 'lanes') as unknown as Token['lanes'] | null) ?? NO_LANES,
    availableAt: instant(row, 'available_at'),
    wait: json(row, 'wait') as Token['wait'],
    wakeAt: integerOrNull(row, 'wake_at') as Instant | null,
    wake: json(row, 'wake') as Token['wake'],
    lastError: json(row, 'last_error') as Token['lastError'],
    hops: integer(row, 'hops'),
    createdAt: instant(row, 'created_at'),
    updatedAt: instant(row, 'updated_at'),
  });
}

const ROOT_ROW: Row = Object.freeze({
  ...{ id: ROOT, parent_id: null, owner_id: null, node_id: null },
  ...{ item_index: null, item: null, drains_id: null },
});

/** In order of their ids, and the root has the first. */
function withRoot(rows: readonly Row[]): readonly Row[] {
  return rows[0]?.id === ROOT ? rows : [ROOT_ROW, ...rows];
}

type Texts = Record<ValueRow['space'], [string, string][]>;

function valuesByScope(rows: readonly Row[]): ReadonlyMap<number, Texts> {
  const scopes = new Map<number, Texts>();
  for (const row of rows) {
    const id = integer(row, 'scope_id');
    const texts = scopes.get(id) ?? { results: [], vars: [], items: [] };
    texts[text(row, 'space') as ValueRow['space']].push([text(row, 'name'), text(row, 'value')]);
    scopes.set(id, texts);
  }
  return scopes;
}

function readScope(row: Row, values: ReadonlyMap<number, Texts>): Scope {
  const id = integer(row, 'id') as Scope['id'];
  const texts = values.get(id);
  return Object.freeze({
    id,
    parent: integerOrNull(row, 'parent_id') as Scope['parent'],
    owner: integerOrNull(row, 'owner_id') as Scope['owner'],
    node: textOrNull(row, 'node_id') as Scope['node'],
    index: integerOrNull(row, 'item_index'),
    item: json(row, 'item'),
    drains: integerOrNull(row, 'drains_id') as Scope['drains'],
    results: whole(row, 'results', () => decodeObject(texts?.results ?? [])),
    vars: whole(row, 'vars', () => decodeObject(texts?.vars ?? [])),
    ...itemsIn(row, texts?.items),
  });
}

/** Most scopes have none, and then say nothing of them. */
function itemsIn(row: Row, texts: Texts['items'] | undefined): Pick<Scope, 'items'> {
  if (texts === undefined || texts.length === 0) return {};
  return { items: whole(row, 'items', () => decodeObject(texts)) };
}

function readLatch(row: Row): Latch {
  return Object.freeze({
    scope: integer(row, 'scope_id') as Latch['scope'],
    node: text(row, 'node_id') as Latch['node'],
    group: integer(row, 'group_id') as Latch['group'],
    fired: integer(row, 'fired') === 1,
  });
}

function readUndo(row: Row): Undo {
  return Object.freeze({
    id: integer(row, 'id') as Undo['id'],
    saga: integer(row, 'saga_id') as Undo['saga'],
    node: text(row, 'node_id') as Undo['node'],
    token: integer(row, 'token_id') as Undo['token'],
    visit: integer(row, 'visit'),
    result: json(row, 'result'),
    index: integerOrNull(row, 'item_index'),
    item: json(row, 'item'),
    inDoubt: integer(row, 'in_doubt') === 1,
    status: text(row, 'status') as Undo['status'],
    by: integerOrNull(row, 'by_id') as Undo['by'],
    fault: json(row, 'fault') as Undo['fault'],
  });
}

export function readPlanName(row: Row): PlanName {
  return Object.freeze({
    hash: text(row, 'hash') as PlanName['hash'],
    name: text(row, 'name'),
    version: integer(row, 'version'),
  });
}

export function readPlan(row: Row): PlanRow {
  return Object.freeze({ ...readPlanName(row), body: json(row, 'body') });
}

/** Each row has a list of them. */
export function readLinks(rows: readonly Row[]): readonly string[] {
  return [...new Set(rows.flatMap((row) => json(row, 'links') as unknown as readonly string[]))];
}

export function readClaim(row: Row): Claim {
  return {
    ...readRef(row),
    version: integer(row, 'version'),
    worker: text(row, 'locked_by'),
    handler: text(row, 'handler'),
    at: instant(row, 'locked_at'),
    until: instant(row, 'locked_until'),
    instanceVersion: integer(row, 'instance_version'),
  };
}

export function readRef(row: Row): TokenRef {
  return {
    instance: text(row, 'instance_id') as InstanceId,
    token: integer(row, 'id') as Token['id'],
  };
}

export function readDelivery(row: Row): Delivery {
  const heard = row['published'] === null ? {} : { published: instant(row, 'published') };
  return {
    instance: text(row, 'instance_id') as InstanceId,
    token: integer(row, 'token_id') as Token['id'],
    ...readMessage(row),
    ...heard,
  };
}

export function readPending(row: Row): PendingMessage {
  return Object.freeze({
    n: integer(row, 'n'),
    ...readMessage(row),
    publishedAt: instant(row, 'published_at'),
    expiresAt: instant(row, 'expires_at'),
  });
}

function readMessage(row: Row): Pick<Delivery, 'message' | 'isCorrupt'> {
  const target = textOrNull(row, 'target') as InstanceId | null;
  const tenant = textOrNull(row, 'tenant');
  const trace = textOrNull(row, 'trace');
  const data = jsonIfAny(row, 'data');
  const message = Object.freeze({
    id: text(row, 'id'),
    type: text(row, 'type'),
    key: text(row, 'key'),
    ...(target === null ? {} : { instance: target }),
    ...(tenant === null ? {} : { tenant }),
    ...(trace === null ? {} : { trace }),
    data: data ?? null,
  });
  return data === undefined ? { message, isCorrupt: true } : { message };
}

export function readPost(row: Row): PostRow {
  return Object.freeze({
    instance: text(row, 'instance_id') as InstanceId,
    post: json(row, 'body') as unknown as PostRow['post'],
  });
}

/** A letter as its claim hands it out. */
export function readLetterClaim(row: Row): ClaimedLetter {
  const trace = textOrNull(row, 'trace');
  return Object.freeze({
    ...readExpiredLetter(row),
    flow: text(row, 'flow'),
    type: text(row, 'type'),
    key: textOrNull(row, 'key'),
    data: jsonIfAny(row, 'data'),
    ...(trace === null ? {} : { trace }),
    createdAt: instant(row, 'created_at'),
  });
}

export function readExpiredLetter(row: Row): ExpiredLetter {
  return {
    id: text(row, 'id'),
    instance: text(row, 'instance_id') as InstanceId,
    version: integer(row, 'version'),
    worker: text(row, 'locked_by'),
    attempts: integer(row, 'attempts'),
  };
}

export function readLetter(row: Row): LetterRow {
  return Object.freeze({
    id: text(row, 'id'),
    instance: text(row, 'instance_id') as InstanceId,
    flow: text(row, 'flow'),
    type: text(row, 'type'),
    key: textOrNull(row, 'key'),
    data: jsonIfAny(row, 'data'),
    status: text(row, 'status') as LetterRow['status'],
    attempts: integer(row, 'attempts'),
    availableAt: instant(row, 'available_at'),
    lastError: textOrNull(row, 'last_error'),
    createdAt: instant(row, 'created_at'),
    updatedAt: instant(row, 'updated_at'),
    place: integer(row, 'n'),
  });
}

export function readSchedule(row: Row): ScheduleRow {
  return Object.freeze({
    name: text(row, 'name'),
    flow: text(row, 'flow'),
    spec: text(row, 'spec'),
    status: text(row, 'status') as ScheduleRow['status'],
    nextAt: integerOrNull(row, 'next_at') as Instant | null,
    lastAt: integerOrNull(row, 'last_at') as Instant | null,
    since: instant(row, 'since'),
    version: integer(row, 'version'),
    createdAt: instant(row, 'created_at'),
    updatedAt: instant(row, 'updated_at'),
  });
}

export function readDropped(row: Row): DroppedNote {
  return Object.freeze({
    instance: text(row, 'instance_id') as InstanceId,
    token: integer(row, 'token_id') as Token['id'],
    version: integer(row, 'version'),
    worker: text(row, 'worker'),
    reason: text(row, 'reason'),
    at: instant(row, 'at'),
  });
}

export function readHistory(row: Row): HistoryRow {
  return Object.freeze({
    n: integer(row, 'n'),
    at: instant(row, 'at'),
    commitId: text(row, 'commit_id'),
    changes: json(row, 'changes') as unknown as HistoryRow['changes'],
  });
}

export function readSnapshot(row: Row): InstanceRows {
  return json(row, 'body') as unknown as InstanceRows;
}

export function readId(row: Row): InstanceId {
  return text(row, 'id') as InstanceId;
}

/** The order in which letters are claimed; an update answers in whatever order it comes by. */
export function byDueTime(a: Row, b: Row): number {
  return Number(a['available_at']) - Number(b['available_at']) || Number(a['n']) - Number(b['n']);
}
