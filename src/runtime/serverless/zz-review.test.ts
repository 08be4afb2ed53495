import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalServer, startHttpServer } from '../../testing/http-server.ts';
import { createTestEngine } from '../../testing/test-engine.ts';
import { ran, workflow } from '../../testing/workflows.ts';
import { replay } from '../replay.ts';
let server: LocalServer;
beforeAll(async () => {
  server = await startHttpServer(({ path, body, headers }) => {
    if (path === '/deep') return { status: 200, headers: {'content-type': 'application/json'}, body: '['.repeat(100000) + ']'.repeat(100000) };
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ body: String(body), headers }) };
  });
});
afterAll(async () => server.close());
const http = { allow: ['127.0.0.1'] };
const show = async (name: string, p: Promise<unknown>): Promise<void> => {
  const t = Date.now();
  try { console.log(name, '→', JSON.stringify(await p).slice(0, 600), Date.now() - t, 'ms'); }
  catch (e) { console.log(name, '✗ THREW', (e as Error).name, String((e as Error).message).slice(0, 600), (e as Error).stack?.split('\n').slice(1,6).join('\n'), Date.now() - t, 'ms'); }
};
test('probe E: data names a secret', async () => {
  await show('inject body', ran(`
    use: { secrets: [apiKey] }
    do: [{ a: { call: http, with: { method: POST, endpoint: '${server.url}/x', body: '\${ . }' } } }]
  `, { authentication: { bearer: { use: 'apiKey' } } }, { http, secrets: { apiKey: { token: 'SECRET-TOKEN' } } }));
  await show('script source auth', ran(`
    use: { authentications: { p: { basic: { username: a, password: b } } } }
    do: [{ a: { run: { script: { language: javascript, source: { endpoint: { uri: '${server.url}/x', authentication: { use: p } } } } } } }]
  `, {}, { http, serverless: { script: true } }));
});
test('probe depth', async () => {
  await show('deep jq', ran(`do: [{ a: { set: '\${ reduce range(20000) as $i (0; [.]) }' } }]`));
  await show('deep jq 300', ran(`do: [{ a: { set: '\${ reduce range(300) as $i (0; [.]) }' } }]`));
  await show('deep jq 5000 export', ran(`do: [{ a: { set: {x: 1}, export: { as: '\${ reduce range(5000) as $i (0; [.]) }' } } }]`));
  await show('deep jq for in', ran(`do: [{ a: { for: { in: '\${ [reduce range(20000) as $i (0; [.])] }' }, do: [{ b: { set: { x: 1 } } }] } }]`));
  await show('deep raise', ran(`do: [{ a: { raise: { error: { type: 'x:y', status: 400, detail: '\${ reduce range(20000) as $i (0; [.]) }' } } } }]`));
  await show('deep emit', ran(`do: [{ a: { emit: { event: { with: { type: x, data: '\${ reduce range(20000) as $i (0; [.]) }' } } } } }]`));
  await show('deep run input', ran(`do: [{ a: { input: { from: '\${ reduce range(20000) as $i (0; [.]) }' }, do: [{ b: { wait: PT1S } }] } }]`));
  await show('deep output', ran(`
    output: { as: '\${ reduce range(20000) as $i (0; [.]) }' }
    do: [{ a: { set: { x: 1 } } }]`));
  await show('deep answer', ran(`do: [{ a: { call: http, with: { method: GET, endpoint: '${server.url}/deep' } } }]`, {}, { http }));
  await show('deep schema', ran(`do: [{ a: { input: { from: '\${ reduce range(150) as $i (0; [.]) }', schema: { document: { type: object } } }, set: { x: 1 } } }]`));
  await show('deep call output.as', ran(`do: [{ a: { call: http, with: { method: GET, endpoint: '${server.url}/x' }, output: { as: '\${ reduce range(20000) as $i (0; [.]) }' } } }]`, {}, { http }));
});
test('probe size', async () => {
  const limits = { VALUE_CHARS_MAX: 1000 };
  await show('long string', ran(`do: [{ a: { set: '\${ "x" * 5000 }' } }]`, {}, { limits } as never));
  await show('long from', ran(`do: [{ a: { input: { from: '\${ {a: ("x" * 5000)} }' }, do: [{ b: { wait: PT1S } }, { c: { set: { x: 1 } } }] } }]`, {}, { limits } as never));
  await show('long list', ran(`do: [{ a: { for: { in: '\${ [range(5000)] }' }, do: [{ c: { set: { x: 1 } } }] } }]`, {}, { limits } as never));
  await show('long raise', ran(`do: [{ a: { raise: { error: { type: 'x:y', status: 400, detail: '\${ "x" * 500000 }' } } } }]`, {}, { limits } as never));
  await show('long output', ran(`
    output: { as: '\${ "x" * 5000 }' }
    do: [{ a: { set: {x: 1} } }]`, {}, { limits } as never));
});
test('probe redos', async () => {
  await show('redos', ran(`do: [{ a: { input: { schema: { document: { type: string, pattern: '^(a+)+$' } } }, set: { x: 1 } } }]`, 'a'.repeat(26) + '!'));
  await show('filter keys', ran(`
    do:
      - a: { set: { x: 1 } }
  `));
}, 60000);
