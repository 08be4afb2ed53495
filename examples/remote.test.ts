/** The workers of the examples, each a process of its own, one of them not even in JavaScript. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'perdure-remote-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

interface Started {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  /** Its first line, or its end. */
  readonly first: Promise<string>;
}

function start(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Started {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  children.push(child);
  const lines: string[] = [];
  const read = createInterface({ input: child.stdout });
  read.on('line', (line) => lines.push(line));
  const first = Promise.race([once(read, 'line'), once(read, 'close')]);
  return { child, lines, first: first.then(([line]) => String(line)) };
}

const example = (name: string): string => join(import.meta.dirname, name);
const node = (name: string, ...args: readonly string[]): readonly string[] => [
  '--conditions=perdure-source',
  example(name),
  ...args,
];

test('the worker in Python has at most 40 lines, and takes nothing but what Python brings', () => {
  const text = readFileSync(example('remote_worker.py'), 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  const [, imported = ''] = /^import (.*)$/m.exec(text) ?? [];
  expect(imported).toBe('json, os, threading, time, urllib.error, urllib.request, uuid');
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

test.skipIf(!hasPython)(
  'a worker in TypeScript and one in Python bring an order to its end (needs python3)',
  async () => {
    const office = start(process.execPath, node('remote.ts', join(folder, 'orders.db')));
    const said = await office.first;
    const env = Object.fromEntries(said.split(' ').map((each) => each.split('=')));
    expect(Object.keys(env)).toEqual(['PERDURE_URL', 'PERDURE_KEY']);
    const python = start('python3', [example('remote_worker.py')], env);
    const worker = start(process.execPath, node('remote-worker.ts'), env);
    const [code] = await once(office.child, 'close');
    expect(office.lines).toEqual([said, 'done: receipt R-A1, tracking T-A1']);
    expect(code).toBe(0);
    worker.child.kill('SIGTERM');
    expect(await once(worker.child, 'close')).toEqual([0, null]);
    expect(worker.lines).toEqual([
      expect.stringMatching(/^charged 42 \(idempotency key [^/]+\/\d+\/1\)$/),
      'stopped',
    ]);
    // It knows nothing of the end of the others, and waits for work for as long as it lives.
    expect(python.child.exitCode).toBe(null);
  },
);
