/** What the page about remote workers shows is in a program that is run; its numbers are ours. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import {
  ASSIGNMENTS_MAX,
  LEASE_MS_MAX,
  LEASE_MS_MIN,
  WAIT_MS_MAX,
} from '../src/runtime/remote/options.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/remote-workers.md'), 'utf8');
const program = join(root, 'examples/biller.ts');

test('the program of the page stands in the example, and does what it says', async () => {
  const [, block = 'no block'] = /^```ts\n([\s\S]*?)^```/m.exec(page) ?? [];
  expect(readFileSync(program, 'utf8')).toContain(block);
  const args = ['--conditions=perdure-source', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const [charged, ...rest] = stdout.trim().split('\n');
  expect(charged).toMatch(/^charge 12, once for [^/]+\/\d+\/1$/);
  expect(rest).toEqual(['r-1']);
});

test('the numbers of the page are the limits', () => {
  expect(page).toContain(`at most \`limit\` (1 to ${ASSIGNMENTS_MAX}; 1 if not said)`);
  expect(page).toContain(`With \`wait\` (at most ${WAIT_MS_MAX / 1_000} s)`);
  expect([LEASE_MS_MIN, LEASE_MS_MAX]).toEqual([1_000, 3_600_000]);
  expect(page).toContain('(1 s to an hour)');
});
