/**
 * How long one request is waited for, and who may end it: its caller, or a limit of time.
 *
 * Whatever ends it first aborts the one signal that everything below looks at, with the error that
 * is to be thrown as its reason.
 */
export interface Patience {
  readonly signal: AbortSignal;
  /** From now on so long at most, until the function it returns is called. */
  readonly limit: (ms: number, late: () => Error) => () => void;
  /** Nothing is waited for any more. */
  readonly end: () => void;
}

export function patienceFor(caller: AbortSignal): Patience {
  const stop = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  const leave = (): void => stop.abort(caller.reason);
  if (caller.aborted) leave();
  else caller.addEventListener('abort', leave, { once: true });
  return {
    signal: stop.signal,
    limit: (ms, late) => {
      const timer = setTimeout(() => stop.abort(late()), ms);
      timers.add(timer);
      return () => {
        clearTimeout(timer);
        timers.delete(timer);
      };
    },
    end: () => {
      caller.removeEventListener('abort', leave);
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** What a promise comes to, or the reason of a signal that is aborted before that. */
export async function unlessAborted<Value>(
  signal: AbortSignal,
  promise: Promise<Value>,
): Promise<Value> {
  let leave = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    // Whoever aborts says why; it is thrown as it is, as `throwIfAborted` would.
    leave = () => reject(signal.reason as Error);
  });
  aborted.catch(() => {});
  promise.catch(() => {});
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
