/** Values on their way into and out of a store, the same for every store (D14, D20). */
import { assert } from '../base/assert.ts';
import { EngineError } from '../base/engine-error.ts';
import { EMPTY, type JsonObject, parseJson } from '../base/json.ts';
import type { InstanceStatus } from '../model/instance.ts';

/** The text a value is kept as. Throws at what is not JSON, before anything has been written. */
export function encode(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  assert(text !== undefined, `a stored value is JSON, and a bare ${typeof value} is not`);
  return text;
}

/** Most columns with JSON in them are empty most of the time, and then cost nothing. */
export function encodeUnlessNull(value: unknown): string | null {
  return value === null ? null : encode(value);
}

/**
 * One frozen object from names and the texts of their values, in the order given. It is put
 * together as text, because parsing alone makes a key of any name: `__proto__` is not assigned.
 */
export function decodeObject(texts: Iterable<readonly [string, string]>): JsonObject {
  let members = '';
  for (const [name, text] of texts) {
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${text}`;
  }
  return members === '' ? EMPTY : (parseJson(`{${members}}`) as JsonObject);
}

/** Over for good: its business key is free again. */
export function isOver(status: InstanceStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'canceled';
}

/** A commit that cannot be written as it is, however often it is tried. */
export function refusal(commitId: string, instance: string, cause: unknown): EngineError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new EngineError('store.corrupt', `commit "${commitId}" cannot be stored: ${why}`, {
    details: { instance, commitId },
    cause,
  });
}
