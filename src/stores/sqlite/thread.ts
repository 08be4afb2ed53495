/**
 * The thread of the database: SQLite is synchronous, and an fsync must not hold up anyone's handler
 * (D15). Requests are worked off in the order in which they come. Where tests tell the time there
 * is no clock to go by, and so nothing happens here that was not asked for.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../base/assert.ts';
import { EngineError } from '../../base/engine-error.ts';
import { Watch } from '../watch.ts';
import type { Answer, Request, Setup, Trouble } from './connection.ts';
import { troubleOf } from './driver.ts';
import { Rounds } from './rounds.ts';
import { Session } from './session.ts';

const { path, pulse, blockedMsMax, ...opening } = workerData as Setup;
assert(parentPort !== null, 'this file is started as a thread');
const port = parentPort;
let session: Session | undefined;
let rounds: Rounds | undefined;

port.on('message', ({ id, verb, told, args }: Request) => {
  let answer: Answer;
  try {
    answer = { id, value: perform(verb, told, args) };
  } catch (thrown) {
    answer = { id, trouble: describe(thrown) };
  }
  if (id !== null) port.postMessage(answer);
  if (verb === 'close') port.close();
  else rounds?.keepWatch();
});

function perform(verb: Request['verb'], told: Request['told'], args: Request['args']): unknown {
  if (verb === 'open') return open();
  if (verb === 'close') return close();
  if (verb === 'listen') return rounds?.listen(() => port.postMessage({ bell: true }));
  assert(session !== undefined, 'a store is opened before it is used');
  const [name, part] = verb.split('.').reverse();
  const home: object = part === undefined ? session : Reflect.get(session, part);
  const method: (...args: never[]) => unknown = Reflect.get(home, name ?? verb);
  return Reflect.apply(method, home, [told, ...args]);
}

function open(): void {
  const watch = pulse === null ? null : new Watch();
  session = new Session(path, opening, watch);
  if (watch === null || pulse === null) return;
  const isTrouble = (thrown: unknown): boolean => troubleOf(thrown, path) !== undefined;
  rounds = new Rounds({ session, watch, pulse, blockedMsMax, isTrouble });
}

function close(): void {
  rounds?.stop();
  rounds = undefined;
  session?.close();
}

/** Errors lose what makes them ours on the way between threads, so they travel as data. */
function describe(thrown: unknown): Trouble {
  const known = thrown instanceof EngineError ? thrown : troubleOf(thrown, path);
  if (known !== undefined) {
    const { code, message, retryable, details, cause } = known;
    return { code, message, retryable, details, cause };
  }
  const message = String(thrown);
  return { code: 'bug.invariant', message, retryable: false, details: {}, cause: thrown };
}
