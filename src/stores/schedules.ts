/**
 * The part of the port that keeps schedules: a row for each, found by its name and by when it is
 * due. What its spec says is the runtime's business; the store only keeps the text, so that one it
 * cannot read (of a newer program, or edited by hand) hides no other.
 *
 * Whoever alters a row says which version of it was seen. A lost race is an outcome: someone else
 * was first, and the row is to be looked at again.
 */
import type { Instant } from '../model/ids.ts';

export interface Schedules {
  /**
   * Keeps one under its name: a new one where none was seen (null), otherwise in the place of the
   * version that was. False if there is one by now, or another version, or none any more.
   */
  put(schedule: NewSchedule, seen: number | null): Promise<boolean>;
  /** Moves one on from the version that was seen; false as above. */
  advance(name: string, seen: number, to: Advance): Promise<boolean>;
  get(name: string): Promise<ScheduleRow | undefined>;
  /** By name, in ascending order. */
  list(after: string | null, limit: number): Promise<readonly ScheduleRow[]>;
  /** Active ones whose moment has come, longest due first. */
  due(among: Among, limit: number): Promise<readonly ScheduleRow[]>;
  /** False if there is none. */
  remove(name: string): Promise<boolean>;
}

/** Which schedules are asked for: those of certain flows, but for some by name. */
export interface Among {
  readonly flows: readonly string[];
  readonly without?: readonly string[];
}

export interface NewSchedule extends Advance {
  readonly name: string;
  readonly flow: string;
  readonly spec: string;
  readonly status: 'active' | 'paused';
  /** Since when the spec is what it is: intervals are counted from here. */
  readonly since: Instant;
}

export interface Advance {
  /** The moment it starts an instance for next; null: never again. */
  readonly nextAt: Instant | null;
  /** The last moment that it started one for, if it ever did. */
  readonly lastAt: Instant | null;
}

export interface ScheduleRow extends NewSchedule {
  /**
   * Grows with every write. The first is the moment it was made, so that a version of one that was
   * removed is not mistaken for one of the same name that was made later.
   */
  readonly version: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}
