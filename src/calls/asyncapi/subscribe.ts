/**
 * `call: asyncapi` with a subscription: messages, consumed in rounds.
 *
 * A round returns messages, whether it is done, and a `state`. Whoever calls commits the messages
 * together with the state, and gives the state to the next round, until one is done. Only then does
 * MQTT lose nothing, whatever crashes: a message is acknowledged in the round after the one that
 * returned it. That is why the last messages come with `done: false`: the round after them, which
 * has nothing to wait for, ends the session and says `done: true`, with no messages. Whoever has
 * had enough before that gives `until: () => true`.
 *
 * HTTP and WebSockets have no sessions: the last messages come with `done: true`. What they promise
 * is said in `http-feed.ts` and `web-socket-calls.ts`; what MQTT does, in `mqtt-feed.ts`.
 *
 * A call that is aborted closes its connection at once and leaves the session alone: its round may
 * be executed again, by another process.
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Calling } from '../calling.ts';
import { type Alarm, processAlarm } from './alarm.ts';
import { readArguments } from './arguments.ts';
import { hiding, misconfigured } from './faults.ts';
import { type Consume, gather, type Gathered, isOver } from './gathering.ts';
import { openHttpFeed } from './http-feed.ts';
import { loginOf } from './login.ts';
import { endSession, MqttFeed, type MqttSource, readMqttState } from './mqtt-feed.ts';
import type { StreamSubscription } from './stream-feed.ts';
import { findTarget, type Target } from './target.ts';
import { openWebSocketFeed } from './web-socket-calls.ts';

export interface Consumed {
  readonly messages: readonly JsonObject[];
  /** No further round is needed, and nothing is left behind. */
  readonly done: boolean;
  /** For the next round. */
  readonly state: Json;
}

interface Round {
  readonly calling: Calling;
  readonly alarm: Alarm;
  readonly target: Target;
  readonly consume: Consume;
  readonly authentication?: JsonObject;
}

const DONE: Consumed = Object.freeze({ messages: [], done: true, state: null });

/** `args` is what the task has as `with`, every expression evaluated. */
export async function subscribeAsyncApi(
  calling: Calling,
  args: JsonObject,
  consume: Consume,
  alarm: Alarm = processAlarm,
): Promise<Consumed> {
  const { message, authentication, ...rest } = readArguments(args);
  if (message !== undefined) throw misconfigured('to subscribe takes a "subscription"');
  const begin = async (): Promise<Round> => ({
    ...{ calling, alarm, consume, target: await findTarget(calling, rest) },
    ...(authentication === undefined ? {} : { authentication }),
  });
  if (wasOver(consume.state) || isOver(consume)) return finish(calling, consume, begin);
  return hiding(calling, async () => consumeRound(await begin()));
}

async function consumeRound(round: Round): Promise<Consumed> {
  const { consume } = round;
  switch (round.target.server.transport) {
    case 'http':
      return consumeStream(round, openHttpFeed(round, consume.state));
    case 'ws':
      return consumeStream(round, await openWebSocketFeed(round, consume.state));
    case 'mqtt':
      return consumeMqtt(round);
  }
}

async function consumeStream(
  { calling, alarm, consume }: Round,
  { feed, leave }: StreamSubscription,
): Promise<Consumed> {
  let state: Json = null;
  let gathered: Gathered;
  try {
    gathered = await gather(feed, consume, { alarm, signal: calling.signal });
  } finally {
    state = await leave();
  }
  const { messages, why } = gathered;
  const isDone = why !== 'full' || state === null;
  return { messages, done: isDone, state: isDone ? null : state };
}

async function consumeMqtt(round: Round): Promise<Consumed> {
  const { calling, alarm, consume } = round;
  const feed = new MqttFeed(sourceOf(round), readMqttState(consume.state));
  try {
    await feed.open();
    const { messages, why } = await gather(feed, consume, { alarm, signal: calling.signal });
    await feed.close();
    const state = { ...feed.state, isOver: why === 'over' };
    if (messages.length > 0 || why !== 'over') return { messages, done: false, state };
    return await finish(calling, { ...consume, state }, () => Promise.resolve(round));
  } finally {
    feed.drop();
  }
}

/**
 * Leaves nothing behind at the broker, if there is anything. All messages are committed by now:
 * that a broker cannot be told is no reason to fail; in the end it forgets sessions by itself.
 */
async function finish(
  { signal }: Calling,
  { state }: Consume,
  begin: () => Promise<Round>,
): Promise<Consumed> {
  const left = readMqttState(state);
  if (left === undefined) return DONE;
  try {
    await endSession(sourceOf(await begin()), left);
  } catch {
    signal.throwIfAborted();
  }
  return DONE;
}

function wasOver(state: Json): boolean {
  return isJsonObject(state) && state['isOver'] === true;
}

function sourceOf({ calling, alarm, target, consume, authentication }: Round): MqttSource {
  return { calling, alarm, target, login: loginOf(authentication), session: consume.session };
}
