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
  /** Those that are there. */
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
}

export interface Unserved extends TokenRef {
  readonly node: NodeId;
  readonly handler: string;
  /** Since when it has been due. */
  readonly since: Instant;
}

/** Work that has just become due may not have been seen yet by whoever has its handler. */
export const SERVED_AFTER_MS = 10_000;
/** For how long follows. */
export function serverCells(worker: string, handlers: readonly string[]): readonly Cell[] {
  return [worker, encode(handlers)];
}

export function readServer(row: Row): Server {
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
