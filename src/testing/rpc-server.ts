/** What a local server answers that speaks JSON-RPC. */
import type { Json } from '../base/json.ts';
import type { LocalAnswer, LocalRequest } from './http-server.ts';

export type RpcMessage = Readonly<Record<string, Json | undefined>>;

/** What was asked; empty if nothing was sent. */
export function asked({ body }: LocalRequest): RpcMessage {
  return body === '' ? {} : (JSON.parse(body) as RpcMessage);
}

export function resultFor(request: LocalRequest, result: Json): Json {
  return { jsonrpc: '2.0', id: asked(request)['id'] ?? null, result };
}

export function errorFor(request: LocalRequest, error: Json): Json {
  return { jsonrpc: '2.0', id: asked(request)['id'] ?? null, error };
}

/** A stream of messages that ends after the last of them. */
export function events(values: readonly Json[]): LocalAnswer {
  const body = values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('');
  return { headers: { 'content-type': 'text/event-stream' }, body };
}
