/**
 * The thread of the database: SQLite is synchronous, and an fsync must not hold up anyone's handler
 * (D15). Requests are worked off in the order in which they come.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../base/assert.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { Answer, Request, Setup, Trouble } from './connection.ts';
import { troubleOf } from './driver.ts';
import { Session } from './session.ts';

const { path, durability } = workerData as Setup;
assert(parentPort !== null, 'this file is started as a thread');
const port = parentPort;
let session: Session | undefined;

port.on('message', ({ id, verb, told, args }: Request) => {
  let answer: Answer;
  try {
    answer = { id, value: perform(verb, told, args) };
  } catch (thrown) {
    answer = { id, trouble: describe(thrown) };
  }
  port.postMessage(answer);
  if (verb === 'close') port.close();
});

function perform(verb: Request['verb'], told: Request['told'], args: Request['args']): unknown {
  if (verb === 'open') return void (session ??= new Session(path, durability));
  if (verb === 'close') return session?.close();
  assert(session !== undefined, 'a store is opened before it is used');
  const method: (...args: never[]) => unknown = session[verb];
  return Reflect.apply(method, session, [told, ...args]);
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
