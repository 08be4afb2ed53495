/** Which handlers processes have, in a SQLite file; what the thread does is in the session. */
import type { InstanceId } from '../../model/ids.ts';
import { encode } from '../payload.ts';
import {
  readHold,
  readServer,
  readUnserved,
  type Server,
  serverCells,
  type Servers,
  type Unserved,
  withHolds,
} from '../servers.ts';
import type { Connection } from './connection.ts';

export class SqliteServers implements Servers {
  readonly #database: () => Connection;

  constructor(database: () => Connection) {
    this.#database = database;
  }

  async put(worker: string, handlers: readonly string[], forMs: number): Promise<void> {
    await this.#database().call('servers.put', serverCells(worker, handlers), forMs);
  }

  async remove(worker: string): Promise<void> {
    await this.#database().call('servers.remove', worker);
  }

  async list(): Promise<readonly Server[]> {
    const [servers, held] = await this.#database().call('servers.list');
    return withHolds(servers.map(readServer), held.map(readHold));
  }

  async unserved(instances: readonly InstanceId[]): Promise<readonly Unserved[]> {
    return (await this.#database().call('servers.unserved', encode(instances))).map(readUnserved);
  }
}
