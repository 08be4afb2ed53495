/** Calls as an engine makes them: CA rows, UR-07 to UR-11 and DF-02. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import { memory } from '../../stores/memory/memory.ts';
import { type LocalServer, startHttpServer } from '../../testing/http-server.ts';
import { findFreePort } from '../../testing/local-port.ts';
import { Gate } from '../../testing/stage.ts';
import { endOf, error, oneLine, output, ran, workflow } from '../../testing/workflows.ts';
import { createEngine, type Engine } from '../engine.ts';
import type { Run } from '../run.ts';

const ERRORS = 'https://serverlessworkflow.io/spec/1.0.0/errors/';
const allowed = { http: { allow: ['127.0.0.1'] } };
const SCHEMA = JSON.stringify({ type: 'object', required: ['name'] });

let server: LocalServer;
/** Requests of /slow that have come, that were hung up on, and when they are answered. */
let come: Gate;
let gone: Gate;
let answer: Gate;
const folder = mkdtempSync(join(tmpdir(), 'perdure-calling-'));

beforeAll(async () => {
  server = await startHttpServer(async ({ path, method, headers, body }, response) => {
    if (path === '/slow') {
      response.on('close', () => gone.open());
      come.open();
      await answer.opened;
    }
    if (path.startsWith('/private') && headers['authorization'] !== 'Bearer abc') {
      return { status: 401, body: 'no' };
    }
    if (path.endsWith('schema.json')) return { body: SCHEMA };
    if (path === '/broken.json') return { status: 503, body: 'later' };
    const sent = { method, path, body: body === '' ? null : (JSON.parse(body) as Json) };
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(sent) };
  });
});

beforeEach(() => {
  server.requests.length = 0;
  [come, gone, answer] = [new Gate(), new Gate(), new Gate()];
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const get = (endpoint: string, more = ''): string =>
  `do: [{ it: { call: http, with: { method: GET, endpoint: ${endpoint} }${more} } }]`;

describe('a call', () => {
  test('may have expressions in all that it is made with [CA-02]', async () => {
    const body = `
      do:
        - it:
            call: http
            with:
              method: '\${ .method }'
              endpoint: '\${ $context.base + "/a" }'
              query: { q: '\${ .n }' }
              headers: { x-n: '\${ .n | tostring }' }
              body: { deep: ['\${ .n }', { plain: text, of: '\${ $workflow.input.n }' }] }
    `;
    const input = { method: 'post', n: 7, base: server.url };
    expect(await output(body, input, allowed)).toEqual({
      ...{ method: 'POST', path: '/a?q=7' },
      body: { deep: [7, { plain: 'text', of: 7 }] },
    });
    expect(server.requests[0]?.headers['x-n']).toBe('7');
  });

  test('whose expressions fail is not made [CA-02]', async () => {
    const failed = await error(get("'${ .x | error }'"), { x: 'no' }, allowed);
    expect(failed).toMatchObject({
      type: `${ERRORS}expression`,
      status: 400,
      instance: '/do/0/it',
    });
    expect(server.requests).toEqual([]);
  });

  test('that nobody answers is a communication error of the task [CA-03]', async () => {
    const port = await findFreePort();
    const failed = await error(get(`http://127.0.0.1:${port}/`), {}, allowed);
    expect(failed).toMatchObject({
      ...{ type: `${ERRORS}communication`, status: 500, instance: '/do/0/it' },
    });
    const caught = oneLine`
      do: [{ t: { try: ${get(`http://127.0.0.1:${port}/`).slice(4)},
      catch: { errors: { with: { status: 500 } },
      do: [{ c: { set: { caught: '\${ $error.instance }' } } }] } } }]`;
    expect(await output(caught, {}, allowed)).toEqual({ caught: '/do/0/t/try/0/it' });
  });

  test('that is skipped is not made [CA-02]', async () => {
    const body = get(`${server.url}/a`, ", if: 'false', then: end");
    expect(await output(body, { x: 1 }, allowed)).toEqual({ x: 1 });
    expect(server.requests).toEqual([]);
  });

  test('to this machine is refused unless the host allows it [CA-03]', async () => {
    const failed = await error(get(`${server.url}/a`));
    expect(failed).toMatchObject({ type: `${ERRORS}authorization`, status: 403 });
    expect(server.requests).toEqual([]);
  });

  test('is not made again after a crash, once its answer was stored [CA-06]', async () => {
    const call = oneLine`
      { call: http, with: { method: POST, endpoint: '${server.url}/a', body: '\${ . }' } }`;
    const body = `
      do:
        - one: ${call}
        - loop: { for: { in: '[1, 2, 3]' }, do: [{ two: ${call} }, { w: { wait: PT1S } }] }
        - three: ${call}
        - last: { set: { done: true } }
    `;
    const chaos = { crashAfterEveryCommit: true };
    expect(await ran(body, {}, { ...allowed, chaos })).toMatchObject({ output: { done: true } });
    expect(server.requests).toHaveLength(5);
  });
});

describe('a call in flight', () => {
  const slow = (more = ''): string => get(`${server.url}/slow`, more);

  async function begun(body: string): Promise<{ engine: Engine; run: Run<Json> }> {
    const flow = workflow(body);
    const engine = await createEngine({ store: memory(), flows: [flow], ...allowed });
    const run = await engine.start(flow, { x: 1 });
    return { engine, run };
  }

  test('is hung up on when its timeout is over [CA-04]', async () => {
    const { engine, run } = await begun(slow(', timeout: { after: { milliseconds: 50 } }'));
    await expect(run.result()).rejects.toMatchObject({ code: 'instance.failed' });
    await gone.opened;
    expect(await endOf(run)).toMatchObject({
      error: { type: `${ERRORS}timeout`, status: 408, instance: '/do/0/it' },
    });
    await engine.close();
  });

  test('is hung up on when a timeout around it is over [CA-04]', async () => {
    const around = `do: [{ list: { timeout: { after: { milliseconds: 50 } }, ${slow()} } }]`;
    for (const body of [around, `timeout: { after: { milliseconds: 50 } }\n${slow()}`]) {
      [come, gone, answer] = [new Gate(), new Gate(), new Gate()];
      const { engine, run } = await begun(body);
      await expect(run.result()).rejects.toMatchObject({ code: 'instance.failed' });
      await gone.opened;
      expect(await endOf(run)).toMatchObject({ error: { status: 408 } });
      await engine.close();
    }
  });

  test('is hung up on when the workflow is cancelled [CA-05]', async () => {
    const { engine, run } = await begun(slow());
    await come.opened;
    await run.cancel();
    await gone.opened;
    expect(await run.status()).toBe('canceled');
    await engine.close();
  });

  test('is hung up on when another branch has won [CA-05, FK-04]', async () => {
    const body = oneLine`
      do: [{ f: { fork: { compete: true, branches: [${slow().slice(5, -1)},
      { q: { wait: { milliseconds: 50 } } }] } } }]`;
    const { engine, run } = await begun(body);
    expect(await run.result()).toEqual({ x: 1 });
    await gone.opened;
    await engine.close();
  });

  test('comes to its end when the workflow is suspended, and nothing goes on [CA-05]', async () => {
    const { engine, run } = await begun(
      `${slow().slice(0, -1)}, { next: { set: { next: '\${ .path }' } } }]`,
    );
    await come.opened;
    await run.suspend();
    answer.open();
    await gone.opened;
    expect(await run.status()).toBe('suspended');
    await run.resume();
    expect(await run.result()).toEqual({ next: '/slow' });
    expect(server.requests).toHaveLength(1);
    await engine.close();
  });
});

describe('an endpoint', () => {
  test.each([
    ['a text', '/a', "'URL/a'"],
    ['a template', '/a/7', "'URL/a/{n}'"],
    ['an expression', '/a/7', '\'${ .base + "/a/\\(.n)" }\''],
    ['an object', '/private', "{ uri: 'URL/private', authentication: { bearer: { token: abc } } }"],
    [
      'an object with a template',
      '/private/7',
      "{ uri: 'URL/private/{n}', authentication: { bearer: { token: abc } } }",
    ],
    [
      'an object with an expression',
      '/private/7',
      oneLine`
        { uri: '\${ .base + "/private/\\(.n)" }',
        authentication: { bearer: { token: '\${ .token }' } } }`,
    ],
    ['an object that an expression yields', '/a', '\'${ { uri: (.base + "/a") } }\''],
  ])('may be %s [UR-07, UR-08]', async (_, path, endpoint) => {
    const input = { base: server.url, n: 7, token: 'abc' };
    const body = get(endpoint.replace('URL', server.url));
    expect(await output(body, input, allowed)).toMatchObject({ path });
  });

  test('may be relative to the base that the host says [UR-09]', async () => {
    const options = { ...allowed, serverless: { base: `${server.url}/base/` } };
    expect(await output(get('a/b'), {}, options)).toMatchObject({ path: '/base/a/b' });
    expect(await output(get('{ uri: /c }'), {}, options)).toMatchObject({ path: '/c' });
    expect(await error(get('a/b'), {}, allowed)).toMatchObject({ status: 400 });
  });
});

describe('a resource', () => {
  const checked = (endpoint: string, use = '{}'): string => `
      use: ${use}
      input: { schema: { resource: { endpoint: ${endpoint} } } }
      do: [{ a: { set: { fine: true } } }]
  `;

  async function checks(body: string, options: object): Promise<void> {
    expect(await output(body, { name: 'x' }, options)).toEqual({ fine: true });
    expect(await error(body, {}, options)).toMatchObject({
      type: `${ERRORS}validation`,
      status: 400,
    });
  }

  test('may be the schema of an input [DF-02]', async () => {
    await checks(checked(`${server.url}/schema.json`), allowed);
    const task = oneLine`
      do: [{ a: { input: { schema: { resource: { endpoint: '${server.url}/schema.json' } } },
      set: { fine: true } } }]`;
    await checks(task, allowed);
  });

  test('is fetched with its authentication [UR-10]', async () => {
    const uri = `uri: '${server.url}/private/schema.json'`;
    await checks(checked(`{ ${uri}, authentication: { bearer: { token: abc } } }`), allowed);
    const use = '{ authentications: { named: { bearer: { token: abc } } } }';
    await checks(checked(`{ ${uri}, authentication: { use: named } }`, use), allowed);
    const secret = '{ secrets: [api] }';
    const secrets = { api: { token: 'abc' } };
    const body = checked(`{ ${uri}, authentication: { bearer: { use: api } } }`, secret);
    await checks(body, { ...allowed, secrets });
  });

  test('may be a file below a folder that the host names [UR-10]', async () => {
    const file = join(folder, 'schema.json');
    writeFileSync(file, SCHEMA);
    const body = checked(pathToFileURL(file).href);
    await checks(body, { serverless: { files: [folder] } });
    await expect(output(body)).rejects.toMatchObject({ code: 'definition.invalid' });
  });

  test('may be relative to the base that the host says [UR-09]', async () => {
    await checks(checked('schema.json'), { ...allowed, serverless: { base: `${server.url}/b/` } });
  });

  test('that cannot be had when the definition comes refuses that [UR-11]', async () => {
    const body = checked(`${server.url}/broken.json`);
    await expect(output(body, {}, allowed)).rejects.toMatchObject({
      code: 'definition.invalid',
      message: expect.stringContaining('503') as string,
    });
  });

  test('that cannot be had when a call wants it is a communication error [UR-11]', async () => {
    const call = oneLine`
      do: [{ it: { call: openapi, with: { document: { endpoint: '${server.url}/broken.json' },
      operationId: x } } }]`;
    expect(await error(call, {}, allowed)).toMatchObject({
      ...{ type: `${ERRORS}communication`, status: 503, instance: '/do/0/it' },
    });
  });
});
