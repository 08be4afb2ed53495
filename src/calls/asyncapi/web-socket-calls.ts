/**
 * Messages over a WebSocket: each is one, whole, with no headers of its own.
 *
 * A WebSocket has no memory. What is sent between two rounds or after a crash is lost; what had
 * come when a round ended is kept for the next. A server that says farewell ends the
 * subscription. To publish is done when the server has answered our farewell: by then it has read
 * the message, though nobody can know what it made of it.
 */
import { EMPTY, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Authorization, Calling } from '../calling.ts';
import type { Alarm } from './alarm.ts';
import { misconfigured } from './faults.ts';
import { loginOf } from './login.ts';
import { messageOf, writePayload } from './message.ts';
import type { Publication } from './publish.ts';
import { readRest, StreamFeed, type StreamSubscription } from './stream-feed.ts';
import type { Target } from './target.ts';
import { connectWebSocket, type WebSocketConnection } from './web-socket.ts';

interface WebSocketSource {
  readonly calling: Calling;
  readonly alarm: Alarm;
  readonly target: Target;
  readonly authentication?: JsonObject;
}

export async function publishWebSocket(
  publication: Publication,
): Promise<Authorization | undefined> {
  const { calling, target, message, authentication } = publication;
  if (Object.keys(message.headers).length > 0) {
    throw misconfigured('a message over a WebSocket has no headers, and this one was given some');
  }
  const { body = '' } = writePayload(message.payload, target.contentType);
  const connection = await connect(publication);
  try {
    connection.send(body);
    await connection.close();
  } finally {
    connection.drop();
  }
  calling.signal.throwIfAborted();
  return loginOf(authentication).authorization;
}

export async function openWebSocketFeed(
  source: WebSocketSource,
  state: Json,
): Promise<StreamSubscription> {
  const connection = await connect(source);
  const stop = new AbortController();
  const kept = isJsonObject(state) ? state['rest'] : undefined;
  const messages = messagesOf(connection.messages(stop.signal), source.target);
  const feed = new StreamFeed(messages, stop, readRest(kept));
  return {
    feed,
    leave: async () => {
      const rest = await feed.leave();
      connection.drop();
      return { rest };
    },
  };
}

async function* messagesOf(
  bodies: AsyncIterable<Uint8Array>,
  { contentType, correlations }: Target,
): AsyncGenerator<JsonObject> {
  for await (const body of bodies)
    yield messageOf({ body, headers: EMPTY, contentType }, correlations);
}

function connect({
  calling,
  alarm,
  target,
  authentication,
}: WebSocketSource): Promise<WebSocketConnection> {
  const { server, address } = target;
  const base = server.url.href.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  const { authorization } = loginOf(authentication);
  const headers =
    authorization === undefined
      ? {}
      : { authorization: `${authorization.scheme} ${authorization.parameter}` };
  const url = new URL(`${base}/${address.replace(/^\/+/, '')}`);
  return connectWebSocket(calling, { url, headers }, alarm);
}
