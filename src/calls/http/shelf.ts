/** What is kept for a while: so many things at most, of so much weight; the longest unused goes. */
export interface Shelf<Value> {
  readonly find: (key: string) => Value | undefined;
  readonly put: (key: string, value: Value, weight?: number) => void;
  readonly drop: (key: string) => void;
}

export interface ShelfSize {
  readonly entriesMax: number;
  /** Of all together. A thing that is heavier than that is not kept at all. */
  readonly weightMax?: number;
}

export function createShelf<Value>(size: ShelfSize): Shelf<Value> {
  const { entriesMax, weightMax = Number.POSITIVE_INFINITY } = size;
  // A map remembers the order of insertion: the first is the longest unused.
  const kept = new Map<string, { readonly value: Value; readonly weight: number }>();
  let total = 0;
  const drop = (key: string): void => {
    total -= kept.get(key)?.weight ?? 0;
    kept.delete(key);
  };
  return {
    drop,
    find: (key) => {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      kept.delete(key);
      kept.set(key, found);
      return found.value;
    },
    put: (key, value, weight = 0) => {
      drop(key);
      kept.set(key, { value, weight });
      total += weight;
      for (const oldest of kept.keys()) {
        if (kept.size <= entriesMax && total <= weightMax) return;
        drop(oldest);
      }
    },
  };
}
