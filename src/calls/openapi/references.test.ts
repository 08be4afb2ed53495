import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { type ApiFiles, askApi } from '../../testing/asked-api.ts';
import { callingOf, failureOf, json, serve } from '../../testing/called.ts';
import { callOpenApi } from './openapi-call.ts';
import { LIBRARY_DOCUMENTS_MAX, REFERENCES_MAX } from './references.ts';

const QUERY = { name: 'q', in: 'query' };
const api = (paths: JsonObject, rest: JsonObject = {}): JsonObject => ({
  ...{ openapi: '3.1.0', paths },
  ...rest,
});
const get = (operation: JsonObject): JsonObject => ({
  '/a': { get: { operationId: 'it', ...operation } },
});
const refer = (reference: string): JsonObject => ({ $ref: reference });

async function pathOf(files: ApiFiles, parameters: JsonObject = { q: 1 }): Promise<string> {
  return (await askApi(files, parameters)).request.path;
}

describe('a reference', () => {
  test('within a document is followed, its name encoded or not', async () => {
    const components = { parameters: { 'a/b~c d': refer('#/components/parameters/e'), e: QUERY } };
    const parameters = [refer('#/components/parameters/a~1b~0c%20d')];
    expect(await pathOf({ '/d.json': api(get({ parameters }), { components }) })).toBe('/a?q=1');
  });

  test('to another document starts from the one it stands in', async () => {
    const files = {
      '/api/d.json': api({ '/a': refer('paths/a.yaml#/item') }),
      '/api/paths/a.yaml': `
        item:
          parameters: [{ $ref: '../more.json#/q' }]
          get: { operationId: it, requestBody: { $ref: '#/body' } }
        body: { content: { application/json: {} } }`,
      '/api/more.json': { q: refer('#/real'), real: QUERY },
    };
    const { request, fetched } = await askApi(files, { q: 1, body: [2] });
    expect([request.path, request.body]).toEqual(['/a?q=1', '[2]']);
    expect(fetched.map(({ path }) => path)).toEqual(Object.keys(files));
  });

  test('to a document of its own may have company: what stands beside it counts, too', async () => {
    const item = { $ref: '#/components/pathItems/x', parameters: [QUERY] };
    const components = { pathItems: { x: { get: { operationId: 'it' } } } };
    expect(await pathOf({ '/d.json': api({ '/a': item }, { components }) })).toBe('/a?q=1');
  });

  test.each([
    ['leads to nothing', '#/nowhere'],
    ['leads to nothing', '#/paths/toString'],
    ['leads to nothing', '#name'],
    ['leads to nothing', '#/openapi'],
    ['leads to nothing', 'http://'],
    ['leads to nothing', '#/%zz'],
    ['cannot refer to one from file:', 'file:///etc/hosts'],
    ['cannot refer to one from data:', 'data:,{}'],
  ])('that %s is a configuration error: %s', async (detail, reference) => {
    const failure = await failureOf(
      pathOf({ '/d.json': api(get({ parameters: [refer(reference)] })) }),
    );
    expect(failure).toMatchObject({ kind: 'configuration', status: 400 });
    expect(failure.detail).toContain(detail);
  });

  test('to what is not there is a communication error', async () => {
    const document = api(get({ parameters: [refer('gone.json')] }));
    const answer = json(null, { status: 404 });
    const failure = await failureOf(askApi({ '/d.json': document }, {}, { answer }));
    expect(failure).toMatchObject({ kind: 'communication', status: 404 });
  });
});

describe('references in a circle', () => {
  test('are a configuration error where they lead to nothing else', async () => {
    const components = {
      parameters: { a: refer('#/components/parameters/b'), b: refer('#/components/parameters/a') },
    };
    const document = api(get({ parameters: [refer('#/components/parameters/a')] }), { components });
    const failure = await failureOf(pathOf({ '/d.json': document }));
    expect(failure.kind).toBe('configuration');
    expect(failure.detail).toContain('leads round in a circle');
  });

  test('are no trouble in schemas', async () => {
    const node = { type: 'object', properties: { next: refer('#/components/schemas/Node') } };
    const content = { 'multipart/form-data': { schema: refer('#/components/schemas/Node') } };
    const document = api(
      { '/a': { post: { operationId: 'it', requestBody: { content } } } },
      { components: { schemas: { Node: node } } },
    );
    expect(
      (await askApi({ '/d.json': document }, { next: { next: null } })).request.body,
    ).toContain('{"next":null}');
  });

  test('are what more than the allowed number is taken for', async () => {
    const chained = (hops: number): ApiFiles => {
      const links = Array.from({ length: hops - 1 }, (_, n) => [
        `p${n + 1}`,
        refer(`#/x/p${n + 2}`),
      ]);
      const x = { ...Object.fromEntries(links), [`p${hops}`]: QUERY };
      return { '/d.json': api(get({ parameters: [refer('#/x/p1')] }), { x }) };
    };
    expect(await pathOf(chained(REFERENCES_MAX))).toBe('/a?q=1');
    const failure = await failureOf(pathOf(chained(REFERENCES_MAX + 1)));
    expect(failure.detail).toContain('circle');
  });
});

test('a document may be in so many pieces, and no more', async () => {
  const cut = (count: number): ApiFiles => {
    const names = Array.from({ length: count - 1 }, (_, n) => `/p${n}.json`);
    const pieces = names.map((name, n) => [name, { name: `q${n}`, in: 'query' }] as const);
    const document = api(get({ parameters: names.map((name) => refer(name)) }));
    return { '/d.json': document, ...Object.fromEntries(pieces) };
  };
  expect(await pathOf(cut(LIBRARY_DOCUMENTS_MAX), { q1: 1 })).toBe('/a?q1=1');
  const failure = await failureOf(pathOf(cut(LIBRARY_DOCUMENTS_MAX + 1), { q1: 1 }));
  expect(failure.detail).toContain(`is in more than ${LIBRARY_DOCUMENTS_MAX} pieces`);
});

test('paths in documents of their own are fetched until the operation is found', async () => {
  const paths = { '/x': refer('x.json'), '/y': refer('y.json'), '/z': refer('z.json') };
  const files = {
    '/d.json': api(paths),
    '/x.json': { get: { operationId: 'other' } },
    '/y.json': { get: { operationId: 'it' } },
    '/z.json': { get: { operationId: 'last' } },
  };
  const { request, fetched } = await askApi(files, {});
  expect(request.path).toBe('/y');
  expect(fetched.map(({ path }) => path)).toEqual(['/d.json', '/x.json', '/y.json']);
});

describe('the credentials of a document', () => {
  const authentication = { bearer: { token: 'for-documents' } };

  /** Two servers: the document at one of them refers to a piece at both. */
  async function asked(self: (other: string) => JsonObject) {
    const other = await serve(() => json(QUERY));
    const own = await serve(({ path }) => {
      const parameters = [refer(`${other.url}/q.json`), refer(`${own.url}/r.json`)];
      if (path === '/d.json') return json(api(get({ parameters }), self(other.url)));
      return json(path === '/r.json' ? { name: 'r', in: 'query' } : null);
    });
    const endpoint = { uri: `${own.url}/d.json`, authentication };
    await callOpenApi(callingOf(), { document: { endpoint }, operationId: 'it' });
    const seen = [...own.requests, ...other.requests];
    return Object.fromEntries(seen.map(({ path, headers }) => [path, headers['authorization']]));
  }

  test('go with its pieces from the same origin, and nowhere else', async () => {
    expect(await asked(() => ({}))).toEqual({
      ...{ '/d.json': 'Bearer for-documents', '/r.json': 'Bearer for-documents' },
      ...{ '/q.json': undefined, '/a': undefined },
    });
  });

  test('do not go where a document says that it is from', async () => {
    const seen = await asked((other) => ({ openapi: '3.2.0', $self: `${other}/d.json` }));
    expect(seen['/q.json']).toBeUndefined();
  });
});

test('references start from where a document says that it is (OpenAPI 3.2)', async () => {
  const parameters = [refer('q.json')];
  const document = api(get({ parameters }), { openapi: '3.2.0', $self: '/other/d.json' });
  expect(await pathOf({ '/d.json': document, '/other/q.json': QUERY })).toBe('/a?q=1');
});
