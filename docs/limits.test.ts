/** What the page about limits shows is in a program that is run, and its numbers are ours. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { TENANT_READY_MAX } from '../src/model/limits.ts';
import { UNSERVED_MS } from '../src/stores/lane-asks.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/limits.md'), 'utf8');
const program = join(root, 'examples/limits.ts');

test('every block of the page stands in the example, word for word', () => {
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, body]) => body ?? '');
  expect(blocks).toHaveLength(3);
  const text = readFileSync(program, 'utf8');
  for (const block of blocks) expect(text).toContain(block);
});

test('the example does what the page says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-limits-'));
  try {
    const args = ['--conditions=perdure-source', program, join(folder, 'limits.db')];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout.trim().split('\n')).toEqual([
      'flow:import=acme: 2 at work, 2 waiting',
      'flow:import=bolt: 1 at work, 0 waiting',
      'b1 is in',
      'b1 waited for nobody',
      ...['a1', 'a2', 'a3', 'a4'].map((file) => `${file} is in`),
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the limits are what the page says', () => {
  expect(page).toContain(`at most ${TENANT_READY_MAX} (\`TENANT_READY_MAX\`)`);
  expect(page).toContain(`after ${UNSERVED_MS / 1_000} seconds`);
});
