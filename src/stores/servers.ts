/**
 * The part of the port that keeps which handlers the processes at work have, so that work nobody
 * can take is told from work that waits for its turn. Nothing is claimed or refused by it: it is
 * for people to see, and a process that says nothing works as well.
 */
import type { InstanceId, Instant, NodeId, TokenId } from '../model/ids.ts';
import { encode } from './payload.ts';
import { instant, integer, json, text } from './cells.ts';
import type { Row } from './rows.ts';
import type { TokenRef } from './store.ts';
import type { Cell } from './writes.ts';

export interface Servers {
  /** A worker says what it has, and for how long it is there unless it says so again. */
  put(worker: string, handlers: readonly string[], forMs: number): Promise<void>;
  /** It ends. */
  remove(worker: string): Promise<void>;
  /** Those that are there, with what they are at. */
  list(): Promise<readonly Server[]>;
  /**
   * Ready tokens of these instances that have been due for SERVED_AFTER_MS and that nobody has
   * taken, where nobody who is there has their handler.
   */
  unserved(instances: readonly InstanceId[]): Promise<readonly Unserved[]>;
}

export interface Server {
  readonly worker: string;
  readonly handlers: readonly string[];
  readonly until: Instant;
  /** What it is at; of all that is at work, the HOLDS_MAX whose leases end first are looked at. */
  readonly holds: readonly Hold[];
}

/** A token that a worker has claimed: since when, and for how long unless it says so again. */
export interface Hold extends TokenRef {
  readonly node: NodeId;
  readonly since: Instant;
  readonly until: Instant;
}

export interface HeldBy {
  readonly worker: string;
  readonly hold: Hold;
}

export interface Unserved extends TokenRef {
  readonly node: NodeId;
  readonly handler: string;
  /** Since when it has been due. */
  readonly since: Instant;
}

/** Work that has just become due may not have been seen yet by whoever has its handler. */
export const SERVED_AFTER_MS = 10_000;
/** It is for people to see, and nobody reads more. */
export const HOLDS_MAX = 1_000;

/** For how long follows. */
export function serverCells(worker: string, handlers: readonly string[]): readonly Cell[] {
  return [worker, encode(handlers)];
}

/** Each with what is its own, in the order in which they were found. */
export function withHolds(
  servers: readonly Omit<Server, 'holds'>[],
  held: readonly HeldBy[],
): readonly Server[] {
  return servers.map((server) => {
    const own = held.filter(({ worker }) => worker === server.worker);
    return Object.freeze({ ...server, holds: Object.freeze(own.map(({ hold }) => hold)) });
  });
}

export function readHold(row: Row): HeldBy {
  const hold = Object.freeze({
    instance: text(row, 'instance_id') as InstanceId,
    token: integer(row, 'id') as TokenId,
    node: text(row, 'node_id') as NodeId,
    since: instant(row, 'locked_at'),
    until: instant(row, 'locked_until'),
  });
  return { worker: text(row, 'locked_by'), hold };
}

export function readServer(row: Row): Omit<Server, 'holds'> {
  const handlers = json(row, 'handlers') as unknown as readonly string[];
  return Object.freeze({
    worker: text(row, 'worker'),
    handlers,
    until: instant(row, 'until'),
  });
}

export function readUnserved(row: Row): Unserved {
  return Object.freeze({
    instance: text(row, 'instance_id') as InstanceId,
    token: integer(row, 'id') as TokenId,
    node: text(row, 'node_id') as NodeId,
    handler: text(row, 'handler'),
    since: instant(row, 'available_at'),
  });
}
