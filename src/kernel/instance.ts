/**
 * An instance as the kernel holds it: the head, the tables, and the indexes that make a stride cost
 * what it touches. Indexes are derived from the rows; they are never stored.
 */
import { assert } from '../base/assert.ts';
import type { LatchKey } from '../model/change.ts';
import type { GroupId, InstanceId, ScopeId, TokenId } from '../model/ids.ts';
import type { Head, InstanceRows, Latch, Scope, Token } from '../model/instance.ts';
import { CowIndex, CowMap } from './cow.ts';

export interface Instance {
  readonly head: Head;
  readonly tokens: CowMap<TokenId, Token>;
  readonly scopes: CowMap<ScopeId, Scope>;
  readonly latches: CowMap<string, Latch>;
  readonly index: Index;
}

/** An instance being worked on. Made inside one stride, and outside only ever seen readonly. */
export interface Scratch extends Instance {
  head: Head;
  /** The head's counter while the stride lasts: it moves with every birth, the head does not. */
  counter: number;
}

export interface Index {
  /** How many live tokens and open scopes a scope holds; absent is none. */
  readonly inhabitants: CowMap<ScopeId, number>;
  /** How many live tokens carry a group anywhere on their stack; absent is none. */
  readonly members: CowMap<GroupId, number>;
  /** Tokens waiting at a join, by latch key. */
  readonly parked: CowIndex<string, TokenId>;
  /** Names of the latches that wait for a group. */
  readonly latches: CowIndex<GroupId, string>;
  /** Ready tokens that the kernel, not a handler, goes on with. */
  readonly resting: CowIndex<'all', TokenId>;
  /** Tokens something will move: ready ones, and waiting ones that the outside answers. */
  moving: number;
}

export function emptyInstance(id: InstanceId): Instance {
  const head = { id, version: 0 } as Head; // Everything else comes with start-instance.
  return assemble({ head, tokens: [], scopes: [], latches: [] });
}

/** Builds an instance from its rows, indexes included. */
export function assemble(rows: InstanceRows): Instance {
  const index = {
    inhabitants: CowMap.of<ScopeId, number>(),
    members: CowMap.of<GroupId, number>(),
    parked: CowIndex.empty<string, TokenId>(),
    latches: CowIndex.empty<GroupId, string>(),
    resting: CowIndex.empty<'all', TokenId>(),
    moving: 0,
  };
  const instance: Instance = {
    head: rows.head,
    tokens: tableOf(rows.tokens, (token) => token.id),
    scopes: tableOf(rows.scopes, (scope) => scope.id),
    latches: tableOf(rows.latches, latchName),
    index,
  };
  for (const token of rows.tokens) indexToken(index, token, 1);
  for (const scope of rows.scopes) indexScope(index, scope, 1);
  for (const latch of rows.latches) index.latches.add(latch.group, latchName(latch));
  absorb(instance);
  return instance;
}

function tableOf<Key, Row>(rows: readonly Row[], keyOf: (row: Row) => Key): CowMap<Key, Row> {
  return rows.length === 0 ? CowMap.of() : CowMap.of(rows.map((row) => [keyOf(row), row]));
}

/** The rows again, sorted by id: equal instances have equal rows. */
export function rowsOf(instance: Instance): InstanceRows {
  const sorted = <Row extends { id: number }>(rows: Iterable<[unknown, Row]>): Row[] =>
    Array.from(rows, ([, row]) => row).sort((a, b) => a.id - b.id);
  const latches = Array.from(instance.latches.entries()).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    head: instance.head,
    tokens: sorted(instance.tokens.entries()),
    scopes: sorted(instance.scopes.entries()),
    latches: latches.map(([, latch]) => latch),
  };
}

export function scratchOf(instance: Instance): Scratch {
  const { index } = instance;
  return {
    head: instance.head,
    counter: instance.head.counter ?? 0,
    tokens: instance.tokens.branch(),
    scopes: instance.scopes.branch(),
    latches: instance.latches.branch(),
    index: {
      inhabitants: index.inhabitants.branch(),
      members: index.members.branch(),
      parked: index.parked.branch(),
      latches: index.latches.branch(),
      resting: index.resting.branch(),
      moving: index.moving,
    },
  };
}

/** Makes a committed state the base of the next one. The state before it must not be used again. */
export function absorb(instance: Instance): void {
  const { index } = instance;
  instance.tokens.absorb();
  instance.scopes.absorb();
  instance.latches.absorb();
  index.inhabitants.absorb();
  index.members.absorb();
  index.parked.absorb();
  index.latches.absorb();
  index.resting.absorb();
}

/** Adds a token to every index it belongs in, or with -1 takes it out of them. */
export function indexToken(index: Index, token: Token, by: 1 | -1): void {
  if (!isLive(token)) return;
  const put = by === 1 ? 'add' : 'delete';
  bump(index.inhabitants, token.scope, by);
  for (const group of token.groups) bump(index.members, group, by);
  if (token.wait?.on === 'join') index.parked[put](latchName(latchOf(token)), token.id);
  if (isResting(token)) index.resting[put]('all', token.id);
  if (isMoving(token)) index.moving += by;
}

/** The same token in another state. Its scope and groups never change, so most indexes stand. */
export function reindexToken(index: Index, before: Token, after: Token): void {
  if (before.wait !== after.wait) {
    if (before.wait?.on === 'join') index.parked.delete(latchName(latchOf(before)), before.id);
    if (after.wait?.on === 'join') index.parked.add(latchName(latchOf(after)), after.id);
  }
  const rested = isResting(before);
  if (rested !== isResting(after)) {
    if (rested) index.resting.delete('all', before.id);
    else index.resting.add('all', after.id);
  }
  index.moving += Number(isMoving(after)) - Number(isMoving(before));
}

export function indexScope(index: Index, scope: Scope, by: 1 | -1): void {
  if (scope.parent !== null) bump(index.inhabitants, scope.parent, by);
}

function bump<Key>(counts: CowMap<Key, number>, key: Key, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

export function isLive(token: Token): boolean {
  return token.status !== 'completed' && token.status !== 'failed' && token.status !== 'terminated';
}

/**
 * Ready for the kernel and not for a handler: set down in mid-stride, or woken by a process that
 * lacks the flow's closures. Such a token has no handler, or one that names a flow and no node.
 */
export function isResting(token: Token): boolean {
  if (token.status !== 'ready' || token.handler === null) return token.status === 'ready';
  // The first slash ends the flow's name and version; a node's own name may end in one too.
  return token.handler.indexOf('/') === token.handler.length - 1;
}

/** What a worker must have to let the kernel go on in a flow (`order@1/`). */
export function flowHandler(flow: string, version: number): string {
  return `${flow}@${version}/`;
}

function isMoving({ status, wait }: Token): boolean {
  if (status === 'waiting') return wait?.on !== 'join' && wait?.on !== 'scope';
  return status === 'ready' || status === 'executing';
}

/** The latch a token at a join belongs to: its innermost group, in its scope, at its node. */
export function latchOf(token: Token): LatchKey {
  const group = token.groups.at(-1);
  assert(group !== undefined, () => `token ${token.id} waits at a join, so it carries a group`);
  return { scope: token.scope, node: token.node, group };
}

export function latchName({ scope, node, group }: LatchKey): string {
  // An arrival is looked up several times in a row, and so are all arrivals of one join.
  if (last.group === group && last.node === node && last.scope === scope) return last.name;
  last = { scope, node, group, name: `${scope} ${group} ${node}` };
  return last.name;
}

/** The name made last. Only a memory: the same key has the same name without it. */
let last: { scope: number; node: string; group: number; name: string } = {
  scope: 0,
  node: '',
  group: 0,
  name: '',
};

export function tokenOf(instance: Instance, id: TokenId): Token {
  const token = instance.tokens.get(id);
  assert(token !== undefined, () => `token ${id} is alive`);
  return token;
}

export function scopeOf(instance: Instance, id: ScopeId): Scope {
  const scope = instance.scopes.get(id);
  assert(scope !== undefined, () => `scope ${id} is open`);
  return scope;
}
