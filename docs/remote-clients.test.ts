/** What the page about remote workers shows of HTTP is typed, and what it shows of clients runs. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import { readOptions } from '../src/client/options.ts';
import { CRASHES_LONE, LIMITS } from '../src/model/limits.ts';
import { RATE_BURST_DEFAULT, RATE_PER_SECOND_DEFAULT } from '../src/server/access/rate.ts';
import { exchangesIn, playSession } from '../src/testing/console-session.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/remote-workers.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'perdure-remote-page-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const hasCurl = spawnSync('curl', ['--version']).status === 0;

test.skipIf(!hasCurl)('the session of the page goes as it says (needs curl)', async () => {
  const program = join(root, 'examples/remote.ts');
  const args = ['--conditions=perdure-source', program, join(folder, 'orders.db')];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const printed = text(child.stdout);
  const [first] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const env = Object.fromEntries(first.split(' ').map((each) => each.split('=')));
  const exchanges = exchangesIn(page);
  expect(exchanges.length).toBe(13);
  await playSession(exchanges, { folder, env });
  expect(await printed).toBe(`${first}\ndone: receipt R-A1, tracking T-A1\n`);
});

test.each([
  ['remote.ts', 'ts', 1],
  ['remote-worker.ts', 'ts', 2],
  ['remote_worker.py', 'python', 0],
])('what the page shows of examples/%s stands there', (name, language, at) => {
  const blocks = [...page.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))];
  const block = blocks[at]?.[1] ?? 'no block';
  expect(readFileSync(join(root, 'examples', name), 'utf8')).toContain(block);
});

test('what is not given is what the page says', () => {
  const url = 'http://localhost';
  const { concurrency, leaseMs, waitMs } = readOptions({ url, handlers: { SHIP: () => {} } });
  expect(page).toContain(`| handlers at a time | ${concurrency} |`);
  expect(page).toContain(`| \`lease\` | see below | ${leaseMs / 1_000} s |`);
  expect(page).toContain(`one question waits for work | ${waitMs / 1_000} s |`);
  const [each, burst] = [RATE_PER_SECOND_DEFAULT, RATE_BURST_DEFAULT].map((rate) =>
    rate.toLocaleString('en'),
  );
  expect(page).toContain(`${each} in a second and ${burst} at once`);
  expect([CRASHES_LONE, LIMITS.CRASHES_MAX]).toEqual([2, 10]);
});
