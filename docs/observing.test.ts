/** What the page about observing shows is in a program that is run. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/observing.md'), 'utf8');
const program = join(root, 'examples/observing.ts');

test('the first block of the page stands in the example, word for word', () => {
  const [, block = 'nothing'] = /^```ts\n([\s\S]*?)^```/m.exec(page) ?? [];
  expect(readFileSync(program, 'utf8')).toContain(block);
});

test('the example does what the page says', async () => {
  const args = ['--conditions=perdure-source', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout.trim().split('\n')).toEqual([
    'an order failed',
    "{ 'reserve done': 1, 'charge retry': 1, 'charge failed': 1 }",
  ]);
});

test('every measurement there is has a row on the page', () => {
  const source = readFileSync(join(root, 'src/runtime/measuring.ts'), 'utf8');
  const names = [...source.matchAll(/readonly what: '([a-z-]+)'/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) expect(page).toContain(`| \`${name}\` |`);
});

test('every metric there is has a row on the page, and no other', () => {
  const source = readFileSync(join(root, 'src/server/metrics.ts'), 'utf8');
  const made = [...source.matchAll(/'(perdure_[a-z_]+)'/g)].map(([, name]) => name);
  const rows = page.split('\n').filter((line) => line.startsWith('| `perdure_'));
  const told = rows.flatMap((row) => {
    const [, names = ''] = row.split('|');
    return [...names.matchAll(/`(perdure_[a-z_]+)`/g)].map(([, name]) => name);
  });
  expect(new Set(told)).toEqual(new Set(made));
  expect(told).toHaveLength(new Set(told).size);
});
