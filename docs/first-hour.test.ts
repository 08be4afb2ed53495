/**
 * The first hour, done as the page says: in an empty folder, with the package as it would be
 * published. Files have the names behind their fences; what is typed is typed; the program is
 * killed where the page kills it, and goes on where the page says it does.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEngine } from '../src/index.ts';
import { sqlite } from '../src/sqlite.ts';
import { sectionOf } from '../scripts/markdown.ts';
import { packedPackage } from '../scripts/packed.ts';
import { exchangesIn, expectPrinted, playSession } from '../src/testing/console-session.ts';

const SETUP_MS_MAX = 300_000;
const PATIENCE = { timeout: 60_000 };

const page = readFileSync(join(import.meta.dirname, 'first-hour.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'perdure-hour-'));
const bin = join(import.meta.dirname, '..', 'node_modules', '.bin');
/** The Node of this project is the newcomer's; what npm thinks of their settings is not ours. */
const env = {
  ...process.env,
  PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
  npm_config_loglevel: 'error',
  PERDURE_STORE: 'sqlite:expenses.db',
};

const section = (heading: string): string => sectionOf(page, heading);

/** What the program prints, as the section says. */
function printedIn(heading: string): string {
  return /^```text\n([\s\S]*?)\n```/m.exec(section(heading))?.[1] ?? 'nothing';
}

async function type(heading: string, edited = section(heading)): Promise<void> {
  const exchanges = exchangesIn(edited);
  expect(exchanges.length).toBeGreaterThan(0);
  await playSession(exchanges, { folder, env });
}

interface Program {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  /** Resolves when it waits for somebody to decide. */
  readonly waiting: () => Promise<void>;
}

const children: ChildProcess[] = [];

function start(command: string, ...args: string[]): Program {
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const waiting = async (): Promise<void> => {
    await expect.poll(() => lines.length, PATIENCE).toBeGreaterThan(0);
    const engine = await createEngine({
      store: sqlite(join(folder, 'expenses.db')),
      worker: false,
    });
    await expect.poll(async () => (await engine.tasks.list()).tasks.length, PATIENCE).toBe(1);
    await engine.close();
  };
  return { child, lines, waiting };
}

let tarball = '';
beforeAll(async () => {
  tarball = await packedPackage();
}, SETUP_MS_MAX);
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

test('the package is installed into an empty folder', async () => {
  const ours = `npm install ${tarball} --prefer-offline`;
  const heading = 'An empty folder';
  await type(heading, section(heading).replace('npm install perdure', ours));
  for (const [, name = '', text = ''] of page.matchAll(/^```\w+ ([\w.-]+)\n([\s\S]*?)^```/gm))
    writeFileSync(join(folder, name), text);
});

test('its types are right', () => {
  const args = ['-p', '.', '--typeRoots', join(bin, '..', '@types')];
  const { stdout } = spawnSync(join(bin, 'tsc'), args, { cwd: folder, encoding: 'utf8' });
  expect(stdout).toBe('');
});

test('the process can be looked at', () => type('A process'));

test('the program is killed, goes on, and ends once it is approved', async () => {
  const first = start('node', 'main.ts');
  await first.waiting();
  expect(first.lines.join('\n')).toBe(printedIn('A program that runs it'));
  first.child.kill('SIGKILL');
  await once(first.child, 'close');

  const second = start('node', 'main.ts');
  await second.waiting();
  expect(second.lines.join('\n')).toBe(printedIn('Kill it'));
  const ended = once(second.child, 'close');
  await type('Decide');
  expect(await ended).toEqual([0, null]);
  expectPrinted(second.lines.join('\n'), printedIn('Decide'));
  await type('Look back');
});

test('its tests pass', () => type('Test it'));

test('what goes wrong is said', () => type('What goes wrong'));

test('the studio opens', async () => {
  const [command = ''] = section('Watch it').split('```sh\n')[1]?.split('\n```') ?? [];
  const [npx, perdure = '', ...words] = command.split(' ');
  expect(npx).toBe('npx');
  // Without npx between: that hands no signal on.
  const dev = start(join('node_modules', '.bin', perdure), ...words, '--json', '--port', '0');
  await expect.poll(() => dev.lines.length, PATIENCE).toBe(1);
  const { url } = JSON.parse(dev.lines[0] ?? '') as { url: string };
  expect(await (await fetch(url)).text()).toContain('<title>Perdure');
  const closed = once(dev.child, 'close');
  dev.child.kill('SIGTERM');
  await closed;
});
