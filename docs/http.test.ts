/**
 * What the page about HTTP shows is done here: its program is started, its sessions are typed into
 * a shell with a real curl, its hosts are run, and its tables are what the server is made of.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROLES } from '../src/server/access/principal.ts';
import { SERVER_LIMITS } from '../src/server/limits.ts';
import { STATUSES } from '../src/server/problem.ts';
import { ROUTES } from '../src/server/routes.ts';
import { exchangesIn, playSession } from '../src/testing/console-session.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const page = read('docs/http.md');
const SOURCES = '--conditions=perdure-source';

function blocksOf(text: string, language: string): readonly string[] {
  const found = text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'));
  return [...found].map(([, body]) => body ?? '');
}

async function openExample(): Promise<{ readonly url: string; readonly program: ChildProcess }> {
  const program = spawn(process.execPath, [SOURCES, join(root, 'examples/http.ts')], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface(program.stdout), 'line')) as [string];
  return { url, program };
}

test('there is a curl on this machine: the sessions of the page are typed with it', async () => {
  const version = await run('curl', ['--version']).catch(() => ({ stdout: '' }));
  expect(version.stdout, 'install curl to run the tests of docs/http.md').toContain('curl');
});

test('the sessions of the page are answered as the page says', async () => {
  const { url, program } = await openExample();
  const session = exchangesIn(page.replaceAll('http://127.0.0.1:8080', url));
  const ended = once(program, 'exit');
  try {
    await playSession(session, { folder: root });
    expect(session.length).toBeGreaterThan(40);
  } finally {
    program.kill('SIGTERM');
  }
  expect(await ended, 'it ends by itself once it is told to').toEqual([0, null]);
});

test('the first two blocks of the page stand in the example, word for word', () => {
  const text = read('examples/http.ts');
  for (const block of blocksOf(page, 'ts').slice(0, 2)) expect(text).toContain(block);
  expect(text.split('\n').length).toBeLessThan(60);
});

/** Runs TypeScript inside the checkout, so that the package's own name leads to it. */
async function runProgram(name: string, text: string): Promise<string> {
  const folder = join(root, '.perdure');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `http-${name}-${process.pid}.ts`);
  try {
    writeFileSync(file, text);
    const { stdout } = await run(process.execPath, [SOURCES, file]);
    return stdout.trim();
  } finally {
    rmSync(file, { force: true });
  }
}

const ENGINE = `
import { createEngine, flow, memory } from 'perdure';
const order = flow('order').end();
const engine = await createEngine({ store: memory(), flows: [order] });
`;

const SERVER = "import { api } from 'perdure/server';\nconst server = api(engine);";

/** Asks whoever listens for what is ours and what is its own. */
const ASK = (host: string): string => `
import { once } from 'node:events';
if (!${host}.listening) await once(${host}, 'listening');
const origin = 'http://127.0.0.1:' + ${host}.address().port;
const ask = async (path) => (await fetch(origin + path)).text();
for (const path of ['/hello', BASE + '/health/ready']) console.log(await ask(path));
process.exit(0);
`;

const HOSTS: Readonly<Record<string, { readonly host: string; readonly base: string }>> = {
  hono: { host: 'host', base: '/perdure' },
  express: { host: 'host', base: '/perdure' },
  fastify: { host: 'app.server', base: '/perdure' },
  node: { host: 'host', base: '' },
};

test('every host of the page serves what is its own, and us', async () => {
  const blocks = blocksOf(page, 'ts').slice(2);
  expect(blocks).toHaveLength(Object.keys(HOSTS).length);
  for (const [at, [name, { host, base }]] of Object.entries(HOSTS).entries()) {
    const block = (blocks[at] ?? '').replace('3000', '0');
    const lines = [ENGINE, SERVER, block, `const BASE = '${base}';`];
    const told = await runProgram(name, [...lines, ASK(host)].join('\n'));
    expect(told.split('\n'), name).toEqual(['hello', '{"status":"ready"}']);
  }
});

function tableBelow(head: string): readonly string[] {
  const [, after = ''] = page.split(`\n${head}\n`);
  return after
    .split('\n')
    .slice(1)
    .filter((_, at, all) => {
      return all.slice(0, at + 1).every((line) => line.startsWith('|'));
    });
}

test('the page lists the codes of HTTP alone, all of them, with their status', () => {
  const union = /export type RequestCode =([^;]+);/.exec(read('src/server/problem.ts'))?.[1] ?? '';
  const codes = [...union.matchAll(/'([^']+)'/g)].map(([, code = '']) => code);
  const statuses: Readonly<Record<string, number>> = STATUSES;
  const rows = tableBelow('| code | status | means | what to do |').map((row) =>
    row.split(' | ').slice(0, 2),
  );
  expect(rows).toEqual(codes.map((code) => [`| \`${code}\``, String(statuses[code])]));
  expect(codes.length).toBeGreaterThan(15);
});

test('the limits of the page are ours', () => {
  const rows = tableBelow('| limit | unless set | |').map((row) => row.split(' | ').slice(0, 2));
  const ours = Object.entries(SERVER_LIMITS).map(([name, value]) => [`| \`${name}\``, `${value}`]);
  expect(rows).toEqual(ours);
});

test('the roles of the page are ours', () => {
  const ours = Object.entries(ROLES).map(([role, scopes]) => {
    return `| \`${role}\` | ${scopes.map((scope) => `\`${scope}\``).join(', ')} |`;
  });
  expect(tableBelow('| role | scopes |')).toEqual(ours);
});

test('the page lists every route, in order, and whom it is for', () => {
  const ours = ROUTES.map(({ method, path, summary, policy }) => {
    const scope = policy.for === 'anyone' ? '' : `\`${policy.scope}\``;
    const whom = policy.for === 'scope' && policy.tenants === 'all' ? ', all tenants' : '';
    return `| \`${method.toUpperCase()} ${path}\` | ${summary} | ${scope}${whom} |`;
  });
  expect(tableBelow('| | | takes the scope |')).toEqual(ours);
});
