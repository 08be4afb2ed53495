/** `perdure dev`: who may ask it, what it tells, and that it reads again what was written. */
import { request as ask } from 'node:http';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { CommandLine, type Ended } from '../../testing/command-line.ts';
import type { Source } from '../dev/sources.ts';

const line = new CommandLine();
afterAll(() => line.remove());

interface Dev {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly ended: Promise<Ended>;
}

let running: Dev | null = null;
afterEach(async () => {
  line.stop('SIGINT');
  await running?.ended;
  running = null;
});

/** Runs it until it says where it is. */
async function dev(...words: readonly string[]): Promise<Dev> {
  const said = line.says(/^\{"url".*\n/);
  const ended = line.run('dev', '--port', '0', ...words, '--json');
  const text = await Promise.race([said, ended.then(({ out, talk }) => out + talk)]);
  const value = JSON.parse(text) as Omit<Dev, 'ended'>;
  running = { ...value, url: value.url.replace(/\/#.*$/, ''), ended };
  return running;
}

function get(
  { url, token }: Dev,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url + path, { headers: { authorization: `Bearer ${token}`, ...headers } });
}

async function json<Value>(here: Dev, path: string): Promise<Value> {
  return (await (await get(here, path)).json()) as Value;
}

/** `fetch` does not let anybody say who they call. */
function statusOf(port: number, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const asking = ask({ port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asking.once('error', reject).end();
  });
}

describe('who may ask', () => {
  test('nothing is told to whoever has no start token, or another one', async () => {
    const here = await dev();
    for (const path of [
      '/dev/session',
      '/dev/sources',
      '/dev/logs',
      '/dev/doctor',
      '/dev/events',
    ]) {
      expect((await fetch(here.url + path)).status, path).toBe(401);
      expect((await get(here, path, { authorization: 'Bearer wrong' })).status, path).toBe(401);
    }
    for (const path of ['/api/instances', '/api/definitions', '/api/events', '/api/health/live']) {
      expect((await fetch(here.url + path)).status, path).toBe(401);
      expect((await get(here, path, { authorization: 'Bearer wrong' })).status, path).toBe(401);
    }
    expect((await get(here, '/api/instances')).status).toBe(200);
  });

  test('a page of another name or another origin is refused, also with the token', async () => {
    const { port, token } = await dev();
    const authorization = `Bearer ${token}`;
    const host = `127.0.0.1:${port}`;
    for (const path of ['/', '/dev/session', '/api/instances']) {
      const rebound = { host: `evil.example:${port}`, authorization };
      expect(await statusOf(port, path, rebound), path).toBe(421);
    }
    for (const path of ['/dev/session', '/api/instances']) {
      const strange = { host, authorization, origin: 'http://127.0.0.1:1' };
      expect(await statusOf(port, path, strange), path).toBe(403);
      const site = { host, authorization, 'sec-fetch-site': 'same-site' };
      expect(await statusOf(port, path, site), path).toBe(403);
      const own = { host, authorization, origin: `http://${host}` };
      expect(await statusOf(port, path, own), path).toBe(200);
    }
  });

  test('every answer has the strict policy, and no address leads out of the studio', async () => {
    const here = await dev();
    for (const path of ['/', '/flows/a/1', '/nothing.js', '/dev/session', '/api/instances']) {
      const { headers } = await get(here, path);
      expect(headers.get('content-security-policy'), path).toMatch(
        /^default-src 'none'; script-src/,
      );
      expect(headers.get('content-security-policy'), path).not.toContain('unsafe');
      expect(headers.get('x-content-type-options'), path).toBe('nosniff');
      expect(headers.get('referrer-policy'), path).toBe('no-referrer');
    }
    const home = await (await get(here, '/flows/a/1')).text();
    expect(home).toContain('<div id="studio">');
    expect(await (await get(here, '/instances/a.b.js')).text()).toBe(home);
    for (const path of ['/../package.json', '/..%2f..%2fpackage.json', '/assets/../../x.json']) {
      expect(await statusOf(here.port, path, { host: `127.0.0.1:${here.port}` }), path).toBe(404);
    }
    const asset = /assets\/[\w.-]+\.js/.exec(home)?.[0] ?? '';
    const script = await get(here, `/${asset}`, { 'accept-encoding': 'gzip' });
    expect(script.headers.get('content-encoding')).toBe('gzip');
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect((await fetch(`${here.url}/`, { method: 'POST' })).status).toBe(405);
  });
});

describe('the examples', () => {
  test('are three flows with instances to look at, in memory', async () => {
    const here = await dev();
    const { definitions } = await json<{ definitions: { name: string }[] }>(
      here,
      '/api/definitions',
    );
    const names = definitions.map(({ name }) => name);
    expect(names).toEqual(['claim', 'order', 'playground.onboarding']);
    const { instances } = await json<{ instances: object[] }>(here, '/api/instances');
    expect(instances).toHaveLength(6);
    expect(await json(here, '/dev/session')).toMatchObject({
      ...{ store: 'memory:', user: 'ann', isPlayground: true, hasWorker: true, revision: 1 },
    });
    const { ok } = await json<{ ok: boolean }>(here, '/dev/doctor?full=true');
    expect(ok).toBe(true);
  });

  test('show their sources, with the lines of their nodes, and nothing wrong', async () => {
    const here = await dev();
    const { sources } = await json<{ sources: Source[] }>(here, '/dev/sources');
    expect(sources.map(({ language }) => language)).toEqual([
      ...['typescript', 'flowchart', 'serverless'],
    ]);
    expect(sources.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
    const [order] = sources;
    const line = order?.spans['charge']?.line ?? 0;
    expect(order?.text.split('\n')[line - 1]).toContain(`'charge'`);
  });
});

const WORKFLOW = (name: string): string =>
  `document: { dsl: '1.0.3', namespace: shop, name: ${name}, version: '1.0.0' }\ndo:\n` +
  `  - greet: { set: { text: hello } }\n`;

/** The next reload that is told of. */
async function nextReload(here: Dev): Promise<{ heard: Promise<number>; end: () => void }> {
  const ending = new AbortController();
  const { token, url } = here;
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/dev/events`, { headers, signal: ending.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const listen = async (): Promise<number> => {
    let text = '';
    for (;;) {
      const { value = '', done } = (await reader?.read()) ?? { done: true };
      text += value;
      const found = /event: sources\ndata: \{"revision":(\d+)\}/.exec(text)?.[1];
      if (found !== undefined || done) return Number(found);
    }
  };
  await reader?.read();
  return { heard: listen(), end: () => ending.abort() };
}

describe('what is written', () => {
  test('is read again: a workflow has another task, and a mistake leaves what runs', async () => {
    const file = line.write('greeting.yaml', WORKFLOW('greeting'));
    const here = await dev(file, '--store', 'memory:');
    const first = await nextReload(here);
    line.write(file, `${WORKFLOW('greeting')}  - part: { set: { text: bye } }\n`);
    expect(await first.heard).toBe(2);
    first.end();
    const version = 1_000_000;
    const plan = `/api/definitions/shop.greeting/${version}`;
    const { nodes } = await json<{ nodes: { id: string }[] }>(here, plan);
    expect(nodes.map(({ id }) => id).join(' ')).toContain('part');

    const second = await nextReload(here);
    line.write(file, WORKFLOW('greeting').replace('set:', 'sett:'));
    expect(await second.heard).toBe(3);
    second.end();
    const { sources } = await json<{ sources: Source[] }>(here, '/dev/sources');
    const [problem] = sources[0]?.diagnostics ?? [];
    expect(problem).toMatchObject({ severity: 'error', line: 3 });
    expect((await get(here, plan)).status).toBe(200);
  });
});

describe('where it cannot be', () => {
  test('a store that is not there is not made by looking at it', async () => {
    const { code, out } = await line.run('dev', '--store', 'sqlite:none.db', '--json');
    expect(code).not.toBe(0);
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'store.unreachable' } });
  });

  test('a file that is not there is said, and so are handlers of nothing', async () => {
    const none = await line.run('dev', 'none.ts', '--json');
    expect(JSON.parse(none.out)).toMatchObject({ error: { code: 'command.invalid' } });
    const alone = await line.run('dev', '--handlers', 'none.ts', '--json');
    expect(JSON.parse(alone.out)).toMatchObject({ error: { code: 'command.invalid' } });
  });

  test('a port that is taken is said', async () => {
    const { port } = await dev();
    const { code, out } = await line.run('dev', '--port', String(port), '--json');
    expect(code).not.toBe(0);
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'command.invalid' } });
  });
});
