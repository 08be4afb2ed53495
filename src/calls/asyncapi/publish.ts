/**
 * `call: asyncapi` with a message: it is handed to the server, and the task's input goes on as the
 * output.
 *
 * At least once: a crash between the server's answer and the commit publishes again. Over HTTP the
 * request carries the task's idempotency key; over MQTT the client id is the same every time.
 */
import type { JsonObject } from '../../base/json.ts';
import type { Authorization, CallResult, Calling } from '../calling.ts';
import { type Alarm, processAlarm } from './alarm.ts';
import { type OutboundMessage, readArguments } from './arguments.ts';
import { hiding, misconfigured } from './faults.ts';
import { publishHttp } from './http-publish.ts';
import { publishMqtt } from './mqtt-publish.ts';
import { findTarget, type Target } from './target.ts';
import { publishWebSocket } from './web-socket-calls.ts';

/** What each way of publishing is given. */
export interface Publication {
  readonly calling: Calling;
  readonly alarm: Alarm;
  readonly target: Target;
  readonly message: OutboundMessage;
  readonly authentication?: JsonObject;
}

/** `args` is what the task has as `with`, every expression evaluated. */
export async function publishAsyncApi(
  calling: Calling,
  args: JsonObject,
  alarm: Alarm = processAlarm,
): Promise<CallResult> {
  const { message, authentication, ...rest } = readArguments(args);
  if (message === undefined) throw misconfigured('to publish takes a "message"');
  const authorization = await hiding(calling, async () =>
    send({
      ...{ calling, alarm, message, target: await findTarget(calling, { ...rest, message }) },
      ...(authentication === undefined ? {} : { authentication }),
    }),
  );
  const output = calling.input;
  return authorization === undefined ? { output } : { output, authorization };
}

function send(publication: Publication): Promise<Authorization | undefined> {
  switch (publication.target.server.transport) {
    case 'http':
      return publishHttp(publication);
    case 'mqtt':
      return publishMqtt(publication);
    case 'ws':
      return publishWebSocket(publication);
  }
}
