/** The visits of the commits that are loaded: what is new is added, and nothing read twice. */
import { useMemo, useRef } from 'react';
import type { Commit } from '../api/shapes.ts';
import type { PanelProps } from './panel-props.ts';
import { shownVisits } from './timeline-rows.ts';
import type { Visit } from './visit.ts';
import { VisitBook } from './visits.ts';

interface Reading {
  readonly book: VisitBook;
  readonly first: Commit;
  readonly read: number;
}

export interface Visits {
  readonly visits: readonly Visit[];
  readonly nodeOf: (token: number) => string;
}

export function useVisits(commits: readonly Commit[]): Visits {
  const kept = useRef<Reading | null>(null);
  return useMemo(() => {
    const [first] = commits;
    const old = kept.current;
    const goesOn = old !== null && old.first === first && old.read <= commits.length;
    const book = goesOn ? old.book : new VisitBook();
    for (const commit of commits.slice(goesOn ? old.read : 0)) book.add(commit);
    kept.current = first === undefined ? null : { book, first, read: commits.length };
    return { visits: book.visits(), nodeOf: (token) => book.nodeOf(token) };
  }, [commits]);
}

/** Those that people know of, in the scope that is looked at. */
export function useShownVisits(props: PanelProps): readonly Visit[] {
  const { commits, plan, instance, scope = null } = props;
  const { visits } = useVisits(commits);
  return useMemo(() => {
    const nodes = new Map(instance.tokens.map(({ id, node }) => [id, node]));
    const named = visits.map((visit) =>
      visit.node === '' ? { ...visit, node: nodes.get(visit.token) ?? '' } : visit,
    );
    const shown = shownVisits(named, plan);
    return scope === null ? shown : shown.filter(({ scopes }) => scopes.includes(scope));
  }, [visits, plan, instance.tokens, scope]);
}

/** What happened is not after now, however slowly the clock of the screen beats. */
export function nowOf({ now, commits }: Pick<PanelProps, 'now' | 'commits'>): number {
  return Math.max(now, commits.at(-1)?.at ?? 0);
}
