/** What the page about versions shows is in a program that is run. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/versions.md'), 'utf8');
const program = join(root, 'examples/versions.ts');

test('every block of the page stands in the example, word for word', () => {
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, body]) => body ?? '');
  expect(blocks).toHaveLength(4);
  const text = readFileSync(program, 'utf8');
  for (const block of blocks) expect(text).toContain(block);
});

test('the page lists every reason for which a migration is refused', () => {
  const source = readFileSync(join(root, 'src/kernel/standing.ts'), 'utf8');
  const union = /export type ReasonCode =([^;]+);/.exec(source)?.[1] ?? '';
  const codes = [...union.matchAll(/'([^']+)'/g)].map(([, code]) => code);
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const listed = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)]);
  expect(new Set(listed.map(([, code]) => code))).toEqual(new Set(codes));
  expect(listed).toHaveLength(codes.length);
});

test('the example does what the page says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-versions-'));
  try {
    const args = ['--conditions=perdure-source', program, join(folder, 'versions.db')];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout.trim().split('\n')).toEqual([
      'version 1: 1 open, served by the code of 1',
      'version 2: 1 open, served by the code of 2',
      'mapping: "paid" is probably called "payment" now: both are of kind wait, with the same ' +
        'settings, behind "reserve"',
      'later: the way is no longer payment -> the end, and now payment -> approve',
      'later: the step "approve" is new',
      'refused: "paid" is not in version 2 of "order": map it to a node that is',
      'A1 reserved, approved',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
