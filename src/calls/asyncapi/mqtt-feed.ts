/**
 * Messages of an MQTT topic, none of which gets lost between two rounds or in a crash.
 *
 * The broker keeps a session under a client id that only this visit of a task has, and sends with
 * QoS 1. A message that was accepted is not acknowledged in the round that returns it, because a
 * crash may follow before anybody has committed it: it is *held*. The next round is there because
 * the one before was committed, and knows what that one held. The broker sends all of it again, and
 * now it is acknowledged and passed over; whatever else comes has not been returned to anybody.
 *
 * What that comes to: every message with QoS 1 or 2 that the broker has taken on while the session
 * stands is returned at least once, in the broker's order. It may be returned twice if an
 * acknowledgement gets lost on the way, or if a broker gives a message another packet id when it
 * sends it again, against the standard, and does not say that it does. What is published with QoS
 * 0 is lost if no round is waiting. A message is known again by its packet id and a digest of its
 * topic and content: for a twin to be mistaken for it, a round that has acknowledged it must crash,
 * and the broker give the twin the very id that was set free.
 *
 * Acknowledgements keep the order of the messages, as the standard wants it, so one that is
 * filtered out is held, too, if one before it is. Brokers send only so many that are not
 * acknowledged (RabbitMQ 10, Mosquitto 20): a round that holds `HELD_MAX` is full.
 *
 * A connection that breaks is made again, a few times; the session makes up for what was missed.
 */
import { createHash } from 'node:crypto';
import type { IPublishPacket } from 'mqtt';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import type { Calling } from '../calling.ts';
import { type Alarm, waitOr } from './alarm.ts';
import { broken } from './faults.ts';
import type { Arrival, Feed } from './gathering.ts';
import type { Login } from './login.ts';
import { headersOf, messageOf } from './message.ts';
import {
  ANSWER_MS_MAX,
  clientIdOf,
  connectMqtt,
  HELD_MAX,
  type MqttConnection,
  type MqttVersion,
  refusalError,
  versionsOf,
} from './mqtt-connection.ts';
import type { Target } from './target.ts';

/** Of one message. A longer one is an error, and is acknowledged: it would come again for ever. */
export const MESSAGE_BYTES_MAX = 1_048_576;
/** Connections that fail one after the other. */
export const RECONNECTS_MAX = 5;
/** Before the first of them; each further pause is twice as long. */
export const RECONNECT_MS = 1_000;

/** Another client has come with our id: another execution of the same round. */
const TAKEN_OVER = 142;

export interface MqttSource {
  readonly calling: Calling;
  readonly alarm: Alarm;
  readonly target: Target;
  readonly login: Login;
  readonly session: string;
}

/** What a round leaves behind for the next. */
export interface MqttState {
  readonly version: MqttVersion;
  /** Packet ids with digests, in the order in which they came. */
  readonly held: readonly string[];
}

/** Given to the client in place of an answer: it does not acknowledge, and goes on. */
const HELD = new Error('held until the next round');

interface Slot {
  readonly packet: IPublishPacket;
  readonly done: (held?: Error) => void;
}

export function readMqttState(state: Json): MqttState | undefined {
  if (!isJsonObject(state)) return undefined;
  const { version, held } = state;
  if ((version !== 4 && version !== 5) || !Array.isArray(held)) return undefined;
  return { version, held: held.map(String) };
}

export class MqttFeed implements Feed {
  readonly #source: MqttSource;
  /** Held by the round before: to be acknowledged as they come again. */
  readonly #before: readonly string[];
  readonly #held: string[] = [];
  /** Those that this connection has yet to send again. */
  readonly #expected = new Set<string>();
  #isKnown: boolean;
  #version: MqttVersion | undefined;
  #connection: MqttConnection | undefined;
  #slot: Slot | undefined;
  #wake: (() => void) | undefined;
  #failure: unknown;
  #isClosing = false;

  constructor(source: MqttSource, state: MqttState | undefined) {
    this.#source = source;
    this.#before = state?.held ?? [];
    this.#version = state?.version;
    this.#isKnown = state !== undefined;
  }

  /** Connects. Messages come from then on, even before the broker has confirmed it. */
  async open(): Promise<void> {
    const { calling, alarm, target, login, session } = this.#source;
    const { server } = target;
    this.#expected.clear();
    for (const one of [...this.#before, ...this.#held]) this.#expected.add(one);
    const versions = this.#version === undefined ? versionsOf(server) : [this.#version];
    const connection = await connectMqtt(
      calling,
      server,
      {
        ...{ clientId: clientIdOf(session), isClean: false, versions, login },
        onMessage: (packet, done) => this.#receive({ packet, done }),
      },
      alarm,
    );
    // A broker that knows of no session counts from the beginning again: any likeness is chance.
    if (!connection.isResumed) this.#expected.clear();
    this.#connection = connection;
    this.#version = connection.version;
    void this.#watch(connection);
    if (!(connection.isResumed && this.#isKnown)) this.#subscribe(connection);
  }

  async next(): Promise<Arrival | undefined> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure as Error;
      const slot = this.#slot;
      if (slot !== undefined) return this.#arrivalOf(slot);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  isFull(): boolean {
    return this.#held.length >= HELD_MAX;
  }

  get state(): JsonObject {
    return { version: this.#version ?? 4, held: this.#held };
  }

  /** Leaves, so that the broker keeps what is not acknowledged. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#slot?.done(HELD);
    this.#slot = undefined;
    await this.#connection?.leave();
  }

  drop(): void {
    this.#isClosing = true;
    this.#connection?.drop();
  }

  #receive(slot: Slot): void {
    const { packet, done } = slot;
    if (this.#isClosing) return done(HELD);
    const known = this.#recall(packet);
    if (known !== undefined) {
      this.#expected.delete(known);
      return this.#before.includes(known) ? done() : done(HELD);
    }
    if (packet.payload.length > MESSAGE_BYTES_MAX) {
      done();
      const size = `${packet.payload.length} bytes, more than ${MESSAGE_BYTES_MAX}`;
      return this.#fail(broken(`a message on "${packet.topic}" has ${size}; it was passed over`));
    }
    this.#slot = slot;
    this.#wake?.();
  }

  /** Under which name it was held, if it was. */
  #recall(packet: IPublishPacket): string | undefined {
    if (packet.qos === 0) return undefined;
    const identity = identityOf(packet);
    if (this.#expected.has(identity)) return identity;
    // A broker that gives new ids at least says that it sends something again.
    const digest = digestOf(packet);
    return packet.dup ? [...this.#expected].find((one) => one.endsWith(digest)) : undefined;
  }

  #arrivalOf(slot: Slot): Arrival {
    const { packet, done } = slot;
    return {
      message: readMessage(packet, this.#source.target),
      judge: (isAccepted) => {
        this.#slot = undefined;
        const isHeld = packet.qos > 0 && (isAccepted || this.#held.length > 0);
        if (isHeld) this.#held.push(identityOf(packet));
        done(isHeld ? HELD : undefined);
      },
    };
  }

  #subscribe({ client, version }: MqttConnection): void {
    const { alarm, target } = this.#source;
    const { address } = target;
    const stop = alarm.set(ANSWER_MS_MAX, () =>
      this.#fail(broken(`the broker did not confirm "${address}" within ${ANSWER_MS_MAX} ms`)),
    );
    // Retained messages come with the first subscription only, where brokers can tell.
    const options = version === 5 ? { qos: 1 as const, rh: 1 } : { qos: 1 as const };
    client.subscribe(address, options, (error, granted) => {
      stop();
      const isRefused = granted?.some(({ qos }) => qos >= 128) ?? false;
      if (error === null && !isRefused) this.#isKnown = true;
      else if (client.connected) this.#fail(refusedTopic(address, error));
    });
  }

  async #watch(connection: MqttConnection): Promise<void> {
    const why = await connection.closed;
    if (this.#isClosing || this.#failure !== undefined) return;
    this.#slot = undefined;
    const { code } = (why.cause ?? {}) as { code?: unknown };
    if (code === TAKEN_OVER) return this.#fail(why);
    await this.#reopen(why);
  }

  async #reopen(why: WorkflowError): Promise<void> {
    const { alarm, calling } = this.#source;
    const { signal } = calling;
    let last: unknown = why;
    for (let count = 0; count < RECONNECTS_MAX; count += 1) {
      await waitOr(alarm, RECONNECT_MS * 2 ** count, signal);
      if (this.#isClosing || signal.aborted) return;
      try {
        return await this.open();
      } catch (thrown) {
        last = thrown;
        // Who is refused once is refused again.
        if (!(thrown instanceof WorkflowError) || thrown.kind !== 'communication') break;
      }
    }
    this.#fail(last);
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#wake?.();
  }
}

/** Ends the session for good: a clean connection leaves nothing behind. */
export async function endSession(source: MqttSource, state: MqttState | undefined): Promise<void> {
  const { calling, alarm, target, login, session } = source;
  const versions = state === undefined ? versionsOf(target.server) : [state.version];
  const options = { clientId: clientIdOf(session), isClean: true, versions, login };
  const connection = await connectMqtt(calling, target.server, options, alarm);
  await connection.leave();
}

function readMessage(packet: IPublishPacket, { contentType, correlations }: Target): JsonObject {
  const { payload, properties } = packet;
  return messageOf(
    {
      body: Buffer.from(payload),
      headers: headersOf({ ...properties?.userProperties }),
      contentType: properties?.contentType ?? contentType,
      correlationId: properties?.correlationData?.toString('utf8'),
    },
    correlations,
  );
}

function identityOf(packet: IPublishPacket): string {
  return `${packet.messageId ?? 0}-${digestOf(packet)}`;
}

function digestOf({ topic, payload }: IPublishPacket): string {
  const hash = createHash('sha256').update(topic).update('\0').update(payload);
  return hash.digest('base64url').slice(0, 22);
}

/** In MQTT 3.1.1, which has one word for everything, and in MQTT 5. */
const NOT_ALLOWED: ReadonlySet<number> = new Set([128, 135]);

function refusedTopic(address: string, error: unknown): WorkflowError {
  const { packet } = (error ?? {}) as { packet?: { granted?: readonly number[] } };
  const [reason = 128] = packet?.granted ?? [];
  if (error !== null && packet === undefined) return refusalError(error, address);
  const detail = `the broker refuses a subscription to "${address}" (${reason})`;
  const kind = NOT_ALLOWED.has(reason) ? 'authorization' : 'communication';
  return new WorkflowError(kind, { detail, cause: error });
}
