/** What the page about the command line says is what the command line does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { exitCodes } from '../src/cli/exit.ts';
import { CommandLine } from '../src/testing/command-line.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/command-line.md'), 'utf8');
const line = new CommandLine();
afterAll(() => line.remove());

const program = line.program();
const names = program.commands.map((one) => one.name()).filter((name) => !name.startsWith('_'));

/** The first words of the first column of the table that begins after a heading. */
function rowsAfter(text: string, heading: string): readonly string[] {
  const [, after = ''] = text.split(`\n## ${heading}\n`);
  const [section = ''] = after.split('\n## ');
  return [...section.matchAll(/^\| `?([\w]+)[^|]*\|/gm)].map(([, word = '']) => word);
}

test('the page lists every command, in the order of the help', () => {
  const listed = rowsAfter(page, 'Commands').filter((word) => word !== 'command');
  expect(listed).toEqual(names);
  expect(names.length).toBeGreaterThan(25);
});

test('every error code ends a command as the page says', () => {
  const [, after = ''] = page.split('| exit code | error codes |');
  const listed = [...after.matchAll(/^\| (\d) \| (.*) \|$/gm)].flatMap(([, exit, codes = '']) =>
    [...codes.matchAll(/`([^`]+)`/g)].map(([, code]) => [code, Number(exit)]),
  );
  const byName = (a: readonly unknown[], b: readonly unknown[]): number =>
    String(a[0]) < String(b[0]) ? -1 : 1;
  expect(listed.toSorted(byName)).toEqual([...exitCodes()].toSorted(byName));
});

test('the commands that the page shows can be called', async () => {
  const shown = [...page.matchAll(/^```sh\n(perdure (?:run|cancel) [^\n]*)\n```$/gm)];
  const commands = shown.map(([, text = '']) => wordsOf(text));
  expect(commands.map(([name]) => name)).toEqual(['run', 'run', 'cancel']);
  const [run = [], chart = [], cancel = []] = commands;
  for (const words of [run, chart]) expect((await line.run(...words.map(inRoot))).code).toBe(0);
  const file = line.write('order.ts', ORDER);
  expect((await line.run('start', file)).code).toBe(0);
  expect((await line.run(...cancel)).code).toBe(0);
});

/** The flow that the page cancels instances of. */
const ORDER = `import { flow } from 'perdure';
export default flow('order').step('charge', () => 1).end();`;

/** As a shell would cut them. */
function wordsOf(text: string): readonly string[] {
  const words = [...text.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
  return words.slice(1).map((word) => word ?? '');
}

function inRoot(word: string): string {
  return word.startsWith('examples/') ? join(root, word) : word;
}
