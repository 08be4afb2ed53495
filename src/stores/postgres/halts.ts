/** What was said of whole flows, in a Postgres database: each verb is one statement. */
import { assert } from '../../base/assert.ts';
import type { InstanceId } from '../../model/ids.ts';
import {
  type Halt,
  haltCells,
  haltKey,
  type Halts,
  type HeldInstance,
  readHalt,
  readHeld,
} from '../halts.ts';
import { column } from './driver.ts';
import * as queries from './queries.ts';
import type { ScheduleHouse } from './schedules.ts';
import { ALL_SHARDS, shardOf } from './shard.ts';

export class PostgresHalts implements Halts {
  readonly #house: ScheduleHouse;

  constructor(house: ScheduleHouse) {
    this.#house = house;
  }

  async list(): Promise<readonly Halt[]> {
    return (await this.#house.ask(queries.haltsNow, column(ALL_SHARDS))).map(readHalt);
  }

  async put(halt: Omit<Halt, 'at'>): Promise<Halt> {
    const cells = [shardOf(halt.flow), ...haltCells(halt), this.#house.clock.told];
    const [row] = await this.#house.ask(queries.putHalt, ...cells);
    assert(row !== undefined, 'what is said is there');
    return readHalt(row);
  }

  async remove(halt: Halt): Promise<boolean> {
    const cells = [shardOf(halt.flow), ...haltKey(halt)];
    return (await this.#house.ask(queries.dropHalt, ...cells)).length > 0;
  }

  async held(after: InstanceId | null, limit: number): Promise<readonly HeldInstance[]> {
    const rows = await this.#house.ask(
      queries.heldInstances,
      column(ALL_SHARDS),
      after ?? '',
      limit,
    );
    return rows.map(readHeld);
  }
}
