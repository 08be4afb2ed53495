/**
 * The part of the port that knows lanes: the tokens that are ready and wait because of a limit, and
 * those that were let through.
 *
 * A commit that leaves a token ready under limits leaves it held: nobody claims it, and to whoever
 * loads it it is ready. `letThrough` looks at what has come to lanes and left them since, and at
 * the lanes whose moment has come, and lets through as many as there is room for: the most urgent
 * first, then those of the oldest instance. Until when that may be of no use, `outlook` says.
 *
 * In a lane that is for all, what has a tenant waits in a queue of that tenant's, a *share*: a lane
 * that has no numbers and whose room is that of the whole. Tenants take turns there. What has none,
 * but is in a lane that goes by a value, waits in a share of that value's; and all that has neither
 * is one of those that take turns.
 */
import type { InstanceId, Instant, TokenId } from '../model/ids.ts';
import type { Rate } from '../model/lane.ts';
import type { TokenRef } from './store.ts';

export interface Lanes {
  /** One at a time in the whole database; what it does not get to is `more`. Waits for nobody. */
  letThrough(request: LetThroughRequest): Promise<LetThrough>;
  /** By name, in ascending order. */
  list(after: string | null, limit: number): Promise<readonly LaneRow[]>;
  /** The tokens of an instance that wait in lanes. */
  heldOf(instance: InstanceId): Promise<readonly HeldToken[]>;
}

export interface LetThroughRequest {
  /** What the caller has: what was let through, and nobody takes, may be for nobody else either. */
  readonly handlers: readonly string[];
  /** Lanes of tenants from which some were claimed: there is room in the queue. */
  readonly lanes: readonly string[];
}

export interface LetThrough {
  /** How many were. */
  readonly tokens: number;
  /** How many were looked at, or had come or gone: whether asking was of any use. */
  readonly looked: number;
  readonly more: boolean;
  /** Somebody else is just looking, and has perhaps not seen what has come since. */
  readonly isBusy: boolean;
}

export interface LaneRow {
  readonly name: string;
  readonly concurrency: number | null;
  readonly rate: Rate | null;
  /** Let through, and neither ended nor given up. */
  readonly atWork: number;
  readonly waiting: number;
}

export interface HeldToken {
  readonly token: TokenId;
  readonly lane: string;
  /** How many are before it; where others take turns with it, of its own. */
  readonly ahead: number;
}

/**
 * A token in one of its lanes. It waits in one at a time and is `aside` in the others. `later`: it
 * is not due. `shelved`: nobody has its handler, it seems. `asleep`: its instance is suspended.
 */
export type PlaceState = 'waiting' | 'aside' | 'later' | 'shelved' | 'asleep' | 'passed' | 'gone';

/** A row of `lane_token`. */
export interface Place extends TokenRef {
  readonly lane: string;
  /** Which of its lanes it is, and how many there are without that of its tenant, the last. */
  readonly ordinal: number;
  readonly lanes: number;
  readonly state: PlaceState;
  readonly handler: string;
  readonly priority: number;
  /** When its instance began. */
  readonly since: Instant;
  readonly availableAt: Instant;
  /** It was let through and has begun, as far as that matters to the lane. */
  readonly begun: boolean;
  /** Executions that have begun and that the lane has not heard of; and when the last did. */
  readonly owed: number;
  readonly owedAt: number | null;
}

/** Somebody came to a lane, with its numbers by the version of the flow it runs; or left it. */
export interface LaneNews {
  readonly lane: string;
  /** Null if it left. */
  readonly numbers: {
    readonly version: number;
    readonly concurrency: number | null;
    readonly rate: Rate | null;
  } | null;
}

/** In front of which a tenant's name stands. */
export const TENANT = 'tenant:';

/** Those of one handler stand in the way of no other, which other workers may have. */
export function tenantLane(tenant: string, handler: string): string {
  return `${TENANT}${tenant}/${handler}`;
}

/** Between the name of a lane and that of whose share of it this is. */
const SHARE = '\u001f';

/** The queue of one tenant, or value, in a lane that is for all: they take turns there. */
export function shareOf(lane: string, sharer: string): string {
  return `${lane}${SHARE}${sharer}`;
}

/** The lane it is a share of; null if it is none. */
export function sharedLane(name: string): string | null {
  const end = name.indexOf(SHARE);
  return end === -1 ? null : name.slice(0, end);
}

/** Whether tenants take turns in it. One that goes by a value is for whoever has that value. */
export function isForAll(name: string): boolean {
  return !name.startsWith(TENANT) && !name.includes('=') && !name.includes(SHARE);
}
