/** What was said of whole flows, in a SQLite file; what the thread does is in the session. */
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
import type { Connection } from './connection.ts';

export class SqliteHalts implements Halts {
  readonly #database: () => Connection;

  constructor(database: () => Connection) {
    this.#database = database;
  }

  async list(): Promise<readonly Halt[]> {
    return (await this.#database().call('halts.list')).map(readHalt);
  }

  async put(halt: Omit<Halt, 'at'>): Promise<Halt> {
    return readHalt(await this.#database().call('halts.put', haltCells(halt)));
  }

  async remove(halt: Halt): Promise<boolean> {
    return this.#database().call('halts.remove', haltKey(halt));
  }

  async held(after: InstanceId | null, limit: number): Promise<readonly HeldInstance[]> {
    return (await this.#database().call('halts.held', after ?? '', limit)).map(readHeld);
  }
}
