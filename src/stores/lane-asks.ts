/** What letting through (`letting-through.ts`) asks of a store, and how much at a time. */
import type { LaneNumbers } from './lane-look.ts';
import type { LaneNews, Place } from './lanes.ts';
import type { TokenRef } from './store.ts';

export type LaneAsk =
  | { readonly ask: 'lanes'; readonly names: readonly string[] }
  | { readonly ask: 'queues'; readonly of: readonly QueueAsk[] }
  /** Tokens that were let through before this moment and that nobody has claimed. */
  | { readonly ask: 'unserved'; readonly lanes: readonly string[]; readonly before: number }
  /** Not to be claimed any more. The answer: those of whom it is true. */
  | { readonly ask: 'hold'; readonly tokens: readonly TokenRef[] }
  /** To be claimed from now on; those of tenants with one priority, by when they are let. */
  | { readonly ask: 'let'; readonly tokens: readonly LetToken[] }
  /** They have begun, or have owed a begin until now. The answer: those not being written. */
  | { readonly ask: 'begin' | 'settle'; readonly places: readonly Place[] }
  | { readonly ask: 'write'; readonly writes: LaneWrites };

/** `since` is null where it takes its place by when it was due. */
export interface LetToken extends TokenRef {
  readonly since: number | null;
}

/** The next of those who wait in a lane, after one that was seen. */
export interface QueueAsk {
  readonly lane: string;
  readonly after: QueuePoint | null;
  readonly limit: number;
  /** Whoever needs one of these handlers is passed over, `PASSED_OVER_MAX` of them at most. */
  readonly without: readonly string[];
}

/** Where somebody stands in a queue. */
export type QueuePoint = Pick<Place, 'instance' | 'token' | 'priority' | 'since'>;

/**
 * One who waits, with all its places, but for those that somebody else has locked; `isHeld` if the
 * token itself says so, too.
 */
export interface Waiting {
  readonly at: QueuePoint;
  readonly places: readonly Place[];
  readonly isHeld: boolean;
}

export interface LaneWrites {
  /** As they are now. */
  readonly places: readonly Place[];
  readonly dropped: readonly Place[];
  /** Let through before, and not standing there any more. */
  readonly left: readonly Place[];
  /** All that wait in a lane for a handler that nobody has. */
  readonly shelved: readonly { readonly lane: string; readonly handler: string }[];
  readonly lanes: readonly (LaneNumbers & { readonly name: string })[];
  /** Lanes from which those that left can be cleared away. */
  readonly cleared: readonly string[];
  /** Lanes that may be empty, and go then. */
  readonly idle: readonly string[];
}

/** Where it begins: what a store found. */
export interface Opening {
  readonly now: number;
  /** What has come to lanes, and left them. */
  readonly news: readonly LaneNews[];
  /** All the places of tokens that have become due, or found a handler. */
  readonly places: readonly Place[];
  /** Lanes that are to be looked at in any case. */
  readonly lanes: readonly string[];
  /** There was more than was read. */
  readonly isCut: boolean;
  readonly handlers: readonly string[];
}

/** Who wait and are looked at, at a time, of one lane; and in how many of them. */
export const TRIES_AT_ONCE = 100;
export const LANES_AT_ONCE = 500;
/** Behind so many that need what is full, nobody is looked for. */
export const PASSED_OVER_MAX = 1_000;
/** Of how many tenants that share a lane, at a time. */
export const SHARES_AT_ONCE = 50;
/** What has come or gone, in one go; and what has become due, or found a handler. */
export const NEWS_MAX = 2_000;
export const OPENING_MAX = 500;
/** What waits for a handler that nobody has, in one go. */
export const SHELVED_AT_ONCE = 5_000;
/** What was let through and is not claimed for so long may be for nobody. */
export const UNSERVED_MS = 30_000;

export function inOrdinalOrder(places: readonly Place[]): Place[] {
  return places.toSorted((a, b) => a.ordinal - b.ordinal);
}

/** Whose turn it is in a queue: the most urgent, then that of the oldest instance. */
export function comparePlaces(a: QueuePoint, b: QueuePoint): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  if (a.since !== b.since) return a.since - b.since;
  if (a.instance !== b.instance) return a.instance < b.instance ? -1 : 1;
  return a.token - b.token;
}
