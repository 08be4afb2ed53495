/**
 * Which part of the database something lies in (D18). The count and the hash are for ever: a row is
 * found by them. Sixteen parts are enough to spread over as many servers, and few enough to look
 * for work in all of them at once.
 */
import type { Held } from '../store.ts';
import type { Cell } from '../writes.ts';

export const SHARDS = 16;

/** All of them, for whoever looks for work. */
export const ALL_SHARDS: readonly number[] = Array.from({ length: SHARDS }, (_, shard) => shard);

/** A claim as the statements that look for it take it. */
export function heldCells({ instance, token, worker, version }: Held): readonly Cell[] {
  return [shardOf(instance), instance, token, worker, version];
}

/** FNV-1a over UTF-16 units: spreads well what differs in a few digits, as ids do. */
export function shardOf(...texts: readonly string[]): number {
  let hash = 0x811c9dc5;
  for (const text of texts) {
    for (let i = 0; i < text.length; i += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    }
    // Keeps apart what would read the same when put together.
    hash = Math.imul(hash ^ 0x1f, 0x01000193);
  }
  // The low bits of FNV are its weakest; the high ones are folded into them.
  return ((hash ^ (hash >>> 16)) >>> 0) % SHARDS;
}
