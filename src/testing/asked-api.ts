/** `call: openapi` to a server that has its own description, in one file or several. */
import type { JsonObject } from '../base/json.ts';
import type { CallResult, Calling } from '../calls/calling.ts';
import { callOpenApi } from '../calls/openapi/openapi-call.ts';
import { callingOf, json, serve } from './called.ts';
import type { Answering, LocalAnswer, LocalRequest } from './http-server.ts';

export interface ApiOptions {
  readonly args?: JsonObject;
  readonly calling?: Partial<Calling>;
  /** What the operation answers. */
  readonly answer?: LocalAnswer | Answering;
}

export interface AskedApi extends CallResult {
  readonly url: string;
  /** What the operation was asked. */
  readonly request: LocalRequest;
  /** What was fetched before. */
  readonly fetched: readonly LocalRequest[];
}

/** Texts, or what becomes JSON, by path; the first is the document. `{server}` is its own. */
export type ApiFiles = Readonly<Record<string, string | JsonObject>>;

/** Calls the operation `it`, unless the arguments name another. */
export async function askApi(
  files: ApiFiles,
  parameters: JsonObject,
  { args = {}, calling = {}, answer = json({ ok: true }) }: ApiOptions = {},
): Promise<AskedApi> {
  const server = await serve((asked, response) => {
    const { path, headers } = asked;
    const file = files[path];
    if (file === undefined) return typeof answer === 'function' ? answer(asked, response) : answer;
    const text = typeof file === 'string' ? file : JSON.stringify(file);
    return { body: text.replaceAll('{server}', `http://${headers['host'] ?? ''}`) };
  });
  const [first = ''] = Object.keys(files);
  const document = { endpoint: `${server.url}${first}` };
  const given = { document, operationId: 'it', parameters, ...args };
  const result = await callOpenApi(callingOf(calling), given);
  const fetched = server.requests.filter(({ path }) => path in files);
  const request = server.requests.find(({ path }) => !(path in files));
  if (request === undefined) throw new Error('the operation was not called');
  return { ...result, request, fetched, url: server.url };
}
