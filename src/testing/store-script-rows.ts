/** What of an instance matters to the next thing that is asked of a store about it. */
import type { Touched } from '../model/commit.ts';
import type { Head, InstanceRows, Token } from '../model/instance.ts';
import { at } from './store-commits.ts';

/** An instance as far as it is needed here. */
export type Known = Pick<InstanceRows, 'head' | 'tokens' | 'scopes' | 'latches' | 'undos'>;

export function isHearing({ wait }: Token): boolean {
  return wait?.on === 'first' && wait.live === true;
}

/** It is suspended after that version, or goes on. */
export function phaseOf(
  { pauses }: Head,
  expected: number,
  status: 'running' | 'suspended',
): Pick<Head, 'status' | 'pauses'> {
  const last = pauses.at(-1);
  const isPaused = last !== undefined && last.to === null;
  if (isPaused === (status === 'suspended')) return { status, pauses };
  const moment = at(expected + 1);
  if (!isPaused) return { status, pauses: [...pauses, { from: moment, to: null, as: 'running' }] };
  return { status, pauses: [...pauses.slice(0, -1), { ...last, to: moment }] };
}

/** All that an instance has goes with it, and is named. */
export function endingOf({ tokens, scopes, latches, undos }: Known): Partial<Touched> {
  const ids = tokens.map(({ id }) => id);
  const gone = undos.filter(({ status }) => status !== 'failed');
  return {
    endedTokens: ids,
    unsubscribed: ids,
    hushed: true,
    closedTasks: ids,
    closedScopes: scopes.map(({ id }) => id),
    droppedLatches: latches,
    droppedUndos: gone.map(({ id }) => id),
  };
}
