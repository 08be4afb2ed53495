/** What was asked under a key, in a SQLite file; what the thread does is in the session. */
import type { Json } from '../../base/json.ts';
import { encode } from '../payload.ts';
import {
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
import type { Connection } from './connection.ts';

export class SqliteReceipts implements Receipts {
  readonly #database: () => Connection;

  constructor(database: () => Connection) {
    this.#database = database;
  }

  async take(key: string, body: Json, ttlMs: number): Promise<Taken> {
    return readTaken(await this.#database().call('receipts.take', key, encode(body), ttlMs));
  }

  async find(key: string): Promise<KeptReceipt | undefined> {
    const row = await this.#database().call('receipts.find', key);
    return row && readReceipt(row);
  }

  async put(key: string, body: Json, was?: Json): Promise<boolean> {
    const stood = was === undefined ? null : encode(was);
    return await this.#database().call('receipts.put', key, encode(body), stood);
  }

  async prune(request: PruneReceiptsRequest): Promise<PrunedReceipts> {
    const database = this.#database();
    return pruneReceiptsBy(
      {
        walk: async (after, limit) => {
          return (await database.call('receipts.walk', after, limit)).map(readWalked);
        },
        remove: (keys) => database.call('receipts.remove', encode(keys)),
      },
      request,
    );
  }
}
