/** Letters in a SQLite file, on the caller's side; what the thread does is in the session's. */
import type {
  ClaimedLetter,
  ExpiredLetter,
  FailedLetter,
  LetterHeld,
  LetterListRequest,
  LetterRequest,
  LetterRow,
  Letters,
} from '../letters.ts';
import { encode, encodeUnlessNull } from '../payload.ts';
import { byDueTime, readExpiredLetter, readLetter, readLetterClaim } from '../rows.ts';
import type { Cell } from '../writes.ts';
import type { Connection } from './connection.ts';

export class SqliteLetters implements Letters {
  readonly #database: () => Connection;

  constructor(database: () => Connection) {
    this.#database = database;
  }

  async claim({ worker, types, limit, leaseMs }: LetterRequest): Promise<readonly ClaimedLetter[]> {
    const cells = [encodeUnlessNull(types), limit, worker, leaseMs];
    const rows = await this.#database().call('letters.claim', cells);
    return rows.toSorted(byDueTime).map(readLetterClaim);
  }

  async sent(held: readonly LetterHeld[]): Promise<void> {
    await this.#database().call('letters.sent', held.map(heldCells));
  }

  async failed(failures: readonly FailedLetter[]): Promise<void> {
    const cells = failures.map(({ held, expired, error, afterMs }) => {
      return [...heldCells(held), Number(expired), error, afterMs];
    });
    await this.#database().call('letters.failed', cells);
  }

  async release(held: readonly LetterHeld[]): Promise<void> {
    await this.#database().call('letters.release', held.map(heldCells));
  }

  async expired(limit: number): Promise<readonly ExpiredLetter[]> {
    return (await this.#database().call('letters.expired', limit)).map(readExpiredLetter);
  }

  async list(request: LetterListRequest): Promise<readonly LetterRow[]> {
    const { status, type, instance, after, limit } = request;
    const cells = [after, status, type, instance, limit];
    return (await this.#database().call('letters.list', cells)).map(readLetter);
  }

  async requeue(ids: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#database().call('letters.requeue', encode(ids));
    return rows.toSorted((a, b) => Number(a.n) - Number(b.n)).map(({ id }) => String(id));
  }
}

function heldCells({ id, worker, version }: LetterHeld): readonly Cell[] {
  return [id, worker, version];
}
