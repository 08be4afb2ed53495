/**
 * The part of the port that keeps what was asked under a key, and what came of it, for a while: of
 * all who ask for the same only one is the first, whatever process they ask.
 *
 * What is over by the store's clock counts as not there, whether or not it has been removed yet.
 */
import type { Json } from '../base/json.ts';
import type { Instant } from '../model/ids.ts';
import { instant, integer, json, text } from './cells.ts';
import type { Row } from './rows.ts';

export interface Receipts {
  /**
   * Keeps the body under the key unless something is kept there, and gives what stands there now
   * and since when. Of several who take at the same moment one is new, and all are given its body.
   */
  take(key: string, body: Json, ttlMs: number): Promise<Taken>;
  /** Undefined if nothing stands there, or not any more. */
  find(key: string): Promise<KeptReceipt | undefined>;
  /**
   * Puts another body in its place; when it was taken and until when it is kept stay. False if it
   * is not there any more, or is not `was` any more, where that is given.
   */
  put(key: string, body: Json, was?: Json): Promise<boolean>;
  /** Removes what is over, in one short transaction, and says where the next one begins. */
  prune(request: PruneReceiptsRequest): Promise<PrunedReceipts>;
}

export interface KeptReceipt {
  readonly body: Json;
  readonly at: Instant;
}

export interface Taken extends KeptReceipt {
  readonly isNew: boolean;
}

export interface PruneReceiptsRequest {
  /** What the call before ended with. */
  readonly after: string | null;
  /** How many are looked at, at most. */
  readonly walk: number;
  /** Nothing is removed: what would be is counted. */
  readonly dryRun: boolean;
}

export interface PrunedReceipts {
  readonly pruned: number;
  /** Null if this was the last. */
  readonly next: string | null;
}

/** Whoever takes one removes so many that are over: there are never many more than are in use. */
export const CLEARED_MAX = 2;

export function readReceipt(row: Row): KeptReceipt {
  return Object.freeze({ body: json(row, 'body'), at: instant(row, 'at') });
}

/** Whoever asked first is new. */
export function readTaken(row: Row): Taken {
  return Object.freeze({ ...readReceipt(row), isNew: integer(row, 'asked') === 1 });
}

/** A key, and whether what stands there is over. */
interface Walked {
  readonly key: string;
  readonly isOver: boolean;
}

export function readWalked(row: Row): Walked {
  return { key: text(row, 'key'), isOver: integer(row, 'is_over') === 1 };
}

export interface PruneReceiptTools {
  /** After this key, in ascending order. */
  walk(after: string, limit: number): Promise<readonly Walked[]>;
  /** Those that are over still: one may have been taken anew. How many there were. */
  remove(keys: readonly string[]): Promise<number>;
}

export async function pruneReceiptsBy(
  tools: PruneReceiptTools,
  { after, walk, dryRun }: PruneReceiptsRequest,
): Promise<PrunedReceipts> {
  const walked = await tools.walk(after ?? '', walk);
  const over = walked.filter(({ isOver }) => isOver).map(({ key }) => key);
  const pruned = dryRun || over.length === 0 ? over.length : await tools.remove(over);
  return { pruned, next: walked.length < walk ? null : (walked.at(-1)?.key ?? null) };
}
