/** Modules are read again by the process that runs them: here it is one of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, expect, test } from 'vitest';
import { CommandLine } from '../../testing/command-line.ts';
import type { Source } from './sources.ts';

const line = new CommandLine();
afterAll(() => line.remove());

const PROGRAM = join(import.meta.dirname, '..', 'perdure.ts');

interface Dev {
  readonly url: string;
  readonly token: string;
  readonly child: ChildProcess;
  /** Until it says something like this beside its answer. */
  readonly says: (what: RegExp) => Promise<void>;
}

let child: ChildProcess | null = null;
afterEach(() => child?.kill('SIGKILL'));

async function dev(...words: readonly string[]): Promise<Dev> {
  const args = ['--conditions=perdure-source', PROGRAM, 'dev', '--port', '0', '--json', ...words];
  const env = { ...process.env, PERDURE_STORE: words.length === 0 ? '' : 'sqlite:dev.db' };
  child = spawn(process.execPath, args, { cwd: line.folder, env, stdio: 'pipe' });
  const made = child;
  const { stdout, stderr } = made;
  if (stdout === null || stderr === null) throw new Error('both streams are piped');
  const talk: string[] = [];
  const hearers = new Set<() => void>();
  createInterface({ input: stderr }).on('line', (text) => {
    talk.push(text);
    for (const hear of hearers) hear();
  });
  const [first] = (await once(createInterface({ input: stdout }), 'line')) as [string];
  const { url, token } = JSON.parse(first) as { url: string; token: string };
  const says = (what: RegExp): Promise<void> =>
    new Promise((resolve) => {
      const hear = (): void => {
        const at = talk.findIndex((text) => what.test(text));
        if (at < 0) return;
        talk.splice(0, at + 1);
        hearers.delete(hear);
        resolve();
      };
      hearers.add(hear);
      hear();
    });
  return { url: url.replace(/\/#.*$/, ''), token, child: made, says };
}

async function ask<Value>({ url, token }: Dev, path: string, body?: object): Promise<Value> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  return (await (await fetch(url + path, { headers, ...sent })).json()) as Value;
}

async function result(here: Dev): Promise<unknown> {
  const started = await ask<{ id: string }>(here, '/api/instances', { flow: 'saying', input: {} });
  const path = `/api/instances/${started.id}/result?wait=30s`;
  return (await ask<{ output: unknown }>(here, path)).output;
}

const SAYING =
  `import { flow } from 'perdure';\nimport { word } from './words.mjs';\n` +
  `export const saying = flow('saying')` +
  `.step('say', ({ log }) => { log.info('said', { word, much: 1n }); return word; })` +
  `.end(({ results }) => results.say);\n`;

test('what a module imports is read again, its mistakes are told, and it ends well', async () => {
  line.write('words.mjs', `export const word = 'one';`);
  const here = await dev(line.write('saying.ts', SAYING));
  expect(await result(here)).toBe('one');

  line.write('words.mjs', `export const word = 'two';`);
  await here.says(/read again/);
  expect(await result(here)).toBe('two');
  const { lines } = await ask<{ lines: { fields: { word: string } }[] }>(here, '/dev/logs');
  expect(lines.map(({ fields }) => fields.word)).toEqual(['one', 'two']);

  line.write('words.mjs', `export const word = ;`);
  await here.says(/cannot be imported/);
  const { sources } = await ask<{ sources: Source[] }>(here, '/dev/sources');
  const [problem] = sources[0]?.diagnostics ?? [];
  expect(problem).toMatchObject({ code: 'definition.unreadable', line: null });
  expect(problem?.message).toContain('in words.mjs:1');
  expect(await result(here)).toBe('two');

  here.child.kill('SIGTERM');
  expect(await once(here.child, 'exit')).toEqual([0, null]);
});

test('a file that is wrong from the start is mended without starting again', async () => {
  const file = line.write('broken.mjs', `export const x = ;`);
  const here = await dev(file);
  const { sources } = await ask<{ sources: Source[] }>(here, '/dev/sources');
  expect(sources[0]).toMatchObject({ file, text: 'export const x = ;', flows: [] });
  expect(sources[0]?.diagnostics[0]).toMatchObject({ code: 'definition.unreadable', line: 1 });
  line.write('words.mjs', `export const word = 'mended';`);
  line.write(file, SAYING);
  await here.says(/read again/);
  expect(await result(here)).toBe('mended');
});

test('it answers within three seconds', async () => {
  const before = performance.now();
  const here = await dev();
  const { isPlayground } = await ask<{ isPlayground: boolean }>(here, '/dev/session');
  expect(performance.now() - before).toBeLessThan(3_000);
  expect(isPlayground).toBe(true);
});
