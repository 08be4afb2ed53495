/** Schedules in a SQLite file, on the caller's side; what the thread does is in the session's. */
import { encode } from '../payload.ts';
import { readSchedule } from '../rows.ts';
import type { Advance, Among, NewSchedule, ScheduleRow, Schedules } from '../schedules.ts';
import { scheduleCells } from '../writes.ts';
import type { Connection } from './connection.ts';

export class SqliteSchedules implements Schedules {
  readonly #database: () => Connection;

  constructor(database: () => Connection) {
    this.#database = database;
  }

  async put(schedule: NewSchedule, seen: number | null): Promise<boolean> {
    return await this.#database().call('schedules.put', scheduleCells(schedule), seen);
  }

  async advance(name: string, seen: number, { nextAt, lastAt }: Advance): Promise<boolean> {
    return await this.#database().call('schedules.advance', [name, seen, nextAt, lastAt]);
  }

  async get(name: string): Promise<ScheduleRow | undefined> {
    const row = await this.#database().call('schedules.get', name);
    return row && readSchedule(row);
  }

  async list(after: string | null, limit: number): Promise<readonly ScheduleRow[]> {
    return (await this.#database().call('schedules.list', after ?? '', limit)).map(readSchedule);
  }

  async due({ flows, without = [] }: Among, limit: number): Promise<readonly ScheduleRow[]> {
    const names = [encode(flows), encode(without)] as const;
    return (await this.#database().call('schedules.due', ...names, limit)).map(readSchedule);
  }

  async remove(name: string): Promise<boolean> {
    return await this.#database().call('schedules.remove', name);
  }
}
