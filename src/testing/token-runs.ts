/** What history says of the executions of an instance, token by token. */
import { expect } from 'vitest';
import type { Change } from '../model/change.ts';
import type { HistoryEntry } from '../runtime/run.ts';

export interface TokenRun {
  readonly token: number;
  /** The node; of an undo with `un` before it. */
  readonly step: string;
  /** How often it came to its end. */
  readonly ends: number;
  /** The versions it was claimed with, as far as history knows of the claims. */
  readonly claims: readonly number[];
  /** How often it was taken back from a worker that was gone. */
  readonly recoveries: number;
  /** How often it failed and was tried again. */
  readonly retries: number;
  /** The claims whose results came too late. */
  readonly dropped: readonly number[];
}

/** Of every token that a handler was to run. */
export function runsIn(history: readonly HistoryEntry[]): readonly TokenRun[] {
  const changes = history.flatMap((entry) => entry.changes);
  const notes = history.flatMap(({ dropped }) => (dropped === undefined ? [] : [dropped]));
  return changes.flatMap((change) => {
    if (change.did !== 'birth-token' || change.token.handler === undefined) return [];
    const { id, node, undoes } = change.token;
    const own = changes.filter((other) => 'token' in other && other.token === id);
    const count = (did: Change['did']): number => own.filter((other) => other.did === did).length;
    return [
      {
        token: id,
        step: undoes === undefined ? node : `un${node}`,
        ends: count('end-token'),
        claims: own.flatMap((other) => (other.did === 'claim-token' ? [other.version] : [])),
        recoveries: count('recover-token'),
        retries: count('retry-token'),
        dropped: notes.flatMap(({ token, version }) => (token === id ? [version] : [])),
      },
    ];
  });
}

/** It ended once, the others were taken back or tried again, and no result kept and dropped. */
export function expectOnce(run: TokenRun, about: string): void {
  const { claims, recoveries, retries, dropped } = run;
  expect(run.ends, about).toBe(1);
  expect(claims.length, about).toBe(recoveries + retries + 1);
  expect(new Set(claims).size, about).toBe(claims.length);
  expect(new Set(dropped).size, about).toBe(dropped.length);
  expect(dropped, about).not.toContain(claims.at(-1));
}

/** The names under which results were committed, as often as they were. */
export function resultsIn(history: readonly HistoryEntry[]): readonly string[] {
  return history
    .flatMap((entry) => entry.changes)
    .flatMap((change) =>
      change.did === 'write' && change.space === 'results' ? [change.name] : [],
    );
}
