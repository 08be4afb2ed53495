/** What the README shows and says is run and looked up here, so that it cannot lie. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { sectionOf } from '../scripts/markdown.ts';
import { readReadmeProgram, runReadmeProgram } from '../scripts/readme-program.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');

test('the program of the README has fewer than 30 lines and says what it prints', () => {
  const { text, first } = readReadmeProgram();
  expect(text.trimEnd().split('\n').length).toBeLessThan(30);
  expect(first.split('\n')).toHaveLength(2);
});

test('the program of the README prints what it says, and does nothing twice', () => {
  const { first, again } = readReadmeProgram();
  expect(runReadmeProgram(2, '--conditions=perdure-source')).toEqual([first, again]);
});

test('the two commands of the README are scripts of the package', () => {
  const commands = [...readme.matchAll(/^ {4}npm (?:run )?(\w+)/gm)].map(([, name]) => name);
  expect(commands).toEqual(['demo', 'test']);
  expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(commands));
});

test('continuous integration runs the test command of the README', () => {
  expect(read('.ci/run')).toMatch(/^npm test$/m);
});

test('the README says in five sentences what it is', () => {
  const [, paragraph = ''] = /\n\n(Perdure runs [\s\S]*?)\n\n/.exec(readme) ?? [];
  expect(paragraph.match(/\.(?=\s|$)/g)).toHaveLength(5);
});

test('the promises of the README, and their proofs, are those of how it is tested', () => {
  const proved = sectionOf(read('docs/how-it-is-tested.md'), 'The promises').matchAll(
    /^\| P\d+ \| (.*?) \| \[(.*?)\]\(.*?\) \| "(.*?)" \|$/gm,
  );
  const rows = [...proved].map(
    ([, promise, path, title]) => `| ${promise} | [${title}](${path}) |`,
  );
  const told = sectionOf(readme, 'What you can rely on').match(/^\| \w.*$/gm);
  expect(told).toEqual(rows);
  expect(rows).toHaveLength(12);
});

test('the figures of the README are those of the last run', () => {
  const results = sectionOf(read('bench/RESULTS.md'), 'peers');
  const told = sectionOf(readme, 'How fast');
  const [, date = 'none'] = /(\d{4}-\d\d-\d\d)/.exec(results) ?? [];
  expect(told).toContain(date);
  const cells = [...told.matchAll(/^\| [\w].*$/gm)].flatMap(([row]) => row.split(' | ').slice(1));
  const figures = cells.flatMap((cell) => cell.match(/[\d.]+/g) ?? []);
  expect(figures.length).toBeGreaterThan(15);
  const prose = told.split('A queue is faster')[1]?.match(/\d[\d.]*\d/g) ?? [];
  expect(prose.length).toBeGreaterThan(3);
  for (const figure of [...figures, ...prose])
    expect(results, figure).toMatch(new RegExp(`\\| ${figure.replace('.', '\\.')}[ (]`));
});
