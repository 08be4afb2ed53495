/**
 * When an inclusive join fires, by the plainest reading of D7: as soon as no token elsewhere in its
 * scope can reach one of its empty edges without being able to reach a filled one. Ways through the
 * join itself do not count. Worked out anew each time, from the edges of the plan.
 */
import type { Plan } from '../model/plan.ts';
import { obey } from './laws-ending.ts';
import type { Entry } from './laws-ledger.ts';

/** A firing: who was taken. */
export interface Merge {
  readonly node: string;
  readonly scope: number;
  readonly taken: Entry[];
}

/** No inclusive join waits though nobody holds it back. */
export function checkNobodyWaits(plan: Plan, living: readonly Entry[]): void {
  for (const { node, scope, on } of living) {
    if (on !== 'inclusive') continue;
    const arrived = living.filter((entry) => entry.node === node && entry.scope === scope);
    const holds = holderOf(plan, living, { node, scope, taken: arrived });
    const where = `inclusive join ${node} in scope ${scope}`;
    obey('inclusive.waits', holds !== undefined, () => `${where} is complete and does not fire`);
  }
}

/**
 * A firing takes one of each filled edge, and nobody held it back. Gives the groups that all of
 * them came through. `others` is who lives on.
 */
export function checkMerge(plan: Plan, others: readonly Entry[], merge: Merge): readonly number[] {
  const { node, scope, taken } = merge;
  const left = others.filter((entry) => entry.node === node && entry.scope === scope);
  const name = `inclusive join ${node}`;
  const edges = taken.map(({ via }) => via);
  const once = new Set(edges).size === edges.length;
  obey('inclusive.takes', once, () => `${name} takes two of one edge`);
  const late = left.find(({ via }) => !edges.includes(via));
  obey('inclusive.takes', late === undefined, () => `${name} leaves token ${late?.id} behind`);
  const all = [...others, ...taken];
  const holds = holderOf(plan, all, { node, scope, taken: [...left, ...taken] });
  obey('inclusive.early', holds === undefined, () => `${name} fires before token ${holds?.id}`);
  return sharedGroups(taken);
}

function sharedGroups([first, ...rest]: readonly Entry[]): readonly number[] {
  const groups: number[] = [];
  for (const [n, group] of (first?.groups ?? []).entries()) {
    if (!rest.every((entry) => entry.groups[n] === group)) break;
    groups.push(group);
  }
  return groups;
}

/** Who may still come by an edge by which nobody has. */
function holderOf(plan: Plan, living: readonly Entry[], merge: Merge): Entry | undefined {
  const { node: join, scope, taken } = merge;
  const filled = new Set(taken.map(({ via }): string | null => via));
  const into = [...plan.edges.values()].filter((edge) => edge.to === join);
  return living.find((entry) => {
    if (entry.scope !== scope || entry.node === join) return false;
    const reached = into.filter(({ from }) => reaches(plan, entry.node, from, join));
    const empty = reached.some(({ id }) => !filled.has(id));
    return empty && !reached.some(({ id }) => filled.has(id));
  });
}

function reaches(plan: Plan, from: string, to: string, without: string): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === to) return true;
    if (at === without || seen.has(at)) continue;
    seen.add(at);
    for (const edge of plan.edges.values()) if (edge.from === at) open.push(edge.to);
  }
  return false;
}
