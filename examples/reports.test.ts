import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'perdure-reports-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function report(): Promise<readonly string[]> {
  const program = join(import.meta.dirname, 'reports.ts');
  const args = ['--conditions=perdure-source', program, join(folder, 'reports.db')];
  return (await promisify(execFile)(process.execPath, args)).stdout.trim().split('\n');
}

test.each(['first', 'second'])('reports fire by the clock and by hand, the %s time', async () => {
  const [due, ...rest] = await report();
  // 02:30 in Berlin, in winter or in summer.
  expect(due).toMatch(/^the next report is due 0[01]:[03]0:00\.000Z$/);
  expect(rest).toEqual([
    'by hand: a report of yesterday',
    'paused: paused, next null',
    'a pulse was due at its moment',
    'nightly-report goes on',
    'pulse goes on',
  ]);
});
