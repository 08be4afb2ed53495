/**
 * Commits made by hand, for testing stores without a kernel. What a test does not say is the most
 * ordinary thing there is: an instance of flow "order" with one scope, and one token that is ready
 * for handler "order@1/work".
 */
import type { Json } from '../base/json.ts';
import type { Space } from '../model/change.ts';
import { ANY } from '../model/awaited.ts';
import type { SubscriptionRow, Touched } from '../model/commit.ts';
import type {
  GroupId,
  InstanceId,
  Instant,
  NodeId,
  PlanHash,
  ScopeId,
  TokenId,
  UndoId,
} from '../model/ids.ts';
import type { Head, Latch, Pause, Scope, Token, Undo } from '../model/instance.ts';
import type { Letter } from '../model/letter.ts';
import type { Post } from '../model/post.ts';
import type { Task, TaskRow } from '../model/task.ts';
import type { Claim, Commit, Fence, Held } from '../stores/store.ts';

/** When every test begins. */
export const T0 = 1_790_000_000_000;
export const HANDLER = 'order@1/work';
export const ROOT = 1 as ScopeId;

/** What differs from the ordinary. */
export interface Parts extends Partial<Omit<Commit, 'touched' | 'expected'>> {
  readonly head?: Partial<Head>;
  readonly rows?: Partial<Omit<Touched, 'head'>>;
}

export function idOf(name: string): InstanceId {
  return name as InstanceId;
}

export function tokenId(id: number): TokenId {
  return id as TokenId;
}

export function undoId(id: number): UndoId {
  return id as UndoId;
}

export function at(ms: number): Instant {
  return (T0 + ms) as Instant;
}

export function head(name: string, version: number, fields: Partial<Head> = {}): Head {
  return {
    id: idOf(name),
    plan: 'plan-hash' as PlanHash,
    flow: 'order',
    flowVersion: 1,
    status: 'running',
    version,
    counter: 2,
    key: null,
    tenant: null,
    priority: 0,
    input: null,
    output: null,
    fault: null,
    stalled: null,
    outcome: null,
    pauses: [],
    parent: null,
    createdAt: at(0),
    updatedAt: at(version),
    endedAt: null,
    ...fields,
  };
}

export function token(id: number, fields: Partial<Token> = {}): Token {
  return {
    id: tokenId(id),
    scope: ROOT,
    node: 'work' as NodeId,
    via: null,
    handler: HANDLER,
    seq: null,
    status: 'ready',
    mode: 'forward',
    groups: [],
    visit: 1,
    attempts: 0,
    crashes: 0,
    maxAttempts: 1,
    priority: 0,
    lanes: [],
    availableAt: at(0),
    wait: null,
    wakeAt: null,
    wake: null,
    lastError: null,
    hops: 0,
    createdAt: at(0),
    updatedAt: at(0),
    ...fields,
  };
}

export function sleeping(id: number, wakeAt: number): Token {
  const wait = { on: 'time' } as const;
  return token(id, { status: 'waiting', handler: null, wait, wakeAt: at(wakeAt) });
}

/** A token that waits for a message; its subscription goes with it. */
export function listening(id: number, type: string, key: string): Partial<Touched> {
  const wait = { on: 'message', type, key } as const;
  return {
    tokens: [token(id, { status: 'waiting', handler: null, wait })],
    subscribed: [{ token: tokenId(id), type, key }],
  };
}

/** A token that hears what is published since a moment; of any type and key if none is said. */
export function hearing(
  id: number,
  { type = ANY, key = ANY, since = 0, live = 'behind' }: Heard = {},
): { readonly tokens: readonly Token[]; readonly subscribed: readonly SubscriptionRow[] } {
  const any = [{ arm: 'heard', type, key }];
  const wait = { on: 'first', any, since: at(since), live: true } as const;
  return {
    tokens: [token(id, { status: 'waiting', handler: null, wait })],
    subscribed: [{ token: tokenId(id), type, key, since: at(since), live }],
  };
}

interface Heard {
  readonly type?: string;
  readonly key?: string;
  readonly since?: number;
  readonly live?: 'behind' | 'on';
}

/** A token that waits for people, and the row by which they find it. */
export function asking(
  id: number,
  fields: Partial<Task> = {},
  { node = 'review', createdAt = 0, wakeAt = null }: Asked = {},
): { readonly tokens: readonly Token[]; readonly tasks: readonly TaskRow[] } {
  const task: Task = { kind: 'task', trail: [], ...fields };
  const wait = { on: 'task', task } as const;
  const own = { node: node as NodeId, createdAt: at(createdAt) };
  return {
    tokens: [token(id, { status: 'waiting', handler: null, wait, wakeAt, ...own })],
    tasks: [{ token: tokenId(id), task, ...own }],
  };
}

interface Asked {
  readonly node?: string;
  readonly createdAt?: number;
  readonly wakeAt?: Instant | null;
}

export function scope(id: number, fields: Partial<Scope> = {}): Scope {
  const none = { parent: null, owner: null, node: null, index: null, item: null, drains: null };
  return { id: id as ScopeId, ...none, results: {}, vars: {}, ...fields };
}

export function latch(group: number, fired = false): Latch {
  return { scope: ROOT, node: 'join' as NodeId, group: group as GroupId, fired };
}

/** A step that can be undone, and nobody has begun to. */
export function undo(id: number, fields: Partial<Undo> = {}): Undo {
  return {
    id: undoId(id),
    saga: ROOT,
    node: 'work' as NodeId,
    token: tokenId(2),
    visit: 1,
    result: null,
    index: null,
    item: null,
    inDoubt: false,
    status: 'pending',
    by: null,
    fault: null,
    ...fields,
  };
}

export function post(id: string, data: Json = null): Post {
  return { id, do: 'publish', type: 'paid', key: 'k', data };
}

export function letter(id: string, fields: Partial<Letter> = {}): Letter {
  return { id, type: 'paid', key: null, data: null, ...fields };
}

export function value(
  space: Space,
  name: string,
  json: Json,
  scopeId = 1,
): Touched['values'][number] {
  return { scope: scopeId as ScopeId, space, name, value: json, isNew: false };
}

const NO_ROWS: Omit<Touched, 'head'> = {
  // Unless it is said, nothing is known to be new.
  bornAfter: Number.MAX_SAFE_INTEGER,
  changes: [],
  pausing: false,
  restoring: false,
  laned: [],
  drained: [],
  tokens: [],
  endedTokens: [],
  scopes: [],
  closedScopes: [],
  values: [],
  latches: [],
  droppedLatches: [],
  subscribed: [],
  unsubscribed: [],
  turned: [],
  hushed: false,
  tasks: [],
  closedTasks: [],
  undos: [],
  droppedUndos: [],
  posts: [],
  letters: [],
  tags: [],
};

/** The first commit of an instance. */
export function start(name: string, parts: Parts = {}): Commit {
  return next(name, 0, {
    ...parts,
    rows: { bornAfter: 0, tokens: [token(2)], scopes: [scope(1)], ...parts.rows },
  });
}

/** A later commit of an instance, computed on version `expected`. */
export function next(name: string, expected: number, parts: Parts = {}): Commit {
  const { head: fields, rows, ...rest } = parts;
  const commitId = `${name}/${expected + 1}`;
  const touched = { ...NO_ROWS, ...rows, head: head(name, expected + 1, fields) };
  return {
    commitId,
    fence: null,
    message: null,
    snapshot: null,
    take: null,
    ...rest,
    expected,
    touched,
  };
}

/** The last commit of an instance: everything it had is gone. */
export function finish(name: string, expected: number, parts: Parts = {}): Commit {
  const ended = { status: 'completed', endedAt: at(expected + 1) } as const;
  const rows = { endedTokens: [tokenId(2)], closedScopes: [ROOT], ...parts.rows };
  return next(name, expected, { ...parts, head: { ...ended, ...parts.head }, rows });
}

/** Suspended with the commit of one version, and until that of another. */
export function pause(from: number, to: number | null = null): Pause {
  return { from: at(from), to: to === null ? null : at(to), as: 'running' };
}

/** What is said of an instance while it is suspended, since that version. */
export function suspendedSince(version: number): Pick<Head, 'status' | 'pauses'> {
  return { status: 'suspended', pauses: [pause(version)] };
}

export function suspend(name: string, expected: number, parts: Parts = {}): Commit {
  const fields = { ...suspendedSince(expected + 1), ...parts.head };
  return next(name, expected, { ...parts, head: fields, rows: { pausing: true, ...parts.rows } });
}

/** Ends the pause that began with a version. */
export function resume(name: string, expected: number, since: number, parts: Parts = {}): Commit {
  const fields = { pauses: [pause(since, expected + 1)], ...parts.head };
  return next(name, expected, { ...parts, head: fields, rows: { pausing: true, ...parts.rows } });
}

/** The instance is open as it was: these rows and no others, and what was there goes. */
export function restore(name: string, expected: number, parts: Parts = {}): Commit {
  const rows = { restoring: true, tokens: [token(2)], scopes: [scope(1)], closedScopes: [ROOT] };
  return next(name, expected, { ...parts, rows: { ...rows, ...parts.rows } });
}

/** Proof of a claim, as a commit carries it. */
export function fenceOf(claim: Held, fields: Partial<Fence> = {}): Fence {
  const { instance, token: id, version, worker } = claim;
  return { instance, token: id, version, worker, expired: false, ...fields };
}

export function heldOf({ instance, token: id, version, worker }: Claim): Held {
  return { instance, token: id, version, worker };
}
