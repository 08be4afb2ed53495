/**
 * Which open instances have something to be mended. A row only says that they wait; so this is
 * asked for once more, and only where the counts say that there are any.
 */
import { useMemo } from 'react';
import type { InstancePage, Tally } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';
import { OPEN } from './bulk.ts';

/** Those further down in the list have no mark. */
const MARKED_MAX = 500;

export function useIncidents(tally: Tally | undefined, flow: string | null): ReadonlySet<string> {
  const isAny = tally?.causes.some(({ kind }) => kind === 'incident') ?? false;
  const query = { error: '*', status: OPEN, flow, limit: MARKED_MAX };
  const { value } = useAsked<InstancePage>(isAny ? '/api/instances' : null, query, tally);
  return useMemo(() => new Set(isAny ? value?.instances.map(({ id }) => id) : []), [isAny, value]);
}
