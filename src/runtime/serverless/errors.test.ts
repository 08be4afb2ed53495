/** The standard errors, each from a cause of its own: ER rows. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import { ERROR_FAMILIES } from '../../model/workflow-error.ts';
import { type LocalServer, startHttpServer } from '../../testing/http-server.ts';
import { findFreePort } from '../../testing/local-port.ts';
import { error, oneLine, output, type RanOptions, workflow } from '../../testing/workflows.ts';

let server: LocalServer;

beforeAll(async () => {
  server = await startHttpServer(({ path }) => {
    if (path === '/oauth2/token') {
      const body = JSON.stringify({ error: 'invalid_client', error_description: 'who are you?' });
      return { status: 401, headers: { 'content-type': 'application/json' }, body };
    }
    return {
      status: Number(path.slice(1)),
      headers: { 'content-type': 'text/plain' },
      body: 'why',
    };
  });
});

afterAll(async () => {
  await server.close();
});

const allowed: RanOptions = { http: { allow: ['127.0.0.1'] } };
const type = (kind: string): string => `${ERROR_FAMILIES[0] ?? ''}${kind}`;

/** A task deep inside, which is where its errors are said to be. */
const AT = '/do/0/list/do/1/it';
const inside = (task: string): string => `
      do: [{ list: { do: [{ first: { set: '\${ . }' } }, { it: { ${task} } }] } }]
`;
const call = (endpoint: string): string =>
  `call: http, with: { method: GET, endpoint: ${endpoint} }`;

async function told(task: string, input: Json = {}, options: RanOptions = allowed): Promise<Json> {
  const { detail, ...rest } = await error(inside(task), input, options);
  expect(detail).toEqual(expect.any(String));
  expect(detail).not.toBe('');
  return rest;
}

describe('an error', () => {
  test('has a type, a status, a title, a detail and a place [ER-01]', async () => {
    const failed = await error(inside("set: '${ .a | error }'"), { a: 'this' });
    expect(Object.keys(failed).toSorted()).toEqual([
      'detail',
      'instance',
      'status',
      'title',
      'type',
    ]);
    expect(failed).toEqual({
      ...{ type: type('expression'), status: 400, title: 'Expression error', instance: AT },
      detail: '".a | error": this',
    });
  });

  test('is stored with the instance, and thrown at whoever waits for it [ER-01]', async () => {
    const failed = output(inside("set: '${ .a | error }'"), { a: 'this' });
    await expect(failed).rejects.toThrow('"status":400');
  });

  test.each([
    ['what is not allowed', 'run: { shell: { command: ls } }'],
    ['a workflow that is nowhere', 'run: { workflow: { namespace: a, name: b, version: latest } }'],
    [
      'a call that is made with what is none',
      "call: http, with: { method: GET, endpoint: '${ .n }' }",
    ],
  ])('of configuration comes from %s [ER-02]', async (_, task) => {
    expect(await told(task, { n: 7 })).toEqual({
      ...{ type: type('configuration'), status: 400, title: 'Configuration error', instance: AT },
    });
  });

  test('of configuration is also a definition that is refused [ER-02]', () => {
    expect(() => workflow('do: [{ it: { call: nothing } }]')).toThrow(/unknown-function/);
  });

  test('of validation comes from data that does not fit its schema [ER-03]', async () => {
    const schema = 'schema: { document: { required: [name] } }';
    for (const stage of ['input', 'output', 'export']) {
      expect(await told(`set: { a: 1 }, ${stage}: { ${schema} }`)).toEqual({
        ...{ type: type('validation'), status: 400, title: 'Validation error', instance: AT },
      });
    }
    const whole = await error(`input: { ${schema} }\ndo: []`);
    expect(whole).toMatchObject({ type: type('validation'), status: 400, instance: '/input' });
    expect(whole['detail']).toContain('name');
  });

  test.each([
    ['if', "if: '.a | error', set: { b: 1 }"],
    ['input.from', "input: { from: '.a | error' }, set: { b: 1 }"],
    ['set', "set: '${ .a | error }'"],
    ['output.as', "set: { b: 1 }, output: { as: '$input.a | error' }"],
    ['export.as', "set: { b: 1 }, export: { as: '$input.a | error' }"],
    ['for.in', "for: { in: '.a' }, do: [{ x: { set: { b: 1 } } }]"],
    ['wait', "wait: '${ .a }'"],
    ['raise', "raise: { error: { type: '${ .a | error }', status: 400 } }"],
    ['emit', "emit: { event: { with: { type: '${ .a | error }' } } }"],
    ['call', "call: http, with: { method: GET, endpoint: '${ .a | error }' }"],
    ['a template', "call: http, with: { method: GET, endpoint: 'http://127.0.0.1/{list}' }"],
  ])('of expression comes from %s [ER-04]', async (_, task) => {
    expect(await told(task, { a: 'x', list: [] })).toEqual({
      ...{ type: type('expression'), status: 400, title: 'Expression error', instance: AT },
    });
  });

  test('of authentication comes from who will not give a token [ER-05]', async () => {
    const policy = oneLine`
      { oauth2: { authority: '${server.url}', grant: client_credentials, client: { id: us,
      secret: wrong } } }`;
    const seen = await told(call(`{ uri: '${server.url}/200', authentication: ${policy} }`));
    expect(seen).toMatchObject({ type: type('authentication'), status: 401, instance: AT });
  });

  test('of authorization comes from what is not to be had [ER-06]', async () => {
    const body = `
      use: { secrets: [missing] }
      ${inside("set: '${ $secrets.missing }'").trimStart()}
    `;
    expect(await error(body)).toMatchObject({
      ...{ type: type('authorization'), status: 403, title: 'Authorization error', instance: AT },
    });
    const near = await told(call(`'${server.url}/200'`), {}, {});
    expect(near).toMatchObject({ type: type('authorization'), status: 403, instance: AT });
  });

  test('of timeout comes from what takes too long [ER-07]', async () => {
    expect(await told('wait: PT1H, timeout: { after: PT1S }')).toEqual({
      ...{ type: type('timeout'), status: 408, title: 'Timeout', instance: AT },
    });
  });

  test('of communication has the status of the answer, or 500 [ER-08]', async () => {
    for (const status of [400, 401, 403, 404, 409, 500, 503]) {
      const seen = await told(call(`'${server.url}/${status}'`));
      expect(seen).toMatchObject({ type: type('communication'), status, instance: AT });
    }
    const seen = await told(call(`'http://127.0.0.1:${await findFreePort()}/'`));
    expect(seen).toMatchObject({ type: type('communication'), status: 500, instance: AT });
  });

  test('of runtime comes from what fails here [ER-09]', async () => {
    const script = 'run: { script: { language: javascript, code: \'throw new Error("oops")\' } }';
    const options = { serverless: { script: true } };
    expect(await told(script, {}, options)).toMatchObject({
      ...{ type: type('runtime'), status: 500, instance: AT },
    });
    const large = 'set: { text: \'${ "x" * 5000 }\' }';
    expect(await told(large, {}, { limits: { VALUE_CHARS_MAX: 4_000 } })).toEqual({
      ...{ type: type('runtime'), status: 500, title: 'Runtime error', instance: AT },
    });
  });

  test('of the host is of runtime, and has no stack in it [ER-11]', async () => {
    const broken: RanOptions = {
      http: {
        allow: ['127.0.0.1'],
        fetch: () => {
          throw new TypeError('the host is broken');
        },
      },
    };
    const failed = await error(inside(call(`'${server.url}/200'`)), {}, broken);
    expect(failed).toMatchObject({ status: 500, instance: AT });
    expect(JSON.stringify(failed)).not.toMatch(/\.ts:|node_modules| at /);
    let asked = 0;
    const secrets = (): Json => {
      asked += 1;
      if (asked > 1) throw new RangeError('no vault');
      return 'secret';
    };
    const body = `use: { secrets: [one] }\n${inside(call(`'${server.url}/200'`)).trimStart()}`;
    const vault = await error(body, {}, { ...allowed, secrets });
    expect(vault).toMatchObject({ type: type('runtime'), status: 500, instance: AT });
    expect(vault['detail']).toBe('no vault');
  });

  test('is said to be where its task stands, as RFC 6901 has it [ER-10]', async () => {
    const body = `
      do:
        - 'a/b':
            do:
              - 'c~d': { do: [{ 'é "x"': { set: '\${ error(1) }' } }] }
    `;
    const at = '/do/0/a~1b/do/0/c~0d/do/0/é "x"';
    expect(await error(body)).toMatchObject({ instance: at });
  });

  const BAD = "{ bad: { set: '${ error(1) }' } }";
  test.each([
    ['for', `for: { in: '[1, 2]' }, do: [${BAD}]`, '/do/0/t/do/0/bad'],
    ['fork', `fork: { branches: [{ a: { wait: PT1H } }, ${BAD}] }`, '/do/0/t/fork/branches/1/bad'],
    ['try', `try: [${BAD}], catch: { errors: { with: { status: 1 } } }`, '/do/0/t/try/0/bad'],
    [
      'catch',
      `try: [{ x: { set: '\${ error(1) }' } }], catch: { do: [${BAD}] }`,
      '/do/0/t/catch/do/0/bad',
    ],
    ['a timeout', "timeout: { after: PT1H }, set: '${ error(1) }'", '/do/0/t'],
    ['a list with a timeout', `timeout: { after: PT1H }, do: [${BAD}]`, '/do/0/t/do/0/bad'],
    ['a function', 'call: f', '/use/functions/f/do/0/bad'],
  ])('is said to be where its task stands: %s [ER-10]', async (_, task, instance) => {
    const body = `use: { functions: { f: { do: [${BAD}] } } }\ndo: [{ t: { ${task} } }]`;
    expect(await error(body)).toMatchObject({ type: type('expression'), instance });
  });

  test('is said to be where its task stands: what is done for an event [ER-10]', async () => {
    const body = `
      do:
        - f:
            fork:
              branches:
                - l: { listen: { to: { one: { with: { type: x } } } }, foreach: { do: [${BAD}] } }
                - e: { do: [{ w: { wait: PT1S } }, { e: { emit: { event: { with: { type: x,
                    data: 1 } } } } }] }
    `;
    const instance = '/do/0/f/fork/branches/0/l/foreach/do/0/bad';
    expect(await error(body)).toMatchObject({ instance });
  });
});
