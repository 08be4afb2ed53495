import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { askApi } from '../../testing/asked-api.ts';
import { failureOf } from '../../testing/called.ts';

const FORM = 'application/x-www-form-urlencoded';
const PARTS = 'multipart/form-data';

const openapi = (content: JsonObject, more: JsonObject = {}): JsonObject => ({
  openapi: '3.1.0',
  paths: { '/p': { post: { operationId: 'it', requestBody: { content }, ...more } } },
});

async function sent(document: JsonObject, parameters: JsonObject): Promise<[string, string]> {
  const { request } = await askApi({ '/d.json': document }, parameters);
  return [request.headers['content-type'] ?? '', request.body];
}

/** Parts of a form, each with its head in one line. */
function partsOf([contentType, body]: [string, string]): string[] {
  const [, boundary = 'none'] = /^multipart\/form-data; boundary=(\S+)$/.exec(contentType) ?? [];
  const pieces = body.split(`--${boundary}`).slice(1, -1);
  return pieces.map((piece) => piece.trim().replaceAll('\r\n', '|'));
}

describe('of the media types of a body', () => {
  test.each<[JsonObject, Json, string, string]>([
    [{ 'application/json': {} }, { a: 1 }, 'application/json', '{"a":1}'],
    [{ 'application/json': {} }, 'text', 'application/json', '"text"'],
    [{ 'application/json': {} }, [1], 'application/json', '[1]'],
    [{ 'text/plain': {}, 'application/hal+json': {} }, 1, 'application/hal+json', '1'],
    [{ 'application/xml': {}, [FORM]: {} }, { a: 1 }, FORM, 'a=1'],
    [{ 'text/plain': {} }, 'hi', 'text/plain', 'hi'],
    [{ 'application/octet-stream': {} }, 'aGk=', 'application/octet-stream', 'hi'],
    [{ '*/*': {} }, { a: 1 }, 'application/json', '{"a":1}'],
    [{ 'text/*': {} }, 'hi', 'text/plain; charset=utf-8', 'hi'],
    [{ 'image/*': {} }, 'aGk=', 'application/octet-stream', 'hi'],
  ])('%j, JSON comes first, and then a form [OA-04]', async (content, body, type, text) => {
    expect(await sent(openapi(content), { body })).toEqual([type, text]);
  });

  test('one is taken if the call asks for it by a declared header', async () => {
    const parameters = [{ name: 'Content-Type', in: 'header', required: true }];
    const document = openapi({ 'application/json': {}, [FORM]: {} }, { parameters });
    const given = { 'content-type': FORM, body: { a: 1 } };
    expect(await sent(document, given)).toEqual([FORM, 'a=1']);
    expect(await sent(document, { body: { a: 1 } })).toEqual(['application/json', '{"a":1}']);
  });

  test('bytes are base64 or refused', async () => {
    const document = openapi({ 'application/octet-stream': {} });
    const failure = await failureOf(sent(document, { body: 'not base64!' }));
    expect(failure).toMatchObject({ kind: 'configuration', status: 400 });
  });
});

describe('a form', () => {
  test('has its lists repeated and its objects as JSON, unless it says how [OA-04]', async () => {
    const encoding = { c: { style: 'pipeDelimited' }, d: { style: 'deepObject' } };
    const document = openapi({ [FORM]: { encoding } });
    const body = { a: [1, 'x y'], b: { k: 1 }, c: [1, 2], d: { k: [3] }, e: null };
    expect(await sent(document, { body })).toEqual([
      FORM,
      'a=1&a=x%20y&b=%7B%22k%22%3A1%7D&c=1%7C2&d%5Bk%5D=3',
    ]);
  });

  test('of several parts has files where the document says so [OA-04]', async () => {
    const properties = {
      file: { type: 'string', format: 'binary' },
      files: { type: 'array', items: { $ref: '#/components/schemas/File' } },
      picture: { type: 'string', contentMediaType: 'image/png' },
      text: { type: 'string', contentMediaType: 'text/x', contentEncoding: 'base64' },
    };
    const encoding = {
      picture: { contentType: 'image/png, image/jpeg' },
      raw: { contentType: 'text/csv' },
    };
    const document = {
      ...openapi({ [PARTS]: { schema: { properties }, encoding } }),
      components: { schemas: { File: { format: 'binary' } } },
    };
    const body = {
      ...{ file: 'aGk=', files: ['YQ==', 'Yg=='], picture: 'cA==', text: 'dA==', raw: 'x;y' },
      ...{ plain: 7, object: { a: 1 }, list: ['u', { v: 1 }], none: null },
    };
    const head = (name: string, file = ''): string =>
      `Content-Disposition: form-data; name="${name}"${file}`;
    const bytes = (name: string, type = 'application/octet-stream'): string =>
      `${head(name, `; filename="${name}"`)}|Content-Type: ${type}`;
    expect(partsOf(await sent(document, { body }))).toEqual([
      ...[`${bytes('file')}||hi`, `${bytes('files')}||a`, `${bytes('files')}||b`],
      ...[`${bytes('picture', 'image/png')}||p`, `${head('text')}||dA==`],
      `${head('raw')}|Content-Type: text/csv||x;y`,
      ...[`${head('plain')}||7`, `${head('object')}|Content-Type: application/json||{"a":1}`],
      ...[`${head('list')}||u`, `${head('list')}|Content-Type: application/json||{"v":1}`],
    ]);
  });
});

describe('Swagger 2.0', () => {
  const swagger = (parameters: Json, more: JsonObject = {}): JsonObject => ({
    swagger: '2.0',
    paths: { '/p': { post: { operationId: 'it', parameters, ...more } } },
  });
  const field = (name: string, more: JsonObject = {}): JsonObject => ({
    ...{ name, in: 'formData', type: 'string' },
    ...more,
  });

  test('has a body among its parameters, under a name of its own [OA-04]', async () => {
    const document = swagger([{ name: 'pet', in: 'body', schema: {} }]);
    const expected = ['application/json', '{"id":1}'];
    expect(await sent(document, { pet: { id: 1 } })).toEqual(expected);
    expect(await sent(document, { body: { id: 1 } })).toEqual(expected);
    expect(await sent(document, { id: 1 })).toEqual(expected);
  });

  test('has it as the operation or the document consumes it [OA-04]', async () => {
    const parameters = [{ name: 'pet', in: 'body' }];
    const text = swagger(parameters, { consumes: ['text/plain'] });
    expect(await sent(text, { pet: 'hi' })).toEqual(['text/plain', 'hi']);
    const whole = { ...swagger(parameters), consumes: ['application/xml', 'application/x+json'] };
    expect(await sent(whole, { pet: 'hi' })).toEqual(['application/x+json', '"hi"']);
  });

  test('has forms among its parameters, too [OA-04] [OA-10]', async () => {
    const list = { type: 'array', items: { type: 'string' } };
    const document = swagger([
      ...[field('a'), field('b', list), field('c', { ...list, collectionFormat: 'multi' })],
      field('d', { ...list, collectionFormat: 'ssv' }),
    ]);
    const given = { a: 'x&', b: [1, 2], c: [3, 4], d: [5, 6] };
    const text = 'a=x%26&b=1,2&c=3&c=4&d=5%206';
    expect(await sent(document, given)).toEqual([FORM, text]);
    expect(await sent(document, { body: given })).toEqual([FORM, text]);
  });

  test('has files in forms of several parts, whatever it consumes [OA-04]', async () => {
    const list = { type: 'array', items: { type: 'string' } };
    const parameters = [field('f', { type: 'file' }), field('n', list), field('m', list)];
    const parts = partsOf(await sent(swagger(parameters), { f: 'aGk=', n: [1, 2], m: ['x'] }));
    expect(parts.map((part) => part.replace(/^.*name="(\w+)".*\|\|/, '$1: '))).toEqual([
      ...['f: hi', 'n: 1,2', 'm: x'],
    ]);
    const consumes = { consumes: [PARTS] };
    expect(partsOf(await sent(swagger([field('a')], consumes), { a: 1 }))).toHaveLength(1);
  });

  test('knows which fields a form has, and which it needs [OA-05]', async () => {
    const document = swagger([field('name', { required: true }), field('body')]);
    expect(await sent(document, { name: 'x', body: 'y' })).toEqual([FORM, 'name=x&body=y']);
    const missing = await failureOf(sent(document, { body: 'y' }));
    expect(missing).toMatchObject({ kind: 'validation', status: 400 });
    expect(missing.detail).toContain('needs "name" (in formData)');
    const strange = await failureOf(sent(document, { name: 'x', bady: 'y' }));
    expect(strange).toMatchObject({ kind: 'configuration' });
    expect(strange.detail).toContain('"bady" (did you mean "body"?)');
  });
});
