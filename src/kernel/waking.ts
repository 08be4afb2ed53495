/** What wakes a token that waits: its moment, a message, the end of an instance it called. */
import type { Json } from '../base/json.ts';
import type { InstanceId, TokenId } from '../model/ids.ts';
import type { Input, Message } from '../model/input.ts';
import type { Token, Wait, Wake } from '../model/instance.ts';
import { signalOf } from './signals.ts';
import type { Stride } from './stride.ts';

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
  const token = tokens.get(input.token);
  const { data } = input.message;
  // Whoever is suspended is told when it goes on: the message is kept for it.
  if (token?.status !== 'waiting' || head.status === 'suspended') return;
  const { wait } = token;
  if (wait?.on === 'message' && isFor(input.message, wait, head.id)) {
    return wakeWith(stride, token, { reason: 'event', payload: data });
  }
  if (wait?.on !== 'first') return;
  const met = wait.any.find((one) => isFor(input.message, one, head.id));
  if (met !== undefined) wakeWith(stride, token, { reason: 'event', payload: data, arm: met.arm });
}

/** The messages a token waits for may be there already: somebody is to look. */
export function hintAwaited(stride: Stride, token: TokenId, wait: Wait | null): void {
  const awaited = wait?.on === 'message' ? [wait] : wait?.on === 'first' ? wait.any : [];
  for (const { type, key } of awaited) stride.hint({ do: 'await', token, type, key });
}

function isFor(
  { type, key, instance }: Message,
  wait: Pick<Message, 'type' | 'key'>,
  id: InstanceId,
): boolean {
  if (wait.type !== type) return false;
  return instance === undefined ? wait.key === key : instance === id;
}

export function admitChild(stride: Stride, input: Told<'child'>): void {
  const token = stride.scratch.tokens.get(input.token);
  if (token?.status !== 'waiting' || token.wait?.on !== 'child') return;
  if (token.wait.instance !== input.from) return;
  const payload = { on: 'child', answer: input.answer } as unknown as Json;
  wakeWith(stride, token, { reason: 'resume', payload });
}

/** Without the flow's closures a process may wake a token but not go on with it (D19). */
export function wakeWith(stride: Stride, token: Token, why: Wake): void {
  const { id } = token;
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
