import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serve } from '../../testing/called.ts';
import { errorOf } from '../../testing/failing-call.ts';
import { guarded } from '../../testing/guarded-http.ts';
import type { LoadedResource, Resource } from '../calling.ts';
import {
  createResources,
  RESOURCE_BYTES_MAX_DEFAULT,
  RESOURCE_KEEP_MS_DEFAULT,
  type ResourceOptions,
  RESOURCES_CHARS_MAX,
  RESOURCES_MAX,
} from './resources.ts';

const { signal } = new AbortController();

function load(
  endpoint: Resource['endpoint'],
  options: ResourceOptions = {},
): Promise<LoadedResource> {
  return createResources(guarded(), options).text({ endpoint }, signal);
}

describe('over http', () => {
  test('a resource is its text, its media type and where it was in the end', async () => {
    const server = await serve(({ path }) =>
      path === '/'
        ? { status: 302, headers: { location: '/doc.yaml' } }
        : { headers: { 'content-type': 'Application/YAML; charset=utf-8' }, body: 'a: ü' },
    );
    const url = `${server.url}/doc.yaml`;
    expect(await load(server.url)).toEqual({ text: 'a: ü', url, mediaType: 'application/yaml' });
  });

  test('a resource is fetched with its authentication [UR-10]', async () => {
    const server = await serve(({ headers }) =>
      headers['authorization'] === 'Bearer t0ken' ? { body: 'in' } : { status: 401 },
    );
    const authentication = { bearer: { token: 't0ken' } };
    expect(await load({ uri: server.url, authentication })).toMatchObject({ text: 'in' });
    const error = await errorOf(load({ uri: server.url }));
    expect(error).toMatchObject({ kind: 'communication', status: 401 });
  });

  test('a relative reference is resolved against the base [UR-09]', async () => {
    const server = await serve(({ path }) => ({ body: path }));
    const base = `${server.url}/flows/order.yaml`;
    expect(await load('schemas/a.json', { base })).toMatchObject({ text: '/flows/schemas/a.json' });
    expect(await load('/b.json', { base: new URL(base) })).toMatchObject({ text: '/b.json' });
    expect(await load('../c.json?d=1', { base })).toMatchObject({ text: '/c.json?d=1' });
    const error = await errorOf(load('schemas/a.json'));
    expect(error).toMatchObject({ kind: 'configuration' });
    expect(error.detail).toContain('resources.base');
  });

  test.each([404, 500, 302])(
    'an answer of %i is a communication error of that status [UR-11]',
    async (status) => {
      const server = await serve({ status });
      const error = await errorOf(load(`${server.url}/doc?key=s3cret`));
      expect(error).toMatchObject({ kind: 'communication', status });
      expect(error.detail).toContain(`${server.url}/doc could not be had: ${status}`);
    },
  );

  test('no answer is one, too, and a place not for workflows is refused [UR-11]', async () => {
    const server = await serve((_, response) => {
      response.destroy();
      return new Promise(() => {});
    });
    expect(await errorOf(load(server.url))).toMatchObject({ kind: 'communication', status: 500 });
    expect(await errorOf(load('http://10.0.0.1/'))).toMatchObject({ kind: 'authorization' });
  });

  test('text is read in its charset, and what is none is an error', async () => {
    const serveAs = (type: string, body: Uint8Array) =>
      serve({ headers: { 'content-type': type }, body });
    const latin = await serveAs('text/plain; charset="ISO-8859-1"', Uint8Array.of(0xfc));
    expect(await load(latin.url)).toMatchObject({ text: 'ü', mediaType: 'text/plain' });
    const marked = await serveAs('', Buffer.from('\ufeffa'));
    expect(await load(marked.url)).toMatchObject({ text: 'a', mediaType: null });
    for (const type of ['text/plain', 'text/plain; charset=klingon']) {
      const server = await serveAs(type, Uint8Array.of(0xff, 0xfe, 0xfd));
      expect(await errorOf(load(server.url))).toMatchObject({ kind: 'communication' });
    }
  });
});

describe('what came over http', () => {
  test('is kept for a while, by what was asked for', async () => {
    const server = await serve(() => ({ body: `${server.requests.length}` }));
    let now = 0;
    const resources = createResources(guarded(), { now: () => now });
    const load = async (endpoint: Resource['endpoint']): Promise<string> =>
      (await resources.text({ endpoint }, signal)).text;
    expect(await Promise.all([load(server.url), load(`${server.url}/`)])).toEqual(['1', '1']);
    const authentication = { bearer: { token: 'a' } };
    expect(await load({ uri: server.url, authentication })).toBe('2');
    expect(await load({ uri: server.url, authentication: { bearer: { token: 'b' } } })).toBe('3');
    now = RESOURCE_KEEP_MS_DEFAULT - 1;
    expect([await load(server.url), await load({ uri: server.url, authentication })]).toEqual([
      '1',
      '2',
    ]);
    now += 1;
    expect(await load(server.url)).toBe('4');
  });

  test('is not kept if it failed', async () => {
    const server = await serve(() => (server.requests.length === 1 ? { status: 503 } : {}));
    const resources = createResources(guarded());
    expect(await errorOf(resources.text({ endpoint: server.url }, signal))).toMatchObject({
      status: 503,
    });
    expect(await resources.text({ endpoint: server.url }, signal)).toMatchObject({ text: '' });
  });

  test('is kept for so many resources, and room for the longest there is', async () => {
    const server = await serve({});
    const resources = createResources(guarded());
    for (let n = 0; n <= RESOURCES_MAX; n += 1) {
      await resources.text({ endpoint: `${server.url}/${n}` }, signal);
    }
    const asked = server.requests.length;
    await resources.text({ endpoint: `${server.url}/${RESOURCES_MAX}` }, signal);
    await resources.text({ endpoint: `${server.url}/1` }, signal);
    expect(server.requests).toHaveLength(asked);
    await resources.text({ endpoint: `${server.url}/0` }, signal);
    expect(server.requests).toHaveLength(asked + 1);
    expect(RESOURCES_CHARS_MAX).toBeGreaterThan(RESOURCE_BYTES_MAX_DEFAULT);
  });
});

describe('a file', () => {
  let directory = '';
  const uri = (...path: readonly string[]): string => pathToFileURL(join(directory, ...path)).href;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'perdure-resources-'));
    await mkdir(join(directory, 'open'));
    await writeFile(join(directory, 'open', 'a.yaml'), 'a: 1');
    await writeFile(join(directory, 'secret.txt'), 'secret');
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  const files = (): ResourceOptions => ({ files: [join(directory, 'open')] });

  test('is read below the directories that the host names [UR-10]', async () => {
    const url = uri('open', 'a.yaml');
    expect(await load(url, files())).toEqual({ text: 'a: 1', url, mediaType: 'application/yaml' });
    const base = uri('open', 'flow.yaml');
    expect(await load('a.yaml', { ...files(), base })).toMatchObject({ text: 'a: 1' });
  });

  test('is refused everywhere else, whether there is one or not', async () => {
    const details: (string | undefined)[] = [];
    for (const path of [['secret.txt'], ['nothing.txt'], ['open'], ['open', '..', 'secret.txt']]) {
      const error = await errorOf(load(uri(...path), files()));
      expect(error).toMatchObject({ kind: 'authorization', status: 403, title: 'File refused' });
      details.push(error.detail?.replace(join(directory, ...path), 'PATH'));
    }
    expect(new Set(details).size).toBe(1);
    expect(details[0]).toContain('serverless.files');
    expect(await errorOf(load(uri('open', 'a.yaml')))).toMatchObject({ kind: 'authorization' });
    const evil = `${uri('open')}/%2e%2e/secret.txt`;
    expect(await errorOf(load(evil, files()))).toMatchObject({ kind: 'authorization' });
    const similar = { files: [join(directory, 'op')] };
    expect(await errorOf(load(uri('open', 'a.yaml'), similar))).toMatchObject({
      kind: 'authorization',
    });
  });

  test('is refused if a link leads out, and read if it leads to another inside', async () => {
    await symlink(join(directory, 'secret.txt'), join(directory, 'open', 'out.txt'));
    await symlink(directory, join(directory, 'open', 'up'));
    await symlink(join(directory, 'open', 'a.yaml'), join(directory, 'open', 'in.yaml'));
    await symlink(join(directory, 'open'), join(directory, 'door'));
    for (const path of [['out.txt'], ['up', 'secret.txt']]) {
      const error = await errorOf(load(uri('open', ...path), files()));
      expect(error).toMatchObject({ kind: 'authorization', status: 403 });
    }
    expect(await load(uri('open', 'in.yaml'), files())).toMatchObject({ text: 'a: 1' });
    const door = { files: [join(directory, 'door')] };
    expect(await load(uri('door', 'a.yaml'), door)).toMatchObject({ text: 'a: 1' });
    expect(await load(uri('open', 'a.yaml'), door)).toMatchObject({ text: 'a: 1' });
  });

  test('that is not there, or is none, is a communication error [UR-11]', async () => {
    await mkdir(join(directory, 'open', 'inner'));
    const missing = await errorOf(load(uri('open', 'b.yaml'), files()));
    expect(missing).toMatchObject({ kind: 'communication', status: 500 });
    expect(missing.detail).toContain('ENOENT');
    const folder = await errorOf(load(uri('open', 'inner'), files()));
    expect(folder).toMatchObject({ kind: 'communication' });
  });

  test.each(['file://elsewhere/a.yaml', 'file:///a%2Fb', 'file:///a%00b'])(
    'of another machine, or of no name, is none: %s',
    async (uri) => {
      const error = await errorOf(load(uri, { files: ['/'] }));
      expect(['configuration', 'communication']).toContain(error.kind);
    },
  );

  test('is as long as is allowed, and is read anew each time', async () => {
    const path = join(directory, 'open', 'a.txt');
    const resources = createResources(guarded(), { ...files(), maxBytes: 5 });
    const load = () => resources.text({ endpoint: uri('open', 'a.txt') }, signal);
    await writeFile(path, '12345');
    expect(await load()).toMatchObject({ text: '12345', mediaType: null });
    await writeFile(path, '123456');
    const error = await errorOf(load());
    expect(error.detail).toContain('longer than resources.maxBytes, 5 bytes');
  });
});

describe('a data: URI', () => {
  test.each([
    ['data:,Hello%2C%20World!', 'Hello, World!', 'text/plain'],
    ['data:application/json,{"a":"b?c"}', '{"a":"b?c"}', 'application/json'],
    ['data:text/plain;charset=utf-8,%C3%BC%', 'ü%', 'text/plain'],
    ['data:application/yaml;base64,YTogMQ==', 'a: 1', 'application/yaml'],
    ['data:;base64,YQ%3D%3D', 'a', 'text/plain'],
  ])('%s is what it holds', async (uri, text, mediaType) => {
    expect(await load(uri)).toMatchObject({ text, mediaType });
  });

  test('has a comma, and is as long as is allowed', async () => {
    expect(await errorOf(load('data:text/plain'))).toMatchObject({ kind: 'communication' });
    expect(await load('data:,12345', { maxBytes: 5 })).toMatchObject({ text: '12345' });
    expect((await errorOf(load('data:,123456', { maxBytes: 5 }))).detail).toContain('maxBytes');
  });
});

test('a resource of another scheme is none', async () => {
  const error = await errorOf(load('ftp://shop.example/a'));
  expect(error).toMatchObject({ kind: 'configuration', status: 400 });
});

test('a resource over http is as long as is allowed', async () => {
  const server = await serve({ body: '12345' });
  expect(await load(server.url, { maxBytes: 5 })).toMatchObject({ text: '12345' });
  expect((await errorOf(load(server.url, { maxBytes: 4 }))).detail).toContain('maxBytes, 4 bytes');
});

test.each([
  { files: 'all' },
  { files: [''] },
  { files: [1] },
  { base: 'relative' },
  { maxBytes: 0 },
  { keepMs: -1 },
])('an option that cannot be meant is an error: %j', (options) => {
  expect(() => createResources(guarded(), options as ResourceOptions)).toThrow(
    expect.objectContaining({ code: 'engine.option-invalid' }),
  );
});

test('a signal that is aborted ends the wait', async () => {
  const left = new AbortController();
  const reason = new Error('nobody waits');
  const server = await serve(() => {
    left.abort(reason);
    return new Promise(() => {});
  });
  const resources = createResources(guarded());
  await expect(resources.text({ endpoint: server.url }, left.signal)).rejects.toBe(reason);
  await expect(resources.text({ endpoint: 'data:,a' }, left.signal)).rejects.toBe(reason);
});
