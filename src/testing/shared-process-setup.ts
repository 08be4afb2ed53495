/**
 * Runs before every file of tests that shares its process with others, and sees to it that each
 * leaves the process as it found it: one that does not fails. (What a file does while it is read,
 * and none of whose tests is wanted, the next file finds.)
 */
import { afterAll, expect, vi } from 'vitest';
import { kinds } from '../nodes/index.ts';

/** Where the next file of the same process finds it. */
const FOUND = Symbol.for('perdure.tests.found');
const OPEN_TELEMETRY = Symbol.for('opentelemetry.js.api.1');
const EVENTS = ['unhandledRejection', 'uncaughtException', 'warning', 'SIGTERM', 'SIGINT'];
const PROTOTYPES = [Object, Array, Function, Promise, Map, Set, Error, String].map(
  ({ prototype }): object => prototype,
);

function look(): object {
  return {
    kinds: [...kinds.keys()],
    folder: process.cwd(),
    // Some names are the runner's own.
    environment: Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')),
    listeners: EVENTS.map((event) => `${event}: ${process.listenerCount(event)}`),
    globals: { fetch, setTimeout, setInterval, setImmediate, queueMicrotask, Date },
    prototypes: PROTOTYPES.map((prototype) => Reflect.ownKeys(prototype)),
    telemetry: Object.keys(Reflect.get(globalThis, OPEN_TELEMETRY) ?? { version: '' }),
    fakeTimers: vi.isFakeTimers(),
  };
}

function check(): void {
  const now = look();
  const found: unknown = Reflect.get(globalThis, FOUND) ?? now;
  Reflect.set(globalThis, FOUND, now);
  expect(now, 'a file of tests leaves the process as it found it').toEqual(found);
}

check();
afterAll(check);
