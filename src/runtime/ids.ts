import { randomBytes, randomFillSync } from 'node:crypto';
import { hostname } from 'node:os';
import { basename } from 'node:path';
import type { InstanceId } from '../model/ids.ts';

/** Random bytes are drawn in bulk: one system call serves some 400 ids. */
const POOL_BYTES = 4_096;
const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

/** Where the next so many bytes of the pool begin. */
function draw(count: number): number {
  if (used + count > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  used += count;
  return used - count;
}

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
);

/** A UUIDv7: sorts by the moment it was made, so that new rows land together. */
export function newInstanceId(now: number): InstanceId {
  const time = Math.floor(now).toString(16).padStart(12, '0');
  const from = draw(10);
  const byte = (at: number): string => HEX[pool[from + at] ?? 0] ?? '';
  const version = HEX[((pool[from] ?? 0) & 0x0f) | 0x70] ?? '';
  const variant = HEX[((pool[from + 2] ?? 0) & 0x3f) | 0x80] ?? '';
  const node = byte(4) + byte(5) + byte(6) + byte(7) + byte(8) + byte(9);
  const parts = `${version}${byte(1)}-${variant}${byte(3)}-${node}`;
  return `${time.slice(-12, -4)}-${time.slice(-4)}-${parts}` as InstanceId;
}

const RUN = randomBytes(12).toString('base64url');
let count = 0;

/** Names a commit or a message. Unique is all it needs to be: this process's, and a number. */
export function newId(): string {
  count += 1;
  return RUN + count;
}

/**
 * Program, host, process and chance (`shop:web-1:4711:9f86d081`): for people to read, and unique
 * per process start, so that an old claim of the same host is never mistaken for ours.
 */
export function newWorkerId(): string {
  const program = basename(process.argv[1] ?? 'node').replace(/\.[cm]?[jt]s$/, '');
  const parts = [program, hostname(), String(process.pid), randomBytes(4).toString('hex')];
  return parts.map((part) => part.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, '-')).join(':');
}
