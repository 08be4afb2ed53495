/** What the screens of flows show: definitions and sources, again whenever either may differ. */
import { useState } from 'react';
import { useEvents, usePulse } from '../api/live.ts';
import type { Definition, Source, Tally } from '../api/shapes.ts';
import { type Asked, useAsked } from '../api/use-asked.ts';

const NO_SOURCES: readonly Source[] = [];

export interface Flows {
  readonly definitions: Asked<{ readonly definitions: readonly Definition[] }>;
  readonly sources: readonly Source[];
  /** Whether it is known by now which sources there are. */
  readonly hasSources: boolean;
  /** Another one whenever something may be otherwise. */
  readonly turn: string;
}

export function useFlows(name?: string): Flows {
  const pulse = usePulse();
  const [revision, setRevision] = useState(0);
  useEvents('/dev/events', ({ type }) => {
    if (type === 'sources') setRevision((count) => count + 1);
  });
  const turn = `${pulse} ${revision}`;
  const definitions = useAsked<{ readonly definitions: readonly Definition[] }>(
    '/api/definitions',
    { name },
    turn,
  );
  const asked = useAsked<{ readonly sources: readonly Source[] }>('/dev/sources', {}, revision);
  const hasSources = asked.value !== undefined || asked.problem !== null;
  return { definitions, sources: asked.value?.sources ?? NO_SOURCES, hasSources, turn };
}

/** Counts by status; a server that does not count has none. */
export function useTally(turn: string): Tally | undefined {
  const { value } = useAsked<Tally>('/api/instances/tally', {}, turn);
  return value;
}
