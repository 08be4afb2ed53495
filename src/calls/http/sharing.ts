/**
 * Work that several want at the same time is done once.
 *
 * Whoever leaves (its signal is aborted) leaves the others their work; when the last one has left,
 * the work itself is aborted. What became of it is not kept: who comes later has it done anew.
 */
import { unlessAborted } from './patience.ts';

export type Sharing<Value> = (
  key: string,
  signal: AbortSignal,
  make: (signal: AbortSignal) => Promise<Value>,
) => Promise<Value>;

interface Work<Value> {
  readonly promise: Promise<Value>;
  readonly stop: AbortController;
  waiting: number;
}

export function createSharing<Value>(): Sharing<Value> {
  const underWay = new Map<string, Work<Value>>();
  return async (key, signal, make) => {
    signal.throwIfAborted();
    const work = underWay.get(key) ?? begin(make);
    underWay.set(key, work);
    work.waiting += 1;
    try {
      return await unlessAborted(signal, work.promise);
    } finally {
      work.waiting -= 1;
      if (work.waiting === 0) {
        work.stop.abort();
        if (underWay.get(key) === work) underWay.delete(key);
      }
    }
  };
}

function begin<Value>(make: (signal: AbortSignal) => Promise<Value>): Work<Value> {
  const stop = new AbortController();
  return { promise: make(stop.signal), stop, waiting: 0 };
}
