import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { JsonObject } from '../../base/json.ts';
import { askApi, type ApiFiles } from '../../testing/asked-api.ts';
import { callingOf, failureOf, json, kept } from '../../testing/called.ts';
import type { Answering } from '../../testing/http-server.ts';
import { standIn, startPetStore } from '../../testing/pet-store.ts';
import { callOpenApi } from './openapi-call.ts';

const OPENAPI: JsonObject = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: '/v3' }],
  paths: {
    '/pets/{id}': {
      get: {
        operationId: 'it',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
          { name: 'tags', in: 'query', schema: { type: 'array' } },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
          { name: 'session', in: 'cookie', schema: { type: 'string' } },
        ],
        responses: { 200: { description: 'ok', content: { 'application/json': {} } } },
      },
    },
  },
};

const SWAGGER: JsonObject = {
  swagger: '2.0',
  basePath: '/v2',
  paths: {
    '/pets/{id}': {
      get: {
        operationId: 'it',
        parameters: [
          { name: 'id', in: 'path', required: true, type: 'integer' },
          { name: 'tags', in: 'query', type: 'array', collectionFormat: 'multi' },
          { name: 'X-Trace', in: 'header', type: 'string' },
        ],
      },
    },
  },
};

const at = (document: JsonObject | string): ApiFiles => ({ '/api.json': document });

describe('a document', () => {
  test.each<[string, JsonObject | string, string]>([
    ['OpenAPI 3.1 in JSON', OPENAPI, '/v3'],
    ['OpenAPI 3.1 in YAML', stringify(OPENAPI), '/v3'],
    ['OpenAPI 3.0 in JSON', { ...OPENAPI, openapi: '3.0.4' }, '/v3'],
    ['OpenAPI 3.2 in JSON', { ...OPENAPI, openapi: '3.2.0' }, '/v3'],
    ['Swagger 2.0 in JSON', SWAGGER, '/v2'],
    ['Swagger 2.0 in YAML', stringify(SWAGGER), '/v2'],
    ['a version that is a number in YAML', stringify({ ...SWAGGER, swagger: 2 }), '/v2'],
    [
      'JSON with a comma too many, which is YAML',
      '{"openapi":"3.0.0","paths":{"/pets/{id}":{"get":{"operationId":"it"}}},}',
      '',
    ],
  ])('may be %s [OA-01]', async (_, document, base) => {
    const { output, request } = await askApi(at(document), { id: 7 });
    expect(output).toEqual({ ok: true });
    expect([request.method, request.path]).toEqual(['GET', `${base}/pets/7`]);
  });

  test.each<[string, string | JsonObject]>([
    ['names none: OpenAPI 3.0 to 3.2 and Swagger 2.0 are known', { paths: {} }],
    ['is of 1.2', { swagger: '1.2' }],
    ['is of 4.0.0', { openapi: '4.0.0' }],
    ['is no object', '[1]'],
    ['is neither JSON nor YAML', 'a: b: c'],
    ['cannot be kept', 'a: .inf'],
  ])('that is none of those is refused: it %s', async (detail, document) => {
    const failure = await failureOf(askApi(at(document), {}));
    expect(failure.kind).toBe('configuration');
    expect(failure.detail).toContain(detail);
    expect(failure.detail).toContain('/api.json');
  });

  test('that cannot be had is a communication error', async () => {
    const args = { document: { endpoint: 'http://127.0.0.1:1/api.json' } };
    expect(await failureOf(askApi(at(OPENAPI), {}, { args }))).toMatchObject({
      kind: 'communication',
    });
  });

  test('may be named by a URI template', async () => {
    const store = kept(await startPetStore());
    const calling = callingOf({ input: { file: 'swagger' } }, standIn(store.url));
    const args = {
      document: { endpoint: { uri: 'https://petstore.swagger.io/v2/{file}.json' } },
      ...{ operationId: 'getPetById', parameters: { petId: 2 } },
    };
    expect((await callOpenApi(calling, args)).output).toMatchObject({ id: 2 });
  });

  test.each<[string, JsonObject]>([
    ['"document.endpoint" is a text, and is missing', { operationId: 'it' }],
    ['"document" is an object', { document: 'http://a.example', operationId: 'it' }],
    ['"operationId" is a text', { document: { endpoint: 'http://a.example' } }],
  ])('must be named: %s', async (detail, args) => {
    const failure = await failureOf(callOpenApi(callingOf(), args));
    expect(failure.kind).toBe('configuration');
    expect(failure.detail).toContain(detail);
  });
});

describe('an operation', () => {
  test.each([
    ['It2', 'has no operation "It2": did you mean "it"?'],
    ['somethingElse', 'has no operation "somethingElse": there are it'],
  ])('that is not there is a configuration error: %s [OA-02]', async (operationId, detail) => {
    const failure = await failureOf(askApi(at(OPENAPI), {}, { args: { operationId } }));
    expect(failure).toMatchObject({ kind: 'configuration', status: 400 });
    expect(failure.detail).toContain(detail);
  });

  test('is found in a document of many, of which an error names some [OA-02]', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`/a${n}`, { get: { operationId: `operation${n}` } }]),
    );
    const document = { openapi: '3.0.0', paths };
    const { request } = await askApi(at(document), {}, { args: { operationId: 'operation29' } });
    expect(request.path).toBe('/a29');
    const failure = await failureOf(askApi(at(document), {}));
    expect(failure.detail).toMatch(/there are operation0, .*operation11, …$/);
    const none = await failureOf(askApi(at({ openapi: '3.0.0' }), {}));
    expect(none.detail).toContain('none of its operations has an id');
  });

  test('that is there twice is nobody knows which', async () => {
    const item = { get: { operationId: 'it' } };
    const document = { openapi: '3.0.0', paths: { '/a': item, '/b': item } };
    const failure = await failureOf(askApi(at(document), {}));
    expect(failure.detail).toContain('more than one operation "it"');
  });

  test('may have a method of its own in OpenAPI 3.2', async () => {
    const paths = { '/a': { additionalOperations: { COPY: { operationId: 'it' } } } };
    const { request } = await askApi(at({ openapi: '3.2.0', paths }), {});
    expect(request.method).toBe('COPY');
  });
});

test.each([
  ['OpenAPI', OPENAPI],
  ['Swagger', SWAGGER],
])('%s says where each parameter goes [OA-03]', async (_, document) => {
  const parameters = { id: 'a/b', tags: ['x', 'y z'], 'x-trace': 'T 1' };
  const { request } = await askApi(at(document), parameters);
  expect(request.path).toMatch(/\/pets\/a%2Fb\?tags=x&tags=y%20z$/);
  expect(request.headers).toMatchObject({ 'x-trace': 'T 1' });
});

test('a cookie goes into its header [OA-03]', async () => {
  const { request } = await askApi(at(OPENAPI), { id: 1, session: 'abc' });
  expect(request.headers).toMatchObject({ cookie: 'session=abc', accept: 'application/json' });
});

describe('what comes back', () => {
  test('is its content, or raw, or the whole response [OA-07]', async () => {
    const { output } = await askApi(at(OPENAPI), { id: 1 });
    expect(output).toEqual({ ok: true });
    const raw = await askApi(at(OPENAPI), { id: 1 }, { args: { output: 'raw' } });
    expect(raw.output).toBe(Buffer.from('{"ok":true}').toString('base64'));
    const whole = await askApi(at(OPENAPI), { id: 1 }, { args: { output: 'response' } });
    expect(whole.output).toMatchObject({
      request: { method: 'GET', uri: `${whole.url}/v3/pets/1`, headers: {} },
      ...{ statusCode: 200, headers: {}, content: { ok: true } },
    });
  });

  test('is an error if its status is one', async () => {
    const answer = json({ code: 1 }, { status: 404 });
    const failure = await failureOf(askApi(at(OPENAPI), { id: 1 }, { answer }));
    expect(failure).toMatchObject({ kind: 'communication', status: 404, detail: '{"code":1}' });
  });

  test('leads elsewhere only if that is wanted [OA-08]', async () => {
    const answer: Answering = ({ path }) =>
      path === '/there' ? json('found') : { status: 302, headers: { location: '/there' } };
    const failure = await failureOf(askApi(at(OPENAPI), { id: 1 }, { answer }));
    expect(failure).toMatchObject({ kind: 'communication', status: 302 });
    const args = { redirect: true };
    const { output } = await askApi(at(OPENAPI), { id: 1 }, { answer, args });
    expect(output).toBe('found');
  });
});

test('a key goes with a POST, by which a server can tell it was asked twice', async () => {
  const document = { openapi: '3.0.0', paths: { '/a': { post: { operationId: 'it' } } } };
  const { request } = await askApi(at(document), {});
  expect(request.headers).toMatchObject({ 'idempotency-key': 'visit-1' });
});

describe('who asks', () => {
  const user = { basic: { username: 'ann', password: 'word' } };
  const other = { bearer: { token: 'doc-token' } };

  test('is told by the call, and for the document by its own endpoint [OA-09]', async () => {
    const store = kept(await startPetStore());
    const calling = callingOf({}, standIn(store.url));
    const endpoint = { uri: 'https://petstore.swagger.io/v2/swagger.json', authentication: other };
    const args = { document: { endpoint }, operationId: 'getPetById', parameters: { petId: 1 } };
    const result = await callOpenApi(calling, { ...args, authentication: user });
    await callOpenApi(calling, args);
    const basic = `Basic ${Buffer.from('ann:word').toString('base64')}`;
    expect(store.requests.map(({ headers }) => headers['authorization'])).toEqual([
      ...['Bearer doc-token', basic, undefined],
    ]);
    expect(result.authorization).toMatchObject({ scheme: 'Basic' });
  });

  test('is not told by the security of the document', async () => {
    const document = {
      ...OPENAPI,
      security: [{ key: [] }],
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-key' } } },
    };
    const { request } = await askApi(at(document), { id: 1 });
    expect(request.headers).not.toHaveProperty('x-key');
    expect(request.headers).not.toHaveProperty('authorization');
  });
});
