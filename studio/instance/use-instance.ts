/**
 * One instance as it is now, without a reload: its commits come by a stream, and its state is asked
 * for again as they come, soon and always once more after the last.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { get, type Problem, pathTo, problemFrom } from '../api/asking.ts';
import { commitIn, type LiveState, useEvents } from '../api/live.ts';
import type { Commit, Instance } from '../api/shapes.ts';
import { useTimer } from '../api/use-timer.ts';
import { type Commits, useCommits } from './use-commits.ts';

/** However fast it goes, what is shown is no newer than this. */
const LOOK_MS = 250;

export interface LiveInstance {
  readonly instance: Instance | undefined;
  readonly problem: Problem | null;
  readonly history: Commits;
  readonly live: LiveState;
  /** Something was done to it: it is looked at again, and followed if it goes on. */
  readonly reload: () => void;
}

export function isOver({ status }: Pick<Instance, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'canceled';
}

export function useInstance(id: string): LiveInstance {
  const [instance, setInstance] = useState<Instance>();
  const [problem, setProblem] = useState<Problem | null>(null);
  /** The stream begins behind this commit; null while there is nothing to follow. */
  const [after, setAfter] = useState<number | null>(null);
  const opened = useRef<number | null>(null);
  const look = useCallback(async (): Promise<void> => {
    try {
      const found = await get<Instance>(pathTo('instances', id));
      opened.current ??= found.version;
      setInstance((old) => (old !== undefined && old.version > found.version ? old : found));
      setProblem(null);
      setAfter((old) => (isOver(found) ? null : (old ?? opened.current)));
    } catch (thrown) {
      setProblem(problemFrom(thrown));
    }
  }, [id]);
  const history = useCommits(id, opened.current);
  const last = history.commits.at(-1)?.n ?? 0;
  useEffect(() => {
    // What came while nobody followed is told by the next stream.
    if (after === null && last > 0) opened.current = last;
  }, [after, last]);
  useEffect(() => void look(), [look]);
  const live = useStream(id, after, history.append, look);
  return { instance, problem, history, live, reload: () => void look() };
}

/** Commits come one by one; they are taken in together, at once and then at every look. */
function useStream(
  id: string,
  after: number | null,
  append: (commits: readonly Commit[]) => void,
  look: () => Promise<void>,
): LiveState {
  const come = useRef<Commit[]>([]);
  const timer = useTimer();
  const lookedAt = useRef(0);
  const take = (): void => {
    timer.current = null;
    lookedAt.current = performance.now();
    append(come.current.splice(0));
    void look();
  };
  const url = after === null ? null : `${pathTo('instances', id, 'events')}?after=${after}`;
  return useEvents(url, (event) => {
    const commit = commitIn(event);
    if (commit === null) return;
    come.current.push(commit);
    const pause = Math.max(0, lookedAt.current + LOOK_MS - performance.now());
    timer.current ??= setTimeout(take, pause);
  });
}
