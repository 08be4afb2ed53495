/**
 * The history of one instance as it grows, whoever makes it grow. What this process commits is
 * heard of at once; what others commit is found by looking now and then.
 */
import { setTimeout } from 'node:timers/promises';
import type { HistoryEntry, Store } from '../index.ts';

export type Entry = HistoryEntry & { readonly n: number };

export interface Source {
  /** The commits after this one, oldest first; a page of them. */
  readonly read: (after: number) => Promise<readonly Entry[]>;
  /** Until something may have been committed, or this was aborted. */
  readonly pause: (signal: AbortSignal) => Promise<void>;
}

const LOOK_MS = 200;
const PAGE = 500;

export function sourceOf(store: Store, id: string): Source {
  return {
    read: (after) => store.history({ instance: id as never, after, limit: PAGE }),
    pause,
  };
}

/** Every commit from behind this one on, until somebody has heard enough. */
export async function* follow(
  { read, pause: wait }: Source,
  signal: AbortSignal,
  from = 0,
): AsyncGenerator<Entry, void, void> {
  for (let after = from; !signal.aborted; ) {
    const entries = await read(after);
    for (const entry of entries) {
      yield entry;
      after = entry.n;
    }
    if (entries.length === 0) await wait(signal);
  }
}

/** A while, or less if it is aborted. */
export async function pause(signal: AbortSignal, ms: number = LOOK_MS): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal });
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  }
}

/** A store whose commits are heard of. */
export class HeardStore {
  readonly store: Store;
  readonly #hear = new Set<() => void>();

  constructor(store: Store) {
    this.store = instead(store, 'commit', (commit) => async (...commits) => {
      const outcomes: unknown = await commit(...commits);
      this.#ring();
      return outcomes;
    });
  }

  source(id: string): Source {
    const { read } = sourceOf(this.store, id);
    return {
      read,
      pause: async (signal) => {
        const over = new AbortController();
        const ring = (): void => over.abort();
        this.#hear.add(ring);
        await pause(AbortSignal.any([signal, over.signal]));
        this.#hear.delete(ring);
      },
    };
  }

  #ring(): void {
    for (const ring of this.#hear) ring();
  }
}

/** A store that an engine cannot close: what became of its work is read when it is gone. */
export function keptOpen(store: Store): Store {
  return instead(store, 'close', () => async () => {});
}

type Verb = (...words: unknown[]) => Promise<unknown>;

/** The same store, but for one verb. */
function instead(store: Store, other: keyof Store, make: (verb: Verb) => Verb): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      const verb = value.bind(target) as Verb;
      return name === other ? make(verb) : verb;
    },
  });
}
