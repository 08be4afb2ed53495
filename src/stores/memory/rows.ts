/**
 * The rows of the memory store, and model values to and from them.
 *
 * Scalars are copied as they are; everything that can hold a value of the user's is kept as JSON
 * text. So nothing handed in can be altered from outside afterwards, nothing handed out is shared,
 * and what would not survive a real database does not survive here (D20).
 */
import { assert } from '../../base/assert.ts';
import { type Json, parseJson } from '../../base/json.ts';
import type { Change, Space } from '../../model/change.ts';
import type { HistoryRow } from '../../model/commit.ts';
import type { GroupId, InstanceId, Instant, ScopeId, TokenId } from '../../model/ids.ts';
import type {
  Fault,
  Head,
  InstanceRows,
  Latch,
  Scope,
  Stalled,
  Token,
  Wait,
  Wake,
} from '../../model/instance.ts';
import { decodeObject, encode, encodeUnlessNull } from '../payload.ts';
import type { Claim, Commit, Held } from '../store.ts';
import type { Heap, Heaped } from './heap.ts';

export interface TokenRow extends Heaped {
  readonly home: InstanceRow;
  /** Its scalars. What is JSON in it is empty here and text below. */
  readonly token: Token;
  readonly groups: string | null;
  readonly wait: string | null;
  readonly wake: string | null;
  readonly lastError: string | null;
  version: number;
  /** Null unless it is claimed: a claimed token is a ready one that somebody has. */
  lockedBy: string | null;
  lockedAt: number;
  lockedUntil: number;
  /** Which came first, where nothing else tells. */
  order: number;
  heap: Heap<TokenRow> | null;
}

export interface ScopeRow {
  readonly scope: Scope;
  readonly item: string | null;
  readonly results: Map<string, string>;
  readonly vars: Map<string, string>;
}

/** The head; kept as the tokens are. */
export interface HeadRow {
  readonly head: Head;
  readonly output: string | null;
  readonly fault: string | null;
  readonly stalled: string | null;
}

export interface HistoryText {
  readonly n: number;
  readonly at: Instant;
  readonly commitId: string;
  readonly changes: string;
}

export interface InstanceRow {
  readonly id: InstanceId;
  readonly input: string | null;
  head: HeadRow;
  readonly tokens: Map<TokenId, TokenRow>;
  readonly scopes: Map<ScopeId, ScopeRow>;
  readonly latches: Map<string, Latch>;
  /** Position n - 1 is row n. */
  readonly history: HistoryText[];
  readonly snapshots: { readonly n: number; readonly body: string }[];
}

/** A commit as text: made before anything is written, because this is what may throw. */
export interface Encoded {
  readonly head: HeadRow;
  readonly tokens: readonly TokenRow[];
  readonly scopes: readonly ScopeRow[];
  readonly values: readonly ValueText[];
  readonly history: HistoryText;
  readonly snapshot: string | null;
}

export interface ValueText {
  readonly scope: ScopeId;
  readonly space: Space;
  readonly name: string;
  readonly text: string;
}

const NO_GROUPS: readonly GroupId[] = Object.freeze([]);
const NO_LOCK = { version: 0, lockedBy: null, lockedAt: 0, lockedUntil: 0, order: 0, place: -1 };

export function newInstance(head: Head): InstanceRow {
  return {
    id: head.id,
    input: encodeUnlessNull(head.input),
    head: encodeHead(head),
    tokens: new Map(),
    scopes: new Map(),
    latches: new Map(),
    history: [],
    snapshots: [],
  };
}

export function encodeCommit(home: InstanceRow, { touched, snapshot, commitId }: Commit): Encoded {
  const { head, changes } = touched;
  return {
    head: encodeHead(head),
    tokens: touched.tokens.map((token) => encodeToken(home, token)),
    scopes: touched.scopes.map(encodeScope),
    values: touched.values.map(({ scope, space, name, value }) => {
      return { scope, space, name, text: encode(value) };
    }),
    history: { n: head.version, at: head.updatedAt, commitId, changes: encode(changes) },
    snapshot: encodeUnlessNull(snapshot),
  };
}

function encodeHead(head: Head): HeadRow {
  return {
    head: { ...head, input: null, output: null, fault: null, stalled: null },
    output: encodeUnlessNull(head.output),
    fault: encodeUnlessNull(head.fault),
    stalled: encodeUnlessNull(head.stalled),
  };
}

function encodeToken(home: InstanceRow, token: Token): TokenRow {
  return {
    home,
    token: { ...token, groups: NO_GROUPS, wait: null, wake: null, lastError: null },
    groups: token.groups.length === 0 ? null : encode(token.groups),
    wait: encodeUnlessNull(token.wait),
    wake: encodeUnlessNull(token.wake),
    lastError: encodeUnlessNull(token.lastError),
    ...NO_LOCK,
    heap: null,
  };
}

function encodeScope(scope: Scope): ScopeRow {
  // Its values come as value rows, as they do to any store.
  return {
    scope: { ...scope, item: null, results: {}, vars: {} },
    item: encodeUnlessNull(scope.item),
    results: new Map(),
    vars: new Map(),
  };
}

export function decodeInstance(row: InstanceRow): InstanceRows {
  const byId = (a: { id: number }, b: { id: number }): number => a.id - b.id;
  const latches = Array.from(row.latches.values(), (latch) => Object.freeze({ ...latch }));
  return Object.freeze({
    head: decodeHead(row),
    tokens: Object.freeze(Array.from(row.tokens.values(), decodeToken).sort(byId)),
    scopes: Object.freeze(Array.from(row.scopes.values(), decodeScope).sort(byId)),
    latches: Object.freeze(latches),
  });
}

function decodeHead({ input, head: { head, output, fault, stalled } }: InstanceRow): Head {
  return Object.freeze({
    ...head,
    input: decode(input),
    output: decode(output),
    fault: decode(fault) as Fault | null,
    stalled: decode(stalled) as Stalled | null,
  });
}

function decodeToken({ token, groups, wait, wake, lastError }: TokenRow): Token {
  return Object.freeze({
    ...token,
    groups: groups === null ? NO_GROUPS : (decode(groups) as unknown as readonly GroupId[]),
    wait: decode(wait) as Wait | null,
    wake: decode(wake) as Wake | null,
    lastError: decode(lastError) as Fault | null,
  });
}

function decodeScope({ scope, item, results, vars }: ScopeRow): Scope {
  return Object.freeze({
    ...scope,
    item: decode(item),
    results: decodeObject(results),
    vars: decodeObject(vars),
  });
}

export function decodeHistory({ n, at, commitId, changes }: HistoryText): HistoryRow {
  return Object.freeze({ n, at, commitId, changes: parseJson(changes) as unknown as Change[] });
}

function decode(text: string | null): Json {
  return text === null ? null : parseJson(text);
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
    instanceVersion: home.head.head.version,
  };
}

/** Whether this claim is the one that stands, whatever the time is. */
export function isHeldBy(row: TokenRow, { version, worker }: Held): boolean {
  return row.lockedBy === worker && row.version === version;
}
