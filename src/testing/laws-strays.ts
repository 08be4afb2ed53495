/** Answers nobody waits for. None of them may leave a trace, whatever the instance is at. */
import { type Instance, isResting } from '../kernel/instance.ts';
import type { HistoryRow } from '../model/commit.ts';
import type { Instant, TokenId } from '../model/ids.ts';
import type { ClaimFact, Input } from '../model/input.ts';
import type { Token } from '../model/instance.ts';
import { luck } from './random-luck.ts';

/** How many tokens get stray answers between two strides. */
const STRAYS = 3;

/** What a worker says that still believes in a claim. */
const CLAIM: ClaimFact = { worker: 'late', version: 1, at: 0 as Instant };

export function straysFor(
  instance: Instance,
  history: readonly HistoryRow[],
  at: Instant,
  seed: number,
): Input[] {
  const tokens = instance.tokens.values();
  const gone = goneTokens(history);
  const pick = <Item>(items: readonly Item[], word: string): Item[] => {
    const from = luck(Math.max(1, items.length), seed, 'stray', word, history.length);
    return [...items.slice(from), ...items.slice(0, from)].slice(0, STRAYS);
  };
  return [
    ...pick(tokens, 'living').flatMap((token) => wrongFor(token, at)),
    ...pick(gone, 'gone').flatMap((token) => allFor(token, at)),
    ...allFor((instance.head.counter + 7) as TokenId, at),
  ];
}

function goneTokens(history: readonly HistoryRow[]): TokenId[] {
  const newest = history.slice(-STRAYS).concat(history.slice(0, STRAYS));
  const changes = newest.flatMap((row) => row.changes);
  return changes.flatMap((change) => (change.did === 'end-token' ? [change.token] : []));
}

function resultFor(token: TokenId, at: Instant): Input {
  return { type: 'result', at, token, claim: CLAIM, outcome: { outcome: 'done', value: 'late' } };
}

function failureFor(token: TokenId, at: Instant): Input {
  const fault = { code: 'late', message: 'late' };
  return { type: 'result', at, token, claim: CLAIM, outcome: { outcome: 'failed', fault } };
}

function messageFor(token: TokenId, at: Instant, type: string, key: string): Input {
  return { type: 'message', at, token, message: { id: 'stray', type, key, data: 'stray' } };
}

/** To a token that is gone or never was, everything is a stray. */
function allFor(token: TokenId, at: Instant): Input[] {
  const claimed = { at, token, claim: CLAIM };
  return [
    resultFor(token, at),
    failureFor(token, at),
    { type: 'continue', ...claimed },
    { type: 'expire', ...claimed },
    { type: 'time', at, token },
    messageFor(token, at, 'event-0', 'order-1'),
  ];
}

/** To a living token, what it does not wait for. */
function wrongFor(token: Token, at: Instant): Input[] {
  const { id, wait, wakeAt } = token;
  const claimed = { at, token: id, claim: CLAIM };
  if (token.status === 'ready') {
    const swapped: Input = isResting(token) ? resultFor(id, at) : { type: 'continue', ...claimed };
    return [swapped, { type: 'time', at, token: id }, messageFor(id, at, 'event-0', 'order-1')];
  }
  const early = wakeAt === null ? at : (Math.min(at, wakeAt - 1) as Instant);
  const wrong = wait?.on === 'message' ? [wait.type, `${wait.key}!`] : ['event-0', 'order-1'];
  return [
    resultFor(id, at),
    failureFor(id, at),
    { type: 'continue', ...claimed },
    { type: 'expire', ...claimed },
    { type: 'time', at: early, token: id },
    messageFor(id, at, wrong[0] ?? '', wrong[1] ?? ''),
  ];
}
