/**
 * One connection to an MQTT broker, by the package `mqtt`, which a host installs if it wants to.
 *
 * Unless a document says which version a broker speaks, 5 is tried first, since only that one has
 * headers, and 3.1.1 if the broker refuses. The address is looked up and checked before, and the
 * connection made to that very address; certificates are checked against the name.
 *
 * A connection that breaks is not mended here: whoever holds it knows what that means.
 */
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type * as mqttPackage from 'mqtt';
import type { IClientOptions, IConnackPacket, IPublishPacket, MqttClient } from 'mqtt';
import { WorkflowError } from '../../model/workflow-error.ts';
import type { Calling } from '../calling.ts';
import { brokenBy } from '../http/failures.ts';
import { type Alarm, limitAnswer } from './alarm.ts';
import { broken, misconfigured } from './faults.ts';
import type { Login } from './login.ts';
import type { Server } from './server.ts';

/** Until a broker answers: to a connection, a subscription, a message. */
export const ANSWER_MS_MAX = 30_000;
/** Until it has closed a connection that we are done with. */
export const CLOSE_MS_MAX = 5_000;
/** Of one packet: a longer one is no reason to run out of memory. */
export const PACKET_BYTES_MAX = 16_777_216;
/** How long a broker keeps a session nobody comes back to, in seconds: a week. */
const SESSION_S = 604_800;
/** No more are sent at a time than one round can hold; see `mqtt-feed.ts`. */
export const HELD_MAX = 10;
const PORTS = { plain: 1_883, secure: 8_883 } as const;

export type MqttVersion = 4 | 5;
type Mqtt = typeof mqttPackage;

export interface MqttOptions {
  readonly clientId: string;
  /** A clean one has no session, and ends the one that there may be. */
  readonly isClean: boolean;
  readonly versions: readonly MqttVersion[];
  readonly login: Login;
  /** Called one at a time. Until it says that it is done, nothing else comes in. */
  readonly onMessage?: (packet: IPublishPacket, done: (held?: Error) => void) => void;
}

export interface MqttConnection {
  readonly client: MqttClient;
  readonly version: MqttVersion;
  readonly isResumed: boolean;
  /** Resolves when it is closed, by whomever; says why if it was not us. */
  readonly closed: Promise<WorkflowError>;
  /** Says goodbye, so that what was said before has arrived. */
  leave(): Promise<void>;
  /** At once. */
  drop(): void;
}

/** Ids that every broker takes: 23 letters and digits, the same for the same name. */
export function clientIdOf(name: string): string {
  return `p${createHash('sha256').update(name).digest('hex').slice(0, 22)}`;
}

/** What the document says, else the newest first. */
export function versionsOf({ version = '' }: Server): readonly MqttVersion[] {
  if (/^5(\.|$)/.test(version)) return [5];
  if (/^(3(\.|$)|4$)/.test(version)) return [4];
  if (version === '') return [5, 4];
  throw misconfigured(`MQTT is spoken in the versions 3.1.1 and 5, and not in "${version}"`);
}

export async function connectMqtt(
  calling: Calling,
  server: Server,
  options: MqttOptions,
  alarm: Alarm,
): Promise<MqttConnection> {
  const mqtt = await loadMqtt();
  const { hostname, isSecure, port } = placeOf(server);
  const { address } = await calling.reach(hostname, port);
  const place = `${server.url.protocol}//${server.url.hostname}:${port}`;
  const shared: IClientOptions = {
    host: address,
    port,
    protocol: isSecure ? 'mqtts' : 'mqtt',
    ...(isSecure && isIP(hostname) === 0 ? { servername: hostname } : {}),
    clientId: options.clientId,
    clean: options.isClean,
    reconnectPeriod: 0,
    resubscribe: false,
    // Time is told by the alarm.
    connectTimeout: ANSWER_MS_MAX * 2,
    ...options.login.fields,
  };
  const [first, second] = options.versions;
  const attempt = (version: MqttVersion): Promise<MqttConnection> => {
    calling.signal.throwIfAborted();
    const client = mqtt.connect({ ...shared, ...versionOptions(version, options) });
    return open({ client, version, place, calling, alarm, onMessage: options.onMessage });
  };
  try {
    return await attempt(first ?? 5);
  } catch (thrown) {
    if (second === undefined || !(thrown instanceof VersionRefused)) throw reasonOf(thrown);
    return await attempt(second);
  }
}

export async function loadMqtt(load: () => Promise<Mqtt> = () => import('mqtt')): Promise<Mqtt> {
  try {
    return await load();
  } catch (cause) {
    throw misconfigured('AsyncAPI over MQTT needs the package "mqtt": npm install mqtt', cause);
  }
}

function placeOf({ url }: Server): {
  readonly hostname: string;
  readonly port: number;
  readonly isSecure: boolean;
} {
  const isSecure = url.protocol === 'mqtts:';
  const port = url.port === '' ? PORTS[isSecure ? 'secure' : 'plain'] : Number(url.port);
  return { hostname: url.hostname.replace(/^\[|\]$/g, ''), port, isSecure };
}

function versionOptions(version: MqttVersion, { isClean }: MqttOptions): IClientOptions {
  if (version === 4) return { protocolVersion: 4 };
  const session = isClean ? {} : { sessionExpiryInterval: SESSION_S };
  return {
    protocolVersion: 5,
    properties: { ...session, receiveMaximum: HELD_MAX, maximumPacketSize: PACKET_BYTES_MAX },
  };
}

interface Opening {
  readonly client: MqttClient;
  readonly version: MqttVersion;
  readonly place: string;
  readonly calling: Calling;
  readonly alarm: Alarm;
  readonly onMessage: MqttOptions['onMessage'];
}

/** The broker does not speak that version, or has hung up on hearing it. */
class VersionRefused extends Error {
  readonly error: WorkflowError;

  constructor(error: WorkflowError) {
    super(error.message);
    this.error = error;
  }
}

function reasonOf(thrown: unknown): unknown {
  return thrown instanceof VersionRefused ? thrown.error : thrown;
}

function open(opening: Opening): Promise<MqttConnection> {
  const { client, place, calling, alarm, onMessage } = opening;
  if (onMessage !== undefined) {
    client.handleMessage = (packet, done) => onMessage(packet, (held) => done(held));
  }
  watchSize(client);
  return new Promise((resolve, reject) => {
    const { signal } = calling;
    let why: unknown;
    const stop = limitAnswer(alarm, ANSWER_MS_MAX, place, (error) => fail(error));
    const settle = (): void => {
      stop();
      signal.removeEventListener('abort', abort);
      client.off('connect', succeed).off('error', note).off('close', giveUp);
    };
    const fail = (error: Error): void => {
      settle();
      client.end(true);
      reject(error);
    };
    const abort = (): void => fail(signal.reason as Error);
    const note = (error: unknown): void => {
      why = error;
    };
    // An error is told first, and the connection closed after it.
    const giveUp = (): void => fail(refusalOf(why, place));
    const succeed = (packet: IConnackPacket): void => {
      settle();
      resolve(connectionOf(opening, packet.sessionPresent));
    };
    client.on('connect', succeed).on('error', note).on('close', giveUp);
    signal.addEventListener('abort', abort);
  });
}

function connectionOf(opening: Opening, isResumed: boolean): MqttConnection {
  const { client, version, place, calling, alarm } = opening;
  let why: unknown;
  const abort = (): void => void client.end(true);
  client.on('error', (error) => (why = error));
  client.on('disconnect', ({ reasonCode }) => (why ??= reasonError(reasonCode)));
  calling.signal.addEventListener('abort', abort);
  const closed = new Promise<WorkflowError>((resolve) => {
    client.once('close', () => {
      calling.signal.removeEventListener('abort', abort);
      resolve(refusalError(why, place));
    });
  });
  return {
    ...{ client, version, isResumed, closed },
    leave: async () => {
      const stop = alarm.set(CLOSE_MS_MAX, () => client.stream.destroy());
      client.end();
      await closed;
      stop();
    },
    drop: abort,
  };
}

/** A packet is parsed once it is there as a whole: until then it is counted. */
function watchSize(client: MqttClient): void {
  let unread = 0;
  client.on('packetreceive', () => (unread = 0));
  client.stream.on('data', (chunk: Uint8Array) => {
    unread += chunk.length;
    if (unread <= PACKET_BYTES_MAX) return;
    const error = new Error(`a packet of more than ${PACKET_BYTES_MAX} bytes`);
    client.stream.destroy(Object.assign(error, { code: 'PACKET_TOO_LARGE' }));
  });
}

function reasonError(reasonCode: number | undefined): Error {
  return Object.assign(new Error(`the broker has closed the connection`), { code: reasonCode });
}

/** Reason codes of MQTT 3.1.1 and 5 that mean the same. */
const BAD_VERSION = new Set<unknown>([1, 132]);
const BAD_LOGIN = new Set<unknown>([4, 134, 140]);
const NOT_ALLOWED = new Set<unknown>([5, 135, 138]);

function refusalOf(why: unknown, place: string): Error {
  const error = refusalError(why, place);
  const { code } = (why ?? {}) as { code?: unknown };
  return why === undefined || BAD_VERSION.has(code) ? new VersionRefused(error) : error;
}

/** What a broker or the network has said, as an error of the workflow. */
export function refusalError(why: unknown, place: string): WorkflowError {
  if (why instanceof WorkflowError) return why;
  const { code, message = '' } = (why ?? {}) as { code?: unknown; message?: string };
  if (why === undefined) return broken(`${place} has closed the connection`);
  const detail = `${place} says: ${message}`;
  if (BAD_LOGIN.has(code)) return new WorkflowError('authentication', { detail, cause: why });
  if (NOT_ALLOWED.has(code)) return new WorkflowError('authorization', { detail, cause: why });
  return typeof code === 'string' ? brokenBy(why, place) : broken(detail, why);
}
