/**
 * The generator's fillings for what fails, catches, waits for several things or reaches out to
 * other instances. The list of all kinds is in `random-kinds.ts`.
 */
import type { JsonObject } from '../base/json.ts';
import type { Code, NodeCode } from '../model/definition.ts';
import { luck, lucky, seenBy } from './random-luck.ts';
import { type Filled, slot, type Spot } from './random-spot.ts';

/** What handlers and fail nodes raise; some tries catch only one of them. */
export const CODES: readonly string[] = ['red', 'green', 'blue'];

export function fillStep({ seed, names }: Spot): Filled {
  const priority =
    luck(3, seed, 'urgent') === 0 ? { priority: luck(11, seed, 'priority') - 5 } : {};
  const retry = luck(3, seed, 'retries') === 0 ? { retry: retryOf(seed, 'retry') } : {};
  // What comes of a deadline depends on when answers come, so only graphs have them.
  const late = names === null && luck(6, seed, 'deadline') === 0 ? { deadlineMs: 2_000 } : {};
  const undo = luck(3, seed, 'undoes') > 0 ? { undo: undoOf(seed) } : {};
  const mends = luck(20, seed, 'mends') === 0 ? { onFailure: 'incident' } : {};
  return { settings: { ...priority, ...retry, ...late, ...undo, ...mends }, code: {} };
}

function undoOf(seed: number): JsonObject {
  return luck(2, seed, 'undo retries') === 0 ? {} : { retry: retryOf(seed, 'undo') };
}

/** How often the region of a try is run, or a handler, at the most. */
export const ATTEMPTS_MOST = 3;

/** A policy of a handler, of its undo or of a region. */
export function retryOf(seed: number, word: string): JsonObject {
  const delayMs = lucky([0, 0, 10, 1_000], seed, word, 'delay');
  return {
    maxAttempts: 1 + luck(ATTEMPTS_MOST, seed, word, 'attempts'),
    delayMs,
    backoff: lucky(['fixed', 'linear', 'exponential'], seed, word, 'backoff'),
    maxDelayMs: Math.max(delayMs, 1_500),
    jitter: luck(2, seed, word, 'jitter') / 2,
  };
}

/** Leaves by its first edge when all is well, and by its last for what it caught. */
export function fillTry(spot: Spot): Filled {
  const { seed, body, names, out } = spot;
  const [done = ''] = out;
  const caught = out.length > 1 ? { caught: out.at(-1) ?? '' } : {};
  const filter = luck(4, seed, 'filter');
  const errors = filter === 0 ? { errors: [lucky(CODES, seed, 'code')] } : {};
  const asks = filter === 1 ? { asks: true } : {};
  const when = slot(spot, 'when', 'maybe', (view) => {
    return luck(2, seed, view.error?.code ?? '', seenBy(view, names)) === 0;
  });
  const tries = out.length < 2 || luck(3, seed, 'tries') === 0;
  const again = tries && luck(4, seed, 'again') === 0;
  const policy = { ...retryOf(seed, 'retry'), ...(again ? { asks: true } : {}) };
  const worth = slot(spot, 'retry.when', 'maybe', (view) => {
    return luck(3, seed, view.error?.code ?? '') > 0;
  });
  const code: NodeCode = { ...(filter === 1 ? when : {}), ...(again ? worth : {}) };
  const settings = { body, done, ...caught, ...errors, ...asks };
  return { settings: tries ? { ...settings, retry: policy } : settings, code };
}

export function fillFail(spot: Spot): Filled {
  const { seed, names } = spot;
  const code = lucky(CODES, seed, 'code');
  const fixed = !spot.trapped && luck(2, seed, 'fixed') === 0;
  if (fixed) {
    const details = luck(2, seed, 'details') === 0 ? { details: { n: luck(9, seed) } } : {};
    return { settings: { error: { code, message: `it is ${code}`, ...details } }, code: {} };
  }
  const error: Code = (view) => ({ code, message: `saw ${luck(100, seed, seenBy(view, names))}` });
  return { settings: {}, code: slot(spot, 'error', 7, error) };
}

/** Two or three arms at the most, no two for the same type of message. */
export function fillFirst(spot: Spot): Filled {
  const { seed, names } = spot;
  const code: Record<string, Code> = {};
  const arms = Array.from({ length: 1 + luck(3, seed, 'arms') }, (_, n): JsonObject => {
    const arm = `a${n}`;
    if (luck(3, seed, 'timer', n) === 0) {
      const ms = luck(5_000, seed, 'after', n);
      if (!spot.trapped && luck(2, seed, 'literal', n) === 0) return { arm, afterMs: ms };
      const after: Code = (view) => luck(5, seed, seenBy(view, names)) * 500 + n;
      Object.assign(code, slot(spot, `after.${arm}`, 'soon', after));
      return { arm, afterMs: null };
    }
    const event = `event-${n}`;
    const by = spot.trapped ? 2 : luck(3, seed, 'by', n);
    if (by < 2) return { arm, event, key: by === 0 ? null : 'fixed', keyCode: false };
    const key: Code = (view) => `key-${luck(3, seed, seenBy(view, names))}`;
    Object.assign(code, slot(spot, `key.${arm}`, '', key));
    return { arm, event, key: null, keyCode: true };
  });
  return { settings: { arms }, code };
}

export function fillEmit(spot: Spot): Filled {
  const { seed, names } = spot;
  const type = `event-${luck(3, seed, 'type')}`;
  const saw: Code = (view) => luck(100, seed, seenBy(view, names));
  switch (spot.trapped ? 2 : luck(3, seed, 'by')) {
    case 0:
      return { settings: { type, data: { n: luck(9, seed, 'data') } }, code: {} };
    case 1: {
      const code = { key: () => 'somebody', data: saw };
      return { settings: { type, keyCode: true, dataCode: true }, code };
    }
    default: {
      const event: Code = (view) => ({ type, key: 'fixed', data: saw(view) });
      return { settings: { eventCode: true }, code: slot(spot, 'event', null, event) };
    }
  }
}

export function fillCall(spot: Spot): Filled {
  const { seed, names } = spot;
  const key = luck(3, seed, 'key') === 0 ? { key: 'child-1' } : {};
  if (!spot.trapped && luck(2, seed, 'fixed') === 0) {
    return { settings: { flow: 'other', input: { n: luck(9, seed, 'input') }, ...key }, code: {} };
  }
  const input: Code = (view) => luck(100, seed, seenBy(view, names));
  const code = { ...slot(spot, 'input', null, input), ...slot(spot, 'key', 7, () => 'child-2') };
  return { settings: { flow: 'other', inputCode: true, keyCode: true }, code };
}
