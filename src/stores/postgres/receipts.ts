/**
 * What was asked under a key, in a Postgres database. Each verb is one statement; whoever takes a
 * key removes a few that are over by another one before, so that it holds no row while it waits.
 */
import { assert } from '../../base/assert.ts';
import type { Json } from '../../base/json.ts';
import { encode } from '../payload.ts';
import {
  CLEARED_MAX,
  type KeptReceipt,
  type PrunedReceipts,
  pruneReceiptsBy,
  type PruneReceiptsRequest,
  readReceipt,
  readTaken,
  readWalked,
  type Receipts,
  type Taken,
} from '../receipts.ts';
import { column } from './driver.ts';
import * as queries from './queries.ts';
import type { ScheduleHouse } from './schedules.ts';
import { ALL_SHARDS, shardOf } from './shard.ts';

const ALL = column(ALL_SHARDS);

export class PostgresReceipts implements Receipts {
  readonly #house: ScheduleHouse;

  constructor(house: ScheduleHouse) {
    this.#house = house;
  }

  async take(key: string, body: Json, ttlMs: number): Promise<Taken> {
    const { ask, clock } = this.#house;
    const shard = shardOf(key);
    const cells = [shard, key, encode(body), clock.told, ttlMs];
    await ask(queries.clearReceipts, shard, clock.told, CLEARED_MAX);
    const [row] = await ask(queries.takeReceipt, ...cells);
    assert(row !== undefined, 'what was taken is there');
    return readTaken(row);
  }

  async find(key: string): Promise<KeptReceipt | undefined> {
    const { ask, clock } = this.#house;
    const [row] = await ask(queries.findReceipt, shardOf(key), key, clock.told);
    return row && readReceipt(row);
  }

  async put(key: string, body: Json, was?: Json): Promise<boolean> {
    const { ask, clock } = this.#house;
    const stood = was === undefined ? null : encode(was);
    const cells = [shardOf(key), key, encode(body), stood, clock.told];
    return (await ask(queries.putReceipt, ...cells)).length > 0;
  }

  async prune(request: PruneReceiptsRequest): Promise<PrunedReceipts> {
    const { ask, clock } = this.#house;
    return pruneReceiptsBy(
      {
        walk: async (after, limit) => {
          const cells = [ALL, after, limit, clock.told];
          return (await ask(queries.receiptsAfter, ...cells)).map(readWalked);
        },
        remove: async (keys) => {
          return (await ask(queries.removeReceipts, ALL, column(keys), clock.told)).length;
        },
      },
      request,
    );
  }
}
