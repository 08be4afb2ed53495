/**
 * The protocols that AsyncAPI knows, and those that are spoken here.
 *
 * A document may name the protected kind of one (`https`, `mqtts`) where a workflow, whose list has
 * no such names, asks for the plain one: the plain name means both.
 */
import { meant } from '../../base/nearest.ts';
import type { WorkflowError } from '../../model/workflow-error.ts';
import { misconfigured } from './faults.ts';

/** What `protocol` of a call may be. */
export const PROTOCOLS: readonly string[] = Object.freeze([
  ...['amqp', 'amqp1', 'anypointmq', 'googlepubsub', 'http', 'ibmmq', 'jms', 'kafka', 'mercure'],
  ...['mqtt', 'mqtt5', 'nats', 'pulsar', 'redis', 'sns', 'solace', 'sqs', 'stomp', 'ws'],
]);

export type Transport = 'http' | 'mqtt' | 'ws';

const TRANSPORTS: Readonly<Record<string, Transport>> = Object.freeze({
  http: 'http',
  https: 'http',
  mqtt: 'mqtt',
  mqtts: 'mqtt',
  'secure-mqtt': 'mqtt',
  mqtt5: 'mqtt',
  ws: 'ws',
  wss: 'ws',
});

const SUPPORTED = Object.keys(TRANSPORTS).join(', ');

/** How a server of that protocol is talked to; undefined if nobody here can. */
export function findTransport(protocol: string): Transport | undefined {
  const known = protocol.toLowerCase();
  return Object.hasOwn(TRANSPORTS, known) ? TRANSPORTS[known] : undefined;
}

/** Throws for a protocol that no document could help with. */
export function checkProtocol(protocol: string): void {
  if (!PROTOCOLS.includes(protocol)) {
    throw misconfigured(`"protocol" is not "${protocol}"; ${meant(protocol, PROTOCOLS)}`);
  }
  if (findTransport(protocol) === undefined) throw unsupported([protocol]);
}

export function unsupported(protocols: readonly string[]): WorkflowError {
  const names = protocols.map((name) => `"${name}"`).join(', ');
  const what = protocols.length === 1 ? `the protocol ${names}` : `none of the protocols ${names}`;
  const is = protocols.length === 1 ? 'is not supported' : 'is supported';
  return misconfigured(`${what} ${is}; supported are ${SUPPORTED}`);
}

/** Whether a server of a document is one of those that a call's `protocol` asks for. */
export function isMeant(asked: string, offered: string): boolean {
  const protocol = offered.toLowerCase();
  if (asked === 'mqtt5') return findTransport(protocol) === 'mqtt';
  const transport = findTransport(asked);
  return protocol === asked || (transport !== undefined && transport === findTransport(protocol));
}
