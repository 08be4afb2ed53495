/** Answers nobody waits for. None of them may leave a trace, whatever the instance is at. */
import { type Instance, isResting } from '../kernel/instance.ts';
import type { HistoryRow } from '../model/commit.ts';
import type { InstanceId, Instant, NodeId, TokenId } from '../model/ids.ts';
import type { ClaimFact, Input } from '../model/input.ts';
import type { Token } from '../model/instance.ts';
import { isLeftOver } from './laws-failures.ts';
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
    ...pick(tokens, 'living').flatMap((token) => wrongFor(instance, token, at)),
    ...pick(gone, 'gone').flatMap((token) => allFor(token, at)),
    ...allFor((instance.head.counter + 7) as TokenId, at),
    ...(instance.head.endedAt === null ? [] : [true, false].map((saga) => cancel(at, saga))),
  ];
}

function cancel(at: Instant, saga: boolean): Input {
  return { type: 'cancel', at, saga };
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
    ...othersFor(token, at, NOTHING),
  ];
}

/** The end of an instance it did not call, and what nobody can do to it. */
function othersFor(token: TokenId, at: Instant, can: readonly Can[]): Input[] {
  const answer = { status: 'completed', output: 'stray' } as const;
  const child: Input = { type: 'child', at, token, from: 'nobody' as InstanceId, answer };
  const remedies: readonly Input[] = [
    { type: 'retry', at, token },
    { type: 'skip', at, token, value: 'stray' },
    { type: 'wake', at, token, data: 'stray', arm: null },
    { type: 'move', at, token, to: 'nowhere' as NodeId },
    { type: 'task', at, token, ask: { do: 'comment', by: 'ann', groups: [] } },
    { type: 'task', at, token, ask: { do: 'decide', decision: 'approve', ...ANYONE } },
  ];
  return [child, ...remedies.filter(({ type }) => !can.includes(type as Can))];
}

type Can = 'retry' | 'skip' | 'wake' | 'task';

const ANYONE = { by: 'root', groups: [], override: true } as const;

const NOTHING: readonly Can[] = [];

/** No stray: it can be done to a living token, or that depends on more than its wait. */
const ABLE: Readonly<Record<string, readonly Can[]>> = {
  join: NOTHING,
  inclusive: NOTHING,
  merge: NOTHING,
  saga: NOTHING,
  scope: ['skip'],
  child: ['skip'],
  incident: ['retry', 'skip'],
  task: ['skip', 'task'],
  message: ['skip', 'wake'],
  first: ['skip', 'wake'],
  time: ['retry', 'skip', 'wake'],
};

const ABLE_WHEN_READY: readonly Can[] = ['retry', 'skip', 'wake'];

/** To a living token, what it does not wait for. */
function wrongFor(instance: Instance, token: Token, at: Instant): Input[] {
  const { id, wait, wakeAt } = token;
  const claimed = { at, token: id, claim: CLAIM };
  if (token.status === 'ready') {
    const swapped: Input = isResting(token) ? resultFor(id, at) : { type: 'continue', ...claimed };
    const unrun: Input = { type: 'result', ...claimed, outcome: { outcome: 'unrun' } };
    return [
      ...(isLeftOver(instance, token) ? [] : [unrun]),
      swapped,
      { type: 'time', at, token: id },
      messageFor(id, at, 'event-0', 'order-1'),
      ...othersFor(id, at, ABLE_WHEN_READY),
    ];
  }
  const early = wakeAt === null ? at : (Math.min(at, wakeAt - 1) as Instant);
  const near = wait?.on === 'first' ? wait.any[0] : wait?.on === 'message' ? wait : undefined;
  const wrong = near === undefined ? ['event-0', 'order-1'] : [near.type, `${near.key}!`];
  return [
    resultFor(id, at),
    failureFor(id, at),
    { type: 'continue', ...claimed },
    { type: 'expire', ...claimed },
    { type: 'time', at: early, token: id },
    messageFor(id, at, wrong[0] ?? '', wrong[1] ?? ''),
    ...othersFor(id, at, ABLE[wait?.on ?? 'join'] ?? NOTHING),
  ];
}
