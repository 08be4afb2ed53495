/**
 * The rows of what is looked for: the first of them as soon as can be, more when they are wanted,
 * and again whenever something has happened.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { get, type Problem, problemFrom } from '../api/asking.ts';
import type { InstancePage, InstanceSummary } from '../api/shapes.ts';
import { type Loaded, lengthened, refreshed } from './merging.ts';
import { askOf, keyOf, type Sought } from './sought.ts';

const PAGE_SIZE = 100;
/** So many rows are kept fresh; those far below are as they were when they came. */
const FRESH_MAX = 300;
/** Pages without a row that are walked through before somebody is asked whether to go on. */
const EMPTY_PAGES_MAX = 3;
/** How many the server looks through for a page: LIST_WALK_MAX of the engine. */
const WALKED_PER_PAGE = 10_000;

export interface Rows {
  /** Undefined until the first have come. */
  readonly rows: readonly InstanceSummary[] | undefined;
  readonly changed: ReadonlySet<string>;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  /** How many were looked through without finding one; 0 if some were found. */
  readonly walked: number;
  readonly loadMore: () => void;
}

interface State {
  readonly key: string;
  readonly loaded: Loaded | undefined;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
  readonly walked: number;
}

interface Walk {
  readonly rows: readonly InstanceSummary[];
  readonly cursor: string | null;
  readonly walked: number;
}

/** A page may be short or empty and have more behind it. */
async function walk(
  sought: Sought,
  from: string | null,
  limit: number,
  signal: AbortSignal,
): Promise<Walk> {
  const ask = { ...askOf(sought, Date.now()), limit };
  const rows: InstanceSummary[] = [];
  let cursor = from;
  let pages = 0;
  do {
    const page = await get<InstancePage>('/api/instances', { ...ask, cursor }, signal);
    rows.push(...page.instances);
    ({ cursor } = page);
    pages += 1;
  } while (cursor !== null && rows.length === 0 && pages < EMPTY_PAGES_MAX);
  return { rows, cursor, walked: rows.length === 0 ? pages * WALKED_PER_PAGE : 0 };
}

export function useRows(sought: Sought, pulse: number): Rows {
  const key = keyOf(sought);
  const [state, setState] = useState<State>(() => stateOf(key));
  const asking = useRef<AbortController | null>(null);
  const latest = useRef(state);
  latest.current = state;
  const pulseNow = useRef(pulse);
  pulseNow.current = pulse;
  const served = useRef(pulse);
  const ask = useCallback(
    (from: string | null, take: (found: Walk) => (old: State) => State): void => {
      const { loaded, key: shown } = latest.current;
      const size = shown === key && from === null ? (loaded?.rows.length ?? 0) : 0;
      const limit = Math.min(Math.max(size, PAGE_SIZE), FRESH_MAX);
      const mine = new AbortController();
      asking.current = mine;
      setState((old) => ({ ...(old.key === key ? old : stateOf(key)), isLoading: true }));
      walk(sought, from, limit, mine.signal).then(
        (found) => setState(take(found)),
        (thrown: unknown) => {
          if (mine.signal.aborted) return;
          setState((old) => ({ ...old, problem: problemFrom(thrown), isLoading: false }));
        },
      );
    },
    // The key says all of what is looked for.
    [key],
  );
  const refresh = useCallback(() => {
    served.current = pulseNow.current;
    ask(null, (found) => (old) => withFresh(old, key, found));
  }, [ask, key]);
  useEffect(() => {
    refresh();
    return () => asking.current?.abort();
  }, [refresh]);
  // News waits for the answer that is on its way: a slow server would never get one out.
  useEffect(() => {
    if (!state.isLoading && served.current !== pulse) refresh();
  }, [pulse, state.isLoading, refresh]);
  const loadMore = useCallback(() => {
    const { loaded, isLoading } = latest.current;
    if (isLoading || loaded === undefined || loaded.cursor === null) return;
    ask(loaded.cursor, (found) => (old) => withMore(old, found));
  }, [ask]);
  const { loaded, problem, isLoading, walked } = state.key === key ? state : stateOf(key);
  return {
    ...{ rows: loaded?.rows, changed: loaded?.changed ?? NONE, problem, isLoading, walked },
    ...{ hasMore: (loaded?.cursor ?? null) !== null, loadMore },
  };
}

const NONE: ReadonlySet<string> = new Set();

function stateOf(key: string): State {
  return { key, loaded: undefined, problem: null, isLoading: true, walked: 0 };
}

function withFresh(old: State, key: string, { rows, cursor, walked }: Walk): State {
  const before = old.key === key ? old.loaded : undefined;
  const loaded =
    before === undefined ? { rows, cursor, changed: NONE } : refreshed(before, { rows, cursor });
  // A page that was empty before somebody went on is no news.
  if (before !== undefined && rows.length === 0 && cursor !== null) {
    return { ...old, problem: null, isLoading: false };
  }
  return { key, loaded, problem: null, isLoading: false, walked };
}

function withMore(old: State, { rows, cursor, walked }: Walk): State {
  if (old.loaded === undefined) return old;
  const loaded = lengthened(old.loaded, { rows, cursor });
  const isFound = loaded.rows.length > 0;
  return {
    ...old,
    loaded,
    problem: null,
    isLoading: false,
    walked: isFound ? 0 : old.walked + walked,
  };
}
