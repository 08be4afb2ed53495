/**
 * The commits of an instance that are loaded: one row of numbers without a gap, up to the newest.
 * Of a long history only the end is loaded at first, so that it is seen at once; the rest comes
 * when somebody asks for it.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { get, pathTo } from '../api/asking.ts';
import type { Commit, HistoryPage } from '../api/shapes.ts';
import { sayProblem } from '../shell/toasts.tsx';

/** So many are loaded whole. */
const WHOLE_MAX = 2_000;
/** Of longer ones, so many of the newest. */
const NEWEST = 300;
const PAGE = 1_000;

export interface Commits {
  readonly commits: readonly Commit[];
  readonly isComplete: boolean;
  readonly isLoading: boolean;
  /** Those that came by the stream; what is known already is left out. */
  readonly append: (commits: readonly Commit[]) => void;
  readonly loadOlder: () => void;
  readonly loadAll: () => void;
}

/** Where loading begins: behind this commit. */
export function firstCursor(version: number): number {
  return version <= WHOLE_MAX ? 0 : version - NEWEST;
}

/** What continues the row, and nothing that is there already or that would leave a gap. */
export function continued(old: readonly Commit[], come: readonly Commit[]): readonly Commit[] {
  let last = old.at(-1)?.n ?? null;
  const more: Commit[] = [];
  for (const commit of come) {
    if (last !== null && commit.n !== last + 1) continue;
    more.push(commit);
    last = commit.n;
  }
  return more.length === 0 ? old : [...old, ...more];
}

/** Everything behind `cursor`, up to and with `last`. */
async function between(id: string, cursor: number, last: number): Promise<readonly Commit[]> {
  const all: Commit[] = [];
  for (let at = cursor; at < last; ) {
    const query = { cursor: at === 0 ? null : at, limit: Math.min(PAGE, last - at) };
    const { commits } = await get<HistoryPage>(pathTo('instances', id, 'history'), query);
    if (commits.length === 0) break;
    all.push(...commits);
    at = commits.at(-1)?.n ?? last;
  }
  return all;
}

/** Begins when it is known how many there are (`version`); another id is another history. */
export function useCommits(id: string, version: number | null): Commits {
  const [commits, setCommits] = useState<readonly Commit[]>([]);
  const [isLoading, setIsLoading] = useState(true);
  const early = useRef<Commit[]>([]);
  const isBegun = useRef(false);
  const isAsking = useRef(false);
  useEffect(() => {
    if (version === null || isBegun.current) return;
    isBegun.current = true;
    between(id, firstCursor(version), version)
      .then((loaded) => setCommits(continued(loaded, early.current)))
      .catch(sayProblem)
      .finally(() => setIsLoading(false));
  }, [id, version]);
  const append = useCallback((come: readonly Commit[]): void => {
    early.current.push(...come);
    setCommits((old) => (old.length === 0 ? old : continued(old, come)));
  }, []);
  const first = commits[0]?.n ?? 1;
  const load = (cursor: number): void => {
    if (isAsking.current || first <= 1) return;
    isAsking.current = true;
    setIsLoading(true);
    between(id, cursor, first - 1)
      .then((older) => setCommits((old) => [...older, ...old]))
      .catch(sayProblem)
      .finally(() => {
        isAsking.current = false;
        setIsLoading(false);
      });
  };
  return {
    ...{ commits, isLoading, append },
    isComplete: commits[0]?.n === 1,
    loadOlder: () => load(Math.max(0, first - 1 - PAGE)),
    loadAll: () => load(0),
  };
}
