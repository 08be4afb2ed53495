import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { askApi } from '../../testing/asked-api.ts';
import { failureOf } from '../../testing/called.ts';
import type { LocalRequest } from '../../testing/http-server.ts';

interface Described {
  readonly parameters?: Json;
  readonly body?: JsonObject;
  readonly shared?: Json;
  readonly path?: string;
  readonly responses?: JsonObject;
}

async function asked(
  { parameters = [], body, shared = [], path = '/p', responses = {} }: Described,
  given: JsonObject,
): Promise<LocalRequest> {
  const operation = {
    ...{ operationId: 'it', parameters, responses },
    ...(body === undefined ? {} : { requestBody: body }),
  };
  const paths = { [path]: { parameters: shared, put: operation } };
  return (await askApi({ '/d.json': { openapi: '3.0.3', paths } }, given)).request;
}

const JSON_BODY = { content: { 'application/json': {} } };
const query = (name: string, more: JsonObject = {}): JsonObject => ({ name, in: 'query', ...more });

describe('a parameter', () => {
  test('of the path is for every operation there, which may describe it anew [OA-03]', async () => {
    const shared = [query('a'), query('b', { explode: false })];
    const parameters = [query('b', { explode: true })];
    const { path } = await asked({ shared, parameters }, { a: 1, b: [2, 3] });
    expect(path).toBe('/p?a=1&b=2&b=3');
  });

  test('goes to every place that has its name [OA-03]', async () => {
    const parameters = [query('id'), { name: 'ID', in: 'header' }, { name: 'id', in: 'cookie' }];
    const { path, headers } = await asked({ parameters, path: '/p/{id}' }, { id: 7 });
    expect(path).toBe('/p/7?id=7');
    expect(headers).toMatchObject({ id: '7', cookie: 'id=7' });
  });

  test('that stands in the path is one, described or not [OA-03]', async () => {
    const { path } = await asked({ path: '/p/{a}/{b}' }, { a: 'x y', b: [1, 2] });
    expect(path).toBe('/p/x%20y/1,2');
  });

  test('in several cookies is in one header [OA-03]', async () => {
    const parameters = ['a', 'b'].map((name) => ({ name, in: 'cookie' }));
    const { headers } = await asked({ parameters }, { a: 1, b: [2, 3] });
    expect(headers['cookie']).toBe('a=1; b=2; b=3');
  });

  test.each<[JsonObject, string]>([
    [{ style: 'form', explode: false }, 'a=1,2'],
    [{ style: 'spaceDelimited' }, 'a=1%202'],
    [{ style: 'pipeDelimited', explode: false }, 'a=1%7C2'],
    [{ style: 'pipeDelimited', explode: true }, 'a=1&a=2'],
    [{ style: 'deepObject' }, 'a=1&a=2'],
    [{ content: { 'application/json': {} } }, 'a=%5B1%2C2%5D'],
    [{ style: 'constructor' }, 'a=1,2'],
    [{}, 'a=1&a=2'],
  ])('is written in its style: %j [OA-10]', async (style, expected) => {
    const { path } = await asked({ parameters: [query('a', style)] }, { a: [1, 2] });
    expect(path).toBe(`/p?${expected}`);
  });

  test('may be the whole query (OpenAPI 3.2)', async () => {
    const content = { 'application/x-www-form-urlencoded': {} };
    const parameters = [{ name: 'all', in: 'querystring', content }];
    expect((await asked({ parameters }, { all: { a: 1, b: 2 } })).path).toBe('/p?a=1&b=2');
  });

  test.each<[JsonObject]>([[{}], [{ a: null }]])(
    'that is required is missed, and named: %j [OA-05]',
    async (given) => {
      const parameters = [query('a', { required: true }), query('b')];
      const failure = await failureOf(asked({ parameters, path: '/p/{c}' }, given));
      expect(failure).toMatchObject({ kind: 'validation', status: 400 });
      expect(failure.detail).toContain('needs "a" (in query) and "c" (in path)');
    },
  );

  test('that is null and not required is left out', async () => {
    expect((await asked({ parameters: [query('a')] }, { a: null })).path).toBe('/p');
  });

  test.each<[string, string, Json]>([
    ['validation', 'the parameter "id" stands in the path, and cannot be empty', ''],
    ['validation', 'the parameter "id" stands in the path, and cannot be empty', []],
    ['expression', 'would make the URI lead elsewhere', '..'],
  ])('cannot change the path it stands in: %s error, %s', async (kind, detail, id) => {
    const failure = await failureOf(asked({ path: '/p/{id}' }, { id }));
    expect(failure.kind).toBe(kind);
    expect(failure.detail).toContain(detail);
  });

  test('that nobody knows is a configuration error, and what was meant is said', async () => {
    const parameters = [query('status'), { name: 'X-Key', in: 'header' }];
    const failure = await failureOf(asked({ parameters }, { statsu: 1 }));
    expect(failure.kind).toBe('configuration');
    expect(failure.detail).toBe(
      'the operation "it" has no parameter "statsu" (did you mean "status"?): it has status, X-Key',
    );
    expect((await failureOf(asked({}, { zzz: 1 }))).detail).toContain('"zzz": it has none');
  });

  test('in no known place is a configuration error', async () => {
    const failure = await failureOf(asked({ parameters: [{ name: 'a', in: 'air' }] }, {}));
    expect(failure.detail).toContain('the parameter "a" is in no known place');
  });
});

describe('a body', () => {
  test('is what is called body, or what is left [OA-04]', async () => {
    const described = { body: JSON_BODY, parameters: [query('a')] };
    expect((await asked(described, { a: 1, body: { b: 2 } })).body).toBe('{"b":2}');
    expect((await asked(described, { a: 1, b: 2, c: null })).body).toBe('{"b":2,"c":null}');
    expect((await asked(described, { a: 1, body: [1] })).body).toBe('[1]');
    expect((await asked(described, { a: 1 })).body).toBe('');
    expect((await asked(described, { body: null })).headers).not.toHaveProperty('content-type');
  });

  test('is no parameter that happens to be called so [OA-04]', async () => {
    const described = { body: JSON_BODY, parameters: [query('body')] };
    const { path, body } = await asked(described, { body: 1, a: 2 });
    expect([path, body]).toEqual(['/p?body=1', '{"a":2}']);
  });

  test.each<[JsonObject]>([[{}], [{ body: null }]])(
    'that is required is missed: %j [OA-05]',
    async (given) => {
      const failure = await failureOf(asked({ body: { ...JSON_BODY, required: true } }, given));
      expect(failure).toMatchObject({ kind: 'validation', status: 400 });
      expect(failure.detail).toContain('needs a body');
    },
  );

  test('and something besides it that is no parameter is a configuration error', async () => {
    const failure = await failureOf(asked({ body: JSON_BODY }, { body: {}, dryrun: true }));
    expect(failure.kind).toBe('configuration');
    expect(failure.detail).toContain('no parameter "dryrun": it has body');
  });

  test('that is a text is not made of what is left', async () => {
    const body = { content: { 'text/plain': {} } };
    expect((await asked({ body }, { body: 'hi' })).body).toBe('hi');
    const failure = await failureOf(asked({ body }, { a: 1 }));
    expect(failure.detail).toContain('no parameter "a": it has body');
  });
});

describe('what is asked for as an answer', () => {
  const types = (...names: string[]): JsonObject => ({
    content: Object.fromEntries(names.map((name) => [name, {}])),
  });

  test.each<[JsonObject, string]>([
    [{ 200: types('application/xml', 'application/json') }, 'application/json'],
    [{ 201: types('application/hal+json'), 400: types('text/plain') }, 'application/hal+json'],
    [{ '2XX': types('text/csv'), default: types('text/plain') }, 'text/csv, text/plain'],
    [{ 200: { $ref: 'elsewhere.json' } }, '*/*'],
    [{}, '*/*'],
  ])('is what the document has, JSON first: %j', async (responses, accept) => {
    expect((await asked({ responses }, {})).headers['accept']).toBe(accept);
  });

  test('is what the call says, if it does', async () => {
    const parameters = [{ name: 'Accept', in: 'header', required: true }];
    const responses = { 200: types('application/json') };
    const own = await asked({ parameters, responses }, { accept: 'text/csv' });
    expect(own.headers['accept']).toBe('text/csv');
    expect((await asked({ parameters, responses }, {})).headers['accept']).toBe('application/json');
  });
});
