/**
 * The only file that knows `node:sqlite`. Statements are prepared once and kept; whatever SQLite
 * throws is sorted here into what it means for the caller.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { EngineError, type EngineErrorCode } from '../../base/engine-error.ts';
import type { Row } from '../rows.ts';
import type { Cell } from '../writes.ts';

/** How long a writer waits for another process to finish its transaction. */
export const BUSY_MS = 5_000;

export class Driver {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string, { readOnly = false }: { readonly readOnly?: boolean } = {}) {
    const options = { timeout: BUSY_MS, enableForeignKeyConstraints: false, readOnly };
    this.#db = new DatabaseSync(path, options);
  }

  all(sql: string, ...cells: readonly Cell[]): readonly Row[] {
    return this.#prepared(sql).all(...cells);
  }

  get(sql: string, ...cells: readonly Cell[]): Row | undefined {
    return this.#prepared(sql).get(...cells);
  }

  /** How many rows it changed. */
  run(sql: string, ...cells: readonly Cell[]): number {
    return Number(this.#prepared(sql).run(...cells).changes);
  }

  /** Several statements at once, none of them kept. */
  exec(sql: string): void {
    this.#db.exec(sql);
  }

  /** Some errors end the transaction by themselves, and then there is nothing to roll back. */
  get inTransaction(): boolean {
    return this.#db.isTransaction;
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

interface Meaning {
  readonly code: EngineErrorCode;
  readonly retryable: boolean;
  readonly advice: string;
}

const AWAY = { code: 'store.unreachable', retryable: true } as const;
const READ_ONLY = { code: 'store.read-only', retryable: false } as const;
const FULL = { code: 'store.full', retryable: true } as const;
const SHUT = { code: 'store.unreachable', retryable: false } as const;

/** By SQLite's primary result codes. What is not listed is the fault of the statement's values. */
const MEANINGS: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  [5, { ...AWAY, advice: `another has been writing for ${BUSY_MS} ms, or has it to itself` }],
  [6, { ...AWAY, advice: 'another connection holds a lock on it' }],
  [7, { ...AWAY, advice: 'there is not enough memory' }],
  [8, { ...READ_ONLY, advice: 'the file or its directory cannot be written' }],
  [10, { ...AWAY, advice: 'the disk did not do as it was told: check it and its mount' }],
  [11, { code: 'store.corrupt', retryable: false, advice: 'restore the file from a backup' }],
  [13, { ...FULL, advice: 'the disk is full: free some space' }],
  [14, { ...SHUT, advice: 'check the path, and that its directory exists and may be written' }],
  [15, { ...AWAY, advice: 'another process is opening it at the same time' }],
  [26, { ...SHUT, advice: 'the file is not a SQLite database: choose another path' }],
]);

export const BUSY = 5;

/** SQLite's primary result code, or undefined if something else was thrown. */
export function resultCode(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const code: unknown = Reflect.get(thrown, 'errcode');
  return typeof code === 'number' ? code & 0xff : undefined;
}

/** What the caller is told if the database itself is the matter; undefined if a value is. */
export function troubleOf(thrown: unknown, path: string): EngineError | undefined {
  const meaning = MEANINGS.get(resultCode(thrown) ?? -1);
  if (meaning === undefined || !(thrown instanceof Error)) return undefined;
  const message = `the database "${path}" says "${thrown.message}": ${meaning.advice}`;
  const { code, retryable } = meaning;
  return new EngineError(code, message, { retryable, details: { path }, cause: thrown });
}
