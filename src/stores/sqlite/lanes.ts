/** Lanes in a SQLite file, on the caller's side; what the thread does is in the session's. */
import type { InstanceId } from '../../model/ids.ts';
import { readHeld, readLane } from '../lane-rows.ts';
import {
  type HeldToken,
  type LaneRow,
  type Lanes,
  type LetThrough,
  type LetThroughRequest,
} from '../lanes.ts';
import type { Connection } from './connection.ts';

export class SqliteLanes implements Lanes {
  readonly #database: () => Connection;

  constructor(database: () => Connection) {
    this.#database = database;
  }

  async letThrough({ handlers, lanes }: LetThroughRequest): Promise<LetThrough> {
    return await this.#database().call('lanes.letThrough', handlers, lanes);
  }

  async list(after: string | null, limit: number): Promise<readonly LaneRow[]> {
    return (await this.#database().call('lanes.list', after ?? '', limit)).map(readLane);
  }

  async heldOf(instance: InstanceId): Promise<readonly HeldToken[]> {
    return readHeld(await this.#database().call('lanes.heldOf', instance));
  }
}
