/**
 * Chance without randomness: the same text always draws the same number, and texts that differ in
 * one character draw numbers that have nothing to do with each other. What must be spread out and
 * yet be the same when it is worked out again is drawn this way.
 */

/** From 0 up to, and never, 1. (FNV-1a, then the finish of MurmurHash3.) */
export function chanceOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
