/**
 * `call: http`: one request, as the arguments of the task say it.
 *
 * The endpoint is a URI template, also where an expression has made it. A query is added to the one
 * the URI has: nothing of either gets lost. A header or a query that is null is left out; a list is
 * there several times. How a body is written is said in `http-body.ts`, and what becomes of the
 * answer in `http-exchange.ts`.
 */
import type { Json, JsonObject } from '../base/json.ts';
import { endpointArgument, flagArgument, mapArgument, textArgument } from './arguments.ts';
import type { CallResult, Calling } from './calling.ts';
import { hiding } from './hiding.ts';
import { writeBody, type WrittenBody } from './http-body.ts';
import { type Exchange, exchange, readOutput } from './http-exchange.ts';
import { addQuery, httpUrl } from './http-url.ts';
import { pairsOf, textsOf, writePairs } from './name-values.ts';
import { expandTemplate } from './uri-template.ts';

/** `args` is what the task has as `with`, every expression evaluated. */
export function callHttp(calling: Calling, args: JsonObject): Promise<CallResult> {
  return hiding(calling, () => ask(calling, args));
}

async function ask(calling: Calling, args: JsonObject): Promise<CallResult> {
  const { uri, authentication } = endpointArgument('endpoint', args['endpoint']);
  const headers = readHeaders(mapArgument('headers', args['headers']));
  const written = bodyOf(args['body'], headers['content-type']);
  return exchange(calling, {
    method: textArgument('method', args['method']).toUpperCase(),
    url: urlOf(calling, uri, args['query']),
    headers: written === undefined ? headers : { ...headers, 'content-type': written.contentType },
    redirect: flagArgument('redirect', args['redirect']),
    output: readOutput(args['output']),
    ...(written === undefined ? {} : { body: written.body }),
    ...(authentication === undefined ? {} : { authentication }),
  });
}

function urlOf(calling: Calling, uri: string, query: Json | undefined): URL {
  const url = httpUrl(calling, expandTemplate(uri, calling.input));
  const pairs = pairsOf('the query parameter', mapArgument('query', query));
  return addQuery(url, writePairs(pairs));
}

function readHeaders(map: JsonObject): Exchange['headers'] {
  const headers: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(map)) {
    const texts = textsOf(`the header "${name}"`, value);
    headers[name.toLowerCase()] = texts.length === 0 ? null : texts.join(', ');
  }
  return headers;
}

function bodyOf(
  body: Json | undefined,
  contentType: string | null | undefined,
): WrittenBody | undefined {
  return body === undefined || body === null
    ? undefined
    : writeBody(body, contentType ?? undefined);
}
