/**
 * A cell of a row as what it must be: what someone edited by hand is an error that names the row
 * and the column, and not a value that surprises the kernel later.
 */
import { EngineError } from '../base/engine-error.ts';
import { type Json, parseJson } from '../base/json.ts';
import type { Instant } from '../model/ids.ts';
import type { Row } from './rows.ts';

export function text(row: Row, column: string): string {
  const value = row[column];
  return typeof value === 'string' ? value : corrupt(row, column, 'text');
}

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

export function integer(row: Row, column: string): number {
  const value = row[column];
  return Number.isSafeInteger(value) ? (value as number) : corrupt(row, column, 'an integer');
}

export function integerOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : integer(row, column);
}

export function instant(row: Row, column: string): Instant {
  return integer(row, column) as Instant;
}

export function json(row: Row, column: string): Json {
  const value = textOrNull(row, column);
  return value === null ? null : whole(row, column, () => parseJson(value));
}

/** One row that was edited by hand must not spoil the others of the same answer. */
export function jsonIfAny(row: Row, column: string): Json | undefined {
  try {
    return json(row, column);
  } catch (thrown) {
    if (thrown instanceof EngineError) return undefined;
    throw thrown;
  }
}

export function whole<Value>(row: Row, column: string, read: () => Value): Value {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return corrupt(row, column, 'JSON', thrown);
  }
}

function corrupt(row: Row, column: string, expected: string, cause?: unknown): never {
  const { instance_id, id } = row;
  const found = JSON.stringify(row[column])?.slice(0, 60);
  throw new EngineError(
    'store.corrupt',
    `"${column}" of row "${String(instance_id ?? id)}" holds ${found} and not ${expected}: ` +
      'restore the database from a backup',
    { details: { column, instance: instance_id, id }, cause },
  );
}
