/**
 * What the rule of inclusive joins (D7) says, worked out a second time and as slowly as can be.
 *
 * It shares nothing with the kernel but the plan, the rows and the changes: every simple path from
 * every token is walked edge by edge, each time anew. Nothing is kept, so nothing can be stale.
 *
 * The moment of a firing is just before the first of its changes: the birth of its successor or,
 * at a join that leads nowhere, the end of the first token it takes. Every change after that is a
 * consequence; to look later would be to find the join with its tokens already gone.
 */
import { apply, seal } from '../kernel/apply.ts';
import { type Instance, scratchOf } from '../kernel/instance.ts';
import type { Change } from '../model/change.ts';
import type { HistoryRow } from '../model/commit.ts';
import type { EdgeId, NodeId, ScopeId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import type { Plan } from '../model/plan.ts';

/** A join in one scope: two open scopes of one region have nothing to do with each other. */
export interface Meeting {
  readonly join: NodeId;
  readonly scope: ScopeId;
}

export interface Firing extends Meeting {
  /** Everyone alive at the moment of the firing. */
  readonly before: readonly Token[];
  readonly taken: readonly Token[];
}

/** One stride again, change by change: every firing of an inclusive join, and what came of it. */
export function replay(
  plan: Plan,
  before: Instance,
  { changes, at, n }: HistoryRow,
): { readonly firings: readonly Firing[]; readonly after: Instance } {
  const scratch = scratchOf(before);
  const firings: (Firing & { readonly taken: Token[] })[] = [];
  let goesOn = false;
  for (const change of changes) {
    const part = partIn(plan, scratch, change);
    if (part !== null) {
      const { token, ...meeting } = part;
      const last = firings.at(-1);
      if (goesOn && last !== undefined && token !== null && takes(last, token)) {
        last.taken.push(token);
      } else {
        const taken = token === null ? [] : [token];
        firings.push({ ...meeting, before: scratch.tokens.values(), taken });
      }
    }
    // A successor may be born at a join of the other kind, whose latch opens with it.
    goesOn = part !== null || (goesOn && change.did === 'open-latch');
    apply(scratch, change, at);
  }
  seal(scratch, n, at);
  return { firings, after: scratch };
}

/** The join a change is part of a firing of, and whom it takes; null for its successor's birth. */
function partIn(
  plan: Plan,
  { tokens }: Instance,
  change: Change,
): (Meeting & { readonly token: Token | null }) | null {
  if (change.did === 'birth-token') {
    const { via, scope } = change.token;
    const from = via === undefined || via === null ? undefined : plan.edges.get(via)?.from;
    return from !== undefined && isInclusive(plan, from)
      ? { join: from, scope, token: null }
      : null;
  }
  if (change.did !== 'end-token' || change.why !== 'joined') return null;
  const token = tokens.get(change.token);
  if (token === undefined || !isInclusive(plan, token.node)) return null;
  return { join: token.node, scope: token.scope, token };
}

/** One of each edge: a second one by the same edge is taken by a firing of its own. */
function takes({ join, scope, taken }: Firing, { node, scope: lives, via }: Token): boolean {
  return node === join && lives === scope && taken.every((other) => other.via !== via);
}

/** The inclusive joins at which someone stands. */
export function meetingsOf(plan: Plan, tokens: readonly Token[]): Meeting[] {
  const found: Meeting[] = [];
  for (const { node: join, scope } of tokens) {
    if (!isInclusive(plan, join)) continue;
    if (found.some((other) => other.join === join && other.scope === scope)) continue;
    found.push({ join, scope });
  }
  return found;
}

export function standingAt({ join, scope }: Meeting, tokens: readonly Token[]): Token[] {
  return tokens.filter((token) => token.node === join && token.scope === scope);
}

/**
 * How the other tokens of the scope bear on a join. One that can come by an empty edge blocks it,
 * unless it can come by a filled one too: then it spares the join, which does not wait for it.
 */
export function bearingsOn(
  plan: Plan,
  meeting: Meeting,
  tokens: readonly Token[],
): Readonly<Record<'blocks' | 'spares', readonly Token[]>> {
  const { join, scope } = meeting;
  const filled = new Set(standingAt(meeting, tokens).map(({ via }) => via));
  const bearings = { blocks: [] as Token[], spares: [] as Token[] };
  for (const token of tokens) {
    if (token.scope !== scope || token.node === join) continue;
    const ways = waysInto(plan, token.node, join);
    if (ways.every((edge) => filled.has(edge))) continue;
    bearings[ways.some((edge) => filled.has(edge)) ? 'spares' : 'blocks'].push(token);
  }
  return bearings;
}

/** The edges by which a simple path from a node ends at the join, which it meets only there. */
function waysInto(plan: Plan, from: NodeId, join: NodeId): EdgeId[] {
  const found = new Set<EdgeId>();
  const walk = (at: NodeId, path: readonly NodeId[]): void => {
    for (const { id, from: leaves, to } of plan.edges.values()) {
      if (leaves !== at) continue;
      if (to === join) found.add(id);
      else if (!path.includes(to)) walk(to, [...path, to]);
    }
  };
  walk(from, [from]);
  return [...found];
}

function isInclusive(plan: Plan, node: NodeId): boolean {
  return plan.nodes.get(node)?.kind === 'inclusive';
}
