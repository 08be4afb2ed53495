/**
 * Calls over HTTP to a server of the test's own, by the client that workflows have, which may reach
 * this machine here. Both end with the test.
 */
import { afterEach, expect } from 'vitest';
import type { Json, JsonObject } from '../base/json.ts';
import type { CallResult, Calling } from '../calls/calling.ts';
import { createHttpClient } from '../calls/http/client.ts';
import { createResources } from '../calls/http/resources.ts';
import { callHttp } from '../calls/http-call.ts';
import type { WorkflowError } from '../model/workflow-error.ts';
import {
  type Answering,
  type LocalAnswer,
  type LocalRequest,
  type LocalServer,
  startHttpServer,
} from './http-server.ts';

const open: { close(): unknown }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

/** What a call is given, with what the test says of it. */
export function callingOf(parts: Partial<Calling> = {}, through?: typeof fetch): Calling {
  const http = createHttpClient({ allow: ['127.0.0.1'], fetch: through });
  open.push(http);
  return {
    ...{
      http,
      resources: createResources(http),
      reach: (host: string, port: number) => http.reach(host, port),
    },
    signal: new AbortController().signal,
    idempotencyKey: 'visit-1',
    input: {},
    hide: (text) => text,
    permits: () => {},
    ...parts,
  };
}

export async function serve(answering: Answering | LocalAnswer): Promise<LocalServer> {
  return kept(await startHttpServer(typeof answering === 'function' ? answering : () => answering));
}

/** Closes a server when the test is over. */
export function kept(server: LocalServer): LocalServer {
  open.push(server);
  return server;
}

export function json(value: Json, fields: LocalAnswer = {}): LocalAnswer {
  const headers = { 'content-type': 'application/json', ...fields.headers };
  return { ...fields, headers, body: JSON.stringify(value) };
}

export interface Asked {
  readonly args?: JsonObject;
  readonly calling?: Partial<Calling>;
  readonly path?: string;
}

export interface Called extends CallResult {
  readonly url: string;
  readonly request: LocalRequest;
}

/** `call: http` to a server that answers so, and what it was asked. */
export async function called(
  answer: Answering | LocalAnswer,
  { args, calling, path = '' }: Asked = {},
): Promise<Called> {
  const server = await serve(answer);
  const given = { method: 'get', endpoint: `${server.url}${path}`, ...args };
  const result = await callHttp(callingOf(calling), given);
  const [request] = server.requests;
  if (request === undefined) throw new Error('nothing was asked');
  return { ...result, request, url: server.url };
}

export async function failureOf(result: Promise<unknown>): Promise<WorkflowError> {
  return result.then(
    () => expect.fail('the call went well'),
    (thrown: unknown) => thrown as WorkflowError,
  );
}
