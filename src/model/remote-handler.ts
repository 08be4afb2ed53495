/**
 * What stands in the place of a handler that is not in this program: a worker elsewhere fetches the
 * work and answers for it. It is a function, so that it fits wherever a handler does, and is known
 * by a mark, whichever copy of this package made it.
 */
const REMOTE: unique symbol = Symbol.for('perdure.remote') as never;

export function markRemote<Handler extends () => never>(handler: Handler): Handler {
  return Object.freeze(Object.assign(handler, { [REMOTE]: true }));
}

export function isRemote(handler: unknown): boolean {
  return typeof handler === 'function' && Reflect.get(handler, REMOTE) === true;
}
