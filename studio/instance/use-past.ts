/** The instance as it was after one of its commits; what was looked at lately is kept. */
import { useEffect, useRef, useState } from 'react';
import { get, type Problem, pathTo, problemFrom } from '../api/asking.ts';
import type { Instance } from '../api/shapes.ts';

/** Whoever drags passes many commits, and wants to see few of them. */
const STILL_MS = 60;
const KEPT_MAX = 50;

export interface Past {
  /** The last that came stays while another is on its way. */
  readonly past: Instance | undefined;
  readonly problem: Problem | null;
}

export function usePast(id: string, at: number | null): Past {
  const [past, setPast] = useState<Instance>();
  const [problem, setProblem] = useState<Problem | null>(null);
  const kept = useRef(new Map<number, Instance>());
  useEffect(() => {
    setProblem(null);
    if (at === null) {
      setPast(undefined);
      return undefined;
    }
    const known = kept.current.get(at);
    if (known !== undefined) {
      setPast(known);
      return undefined;
    }
    const ending = new AbortController();
    const timer = setTimeout(() => {
      get<Instance>(pathTo('instances', id, 'at', at), {}, ending.signal).then(
        (found) => {
          keep(kept.current, at, found);
          setPast(found);
        },
        (thrown: unknown) => {
          if (!ending.signal.aborted) setProblem(problemFrom(thrown));
        },
      );
    }, STILL_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [id, at]);
  return { past, problem };
}

function keep(kept: Map<number, Instance>, at: number, found: Instance): void {
  kept.set(at, found);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
}
