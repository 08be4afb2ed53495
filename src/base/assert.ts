/** A broken promise of ours, never of the user's. Only the worker's outermost loop may catch it. */
export class InvariantError extends Error {
  override readonly name: string = 'InvariantError';
  readonly code: string = 'bug.invariant';
}

/**
 * States a claim the next line relies on. Stays on in production: stopping beats corrupting. On the
 * hot path a claim with names in it is a function, so that it is put together only if it is broken.
 */
export function assert(truth: boolean, claim: string | (() => string)): asserts truth {
  if (!truth) throw new InvariantError(typeof claim === 'string' ? claim : claim());
}

/** Closes a switch over a union: the compiler rejects a missing case before this line can run. */
export function unreachable(value: never): never {
  throw new InvariantError(`unreachable: ${JSON.stringify(value)}`);
}
