/**
 * An instance as the kernel holds it: the head, the tables, and the indexes that make a stride cost
 * what it touches. Indexes are derived from the rows; they are never stored. Every state is a value
 * of its own: one that a stride was made on stays what it was.
 */
import { assert } from '../base/assert.ts';
import { EMPTY, type Json } from '../base/json.ts';
import { Table } from '../base/table.ts';
import type { LatchKey, Space } from '../model/change.ts';
import type { GroupId, InstanceId, NodeId, ScopeId, TokenId, UndoId } from '../model/ids.ts';
import type {
  Head,
  InstanceRows,
  InstanceStatus,
  Latch,
  Scope,
  Token,
  Undo,
} from '../model/instance.ts';
import type { Crowds } from './crowds.ts';
import { Items } from './items.ts';
import { Values } from './values.ts';

export interface Instance {
  readonly head: Head;
  readonly tokens: Table<TokenId, Token>;
  readonly scopes: Table<ScopeId, OpenScope>;
  /** How many live tokens carry a group anywhere on their stack; absent is none. */
  readonly members: Table<GroupId, number>;
  /** The joins that wait for a group; absent is none. */
  readonly gatherings: Table<GroupId, readonly Gathering[]>;
  /** How many live tokens and open scopes a scope holds; absent is none. */
  readonly inhabitants: Table<ScopeId, number>;
  /** Ready tokens that the kernel, not a handler, goes on with. */
  readonly resting: Table<TokenId, true>;
  /** Tokens that wait at inclusive joins, by their scope; absent is none. */
  readonly merging: Table<ScopeId, readonly TokenId[]>;
  /** Who is alive and who waits in flowcharts; null as long as no flowchart has asked. */
  readonly crowds: Crowds | null;
  readonly undos: Table<UndoId, Undo>;
  /** How many tokens wait for a saga and how many scopes drain: mostly none. */
  readonly troubled: number;
  /** How many scopes drain, alone. */
  readonly draining: number;
  /** How many tokens something will move: ready ones, and waiting ones the outside answers. */
  readonly moving: number;
}

/** An instance being worked on. Made inside one stride, and outside only ever seen readonly. */
export interface Scratch extends Instance {
  head: Head;
  /** These six are those of the instance before until they are first written to. */
  members: Table<GroupId, number>;
  gatherings: Table<GroupId, readonly Gathering[]>;
  resting: Table<TokenId, true>;
  merging: Table<ScopeId, readonly TokenId[]>;
  crowds: Crowds | null;
  undos: Table<UndoId, Undo>;
  troubled: number;
  draining: number;
  /** Null for one that came from rows, and once the stride is over: nobody is to be kept by it. */
  before: Instance | null;
  /** Made in this stride, so that it may be written to in place. */
  arrived: Table<TokenId, true> | null;
  moving: number;
  /** The head's counter while the stride lasts: it moves with every birth, the head does not. */
  counter: number;
}

/** A scope whose values are put together only when somebody reads them. */
export interface OpenScope extends Omit<Scope, Space> {
  readonly results: Values;
  readonly vars: Values;
  readonly items: Items;
}

/** One join of a group: who stands there, and the row that makes it fire once. */
export interface Gathering {
  readonly node: NodeId;
  readonly latch: Latch | null;
  readonly arrived: Table<TokenId, true>;
}

export function emptyInstance(id: InstanceId): Instance {
  const head = { id, version: 0 } as Head; // Everything else comes with start-instance.
  return nothing(head);
}

function nothing(head: Head): Scratch {
  return {
    head,
    counter: head.counter ?? 0,
    tokens: Table.empty(),
    scopes: Table.empty(),
    members: Table.empty(),
    gatherings: Table.empty(),
    inhabitants: Table.empty(),
    resting: Table.empty(),
    merging: Table.empty(),
    crowds: null,
    undos: Table.empty(),
    troubled: 0,
    draining: 0,
    before: null,
    arrived: null,
    moving: 0,
  };
}

/** Builds an instance from its rows, indexes included. */
export function assemble(rows: InstanceRows): Instance {
  const instance = nothing(rows.head);
  for (const token of rows.tokens) {
    instance.tokens.set(token.id, token);
    indexToken(instance, token, 1);
  }
  for (const scope of rows.scopes) {
    instance.scopes.set(scope.id, openedFrom(scope));
    indexScope(instance, scope, 1);
  }
  for (const latch of rows.latches) setLatch(instance, latch, latch);
  for (const undo of rows.undos) instance.undos.set(undo.id, undo);
  return instance;
}

/** The rows again, sorted by id: equal instances have equal rows. */
export function rowsOf(instance: Instance): InstanceRows {
  return {
    head: instance.head,
    tokens: instance.tokens.values(),
    scopes: instance.scopes.values().map(scopeRow),
    latches: latchesOf(instance),
    undos: instance.undos.values(),
  };
}

export function openedFrom(scope: Scope): OpenScope {
  const { results, vars, items = EMPTY } = scope;
  return {
    ...scope,
    results: Values.of(results),
    vars: Values.of(vars),
    items: Items.of(items),
  };
}

/** Most scopes have no items, and their rows say nothing of them. */
export function scopeRow({ items, ...scope }: OpenScope): Scope {
  const row = { ...scope, results: scope.results.object, vars: scope.vars.object };
  return items.isEmpty ? row : { ...row, items: items.object };
}

/** Of which pass a scope is part, and of which item: null where it is of none. */
export interface Pass {
  readonly index: number | null;
  readonly item: Json;
}

/** A loop inside an item counts its own passes, and the item is seen in all of them. */
export function passAround(instance: Instance, id: ScopeId): Pass {
  let index: number | null = null;
  for (let scope = scopeOf(instance, id); ; scope = scopeOf(instance, scope.parent)) {
    index ??= scope.index;
    if (scope.index !== null && isOfItem(instance, scope)) return { index, item: scope.item };
    if (scope.parent === null) return { index, item: null };
  }
}

/** It was opened by what keeps items; or let go of, with whatever it was part of. */
function isOfItem({ scopes }: Instance, { owner, parent }: OpenScope): boolean {
  if (owner === null || parent === null) return true;
  return scopes.get(parent)?.items.isEmpty === false;
}

/** Every latch, by group and then by node. */
export function latchesOf(instance: Instance): readonly Latch[] {
  return instance.gatherings
    .values()
    .flatMap((gatherings) => gatherings.flatMap(({ latch }) => latch ?? []).sort(byNode));
}

export function byNode(a: { readonly node: NodeId }, b: { readonly node: NodeId }): number {
  return a.node < b.node ? -1 : 1;
}

export function scratchOf(instance: Instance): Scratch {
  return {
    head: instance.head,
    counter: instance.head.counter ?? 0,
    tokens: instance.tokens.branch(),
    scopes: instance.scopes.branch(),
    members: instance.members,
    gatherings: instance.gatherings,
    inhabitants: instance.inhabitants.branch(),
    resting: instance.resting,
    merging: instance.merging,
    crowds: instance.crowds?.branch() ?? null,
    undos: instance.undos,
    troubled: instance.troubled,
    draining: instance.draining,
    before: instance,
    arrived: null,
    moving: instance.moving,
  };
}

/** Adds a token to every index it belongs in, or with -1 takes it out of them. */
export function indexToken(scratch: Scratch, token: Token, by: 1 | -1): void {
  if (!isLive(token)) return;
  bump(scratch.inhabitants, token.scope, by);
  for (const group of token.groups) count(scratch, group, by);
  if (token.wait?.on === 'join') gather(scratch, token, by);
  if (token.wait?.on === 'inclusive') merge(scratch, token, by);
  scratch.crowds?.put(token, by);
  if (token.wait?.on === 'saga') scratch.troubled += by;
  if (isResting(token)) rest(scratch, token, by);
  if (isMoving(token)) scratch.moving += by;
}

/** The same token in another state. Its scope and groups never change, so most indexes stand. */
export function reindexToken(scratch: Scratch, before: Token, after: Token): void {
  if (before.wait !== after.wait) {
    if (before.wait?.on === 'join') gather(scratch, before, -1);
    if (after.wait?.on === 'join') gather(scratch, after, 1);
    if (before.wait?.on === 'inclusive') merge(scratch, before, -1);
    if (after.wait?.on === 'inclusive') merge(scratch, after, 1);
    if (before.wait?.on === 'merge' || after.wait?.on === 'merge') {
      scratch.crowds?.put(before, -1);
      scratch.crowds?.put(after, 1);
    }
    if (before.wait?.on === 'saga') scratch.troubled -= 1;
    if (after.wait?.on === 'saga') scratch.troubled += 1;
  }
  const rested = isResting(before);
  if (rested !== isResting(after)) rest(scratch, after, rested ? -1 : 1);
  scratch.moving += Number(isMoving(after)) - Number(isMoving(before));
}

/** A scope that was let go of lies in its saga's, but does not keep it from being over. */
export function indexScope(
  scratch: Scratch,
  { parent, owner, drains }: Pick<Scope, 'parent' | 'owner' | 'drains'>,
  by: 1 | -1,
): void {
  if (drains !== null) {
    scratch.troubled += by;
    scratch.draining += by;
  }
  if (parent !== null && owner !== null) bump(scratch.inhabitants, parent, by);
}

function bump<Key extends number>(counts: Table<Key, number>, key: Key, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

function rest(scratch: Scratch, { id }: Token, by: 1 | -1): void {
  if (scratch.resting === scratch.before?.resting) scratch.resting = scratch.resting.branch();
  if (by === 1) scratch.resting.set(id, true);
  else scratch.resting.delete(id);
}

function merge(scratch: Scratch, { id, scope }: Token, by: 1 | -1): void {
  if (scratch.merging === scratch.before?.merging) scratch.merging = scratch.merging.branch();
  const others = scratch.merging.get(scope)?.filter((other) => other !== id) ?? [];
  if (by === 1) scratch.merging.set(scope, [...others, id]);
  else if (others.length > 0) scratch.merging.set(scope, others);
  else scratch.merging.delete(scope);
}

/** The table of undos, to be written to. */
export function undosOf(scratch: Scratch): Table<UndoId, Undo> {
  if (scratch.undos === scratch.before?.undos) scratch.undos = scratch.undos.branch();
  return scratch.undos;
}

function count(scratch: Scratch, group: GroupId, by: 1 | -1): void {
  if (scratch.members === scratch.before?.members) scratch.members = scratch.members.branch();
  bump(scratch.members, group, by);
}

function gather(scratch: Scratch, token: Token, by: 1 | -1): void {
  const key = latchOf(token);
  const { node, latch, arrived: before } = gatheringOf(scratch, key) ?? unmet(key);
  const isOwn = before === scratch.arrived;
  const arrived = isOwn ? before : before.branch();
  if (by === 1) arrived.set(token.id, true);
  else arrived.delete(token.id);
  if (isOwn && arrived.size > 0) return;
  scratch.arrived = arrived;
  putGathering(scratch, key.group, { node, latch, arrived });
}

/** Opens, fires or, with null, drops the latch of a join. */
export function setLatch(scratch: Scratch, key: LatchKey, latch: Latch | null): void {
  const { node, arrived } = gatheringOf(scratch, key) ?? unmet(key);
  putGathering(scratch, key.group, { node, latch, arrived });
}

export function gatheringOf(
  { gatherings }: Instance,
  { group, node }: Pick<LatchKey, 'group' | 'node'>,
): Gathering | undefined {
  const all = gatherings.get(group);
  // Mostly there is one.
  return all?.[0]?.node === node ? all[0] : all?.find((gathering) => gathering.node === node);
}

function unmet({ node }: LatchKey): Gathering {
  return { node, latch: null, arrived: Table.empty() };
}

function putGathering(scratch: Scratch, group: GroupId, gathering: Gathering): void {
  if (scratch.gatherings === scratch.before?.gatherings)
    scratch.gatherings = scratch.gatherings.branch();
  const { node, latch, arrived } = gathering;
  const others = scratch.gatherings.get(group)?.filter((other) => other.node !== node) ?? NONE;
  const all = latch === null && arrived.size === 0 ? others : [...others, gathering];
  if (all.length === 0) scratch.gatherings.delete(group);
  else scratch.gatherings.set(group, all);
}

const NONE: readonly Gathering[] = [];

/** What an instance does, or will do again once it is resumed. */
export function phaseOf({ status, pauses }: Head): InstanceStatus {
  return status === 'suspended' ? (pauses.at(-1)?.as ?? 'running') : status;
}

/** One whose turn in a chain has not come is not alive yet, and may never be. */
export function isLive({ status }: Token): boolean {
  return status === 'ready' || status === 'executing' || status === 'waiting';
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

/** A wait that only something inside the instance can end. */
const INWARD: ReadonlySet<string> = new Set(['join', 'inclusive', 'merge', 'scope', 'saga']);

function isMoving({ status, wait }: Token): boolean {
  if (status === 'waiting') return wait !== null && !INWARD.has(wait.on);
  return status === 'ready' || status === 'executing';
}

/** The latch a token at a join belongs to: its innermost group, in its scope, at its node. */
export function latchOf(token: Token): LatchKey {
  const group = token.groups.at(-1);
  assert(group !== undefined, () => `token ${token.id} waits at a join, so it carries a group`);
  return { scope: token.scope, node: token.node, group };
}

export function tokenOf(instance: Instance, id: TokenId): Token {
  const token = instance.tokens.get(id);
  assert(token !== undefined, () => `token ${id} is alive`);
  return token;
}

export function scopeOf(instance: Instance, id: ScopeId): OpenScope {
  const scope = instance.scopes.get(id);
  assert(scope !== undefined, () => `scope ${id} is open`);
  return scope;
}
