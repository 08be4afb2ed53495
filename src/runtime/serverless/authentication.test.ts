/** Policies by name and from secrets, as calls are made with them. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LocalServer, startHttpServer } from '../../testing/http-server.ts';
import { error, output } from '../../testing/workflows.ts';

let server: LocalServer;

beforeEach(async () => {
  server = await startHttpServer(({ headers }) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ said: headers['authorization'] ?? null }),
  }));
});

afterEach(() => server.close());

const HOST = { http: { allow: ['127.0.0.1'] } };

function calling(authentication: string, use: string): string {
  return `
    use: ${use}
    do:
      - ask:
          call: http
          with:
            method: get
            endpoint: { uri: '${server.url}/', authentication: ${authentication} }
  `;
}

describe('a policy', () => {
  test('is found by its name, and evaluated with what its call sees [AU-17]', async () => {
    const use = "{ authentications: { shop: { bearer: { token: '${ .token }' } } } }";
    const body = calling('{ use: shop }', use);
    expect(await output(body, { token: 'abc' }, HOST)).toEqual({ said: 'Bearer abc' });
  });

  test('may be a secret as a whole, named or not [AU-17, AU-19]', async () => {
    const secrets = { login: { username: 'ann', password: 'opensesame' } };
    const said = `Basic ${Buffer.from('ann:opensesame').toString('base64')}`;
    const named = '{ secrets: [login], authentications: { shop: { basic: { use: login } } } }';
    const options = { ...HOST, secrets };
    expect(await output(calling('{ use: shop }', named), {}, options)).toEqual({ said });
    const inline = calling('{ basic: { use: login } }', '{ secrets: [login] }');
    expect(await output(inline, {}, options)).toEqual({ said });
  });

  test('whose secret the host does not have is refused [AU-19, SC-S2]', async () => {
    const body = calling('{ bearer: { use: token } }', '{ secrets: [token] }');
    expect(await error(body, {}, HOST)).toMatchObject({ status: 403, instance: '/do/0/ask' });
    expect(server.requests).toEqual([]);
  });
});
