/** What was asked under a key, in a map: what was taken last comes last. */
import { type Json, parseJson } from '../../base/json.ts';
import type { Instant } from '../../model/ids.ts';
import { encode } from '../payload.ts';
import {
  CLEARED_MAX,
  type KeptReceipt,
  type PrunedReceipts,
  pruneReceiptsBy,
  type PruneReceiptsRequest,
  type Receipts,
  type Taken,
} from '../receipts.ts';
import { compareTexts } from '../texts.ts';

interface ReceiptRow {
  readonly body: string;
  readonly at: Instant;
  readonly expiresAt: number;
}

export class MemoryReceipts implements Receipts {
  readonly #now: () => Instant;
  readonly #rows = new Map<string, ReceiptRow>();

  constructor(now: () => Instant) {
    this.#now = now;
  }

  async take(key: string, body: Json, ttlMs: number): Promise<Taken> {
    const text = encode(body);
    this.#clear();
    const kept = this.#find(key);
    if (kept !== undefined) return Object.freeze({ ...decode(kept), isNew: false });
    const at = this.#now();
    const row: ReceiptRow = { body: text, at, expiresAt: at + ttlMs };
    this.#rows.delete(key);
    this.#rows.set(key, row);
    return Object.freeze({ ...decode(row), isNew: true });
  }

  async find(key: string): Promise<KeptReceipt | undefined> {
    const kept = this.#find(key);
    return kept && Object.freeze(decode(kept));
  }

  async put(key: string, body: Json, was?: Json): Promise<boolean> {
    const kept = this.#find(key);
    const text = encode(body);
    if (kept === undefined || (was !== undefined && kept.body !== encode(was))) return false;
    this.#rows.set(key, { ...kept, body: text });
    return true;
  }

  async prune(request: PruneReceiptsRequest): Promise<PrunedReceipts> {
    return pruneReceiptsBy(
      {
        walk: async (after, limit) => {
          const keys = [...this.#rows.keys()].filter((key) => compareTexts(key, after) > 0);
          const first = keys.sort(compareTexts).slice(0, limit);
          return first.map((key) => ({ key, isOver: this.#find(key) === undefined }));
        },
        remove: async (keys) => {
          for (const key of keys) this.#rows.delete(key);
          return keys.length;
        },
      },
      request,
    );
  }

  #find(key: string): ReceiptRow | undefined {
    const row = this.#rows.get(key);
    return row !== undefined && row.expiresAt > this.#now() ? row : undefined;
  }

  /** Those that have been there for longest are mostly the first to be over. */
  #clear(): void {
    let cleared = 0;
    for (const key of this.#rows.keys()) {
      if (cleared === CLEARED_MAX || this.#find(key) !== undefined) return;
      this.#rows.delete(key);
      cleared += 1;
    }
  }
}

function decode({ body, at }: ReceiptRow): KeptReceipt {
  return { body: parseJson(body), at };
}
