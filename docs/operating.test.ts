/** What the page about operating shows is in a program that is run. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/operating.md'), 'utf8');
const program = join(root, 'examples/operating.ts');

test('the first two blocks of the page stand in the example, word for word', () => {
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, body]) => body ?? '');
  const text = readFileSync(program, 'utf8');
  for (const block of blocks.slice(0, 2)) expect(text).toContain(block);
});

test('the example does what the page says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-operating-'));
  try {
    const args = ['--conditions=perdure-source', program, join(folder, 'operating.db')];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout.trim().split('\n')).toEqual([
      'reserving',
      expect.stringMatching(/^instance .* failed at "charge": the bank is down/),
      'it would go on at charge',
      'A1 reserved, paid, sent',
      'A1 reserved, paid, sent',
      '2 would be sent again, and 0 could not',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
