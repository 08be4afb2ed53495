/**
 * How many there are of each kind, and why something is wrong with them: counted after the first
 * rows are there, and again when something has happened, but never twice at a time, for it looks at
 * many instances.
 */
import { useEffect, useRef, useState } from 'react';
import { get, Problem } from '../api/asking.ts';
import type { Tally } from '../api/shapes.ts';

/** Counting takes as long as it takes; after it, others come first for a while. */
const REST_MS = 500;

export function useTally(flow: string | null, pulse: number, isReady: boolean): Tally | undefined {
  const [found, setFound] = useState<{ flow: string | null; tally: Tally }>();
  const at = useRef({ isBusy: false, isWanted: false, isOver: false });
  const wanted = useRef(flow);
  wanted.current = flow;
  useEffect(() => {
    const state = at.current;
    state.isOver = false;
    return () => {
      state.isOver = true;
    };
  }, []);
  useEffect(() => {
    if (isReady) void count(at.current, wanted, setFound);
  }, [flow, pulse, isReady]);
  return found !== undefined && found.flow === flow ? found.tally : undefined;
}

async function count(
  state: { isBusy: boolean; isWanted: boolean; readonly isOver: boolean },
  wanted: { readonly current: string | null },
  tell: (found: { flow: string | null; tally: Tally }) => void,
): Promise<void> {
  state.isWanted = true;
  if (state.isBusy) return;
  state.isBusy = true;
  while (state.isWanted && !state.isOver) {
    state.isWanted = false;
    const flow = wanted.current;
    try {
      const tally = await get<Tally>('/api/instances/tally', { flow });
      if (!state.isOver) tell({ flow, tally });
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
    } catch (thrown) {
      // A server that cannot count has no counts shown; whoever cannot be reached is told by rows.
      if (!(thrown instanceof Problem)) throw thrown;
    }
  }
  state.isBusy = false;
}
