/** What the page about the outbox shows is in a program that is run, and its numbers are ours. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readOutbox } from '../src/runtime/outbox-options.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/outbox.md'), 'utf8');
const program = join(root, 'examples/receipts.ts');

test('every block of the page stands in the example, word for word', () => {
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, body]) => body ?? '');
  const text = readFileSync(program, 'utf8');
  expect(blocks.length).toBe(5);
  for (const block of blocks) expect(text).toContain(block);
});

test('the example does what the page says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-receipts-'));
  try {
    const args = ['--conditions=perdure-source', program, join(folder, 'receipts.db')];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout.trim().split('\n')).toEqual([
      'order.paid was given up: it said 410: shut',
      'booked order.paid of order-1: {"paid":12}',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('what is not given is what the page says', () => {
  const { maxAttempts, pauses, timeoutMs, concurrency } = readOutbox(() => {});
  const seconds = (ms: number): string => `${ms / 1_000} s`;
  expect(page).toContain(`| \`maxAttempts\` | sends in all | ${maxAttempts} |`);
  const span = `${seconds(pauses.baseMs)}, ${seconds(pauses.maxMs)}`;
  expect(page).toContain(`| \`backoff\` | \`{ base, max }\` | ${span} |`);
  expect(page).toContain(`| \`timeout\` | for one send | ${seconds(timeoutMs)} |`);
  expect(page).toContain(`sends at a time, in this process | ${concurrency} |`);
  const [, more = ''] =
    /^const LEASE_MORE_MS = ([\d_]+);$/m.exec(
      readFileSync(join(root, 'src/runtime/relay.ts'), 'utf8'),
    ) ?? [];
  const lease = timeoutMs + Number(more.replaceAll('_', ''));
  expect(page).toContain(`${seconds(lease)} later (\`timeout\` and ten seconds)`);
});
