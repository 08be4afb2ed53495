/** One stay of one token at one node, as the history of an instance tells it. */
import type { Fault, Json, Wait } from '../api/shapes.ts';

export type SegmentKind = 'queued' | 'running' | 'waiting' | 'retry' | 'paused';

export interface Segment {
  readonly kind: SegmentKind;
  readonly from: number;
  /** Null while it lasts; later than now where it is known how long it will. */
  readonly to: number | null;
  /** What for, in words that go on after the kind: “for finance to approve”. */
  readonly why: string;
}

export interface Attempt {
  readonly from: number;
  readonly to: number;
  readonly worker: string;
  readonly error: Fault | null;
}

export type Departure = 'done' | 'joined' | 'failed' | 'cancelled';

export interface Visit {
  /** Its name among the visits of the instance; a rerun has the same token come back. */
  readonly key: string;
  readonly token: number;
  /** Empty where it began before the first commit that is known and nothing tells. */
  readonly node: string;
  readonly scope: number;
  /** The scope it is in and those around it, innermost first. */
  readonly scopes: readonly number[];
  /** Which pass or item it belongs to, if to any. */
  readonly index: number | null;
  readonly item: Json;
  readonly via: string | null;
  readonly mode: 'forward' | 'compensation';
  readonly bornN: number;
  readonly bornAt: number;
  /** Links of a chain are born long before their turn; null until it has come. */
  readonly startedAt: number | null;
  readonly endedN: number | null;
  readonly endedAt: number | null;
  readonly how: Departure | null;
  /** It was there before the first commit that is known. */
  readonly isCut: boolean;
  readonly attempts: readonly Attempt[];
  readonly segments: readonly Segment[];
  /** What it wrote under its own name; undefined if nothing. */
  readonly output: Json | undefined;
  readonly wake: { readonly reason: string; readonly payload: Json } | null;
  readonly lastError: Fault | null;
  readonly outcomes: readonly string[];
  /** What it waits for, or waited for last. */
  readonly wait: Wait | null;
}

/** How it stands, in the words that badges have colours for. */
export function statusOf(visit: Visit): string {
  switch (visit.how) {
    case 'done':
    case 'joined':
      return 'done';
    case 'failed':
      return 'failed';
    case 'cancelled':
      return 'canceled';
    default:
      return openStatusOf(visit);
  }
}

function openStatusOf({ startedAt, wait, segments }: Visit): string {
  const kind = segments.at(-1)?.kind;
  if (startedAt === null) return 'created';
  if (kind === 'paused') return 'suspended';
  if (kind === 'waiting') return wait?.on === 'incident' ? 'incident' : 'waiting';
  return kind === 'running' ? 'running' : 'ready';
}

/** Something went wrong in it that somebody may want to look at. */
export function isFailed(visit: Visit): boolean {
  return visit.how === 'failed' || statusOf(visit) === 'incident';
}

export function isOpen({ endedN, startedAt }: Visit): boolean {
  return endedN === null && startedAt !== null;
}

/** From its turn to its end, or to now. */
export function tookMs({ startedAt, endedAt }: Visit, now: number): number {
  return startedAt === null ? 0 : Math.max(0, (endedAt ?? now) - startedAt);
}

/** How long of that a handler was at work. */
export function ranMs({ attempts }: Visit): number {
  return attempts.reduce((sum, { from, to }) => sum + to - from, 0);
}
