/**
 * Which visits the timeline shows, and in what order: all of them where there are few, and of a
 * node that was visited by thousands those that somebody may be looking for.
 */
import type { Plan } from '../api/shapes.ts';
import { isFailed, isOpen, tookMs, type Visit } from './visit.ts';

export type Row =
  | { readonly is: 'visit'; readonly visit: Visit }
  | {
      readonly is: 'rest';
      readonly node: string;
      /** How many are not shown, and the time they are in. */
      readonly count: number;
      readonly from: number;
      readonly to: number;
    };

/** So many rows in all; of one node that many, unless someone asks for more of it. */
export const ROWS_MAX = 300;
const OF_NODE = 12;

/** What people know of: not what the engine put in between, nor who only arrived at a join. */
export function shownVisits(visits: readonly Visit[], plan: Plan): readonly Visit[] {
  const hidden = new Map(plan.nodes.map(({ id, hidden: isHidden }) => [id, isHidden]));
  const isHidden = (node: string): boolean => hidden.get(node) ?? /(^|\/):|#/.test(node);
  return visits.filter(({ node, how }) => how !== 'joined' && node !== '' && !isHidden(node));
}

export interface RowsOptions {
  readonly now: number;
  /** Nodes of which as many are shown as there is room for. */
  readonly unfolded: ReadonlySet<string>;
}

export function rowsOf(visits: readonly Visit[], options: RowsOptions): readonly Row[] {
  const started = visits.filter(({ startedAt }) => startedAt !== null);
  if (started.length <= OF_NODE * 2) return started.toSorted(byStart).map(rowOf);
  const rows: Row[] = [];
  for (const [node, group] of groupsOf(started)) {
    const isUnfolded = options.unfolded.has(node);
    const most = Math.min(isUnfolded ? ROWS_MAX : OF_NODE, ROWS_MAX - 1 - rows.length);
    if (most <= 0) break;
    const ranked = group.length <= most ? group : group.toSorted(byInterest(options.now));
    const shown = ranked.slice(0, most);
    rows.push(...(shown.length < group.length ? shown : group).map(rowOf));
    if (shown.length < group.length) rows.push(restOf(node, ranked.slice(most), options.now));
  }
  return rows;
}

function rowOf(visit: Visit): Row {
  return { is: 'visit', visit };
}

function groupsOf(visits: readonly Visit[]): ReadonlyMap<string, Visit[]> {
  const groups = new Map<string, Visit[]>();
  for (const visit of visits.toSorted(byStart)) {
    const group = groups.get(visit.node);
    if (group === undefined) groups.set(visit.node, [visit]);
    else group.push(visit);
  }
  return groups;
}

function byStart(a: Visit, b: Visit): number {
  return (a.startedAt ?? 0) - (b.startedAt ?? 0) || a.token - b.token;
}

/** What failed, then what is open, then what took longest. */
function byInterest(now: number): (a: Visit, b: Visit) => number {
  const rank = (visit: Visit): number => (isFailed(visit) ? 0 : isOpen(visit) ? 1 : 2);
  return (a, b) => rank(a) - rank(b) || tookMs(b, now) - tookMs(a, now) || byStart(a, b);
}

function restOf(node: string, visits: readonly Visit[], now: number): Row {
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (const { startedAt, endedAt } of visits) {
    from = Math.min(from, startedAt ?? now);
    to = Math.max(to, endedAt ?? now);
  }
  return { is: 'rest', node, count: visits.length, from, to };
}
