/**
 * Where a token would stand in another plan, or why it has no place there.
 *
 * It must find a node of its own kind, in the region it is in. One thing is put right on the way:
 * regions that no author wrote. A branch of one step is that step and nothing around it; with a
 * second step it has a scope. So a token may have to be put into such scopes, or taken out of one,
 * for nothing but a step more or less beside it.
 */
import type { NodeId, ScopeId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import type { PlanNode } from '../model/plan.ts';
import type { Crossing } from './crossing.ts';
import { type OpenScope, scopeOf, tokenOf } from './instance.ts';
import type { Spot } from './machine.ts';
import type { Stride } from './stride.ts';
import { isUnwanted } from './undos.ts';

export interface Standing {
  readonly token: Token;
  readonly spot: Spot;
  /** Regions to be opened around it, outermost first; mostly none. */
  readonly into: readonly NodeId[];
  /** The region that it leaves, and that ends with that, and its owner; mostly null. */
  readonly outOf: { readonly scope: OpenScope; readonly owner: Token } | null;
}

/** Why something has no place in the other plan. */
export interface Reason {
  readonly code: ReasonCode;
  readonly message: string;
  readonly node: NodeId;
  readonly token?: number;
  readonly scope?: number;
  readonly undo?: number;
}

export type ReasonCode =
  | 'node.missing'
  | 'node.kind'
  | 'node.settings'
  | 'region.differs'
  | 'edge.missing'
  | 'edge.ambiguous'
  | 'fork.differs'
  | 'loop.differs'
  | 'join.unreachable'
  | 'undo.missing'
  | 'saga.differs';

/** The node at which it stands as one of the region it is in now. */
export function frontOf({ spot, into }: Standing): NodeId {
  return into[0] ?? spot.node.id;
}

/** Whose place it has among the others there: that of who opened the region it leaves. */
export function stoodAs({ token, outOf }: Standing): Token {
  return outOf?.owner ?? token;
}

export function standingOf(
  stride: Stride,
  crossing: Crossing,
  token: Token,
): { standing: Standing } | { reason: Reason } {
  const { id, node: at } = token;
  const found = placeFor(crossing, at);
  if ('code' in found) return { reason: { ...found, token: id } };
  const standing: Standing = { token, spot: found, into: [], outOf: null };
  if (goesNowhere(stride, token)) return { standing };
  const scope = scopeOf(stride.scratch, token.scope);
  const around = regionAround(stride, crossing, scope, found.node, token);
  if (around === undefined) return { reason: regionDiffers(crossing, token, found.node) };
  return { standing: { ...standing, ...around } };
}

/**
 * What undoes a step lives in the scope of its saga, wherever the step was; and of what nobody
 * wants any more only the answer counts. Where these stand among others has no meaning.
 */
export function goesNowhere({ scratch }: Stride, token: Token): boolean {
  return token.mode === 'compensation' || isUnwanted(scratch, token);
}

/** The same node in the other plan, or why it is none for whoever stands at this one. */
export function placeFor(crossing: Crossing, at: NodeId): Spot | Omit<Reason, 'token'> {
  const { plan } = crossing.to;
  const name = crossing.nameOf(at);
  const there = `version ${plan.version} of "${plan.name}"`;
  const node = plan.nodes.get(name);
  if (node === undefined) {
    const what = name === at ? `"${at}"` : `"${at}", mapped to "${name}",`;
    const message = `${what} is not in ${there}: map it to a node that is`;
    return { code: 'node.missing', message, node: at };
  }
  const was = crossing.from.plan.nodes.get(at);
  const spot = crossing.to.spots.get(name);
  if (spot !== undefined && was?.kind === node.kind) return spot;
  const message = `"${at}" is a ${was?.kind} here and "${name}" a ${node.kind} in ${there}`;
  return { code: 'node.kind', message, node: at };
}

type Around = Pick<Standing, 'into' | 'outOf'>;

/** What lies between the scope a token is in and its node in the other plan. */
function regionAround(
  stride: Stride,
  crossing: Crossing,
  scope: OpenScope,
  node: PlanNode,
  token: Token,
): Around | undefined {
  const region = scope.node === null ? null : crossing.nameOf(scope.node);
  if (node.parent === region) return { into: [], outOf: null };
  if (!isPortable(token)) return undefined;
  const into = hiddenBetween(crossing, node.parent, region);
  if (into !== undefined) return { into, outOf: null };
  const owner = leavable(stride, crossing, scope);
  const outside = owner && regionOf(stride, crossing, owner.scope);
  if (owner === undefined || outside !== node.parent) return undefined;
  return { into: [], outOf: { scope, owner } };
}

/** It owns no scope and no join waits with it: nobody would miss it where it is. */
function isPortable({ status, wait, wake, seq }: Token): boolean {
  if (seq !== null || wake?.reason === 'resume') return false;
  return status === 'ready' || (wait !== null && PORTABLE.has(wait.on));
}

const PORTABLE: ReadonlySet<string> = new Set([
  ...['time', 'message', 'first', 'child', 'incident', 'task', 'signal'],
]);

/** The hidden regions around a node, up to one that is open; undefined if others are among them. */
function hiddenBetween(
  { to }: Crossing,
  from: NodeId | null,
  region: NodeId | null,
): readonly NodeId[] | undefined {
  const into: NodeId[] = [];
  for (let at = from; at !== region; ) {
    const node = at === null ? undefined : to.plan.nodes.get(at);
    if (node === undefined || !node.hidden) return undefined;
    into.unshift(node.id);
    at = node.parent;
  }
  return into;
}

/** The owner of a scope that may end: no author wrote it, and the other plan does without it. */
function leavable(stride: Stride, crossing: Crossing, scope: OpenScope): Token | undefined {
  const { id, node, owner, drains, vars } = scope;
  const { scratch } = stride;
  if (node === null || owner === null || drains !== null || !vars.isEmpty) return undefined;
  const isHidden = crossing.from.plan.nodes.get(node)?.hidden === true;
  if (!isHidden || crossing.spotOf(node) !== undefined) return undefined;
  const isAlone = scratch.inhabitants.get(id) === 1;
  const isSaga = scratch.undos.values().some(({ saga }) => saga === id);
  return isAlone && !isSaga ? tokenOf(scratch, owner) : undefined;
}

function regionOf(stride: Stride, crossing: Crossing, id: ScopeId): NodeId | null {
  const { node } = scopeOf(stride.scratch, id);
  return node === null ? null : crossing.nameOf(node);
}

function regionDiffers(crossing: Crossing, { id, node }: Token, there: PlanNode): Reason {
  const here = crossing.from.plan.nodes.get(node)?.parent ?? null;
  const { version } = crossing.to.plan;
  const where = `"${there.id}" lies in ${named(there.parent)} in version ${version}`;
  const message = `${where}, and token ${id} is in ${named(here)}`;
  return { code: 'region.differs', message, node, token: id };
}

function named(region: NodeId | null): string {
  return region === null ? 'no region' : `the region of "${region}"`;
}
