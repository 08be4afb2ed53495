/**
 * A message over MQTT. With QoS 1, which it has unless the document binds the operation to another,
 * the call is over when the broker has acknowledged it.
 */
import type { IClientPublishOptions, MqttClient } from 'mqtt';
import type { JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import type { Authorization } from '../calling.ts';
import { pairsOf } from '../name-values.ts';
import type { Alarm } from './alarm.ts';
import { broken, misconfigured } from './faults.ts';
import { loginOf } from './login.ts';
import { writePayload } from './message.ts';
import {
  ANSWER_MS_MAX,
  clientIdOf,
  connectMqtt,
  type MqttConnection,
  type MqttVersion,
  refusalError,
  versionsOf,
} from './mqtt-connection.ts';
import type { Publication } from './publish.ts';

export async function publishMqtt(publication: Publication): Promise<Authorization | undefined> {
  const { calling, alarm, target, message, authentication } = publication;
  const login = loginOf(authentication);
  const { body = '', contentType } = writePayload(message.payload, target.contentType);
  const clientId = clientIdOf(calling.idempotencyKey);
  const connection = await connectMqtt(
    calling,
    target.server,
    { clientId, isClean: true, versions: versionsOf(target.server), login },
    alarm,
  );
  try {
    const options = optionsOf(publication, connection.version, contentType);
    const { client } = connection;
    const sending = send(client, { topic: target.address, body, options });
    await answered(sending, connection, alarm);
    await connection.leave();
  } finally {
    connection.drop();
  }
  calling.signal.throwIfAborted();
  return login.authorization;
}

function optionsOf(
  { target, message }: Publication,
  version: MqttVersion,
  contentType: string | undefined,
): IClientPublishOptions {
  const { qos, retain, messageExpiryInterval } = target.binding;
  const userProperties = propertiesOf(message.headers);
  const hasHeaders = Object.keys(userProperties).length > 0;
  if (version === 4 && hasHeaders) {
    throw misconfigured('a message has headers in MQTT 5 only, and the broker speaks MQTT 3.1.1');
  }
  const shared = { qos: qos === 0 || qos === 2 ? qos : 1, retain: retain === true } as const;
  if (version === 4) return shared;
  const expiry = typeof messageExpiryInterval === 'number' ? { messageExpiryInterval } : {};
  return {
    ...shared,
    properties: {
      ...(contentType === undefined ? {} : { contentType }),
      // The codec takes an empty list for a mistake, and says nothing of it.
      ...(hasHeaders ? { userProperties } : {}),
      ...expiry,
    },
  };
}

function propertiesOf(headers: JsonObject): Record<string, string | string[]> {
  const properties: Record<string, string[]> = {};
  for (const [name, value] of pairsOf('the header', headers)) (properties[name] ??= []).push(value);
  return properties;
}

interface Sending {
  readonly topic: string;
  readonly body: string | Uint8Array;
  readonly options: IClientPublishOptions;
}

function send(client: MqttClient, { topic, body, options }: Sending): Promise<unknown> {
  const bytes = typeof body === 'string' ? body : Buffer.from(body);
  return client.publishAsync(topic, bytes, options).catch((error: unknown) => {
    throw refusalError(error, `the topic "${topic}"`);
  });
}

async function answered(
  sending: Promise<unknown>,
  { closed }: MqttConnection,
  alarm: Alarm,
): Promise<void> {
  let stop = (): void => {};
  const late = new Promise<WorkflowError>((resolve) => {
    const detail = `the broker did not acknowledge the message within ${ANSWER_MS_MAX} ms`;
    stop = alarm.set(ANSWER_MS_MAX, () => resolve(broken(detail)));
  });
  const outcome = await Promise.race([sending, closed, late]).finally(stop);
  if (outcome instanceof WorkflowError) throw outcome;
}
