/** What a flow was started with before: the newest of each kind, to be used again. */
import { useEffect, useState } from 'react';
import { get, pathTo } from '../api/asking.ts';
import type { Instance, InstancePage, Json } from '../api/shapes.ts';

export interface RecentInput {
  readonly input: Json;
  readonly at: number;
  readonly key: string | null;
}

/** So many starts are looked at, and so many different inputs are offered. */
const LOOKED_MAX = 10;
const OFFERED_MAX = 5;

export function distinct(recent: readonly RecentInput[]): readonly RecentInput[] {
  const seen = new Map<string, RecentInput>();
  for (const one of recent) {
    const text = JSON.stringify(one.input);
    if (one.input !== null && !seen.has(text)) seen.set(text, one);
  }
  return [...seen.values()].slice(0, OFFERED_MAX);
}

/** Undefined while it is not known. That there are none is no reason not to start. */
export function useRecentInputs(flow: string): readonly RecentInput[] | undefined {
  const [recent, setRecent] = useState<readonly RecentInput[]>();
  useEffect(() => {
    const ending = new AbortController();
    look(flow, ending.signal).then(setRecent, () => {
      if (!ending.signal.aborted) setRecent([]);
    });
    return () => ending.abort();
  }, [flow]);
  return recent;
}

async function look(flow: string, signal: AbortSignal): Promise<readonly RecentInput[]> {
  const page = await get<InstancePage>('/api/instances', { flow, limit: LOOKED_MAX }, signal);
  const whole = await Promise.all(
    page.instances.map(({ id }) => get<Instance>(pathTo('instances', id), {}, signal)),
  );
  const inputs = whole.map(({ input, createdAt, key }) => ({ input, at: createdAt, key }));
  return distinct(inputs);
}
