/**
 * The command in a terminal of its own, 80 columns wide, as a person sees it. It takes the `script`
 * of util-linux to make one; where there is none, these are left out.
 */
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { CommandLine } from '../testing/command-line.ts';

const line = new CommandLine();
const running = new Set<Screen>();
afterEach(() => {
  for (const screen of running) screen.kill();
});
afterAll(() => line.remove());

const PROGRAM = join(import.meta.dirname, 'perdure.ts');
const ESCAPE = '\u001B';
const WIPE = '\r\u001B[2K';
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

/** What is shown, and a keyboard. */
class Screen {
  text = '';
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #ended: Promise<unknown[]>;
  readonly #hears = new Set<() => void>();

  constructor(words: string, env: NodeJS.ProcessEnv = {}) {
    const node = `'${process.execPath}' --conditions=perdure-source '${PROGRAM}'`;
    const command = `stty cols 80 -echo; exec ${node} ${words}`;
    this.#child = spawn('script', ['-qefc', command, '/dev/null'], {
      cwd: line.folder,
      env: { ...process.env, TERM: 'xterm', NO_COLOR: '', FORCE_COLOR: '', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#ended = once(this.#child, 'close');
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.text += text;
      for (const hear of this.#hears) hear();
    });
    running.add(this);
  }

  async shows(what: RegExp): Promise<void> {
    while (!what.test(this.text)) {
      await new Promise<void>((resolve) => this.#hears.add(resolve));
      this.#hears.clear();
    }
  }

  type(keys: string): void {
    this.#child.stdin.write(keys);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
    running.delete(this);
  }

  async ended(): Promise<unknown> {
    const [code] = await this.#ended;
    return code;
  }

  /** The lines as they stay: what was written over is gone. */
  get lines(): readonly string[] {
    const kept = this.text.split('\r\n').map((text) => text.slice(wiped(text)));
    return kept.map((text) => stripVTControlCharacters(text));
  }
}

function wiped(text: string): number {
  const at = text.lastIndexOf(WIPE);
  return at < 0 ? 0 : at + WIPE.length;
}

const hasScript = /util-linux/.test(String(spawnSync('script', ['--version']).stdout ?? ''));

describe.skipIf(!hasScript)('in a terminal', () => {
  const CHATTY = `import { flow } from 'perdure';
const line = () => new Promise((resolve) => process.stdin.once('data', () => resolve(1)));
export default flow('chatty')
  .step('first', async () => { await line(); console.log('hello from first'); await line(); })
  .end();`;

  test('a time runs in the line below, and what is printed meanwhile stands above it', async () => {
    const screen = new Screen(`run ${line.write('chatty.mjs', CHATTY)} --store memory:`);
    await screen.shows(/▸.* first.* (0\.[2-9]|[1-9]\d*\.\d)s/);
    screen.type('a\r');
    await screen.shows(/hello/);
    screen.type('b\r');
    expect(await screen.ended()).toBe(0);
    expect(screen.lines).toContain('hello from first');
    expect(screen.lines.find((text) => text.startsWith('▸'))).toBeUndefined();
  });

  test('a file that stderr alone is redirected to has no colours', async () => {
    const screen = new Screen(`run chatty.mjs --store memory: --input '{' 2>beside.txt`);
    expect(await screen.ended()).toBe(2);
    const beside = readFileSync(join(line.folder, 'beside.txt'), 'utf8');
    expect(beside).toContain('perdure: --input is JSON');
    expect(beside).not.toContain(ESCAPE);
  });

  test('a dumb one is sent nothing but text', async () => {
    const screen = new Screen('run chatty.mjs --store memory:', { TERM: 'dumb' });
    await screen.shows(/starts chatty/);
    screen.type('a\r');
    await screen.shows(/hello/);
    screen.type('b\r');
    expect(await screen.ended()).toBe(0);
    expect(screen.text).not.toContain(ESCAPE);
  });

  test.each([
    ['Ctrl-C', CTRL_C, 130, 'stopped by SIGINT; nothing was done'],
    ['Ctrl-D', CTRL_D, 2, 'was not confirmed; nothing was done'],
  ])('%s at a question does nothing', async (_, key, code, said) => {
    const here = '--store sqlite:asked.db';
    const wait = `import { flow } from 'perdure';
export default flow('wait').waitFor('w', { event: 'go', key: 'k' }).end();`;
    const words = ['start', line.write('wait.mjs', wait), '--id', 'w-1', '--existing'];
    await line.run(...words, '--store', 'sqlite:asked.db');
    const screen = new Screen(`cancel --flow wait ${here}`);
    await screen.shows(/cancel 1 instances\? \[y\/N\]/);
    screen.type(key);
    expect(await screen.ended()).toBe(code);
    expect(screen.lines.at(-2)).toContain(said);
    expect(await line.json('show', 'w-1', '--store', 'sqlite:asked.db')).toMatchObject({
      status: 'waiting',
    });
  });
});
