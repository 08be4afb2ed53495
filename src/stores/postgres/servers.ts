/**
 * Which handlers processes have, in a Postgres database. Each verb is one statement; whoever says
 * which it has then forgets others by a second one, so that it holds no row while it waits for one.
 */
import type { InstanceId } from '../../model/ids.ts';
import {
  HOLDS_MAX,
  readHold,
  readServer,
  readUnserved,
  type Server,
  SERVED_AFTER_MS,
  serverCells,
  type Servers,
  type Unserved,
  withHolds,
} from '../servers.ts';
import { column } from './driver.ts';
import * as queries from './queries.ts';
import type { ScheduleHouse } from './schedules.ts';
import { ALL_SHARDS, shardOf } from './shard.ts';

export class PostgresServers implements Servers {
  readonly #house: ScheduleHouse;

  constructor(house: ScheduleHouse) {
    this.#house = house;
  }

  async put(worker: string, handlers: readonly string[], forMs: number): Promise<void> {
    const { ask, clock } = this.#house;
    const cells = [shardOf(worker), ...serverCells(worker, handlers), forMs];
    await ask(queries.putServer, ...cells, clock.told);
    await ask(queries.own.dropServersGone, column(ALL_SHARDS), clock.told);
  }

  async remove(worker: string): Promise<void> {
    await this.#house.ask(queries.dropServer, shardOf(worker), worker);
  }

  async list(): Promise<readonly Server[]> {
    const { ask, clock } = this.#house;
    const servers = await ask(queries.serversNow, column(ALL_SHARDS), clock.told);
    const held = await ask(queries.holdsNow, column(ALL_SHARDS), HOLDS_MAX);
    return withHolds(servers.map(readServer), held.map(readHold));
  }

  async unserved(instances: readonly InstanceId[]): Promise<readonly Unserved[]> {
    const { ask, clock } = this.#house;
    const wanted = [column(instances.map((id) => shardOf(id))), column(instances)];
    const times = [clock.told, SERVED_AFTER_MS, column(ALL_SHARDS)];
    return (await ask(queries.unserved, ...wanted, ...times)).map(readUnserved);
  }
}
