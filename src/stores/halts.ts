/**
 * The part of the port that keeps what was said of whole flows: that they are suspended, or that
 * they go on, where something wider is suspended or not all of them do yet. One word for each flow
 * and version; the narrowest counts. And it knows which instances are suspended because of a word,
 * whether that is still said or not.
 */
import type { InstanceId, Instant } from '../model/ids.ts';
import { integer, text } from './cells.ts';
import { readId, type Row } from './rows.ts';
import { exact } from './payload.ts';
import type { Cell } from './writes.ts';

export interface Halts {
  list(): Promise<readonly Halt[]>;
  /** Says it, whatever was said of the same before. The moment is the store's. */
  put(halt: Omit<Halt, 'at'>): Promise<Halt>;
  /**
   * Takes it back, so that what is said of something wider counts; false if something else is said
   * of the same by now, or nothing.
   */
  remove(halt: Halt): Promise<boolean>;
  /** Instances that are suspended with their flow, in order of their ids, from behind one on. */
  held(after: InstanceId | null, limit: number): Promise<readonly HeldInstance[]>;
}

export interface HeldInstance {
  readonly id: InstanceId;
  readonly flow: string;
  readonly flowVersion: number;
}

export interface HaltScope {
  /** `*` is every flow there is. */
  readonly flow: string;
  /** Zero is every version of it. */
  readonly version: number;
}

export interface Halt extends HaltScope {
  readonly suspended: boolean;
  readonly at: Instant;
  readonly by: string | null;
  readonly why: string | null;
}

/** Every flow there is. */
export const EVERY_FLOW = '*';

/** What counts for a version of a flow: undefined if nothing was said. */
export function haltFor(halts: readonly Halt[], flow: string, version: number): Halt | undefined {
  const find = (name: string, number: number): Halt | undefined =>
    halts.find((halt) => halt.flow === name && halt.version === number);
  return find(flow, version) ?? find(flow, 0) ?? find(EVERY_FLOW, 0);
}

/** Now follows: only the database knows what time it is. */
export function haltCells(halt: Omit<Halt, 'at'>): readonly Cell[] {
  const { flow, version, suspended, by, why } = halt;
  return [exact(flow), version, Number(suspended), by, why];
}

/** Those that one word is told from another by. */
export function haltKey({ flow, version, suspended, at }: Halt): readonly Cell[] {
  return [exact(flow), version, Number(suspended), at];
}

export function readHeld(row: Row): HeldInstance {
  const flowVersion = integer(row, 'flow_version');
  return Object.freeze({ id: readId(row), flow: text(row, 'flow'), flowVersion });
}

export function readHalt(row: Row): Halt {
  return Object.freeze({
    flow: String(row['flow']),
    version: Number(row['version']),
    suspended: Number(row['suspended']) === 1,
    at: Number(row['at']) as Instant,
    by: typeof row['said_by'] === 'string' ? row['said_by'] : null,
    why: typeof row['why'] === 'string' ? row['why'] : null,
  });
}
