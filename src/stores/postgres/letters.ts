/** Letters in a Postgres database: each verb is one statement. */
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
import { byDueTime, readExpiredLetter, readLetter, readLetterClaim, type Row } from '../rows.ts';
import type { Cell } from '../writes.ts';
import type { StoreClock } from './clock.ts';
import { type Ask, column, columns } from './driver.ts';
import * as queries from './queries.ts';
import { ALL_SHARDS, shardOf } from './shard.ts';

/** A claim looks at so many more than it may take: others may be taking the same just now. */
const LOOKED_AT_MORE = 100;

const ALL = column(ALL_SHARDS);

export class PostgresLetters implements Letters {
  readonly #ask: (...ask: Ask) => Promise<readonly Row[]>;
  readonly #clock: StoreClock;

  constructor(ask: (...ask: Ask) => Promise<readonly Row[]>, clock: StoreClock) {
    this.#ask = ask;
    this.#clock = clock;
  }

  async claim({ worker, types, limit, leaseMs }: LetterRequest): Promise<readonly ClaimedLetter[]> {
    const looked = limit * 2 + LOOKED_AT_MORE;
    const where = [ALL, this.#clock.told, columnOrNull(types), limit, looked];
    const rows = await this.#ask(queries.claimLetters, ...where, worker, leaseMs);
    return rows.toSorted(byDueTime).map(readLetterClaim);
  }

  async sent(held: readonly LetterHeld[]): Promise<void> {
    if (held.length === 0) return;
    await this.#ask(queries.sentLetters, ...columns(held.map(heldCells)), this.#clock.told);
  }

  async failed(failures: readonly FailedLetter[]): Promise<void> {
    if (failures.length === 0) return;
    const cells = failures.map(({ held, expired, error, afterMs }) => {
      return [...heldCells(held), Number(expired), error, afterMs];
    });
    await this.#ask(queries.failedLetters, ...columns(cells), this.#clock.told);
  }

  async release(held: readonly LetterHeld[]): Promise<void> {
    if (held.length === 0) return;
    await this.#ask(queries.releaseLetters, ...columns(held.map(heldCells)), this.#clock.told);
  }

  async expired(limit: number): Promise<readonly ExpiredLetter[]> {
    const rows = await this.#ask(queries.expiredLetters, ALL, this.#clock.told, limit);
    return rows.map(readExpiredLetter);
  }

  async list(request: LetterListRequest): Promise<readonly LetterRow[]> {
    const { status, type, instance, after, limit } = request;
    const rows = await this.#ask(queries.letters, ALL, after, status, type, instance, limit);
    return rows.map(readLetter);
  }

  async requeue(ids: readonly string[]): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    const rows = await this.#ask(queries.requeueLetters, ALL, column(ids), this.#clock.told);
    return rows.toSorted((a, b) => Number(a.n) - Number(b.n)).map(({ id }) => String(id));
  }
}

function heldCells({ id, instance, worker, version }: LetterHeld): readonly Cell[] {
  return [shardOf(instance), id, worker, version];
}

function columnOrNull(texts: readonly string[] | null): string | null {
  return texts === null ? null : column(texts);
}
