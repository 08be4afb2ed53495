/**
 * What tells our own page from other pages and other people of the same machine: a secret that is
 * new at every start. It is in the fragment of the address that is printed, which a browser tells
 * nobody, and comes back in a header, which no other page can have a browser send.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const BYTES = 32;

export function makeToken(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** Whether the value of an `Authorization` header has it. How wrong it is takes no time to tell. */
export function hasToken(header: string | null | undefined, token: string): boolean {
  const said = /^Bearer ([\w-]+)$/.exec(header ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(said), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
