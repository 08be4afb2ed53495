import { expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { askApi } from '../../testing/asked-api.ts';
import { callingOf, failureOf } from '../../testing/called.ts';
import { callOpenApi } from './openapi-call.ts';

const at = (url: string, more: JsonObject = {}): JsonObject => ({ servers: [{ url, ...more }] });

interface Servers {
  readonly root?: JsonObject;
  readonly item?: JsonObject;
  readonly operation?: JsonObject;
}

const openapi = ({ root, item, operation }: Servers): JsonObject => ({
  ...{ openapi: '3.0.3', ...root },
  paths: { '/p': { ...item, get: { operationId: 'it', ...operation } } },
});

const VARIABLES = { variables: { base: { default: 'v9' }, n: { default: 3 } } };

test.each<[string, Servers, string]>([
  ['the first of the document', { root: { servers: [{ url: '/x' }, { url: '/y' }] } }, '/x/p'],
  ['its path', { root: at('/x'), item: at('/y') }, '/y/p'],
  ['the operation', { root: at('/x'), item: at('/y'), operation: at('/z') }, '/z/p'],
  ['relative to the document', { root: at('v1') }, '/api/v1/p'],
  ['relative to the document', { root: at('../v1//') }, '/v1/p'],
  ['relative to the document', { root: at('./') }, '/api/p'],
  ['a whole address', { root: at('{server}/w') }, '/w/p'],
  ['with the defaults of its variables', { root: at('/{base}/{n}', VARIABLES) }, '/v9/3/p'],
  ['the origin of the document, without any', {}, '/p'],
  ['the origin of the document, without any', { root: { servers: [] } }, '/p'],
])('a server is that of %s: %j [OA-06]', async (_, servers, path) => {
  const { request } = await askApi({ '/api/d.json': openapi(servers) }, {});
  expect(request.path).toBe(path);
});

test.each<[string, Servers]>([
  ['a server variable "base" without a default', { root: at('/{base}') }],
  ['a server without a url', { root: { servers: [{}] } }],
  ['no server that begins with https:// or http://', { root: at('ws://a.example') }],
  ['no server that begins with https:// or http://', { root: at('http://') }],
])('a server that cannot be called is a configuration error: %s', async (detail, servers) => {
  const failure = await failureOf(askApi({ '/d.json': openapi(servers) }, {}));
  expect(failure.kind).toBe('configuration');
  expect(failure.detail).toContain(detail);
});

/** Asks through a `fetch` that only says what it was asked. */
async function addressOf(document: JsonObject, uri = 'https://docs.example:8443/a/d.json') {
  const asked: string[] = [];
  const calling = callingOf({}, async (input) => {
    const url = input as string;
    asked.push(url);
    return Response.json(url === uri ? document : null);
  });
  await callOpenApi(calling, { document: { endpoint: uri }, operationId: 'it' });
  return asked[1];
}

const swagger = (rest: JsonObject, operation: JsonObject = {}): JsonObject => ({
  ...{ swagger: '2.0', ...rest },
  paths: { '/p': { get: { operationId: 'it', ...operation } } },
});

test.each<[JsonObject, string]>([
  [{ host: 'h.example', basePath: '/v2', schemes: ['http', 'https'] }, 'https://h.example/v2/p'],
  [{ host: 'h.example:81', basePath: 'v2/', schemes: ['http'] }, 'http://h.example:81/v2/p'],
  [{ host: 'h.example', schemes: ['ws', 'http'] }, 'http://h.example/p'],
  [{ host: 'h.example' }, 'https://h.example/p'],
  [{ basePath: '/v2' }, 'https://docs.example:8443/v2/p'],
  [{}, 'https://docs.example:8443/p'],
])('a server of Swagger 2.0 is put together, https if it can be: %j [OA-06]', async (rest, url) => {
  expect(await addressOf(swagger(rest))).toBe(url);
});

test('schemes of a Swagger 2.0 operation come before those of its document [OA-06]', async () => {
  const rest = { host: 'h.example', schemes: ['https'] };
  expect(await addressOf(swagger(rest, { schemes: ['http'] }))).toBe('http://h.example/p');
});

test('without schemes, that of the document is taken', async () => {
  const uri = 'http://docs.example/d.json';
  expect(await addressOf(swagger({ host: 'h.example' }), uri)).toBe('http://h.example/p');
});

test.each([
  ['is called by ws or wss', { host: 'h.example', schemes: ['ws', 'wss'] }],
  ['has no server that begins', { host: 'h .example' }],
])('a Swagger 2.0 document that %s cannot be called', async (detail, rest) => {
  const failure = await failureOf(addressOf(swagger(rest)));
  expect(failure.kind).toBe('configuration');
  expect(failure.detail).toContain(detail);
});

test.each([swagger({}), openapi({})])('a document from no host names one', async (document) => {
  const endpoint = `data:application/json,${encodeURIComponent(JSON.stringify(document))}`;
  const args = { document: { endpoint }, operationId: 'it' };
  expect(await failureOf(callOpenApi(callingOf(), args))).toMatchObject({ kind: 'configuration' });
});
