/**
 * `Idempotency-Key`: doing something twice is the same as doing it once.
 *
 * What was asked under a key is written down before it is done, with the name of what it will make;
 * what came of it is written down after. Whoever asks again, of whichever process, gets the same
 * answer. If the answer was never written (the process died), it is done again under the same
 * names, so that what had come about is found and not made twice: an instance has its id, a message
 * its id, an act its name.
 *
 * A key belongs to whoever sent it, and to one request: used for another, it is refused.
 */
import { createHash } from 'node:crypto';
import type { Engine, Json } from '../index.ts';
import type { Principal } from './access/principal.ts';
import { RequestError } from './problem.ts';
import type { Answer, Route } from './route.ts';
import type { ServerLimits } from './limits.ts';

export interface Receipt {
  /** The name of what is done: of an act, or a bulk. */
  readonly once: string;
  /** The id of what is made: an instance, or a message. */
  readonly instance: string;
  /** It was asked before, and may have been done. */
  readonly isAgain: boolean;
}

const KEY_CHARS_MAX = 255;
/** While the first is at it the second need not try; past this it has died. */
const UNDER_WAY_MS = 30_000;

export interface Repeatable {
  readonly route: Route;
  readonly principal: Principal;
  readonly tenant: string | null;
  readonly path: string;
  readonly body: string;
  readonly key: string;
}

interface Kept {
  readonly status: number;
  readonly body: Json;
  readonly headers: Readonly<Record<string, string>>;
}

/** Only what was done counts as done: what was refused may be asked again, as it was. */
const SUCCESS_MAX = 299;

/** Does it unless it was done, and says what came of it either way. */
export async function once(
  engine: Engine,
  asked: Repeatable,
  { IDEMPOTENCY_MS }: ServerLimits,
  act: (receipt: Receipt) => Promise<Answer>,
): Promise<Answer> {
  checkKey(asked.key);
  const name = nameOf(asked);
  const fingerprint = hash(asked.route.operation, asked.path, asked.body);
  const found = await engine.receipts.take(name, fingerprint, IDEMPOTENCY_MS);
  if (found.fingerprint !== fingerprint) throw reused();
  if (found.answer !== null) return again(found.answer as unknown as Kept);
  if (!found.isNew && found.ageMs < UNDER_WAY_MS && !found.isLeft) throw underWay();
  try {
    const answer = await act({
      once: name.slice(0, 40),
      instance: found.instance,
      isAgain: !found.isNew,
    });
    const { status = 200, body = null, headers = {} } = answer;
    if (status > SUCCESS_MAX) await engine.receipts.leave(name);
    else await engine.receipts.settle(name, { status, body: body as Json, headers });
    return answer;
  } catch (thrown) {
    await engine.receipts.leave(name);
    throw thrown;
  }
}

function again({ status, body, headers }: Kept): Answer {
  const said = body === null ? {} : { body };
  return { status, ...said, headers: { ...headers, 'idempotency-replayed': 'true' } };
}

function checkKey(key: string): void {
  if (key !== '' && key.length <= KEY_CHARS_MAX && /^[\x21-\x7e]+$/.test(key)) return;
  const rule = `1 to ${KEY_CHARS_MAX} visible ASCII characters`;
  throw new RequestError('request.invalid', `an Idempotency-Key is ${rule}`);
}

/** Nobody else's, and of no other tenant: theirs may be the same by chance. */
function nameOf({ principal, tenant, key }: Repeatable): string {
  return hash(principal.id, tenant === null ? '' : `=${tenant}`, key);
}

function hash(...parts: readonly string[]): string {
  const all = createHash('sha256');
  // The lengths keep apart what would read the same when put together.
  for (const part of parts) all.update(`${part.length}:`).update(part);
  return all.digest('hex');
}

function reused(): RequestError {
  const message = 'this Idempotency-Key was used for another request: use another key';
  return new RequestError('idempotency.reused', message);
}

function underWay(): RequestError {
  const message = 'the first request with this Idempotency-Key is still under way';
  return new RequestError('idempotency.under-way', message, {
    retryable: true,
    headers: { 'retry-after': '1' },
  });
}
