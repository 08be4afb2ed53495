/**
 * The engine in a Next.js application: with-next/ is installed into an empty folder together with
 * the package as it would be published, type-checked, built and started, and asked over HTTP.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { createEngine } from 'perdure';
import { sqlite } from 'perdure/sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packedPackage } from '../scripts/packed.ts';

/** Packing, installing and building: a minute on an idle machine, several on a busy one. */
const SETUP_MS_MAX = 900_000;

const folder = mkdtempSync(join(tmpdir(), 'perdure-next-'));
const next = join(folder, 'node_modules', 'next', 'dist', 'bin', 'next');
const env = {
  ...process.env,
  NODE_ENV: 'production',
  NEXT_MANUAL_SIG_HANDLE: 'true',
  NEXT_TELEMETRY_DISABLED: '1',
} as const;

beforeAll(async () => {
  cpSync(join(import.meta.dirname, 'with-next'), folder, { recursive: true });
  const flags = ['--include=dev', '--prefer-offline', '--no-audit', '--no-fund'];
  await run('npm', 'install', await packedPackage(), ...flags);
  await run(process.execPath, next, 'build');
}, SETUP_MS_MAX);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(command: string, ...args: string[]): Promise<void> {
  const options = { cwd: folder, env, shell: process.platform === 'win32' };
  await promisify(execFile)(command, args, options).catch((error: Error & { stdout?: string }) => {
    throw new Error(`${error.message}\n${error.stdout ?? ''}`, { cause: error });
  });
}

/** What any of the routes answers. */
interface Answer {
  readonly id: string;
  readonly outcome: string;
  readonly status: string;
  readonly at: readonly string[];
  readonly output: string | null;
}

interface Server extends AsyncDisposable {
  readonly ask: (path: string, body?: object) => Promise<Answer>;
  /** Sends it a signal; resolves with its exit code once it is over. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
}

async function serve(): Promise<Server> {
  const args = [next, 'start', '--port', '0', '--hostname', '127.0.0.1'];
  const child = spawn(process.execPath, args, { cwd: folder, env });
  const exited = once(child, 'exit');
  const lines: string[] = [];
  let url: string | undefined;
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    url = /http:\/\/\S+/.exec(line)?.[0] ?? url;
    if (line.includes('Ready')) break;
  }
  if (url === undefined) throw new Error(`next start says:\n${lines.join('\n')}`);
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return (await exited)[0] as number | null;
  };
  const ask = async (path: string, body?: object): Promise<Answer> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return (await (await fetch(`${url}/api${path}`, init)).json()) as Answer;
  };
  return { ask, end, [Symbol.asyncDispose]: async () => void (await end('SIGKILL')) };
}

test('an order is placed, paid and followed over HTTP, and told twice counts once', async () => {
  await using server = await serve();
  const { ask, end } = server;
  const { id } = await ask('/orders', { number: 'order-1', sku: 'A1' });
  expect(await ask('/orders', { number: 'order-1', sku: 'A1' })).toEqual({ id });
  expect(await ask(`/orders/${id}`)).toEqual({ status: 'waiting', at: ['paid'], output: null });
  const payment = { payment: 'payment-1', amount: 42 };
  expect(await ask(`/orders/${id}/payment`, payment)).toEqual({ outcome: 'woken' });
  expect(await ask(`/orders/${id}/payment`, payment)).toEqual({ outcome: 'duplicate' });
  expect(await ask(`/orders/${id}?wait=30s`)).toEqual({
    status: 'completed',
    at: [],
    output: 'A1 for order-1 is on its way',
  });
  expect(await end('SIGTERM'), 'it ends by itself once the engine is closed').toBe(0);
});

test('after a kill an order goes on with the server, before anybody asks it', async () => {
  await using first = await serve();
  const { id } = await first.ask('/orders', { number: 'order-2', sku: 'B2' });
  await first.ask(`/orders/${id}/payment`, { payment: 'payment-2', amount: 42 });
  expect(await first.ask(`/orders/${id}`)).toMatchObject({ status: 'waiting', at: ['pack'] });
  await first.end('SIGKILL');

  await using second = await serve();
  // Looks at the same database, and does no work itself.
  const engine = await createEngine({ store: sqlite(join(folder, 'orders.db')), worker: false });
  const run = await engine.get(id);
  expect(await run?.result()).toBe('B2 for order-2 is on its way');
  await engine.close();
  expect(await second.ask(`/orders/${id}`)).toMatchObject({ status: 'completed' });
});
