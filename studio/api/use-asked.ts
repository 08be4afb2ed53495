/** What a screen shows of the server: asked for when it is needed, and again when it may differ. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { get, type Problem, problemFrom, type Query, withQuery } from './asking.ts';

export interface Asked<Value> {
  /** The last that came: it stays while there is news on the way. */
  readonly value: Value | undefined;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface State<Value> {
  readonly url: string | null;
  readonly value: Value | undefined;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
}

/** Nothing is asked while `path` is null; `again` is anything whose change asks once more. */
export function useAsked<Value>(
  path: string | null,
  query: Query = {},
  again: unknown = 0,
): Asked<Value> {
  const url = path === null ? null : withQuery(path, query);
  const [state, setState] = useState<State<Value>>({
    ...{ url: null, value: undefined, problem: null },
    isLoading: url !== null,
  });
  const [turn, setTurn] = useState(0);
  const shown = useRef(url);
  useEffect(() => {
    if (url === null) return undefined;
    const ending = new AbortController();
    const isOther = shown.current !== url;
    shown.current = url;
    setState((old) => ({ ...old, ...(isOther ? { value: undefined } : {}), isLoading: true }));
    get<Value>(url, {}, ending.signal).then(
      (value) => setState({ url, value, problem: null, isLoading: false }),
      (thrown: unknown) => {
        if (ending.signal.aborted) return;
        setState((old) => ({ ...old, url, problem: problemFrom(thrown), isLoading: false }));
      },
    );
    return () => ending.abort();
  }, [url, again, turn]);
  const reload = useCallback(() => setTurn((count) => count + 1), []);
  // What belongs to another address is not shown for this one.
  const isOld = state.url !== null && state.url !== url;
  const { value, problem, isLoading } = state;
  return isOld
    ? { value: undefined, problem: null, isLoading: true, reload }
    : { value, problem, isLoading, reload };
}
