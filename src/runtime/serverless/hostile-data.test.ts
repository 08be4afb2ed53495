/** What the data of an instance cannot do, whoever sends it: be read as part of a definition. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import { type LocalServer, startHttpServer } from '../../testing/http-server.ts';
import { createTestEngine } from '../../testing/test-engine.ts';
import { error, output, type RanOptions, workflow } from '../../testing/workflows.ts';

const http = { allow: ['127.0.0.1'] };
const SECRET = 'Zanzibar-token';
let server: LocalServer;

beforeAll(async () => {
  server = await startHttpServer(({ path, body }) => {
    const script = { 'content-type': 'text/plain' };
    if (path === '/script') return { status: 200, headers: script, body: 'return 42' };
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  });
});

afterAll(async () => server.close());

describe('data that looks like an authentication policy', () => {
  const options: RanOptions = { http, secrets: { api: { token: SECRET } } };
  const policy = { authentication: { bearer: { use: 'api' } } };

  test('is sent as it is, and has no secret put into it', async () => {
    const body = `
      use: { secrets: [api] }
      do:
        - send: { call: http, with: { method: POST, endpoint: '${server.url}/', body: '\${ . }' } }
    `;
    expect(await output(body, policy, options)).toEqual(policy);
    const nested = { endpoint: policy, server: { transport: policy } };
    expect(await output(body, nested, options)).toEqual(nested);
  });

  test('is not made whole where an expression has made it an endpoint', async () => {
    const before = server.requests.length;
    const body = `
      use: { secrets: [api] }
      do: [{ send: { call: http, with: { method: GET, endpoint: '\${ .target }' } } }]
    `;
    const target = { uri: `${server.url}/`, ...policy };
    const { detail } = await error(body, { target }, options);
    expect(detail).not.toContain(SECRET);
    const sent = JSON.stringify(server.requests.slice(before));
    expect(sent).not.toContain(SECRET);
  });

  test('is one where the author has written it', async () => {
    const body = `
      use: { secrets: [api], authentications: { mine: { bearer: { use: api } } } }
      do:
        - one:
            call: http
            with:
              method: GET
              endpoint: { uri: '${server.url}/', authentication: { use: mine } }
        - two:
            call: http
            with:
              method: GET
              endpoint: { uri: '${server.url}/', authentication: { bearer: { use: api } } }
    `;
    const before = server.requests.length;
    await output(body, {}, options);
    const sent = server.requests.slice(before).map(({ headers }) => headers['authorization']);
    expect(sent).toEqual([`Bearer ${SECRET}`, `Bearer ${SECRET}`]);
  });
});

test.each([
  'reduce .list[] as $x (0; . + $secrets.api.token)',
  '.list[0] as $x | $x + $secret.api.token',
  '. as {list: [$secrets]} | $secrets + (. as $all | $all.list)',
])('what an expression with a secret in it fails with tells nothing of it: %s', async (program) => {
  const body = `
    use: { secrets: [api] }
    do: [{ a: { set: { x: '\${ ${program} }' } } }]
  `;
  const secrets = { api: { token: SECRET } };
  const failed = await error(body, { list: [1] }, { secrets });
  expect(failed).toMatchObject({ status: 400 });
  expect(JSON.stringify(failed)).not.toContain(SECRET);
});

test('a secret that nobody has is refused, also inside a fold', async () => {
  const body = `
    use: { secrets: [api] }
    do: [{ a: { set: { x: '\${ reduce .list[] as $x (""; . + $secrets.api) }' } } }]
  `;
  expect(await error(body, { list: [1] })).toMatchObject({ status: 403 });
});

test('a script is fetched with a policy that the definition has by name', async () => {
  const before = server.requests.length;
  const body = `
    use: { authentications: { mine: { basic: { username: ann, password: secret-word } } } }
    do:
      - run:
          run:
            script:
              language: javascript
              source: { endpoint: { uri: '${server.url}/script', authentication: { use: mine } } }
  `;
  expect(await output(body, {}, { http, serverless: { script: true } })).toBe(42);
  expect(server.requests[before]?.headers['authorization']).toMatch(/^Basic /);
});

describe('data that is too large', () => {
  const limits = { VALUE_CHARS_MAX: 1_000 };
  const large = { status: 500, detail: expect.stringContaining('VALUE_CHARS_MAX 1000') as never };

  test.each<[string, string]>([
    ['an output that is one text', `do: [{ a: { set: '\${ "x" * 2000 }' } }]`],
    [
      'an input that is made',
      `do: [{ a: { input: { from: '\${ "x" * 2000 }' }, do: [{ b: { wait: PT1S } }] } }]`,
    ],
    [
      'the list of a loop',
      `do: [{ a: { for: { in: '\${ [range(2000)] }' }, do: [{ b: { set: { x: 1 } } }] } }]`,
    ],
    [
      'an error',
      `do: [{ a: { raise: { error: { type: 'x:y', status: 400, detail: '\${ "x" * 2000 }' } } } }]`,
    ],
    ['the output of all', `output: { as: '\${ "x" * 2000 }' }\ndo: [{ a: { set: { x: 1 } } }]`],
    ['the input of all', `input: { from: '\${ "x" * 2000 }' }\ndo: [{ a: { set: { x: 1 } } }]`],
    [
      'the input of another',
      `do:
        - a:
            run:
              workflow:
                { namespace: a, name: b, version: 1.0.0, input: { x: '\${ "x" * 2000 }' } }`,
    ],
  ])('is an error of the workflow: %s', async (_, body) => {
    expect(await error(body, {}, { limits })).toMatchObject(large);
  });

  test('is one where it is nested a little deeper with every pass', async () => {
    const flow = workflow(`
      do:
        - a:
            for: { in: '\${ [range(300)] }' }
            do: [{ k: { fork: { branches: [{ b: { wait: PT1S } }] } } }]
    `);
    const t = createTestEngine({ flows: [flow] });
    const run = await t.start(flow, {});
    for (let n = 0; n < 310; n += 1) await t.advance('1s');
    const { status, fault } = await run.inspect();
    expect(status).toBe('failed');
    expect(fault?.message).toContain('nested deeper than 200');
    await t.close();
  });
});

test.each(['constructor', 'toString', '__proto__'])(
  'events are related by a key that is called %s',
  async (key) => {
    const flow = workflow(`
    do: [{ hear: { listen: { to: { all: [
      { with: { type: a }, correlate: { ${key}: { from: .data.id } } },
      { with: { type: b }, correlate: { ${key}: { from: .data.id } } } ] } } } }]
  `);
    const t = createTestEngine({ flows: [flow] });
    const run = await t.start(flow, {});
    await t.runUntilIdle();
    const events: readonly (readonly [string, number])[] = [
      ['a', 1],
      ['b', 2],
      ['b', 1],
    ];
    for (const [type, id] of events) await t.engine.publish({ type, data: { id } });
    await t.runUntilIdle();
    const heard: readonly Json[] = [{ id: 1 }, { id: 1 }];
    expect(await run.inspect()).toMatchObject({ status: 'completed', output: heard });
    await t.close();
  },
);

test('an error of another workflow whose detail is an object is told as JSON', async () => {
  const other = workflow(
    `
      do:
        - a: { raise: { error: { type: 'x:y', status: 400, detail: '\${ {n: 1} }' } } }
    `,
    { name: 'other' },
  );
  const body = `
    do:
      - a: { run: { workflow: { namespace: test, name: other, version: 1.0.0 } } }
  `;
  const { detail } = await error(body, {}, { others: [other] as never });
  expect(detail).toMatch(/^\{"n":1\} \(instance /);
});
