/**
 * The rows of the memory store, and model values to and from them.
 *
 * What the kernel made is kept as it is: the kernel never alters what it has let go of. Values are
 * written out as JSON when they come in, and everything is decoded anew each time it is handed out.
 * So nothing handed out is shared, and what would not survive a real database does not survive
 * here (D20).
 */
import { assert } from '../../base/assert.ts';
import { type Json, parseJson } from '../../base/json.ts';
import { Table } from '../../base/table.ts';
import type { Attribute } from '../../model/attribute.ts';
import type { HistoryRow, Touched } from '../../model/commit.ts';
import type { InstanceId, Instant, ScopeId, TokenId, UndoId } from '../../model/ids.ts';
import type { Head, InstanceRows, Latch, Scope, Token, Undo } from '../../model/instance.ts';
import { decodeObject, encode, encodeUnlessNull } from '../payload.ts';
import type { Claim, Commit, Held } from '../store.ts';
import type { Heap, Heaped } from './heap.ts';
import type { LetterText } from './letters.ts';
import type { PostText } from './outbox.ts';
import { type ListedTask, listed } from './tasks.ts';

export interface TokenRow extends Heaped {
  readonly home: InstanceRow;
  readonly token: Token;
  version: number;
  /** Null unless it is claimed: a claimed token is a ready one that somebody has. */
  lockedBy: string | null;
  lockedAt: number;
  lockedUntil: number;
  /** Which came first, where nothing else tells. */
  order: number;
  heap: Heap<TokenRow> | null;
  /** It waits in a lane, and nobody may claim it. */
  isHeld: boolean;
  /** Since when it stands in the queue, if that is not when it was due. */
  letAt: number | null;
}

export interface ScopeRow {
  scope: Scope;
  readonly item: string | null;
  /** Texts of values by name; nothing is made for them before there is one. */
  results: Map<string, string> | null;
  vars: Map<string, string> | null;
  items: Map<string, string> | null;
}

export interface UndoRow {
  readonly id: UndoId;
  readonly status: Undo['status'];
  readonly text: string;
}

export interface InstanceRow {
  readonly id: InstanceId;
  /** Kept from the start: it never changes. */
  readonly input: Json;
  head: Head;
  readonly tokens: Table<TokenId, TokenRow>;
  scopes: Table<ScopeId, ScopeRow>;
  /** By name. Few instances ever have one. */
  latches: Map<string, Latch> | null;
  /** Nothing is made for them before there is one. */
  undos: Table<UndoId, UndoRow> | null;
  /** What it is found by, by name. Few instances have any. */
  tags: Map<string, Attribute> | null;
  /** Position n - 1 is row n. */
  readonly history: HistoryRow[];
  readonly snapshots: { readonly n: number; readonly body: string }[];
}

/** A commit as text: made before anything is written, because this is what may throw. */
export interface Encoded {
  readonly tokens: readonly TokenRow[];
  readonly scopes: readonly ScopeRow[];
  /** Of each value the commit writes, in its order. */
  readonly values: readonly string[];
  readonly undos: readonly UndoRow[];
  readonly posts: readonly PostText[];
  readonly letters: readonly LetterText[];
  readonly tasks: readonly ListedTask[];
  readonly history: HistoryRow;
  readonly snapshot: string | null;
}

export function newInstance(head: Head): InstanceRow {
  return {
    id: head.id,
    input: head.input,
    head,
    tokens: Table.empty(),
    scopes: Table.empty(),
    latches: null,
    undos: null,
    tags: null,
    history: [],
    snapshots: [],
  };
}

export function encodeCommit(home: InstanceRow, { touched, snapshot, commitId }: Commit): Encoded {
  const { head, changes } = touched;
  // Written out to see that it can be: by now it is the user's, like any value.
  if (head.output !== null) encode(head.output);
  return {
    tokens: touched.tokens.map((token) => rowFor(home, token)),
    scopes: touched.scopes.length === 0 ? NO_SCOPES : touched.scopes.map(encodeScope),
    values: touched.values.map(({ value }) => encode(value)),
    undos: touched.undos.length === 0 ? NO_UNDOS : touched.undos.map(encodeUndo),
    posts:
      touched.posts.length === 0
        ? NO_POSTS
        : touched.posts.map((post) => ({ instance: home.id, id: post.id, text: encode(post) })),
    letters: touched.letters.length === 0 ? NO_LETTERS : lettersOf(home, touched),
    tasks: touched.tasks.length === 0 ? NO_TASKS : touched.tasks.map((row) => listed(head, row)),
    history: { n: head.version, at: head.updatedAt, commitId, changes },
    snapshot: encodeUnlessNull(snapshot),
  };
}

const NO_SCOPES: readonly ScopeRow[] = [];
const NO_UNDOS: readonly UndoRow[] = [];
const NO_POSTS: readonly PostText[] = [];
const NO_LETTERS: readonly LetterText[] = [];
const NO_TASKS: readonly ListedTask[] = [];

function lettersOf({ id: instance }: InstanceRow, { head, letters }: Touched): LetterText[] {
  const { flow, updatedAt: at } = head;
  return letters.map((letter) => ({ ...letter, instance, flow, at, data: encode(letter.data) }));
}

function rowFor(home: InstanceRow, token: Token): TokenRow {
  return {
    home,
    token,
    version: 0,
    lockedBy: null,
    lockedAt: 0,
    lockedUntil: 0,
    order: 0,
    place: -1,
    heap: null,
    isHeld: false,
    letAt: null,
  };
}

function encodeScope(scope: Scope): ScopeRow {
  // Its values come as value rows, as they do to any store.
  return { scope, item: encodeUnlessNull(scope.item), results: null, vars: null, items: null };
}

function encodeUndo(undo: Undo): UndoRow {
  return { id: undo.id, status: undo.status, text: encode(undo) };
}

export function decodeInstance(row: InstanceRow): InstanceRows {
  const tokens = row.tokens.values().map(({ token }) => token);
  const latches = [...(row.latches?.values() ?? [])];
  const head = { ...row.head, input: row.input };
  return Object.freeze({
    ...(decoded({ head, tokens, latches }) as unknown as Omit<InstanceRows, 'scopes' | 'undos'>),
    scopes: Object.freeze(row.scopes.values().map(decodeScope)),
    undos: Object.freeze((row.undos?.values() ?? []).map(decodeUndo)),
  });
}

function decodeScope({ scope, item, results, vars, items }: ScopeRow): Scope {
  return Object.freeze({
    ...scope,
    item: item === null ? null : parseJson(item),
    results: decodeObject(results ?? []),
    vars: decodeObject(vars ?? []),
    ...(items === null ? {} : { items: decodeObject(items) }),
  });
}

function decodeUndo({ text }: UndoRow): Undo {
  return parseJson(text) as unknown as Undo;
}

export function decodeHistory(row: HistoryRow): HistoryRow {
  return decoded(row) as unknown as HistoryRow;
}

/** Through text and back, as with any other store. */
function decoded(value: unknown): Json {
  return parseJson(encode(value));
}

export function claimOf(row: TokenRow): Claim {
  const { home, token, version, lockedBy, lockedAt, lockedUntil } = row;
  assert(lockedBy !== null && token.handler !== null, 'a claimed token has an owner and a handler');
  return {
    instance: home.id,
    token: token.id,
    version,
    worker: lockedBy,
    handler: token.handler,
    at: lockedAt as Instant,
    until: lockedUntil as Instant,
    instanceVersion: home.head.version,
  };
}

/** Whether this claim is the one that stands, whatever the time is. */
export function isHeldBy(row: TokenRow, { version, worker }: Held): boolean {
  return row.lockedBy === worker && row.version === version;
}
