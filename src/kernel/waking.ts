/** What wakes a token that waits: its moment, a message, the end of an instance it called. */
import type { Json } from '../base/json.ts';
import { isFor } from '../model/awaited.ts';
import { dataOf, eventOf } from '../model/cloud-event.ts';
import type { Instant, TokenId } from '../model/ids.ts';
import type { Input, Message } from '../model/input.ts';
import type { Awaited, Token, Wait, Wake } from '../model/instance.ts';
import { heardBy, isListening, listeningOf } from './listening.ts';
import { signalOf } from './signals.ts';
import type { Stride } from './stride.ts';
import { inTrace } from './traces.ts';

/** The token whose moment has come; undefined if it has not, or no longer. */
export function dueToken({ scratch }: Stride, input: Told<'time'>): Token | undefined {
  const token = scratch.tokens.get(input.token);
  if (token?.status !== 'waiting' || token.wakeAt === null) return undefined;
  return token.wakeAt > input.at || scratch.head.status === 'suspended' ? undefined : token;
}

type Told<Type extends Input['type']> = Extract<Input, { type: Type }>;

export function admitTime(stride: Stride, token: Token): void {
  const arm = token.wait?.on === 'first' ? token.wait.timer : undefined;
  wakeWith(stride, token, {
    reason: 'timeout',
    payload: null,
    ...(arm === undefined ? {} : { arm }),
  });
}

export function admitMessage(stride: Stride, input: Told<'message'>): void {
  const { head, tokens } = stride.scratch;
  // Whoever is suspended is told when it goes on: the message is kept for it.
  if (head.status === 'suspended') return;
  const { message, published } = input;
  const token = tokens.get(input.token);
  if (token?.status === 'waiting') wakeWaiter(stride, token, input);
  if (published !== undefined) tellListeners(stride, message, published);
}

function wakeWaiter(stride: Stride, token: Token, { message, published }: Told<'message'>): void {
  const { wait } = token;
  const { trace } = message;
  const { id } = stride.scratch.head;
  if (wait?.on === 'message' && isFor(message, wait, id)) {
    return wakeWith(stride, token, {
      reason: 'event',
      payload: dataOf(message),
      ...inTrace(trace),
    });
  }
  // Those who listen are told together.
  if (wait?.on !== 'first' || (isListening(wait) && published !== undefined)) return;
  const met = wait.any.find((one) => isFor(message, one, id));
  if (met === undefined) return;
  const payload = isListening(wait) ? eventOf(message) : dataOf(message);
  wakeWith(stride, token, { reason: 'event', payload, arm: met.arm, ...inTrace(trace) });
}

/** All of them in one stride; unless one has yet to be told what it heard before. */
function tellListeners(stride: Stride, message: Message, published: Instant): void {
  const { head, tokens } = stride.scratch;
  const met: (readonly [Token, Awaited])[] = [];
  for (const token of tokens.values()) {
    const listening = listeningOf(token);
    if (listening === undefined || listening.since > published) continue;
    const arm = listening.any.find((one) => isFor(message, one, head.id));
    if (arm === undefined) continue;
    if (token.status !== 'waiting') return;
    met.push([token, arm]);
  }
  const payload = eventOf(message);
  const more = inTrace(message.trace);
  for (const [token, { arm }] of met) {
    wakeWith(stride, token, { reason: 'event', payload, arm, ...more });
  }
}

/** The messages a token waits for may be there already: somebody is to look. */
export function hintAwaited(stride: Stride, token: TokenId, wait: Wait | null): void {
  const awaited = wait?.on === 'message' ? [wait] : wait?.on === 'first' ? wait.any : [];
  for (const { type, key } of awaited) stride.hint({ do: 'await', token, type, key });
}

export function admitChild(stride: Stride, input: Told<'child'>): void {
  const token = stride.scratch.tokens.get(input.token);
  if (token?.status !== 'waiting' || token.wait?.on !== 'child') return;
  if (token.wait.instance !== input.from) return;
  const { answer, from } = input;
  const payload = { on: 'child', answer, from } as unknown as Json;
  wakeWith(stride, token, { reason: 'resume', payload });
}

/** Without the flow's closures a process may wake a token but not go on with it (D19). */
export function wakeWith(stride: Stride, token: Token, reason: Wake): void {
  const { id } = token;
  const why = reason.reason === 'event' ? { ...reason, ...heardBy(token.wait) } : reason;
  const spot = stride.machine.spots.get(token.node);
  if (spot?.kind.reenters === true) {
    // A row of a chain has kept its own.
    const handler = token.handler ?? spot.handler;
    const named = token.seq === null ? { handler } : {};
    stride.record({ did: 'wake-token', token: id, wake: why, again: true, ...named });
    return stride.hint({ do: 'offer', token: id, handler });
  }
  if (stride.machine.code !== null) {
    stride.record({ did: 'wake-token', token: id, wake: why, enter: true });
    return void stride.agenda.push({ token: id, signal: signalOf(why), hops: 0 });
  }
  const { handler } = stride.machine;
  stride.record({ did: 'wake-token', token: id, wake: why, handler });
  stride.hint({ do: 'offer', token: id, handler });
}
