/** Schedules in a Postgres database: each verb is one statement. */
import { readSchedule, type Row } from '../rows.ts';
import type { Advance, Among, NewSchedule, ScheduleRow, Schedules } from '../schedules.ts';
import { scheduleCells } from '../writes.ts';
import type { StoreClock } from './clock.ts';
import { type Ask, column } from './driver.ts';
import * as queries from './queries.ts';
import { ALL_SHARDS, shardOf } from './shard.ts';

const ALL = column(ALL_SHARDS);

export interface ScheduleHouse {
  readonly ask: (...ask: Ask) => Promise<readonly Row[]>;
  readonly clock: StoreClock;
}

export class PostgresSchedules implements Schedules {
  readonly #house: ScheduleHouse;

  constructor(house: ScheduleHouse) {
    this.#house = house;
  }

  async put(schedule: NewSchedule, seen: number | null): Promise<boolean> {
    const cells = [shardOf(schedule.name), ...scheduleCells(schedule), this.#house.clock.told];
    const rows =
      seen === null
        ? await this.#house.ask(queries.putSchedule, ...cells)
        : await this.#house.ask(queries.alterSchedule, ...cells, seen);
    return rows.length > 0;
  }

  async advance(name: string, seen: number, { nextAt, lastAt }: Advance): Promise<boolean> {
    const cells = [shardOf(name), name, seen, nextAt, lastAt, this.#house.clock.told];
    return (await this.#house.ask(queries.moveSchedule, ...cells)).length > 0;
  }

  async get(name: string): Promise<ScheduleRow | undefined> {
    const [row] = await this.#house.ask(queries.findSchedule, shardOf(name), name);
    return row && readSchedule(row);
  }

  async list(after: string | null, limit: number): Promise<readonly ScheduleRow[]> {
    return (await this.#house.ask(queries.schedulesAfter, ALL, after ?? '', limit)).map(
      readSchedule,
    );
  }

  async due({ flows, without = [] }: Among, limit: number): Promise<readonly ScheduleRow[]> {
    const cells = [ALL, column(flows), this.#house.clock.told, limit, column(without)];
    return (await this.#house.ask(queries.dueSchedules, ...cells)).map(readSchedule);
  }

  async remove(name: string): Promise<boolean> {
    return (await this.#house.ask(queries.removeSchedule, shardOf(name), name)).length > 0;
  }
}
