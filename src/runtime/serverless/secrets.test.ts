/** Secrets: who has them, who is refused, and where they never stand: EX-17, EX-18, EX-28, SC-S. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sqlite } from '../../stores/sqlite/sqlite.ts';
import { type LocalServer, startHttpServer } from '../../testing/http-server.ts';
import { Receiver } from '../../testing/receiver.ts';
import { Gate } from '../../testing/stage.ts';
import { error, oneLine, output, workflow } from '../../testing/workflows.ts';
import { Notebook } from '../../testing/world.ts';
import { createEngine } from '../engine.ts';

const AUTHORIZATION = 'https://serverlessworkflow.io/spec/1.0.0/errors/authorization';
const SECRET = 's3cr3t-Zanzibar"quoted"+/=';

let server: LocalServer;
const folder = mkdtempSync(join(tmpdir(), 'perdure-secrets-'));

beforeAll(async () => {
  server = await startHttpServer(({ headers, path }) => ({
    status: path.startsWith('/echo') ? 500 : 200,
    headers: { 'content-type': 'application/json' },
    body: path.startsWith('/echo')
      ? JSON.stringify({ got: headers['authorization'], again: SECRET, path })
      : '{"ok":true}',
  }));
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

describe('a secret', () => {
  const body = `
      use: { secrets: [api, plain] }
      do: [{ only: { set: { user: '\${ $secrets.api.user }', plain: '\${ $secrets.plain }' } } }]
  `;
  const secrets = { api: { user: 'ann', password: SECRET }, plain: 'text', other: 'hidden' };

  test('is what the host has under its name [EX-17, SC-S1]', async () => {
    expect(await output(body, {}, { secrets })).toEqual({ user: 'ann', plain: 'text' });
  });

  test('may come from a function of the host, now or later [SC-S1]', async () => {
    const asked: string[] = [];
    const ask = (name: string): string | { user: string } => {
      asked.push(name);
      return name === 'api' ? { user: 'ann' } : 'text';
    };
    expect(await output(body, {}, { secrets: ask })).toEqual({ user: 'ann', plain: 'text' });
    expect(new Set(asked)).toEqual(new Set(['api', 'plain']));
    const later = (name: string): Promise<string | { user: string }> => Promise.resolve(ask(name));
    expect(await output(body, {}, { secrets: later })).toEqual({ user: 'ann', plain: 'text' });
  });

  test('is asked for anew before each call, for a host that changes it [SC-S1]', async () => {
    let token = 'first-token';
    const secrets = (): string => token;
    const call = `
      use: { secrets: [token] }
      do:
        - first: { call: http, with: { method: GET, endpoint: { uri: '${server.url}/a',
            authentication: { bearer: { token: '\${ $secrets.token }' } } } } }
        - second: { call: http, with: { method: GET, endpoint: { uri: '${server.url}/b',
            authentication: { bearer: { token: '\${ $secrets.token }' } } } } }
    `;
    const before = server.requests.length;
    const http = {
      fetch: async (...asked: Parameters<typeof fetch>) => {
        const answer = await fetch(...asked);
        token = 'second-token';
        return answer;
      },
      allow: ['127.0.0.1'],
    };
    expect(await output(call, {}, { secrets, http })).toEqual({ ok: true });
    const sent = server.requests.slice(before).map(({ headers }) => headers['authorization']);
    expect(sent).toEqual(['Bearer first-token', 'Bearer second-token']);
  });

  test('may be called $secret as well [SC-S3]', async () => {
    const other = body.replaceAll('$secrets', '$secret');
    expect(await output(other, {}, { secrets })).toEqual({ user: 'ann', plain: 'text' });
  });

  test('that is not listed is not to be had, by whatever way [EX-18, SC-S2]', async () => {
    const listed = "use: { secrets: [plain] }\ndo: [{ only: { set: '${ $secrets }' } }]";
    expect(await output(listed, {}, { secrets })).toEqual({ plain: 'text' });
    const named = listed.replace('$secrets }', '$secrets.other }');
    expect(() => workflow(named)).toThrow(/serverless\.unknown-secret/);
  });

  test.each([
    '$secrets.api',
    '$secret.api',
    '$secrets["api"]',
    '$secrets | .api',
    '$secrets | keys',
  ])('that the host has not is an authorization error: %s [EX-18, SC-S2]', async (expression) => {
    const one = `use: { secrets: [api] }\ndo: [{ only: { set: { x: '\${ ${expression} }' } } }]`;
    const failed = { type: AUTHORIZATION, status: 403, instance: '/do/0/only' };
    for (const had of [{}, () => undefined]) {
      const refused = await error(one, {}, { secrets: had });
      expect(refused).toMatchObject(failed);
      expect(refused['detail']).toContain('"api"');
    }
  });

  test('that the host has not fails a call that is made with it [EX-18, SC-S2]', async () => {
    const call = `
      use: { secrets: [api] }
      do:
        - tried:
            try:
              - call: { call: http, with: { method: GET, endpoint: { uri: '${server.url}',
                  authentication: { basic: { use: api } } } } }
            catch: { errors: { with: { status: 403 } },
                do: [{ a: { set: { caught: '\${ $error.instance }' } } }] }
    `;
    expect(await output(call, {}, { http: { allow: ['127.0.0.1'] } })).toEqual({
      caught: '/do/0/tried/try/0/call',
    });
  });
});

describe('what is stored and told', () => {
  const policies = (path: string): readonly string[] => [
    `{ uri: '${server.url}${path}', authentication: { use: named } }`,
    `{ uri: '${server.url}${path}', authentication: { basic: { use: api } } }`,
    oneLine`
      { uri: '${server.url}${path}', authentication: { basic: { username: ann,
      password: '\${ $secrets.api.password }' } } }`,
    oneLine`
      { uri: '${server.url}${path}', authentication: { bearer: { token:
      '\${ $secrets.api.password }' } } }`,
  ];
  const called = (endpoint: string, output: string): string =>
    `{ call: http, with: { method: GET, endpoint: ${endpoint}, output: ${output} } }`;
  const body = (): string => {
    const good = policies('/fine').map((each, n) => `- good${n}: ${called(each, 'response')}`);
    const bad = policies('/echo').map(
      (each, n) =>
        oneLine`
          - bad${n}: { try: [{ call: ${called(each, 'content')} }],
          catch: { retry: { delay: { milliseconds: 1 }, limit: { attempt: { count: 1 } } },
          do: [{ kept: { set: { error: '\${ $error }' } } }] } }`,
    );
    const broken = ['.password + 1', '.password | error', '.password | tonumber', '| .[0]'].map(
      (each, n) =>
        oneLine`
          - broken${n}: { try: [{ a: { set: { x:
          '\${ $secrets.api${each.startsWith('|') ? ' ' : ''}${each} }' } } }],
          catch: { do: [{ kept: { set: { error: '\${ $error }' } } }] } }`,
    );
    const last = `- last: ${called(policies('/echo')[3] ?? '', 'content')}`;
    const lines = [...good, ...bad, ...broken, last].map((line) => `        ${line}`).join('\n');
    return `
      use:
        secrets: [api]
        authentications: { named: { basic: { use: api } } }
      do:
${lines}
    `;
  };

  test('never has a secret in it that a call was authenticated by [EX-28]', async () => {
    const log = new Notebook();
    const told = new Gate();
    const outbox = new Receiver(({ type }) => {
      if (type.includes('workflow.faulted')) told.open();
      return 'take';
    });
    const flow = workflow(body(), { name: 'hiding' });
    const engine = await createEngine({
      ...{ store: sqlite(join(folder, 'hiding.db')), flows: [flow], logger: log, outbox },
      secrets: { api: { username: 'ann', password: SECRET } },
      http: { allow: ['127.0.0.1'] },
    });
    const run = await engine.start(flow, {});
    const thrown = await run.result().then(
      () => new Error('it has completed'),
      (reason: Error) => reason,
    );
    await told.opened;
    const shown = {
      ...{ history: await run.history({ notes: true }), exported: await run.export() },
      ...{ view: await run.inspect(), thrown: [thrown.message, { ...(thrown as object) }] },
      ...{ letters: outbox.attempts, log },
    };
    await engine.close();
    expect(thrown.message).toContain('***');
    expect(server.requests.at(-1)?.headers['authorization']).toContain(SECRET);
    expect(outbox.taken.length).toBeGreaterThan(20);
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
    expect(files.join('').length).toBeGreaterThan(10_000);
    const all = [...files, JSON.stringify(shown), JSON.stringify(log)].join('\n');
    for (const form of formsOf(SECRET)) expect(all.includes(form), form).toBe(false);
  });
});

/** As it is and as it may be written, whole or cut to what would still tell of it. */
function formsOf(secret: string): readonly string[] {
  const pair = Buffer.from(`ann:${secret}`).toString('base64');
  const whole = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  return [...whole, Buffer.from(secret).toString('base64'), pair, 's3cr3t'];
}
