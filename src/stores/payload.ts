/** Values on their way into and out of a store, the same for every store (D14, D20). */
import { assert } from '../base/assert.ts';
import { EngineError } from '../base/engine-error.ts';
import { EMPTY, type JsonObject, parseJson } from '../base/json.ts';
import type { ScopeId } from '../model/ids.ts';
import type { InstanceStatus } from '../model/instance.ts';
import type { Commit } from './store.ts';

/** The text a value is kept as. Throws at what is not JSON, before anything has been written. */
export function encode(value: unknown): string {
  // What most steps return, and not worth the call.
  if (value === null) return 'null';
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

/** What the callers of a store promise; a commit that breaks it is refused before it is written. */
export function assertWritable({ expected, touched, take }: Commit): void {
  assert(touched.head.version === expected + 1, 'a commit moves the version by one');
  for (const token of touched.tokens) {
    assert(token.status !== 'executing', 'only a claim makes a token executing');
  }
  for (const id of take?.tokens ?? []) {
    assert(touched.head.status !== 'suspended', `token ${id} is taken, so it is not suspended`);
    const token = touched.tokens.find((row) => row.id === id);
    assert(token?.status === 'ready', `token ${id} is taken, so this commit makes it ready`);
    assert(token.handler !== null, `token ${id} is taken, so it has a handler`);
    assert(token.lanes.length === 0, `token ${id} is taken, so it is under no limit`);
  }
}

/**
 * What of one call did not come about. A later commit of the same call may have been computed on
 * it, and a version check alone would let that pass if another process has made the same version
 * meanwhile, with other contents. (The same commit handed in twice is late, but it did come about.)
 */
export class Missed {
  /** Misses are rare: nothing is made for them before there is one. */
  #versions: Map<string, number> | undefined;
  readonly #committed: string[];

  /** Of the rest of a call, where the beginning is known already. */
  constructor(before?: Missed) {
    this.#committed = before === undefined ? [] : [...before.#committed];
    this.#versions = before === undefined ? undefined : new Map(before.#versions);
  }

  /** Whether it may be built on one that did not come about. */
  isUnder({ instance, expected }: CommitRef): boolean {
    return expected >= (this.#versions?.get(instance) ?? Number.POSITIVE_INFINITY);
  }

  note({ instance, expected, commitId }: CommitRef, outcome: string): void {
    if (outcome === 'committed') this.#committed.push(commitId);
    else if (!this.#committed.includes(commitId)) {
      this.#versions ??= new Map();
      const earliest = this.#versions.get(instance) ?? expected + 1;
      this.#versions.set(instance, Math.min(earliest, expected + 1));
    }
  }
}

export interface CommitRef {
  readonly instance: string;
  readonly expected: number;
  readonly commitId: string;
}

export function refOf({ touched, expected, commitId }: Commit): CommitRef {
  return { instance: touched.head.id, expected, commitId };
}

/**
 * The scope that every instance has until it is over: the first id that is given. Nothing about it
 * needs to be kept for as long as it is as it was opened, and so it has no row then.
 */
export const ROOT: ScopeId = 1 as ScopeId;

/** Over for good: its business key is free again. */
export function isOver(status: InstanceStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'canceled';
}

/** A commit that cannot be written as it is, however often it is tried. */
export function refusal(commitId: string, instance: string, cause: unknown): EngineError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new EngineError('store.refused', `commit "${commitId}" cannot be stored: ${why}`, {
    details: { instance, commitId },
    cause,
  });
}

/** Of a store that shares its database with nobody: there is no transaction to take part in. */
export function noTransactions(store: string): EngineError {
  return new EngineError(
    'store.no-transactions',
    `${store} has no transactions to share with your own writes: use the Postgres store for ` +
      'transactional work, or leave out `tx` and `transactional`',
  );
}

const HALF_A_PAIR = /\p{Cs}/u;

/**
 * Text that comes back as it was. Half a surrogate pair is no character: SQLite keeps UTF-8 and
 * would hand back U+FFFD, and two different keys could become one. (JSON escapes it and is safe.)
 */
export function exact(text: string): string {
  if (!HALF_A_PAIR.test(text)) return text;
  throw new EngineError(
    'store.refused',
    `${JSON.stringify(text)} holds half a surrogate pair, which no database keeps: ` +
      'use well-formed text for names and keys',
  );
}
