/** The histories of two instances, loaded only as far as they went the same way. */
import { useEffect, useState } from 'react';
import { get, pathTo, type Problem, problemFrom } from '../api/asking.ts';
import type { Commit, HistoryPage, Instance } from '../api/shapes.ts';
import { type Difference, firstDifference } from './first-difference.ts';

const PAGE = 500;

export interface Loaded {
  readonly instance: Instance;
  readonly commits: readonly Commit[];
}

export interface Comparison {
  readonly a: Loaded;
  readonly b: Loaded;
  /** Null: they went the same way. */
  readonly difference: Difference | null;
}

interface State {
  readonly comparison: Comparison | null;
  readonly problem: Problem | null;
  /** How many commits have been compared so far. */
  readonly read: number;
}

const NOTHING: State = { comparison: null, problem: null, read: 0 };

export function useComparison(a: string, b: string): State {
  const [state, setState] = useState(NOTHING);
  useEffect(() => {
    if (a === '' || b === '') return setState(NOTHING);
    const ending = new AbortController();
    setState(NOTHING);
    const tell = (read: number): void => setState({ ...NOTHING, read });
    compare(a, b, tell, ending.signal).then(
      (comparison) => setState({ ...NOTHING, comparison }),
      (thrown: unknown) => {
        if (!ending.signal.aborted) setState({ ...NOTHING, problem: problemFrom(thrown) });
      },
    );
    return () => ending.abort();
  }, [a, b]);
  return state;
}

class History {
  readonly commits: Commit[] = [];
  readonly #id: string;
  readonly #signal: AbortSignal;
  #cursor: string | null = null;
  isAll = false;

  constructor(id: string, signal: AbortSignal) {
    this.#id = id;
    this.#signal = signal;
  }

  async load(): Promise<void> {
    if (this.isAll) return;
    const query = { limit: PAGE, cursor: this.#cursor };
    const path = pathTo('instances', this.#id, 'history');
    const page = await get<HistoryPage>(path, query, this.#signal);
    this.commits.push(...page.commits);
    this.#cursor = page.cursor;
    this.isAll = page.cursor === null;
  }
}

async function compare(
  idA: string,
  idB: string,
  tell: (read: number) => void,
  signal: AbortSignal,
): Promise<Comparison> {
  const [instanceA, instanceB] = await Promise.all(
    [idA, idB].map((id) => get<Instance>(pathTo('instances', id), {}, signal)),
  );
  const a = new History(idA, signal);
  const b = new History(idB, signal);
  let difference: Difference | null = null;
  // Each look reads all that is loaded, so twice as much is loaded before the next one.
  for (let want = PAGE; difference === null && !(a.isAll && b.isAll); want *= 2) {
    for (const history of [a, b]) {
      while (!history.isAll && history.commits.length < want) await history.load();
    }
    tell(a.commits.length + b.commits.length);
    difference = firstDifference(a.commits, b.commits, { isAllA: a.isAll, isAllB: b.isAll });
  }
  return {
    a: { instance: instanceA as Instance, commits: a.commits },
    b: { instance: instanceB as Instance, commits: b.commits },
    difference,
  };
}
