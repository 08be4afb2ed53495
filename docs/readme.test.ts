/** What the README shows and says is run and looked up here, so that it cannot lie. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { readReadmeProgram, runReadmeProgram } from '../scripts/readme-program.ts';

const root = join(import.meta.dirname, '..');

test('the program of the README has fewer than 30 lines and says what it prints', () => {
  const { text, promised } = readReadmeProgram();
  expect(text.trimEnd().split('\n').length).toBeLessThan(30);
  expect(promised).not.toBe('');
});

test('the program of the README prints what it says, and the same when it is run again', () => {
  const { promised } = readReadmeProgram();
  expect(runReadmeProgram(2, '--conditions=perdure-source')).toEqual([promised, promised]);
});

test('the two commands at the top of the README are scripts of the package', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const commands = [...readme.matchAll(/^ {4}npm (?:run )?(\w+)/gm)].map(([, name]) => name);
  expect(commands).toEqual(['demo', 'test']);
  expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(commands));
});

test('continuous integration runs the test command of the README', () => {
  expect(readFileSync(join(root, '.ci/run'), 'utf8')).toMatch(/^npm test$/m);
});
