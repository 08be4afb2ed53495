/** The example of Serverless Workflow: to its end, and killed at every line that it prints. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'perdure-serverless-'));
afterAll(() => rmSync(folder, { recursive: true }));

const OUTPUT = '{"tracking":"T-7","due":420,"approvedBy":"ann"}';
const LINES = [
  ...['POST /stock/A1 503', 'POST /stock/A1 503', 'POST /stock/A1 200'],
  ...['order.asks about order-42', 'POST /parcels 200', OUTPUT],
];

/** What it prints, up to the line at which it is killed. */
async function lines(file: string, killedAt = Number.POSITIVE_INFINITY): Promise<string[]> {
  const program = join(import.meta.dirname, 'serverless.ts');
  const args = ['--conditions=perdure-source', program, join(folder, file)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const said: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (said.push(line) === killedAt) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return said;
}

test('the order is asked for until there is an answer, approved, and fulfilled', async () => {
  expect(await lines('whole.db')).toEqual(LINES);
  // It is over, and what is over is not done again.
  expect(await lines('whole.db')).toEqual([OUTPUT]);
});

// Not where the outbox has its letter out: that is handed in again only 40 s later.
test.each([1, 2, 3, 5])('killed at line %i it goes on where it was', async (line) => {
  const file = `killed-${line}.db`;
  const before = await lines(file, line);
  const after = await lines(file);
  expect(after.at(-1)).toBe(OUTPUT);
  expect([...before, ...after]).toEqual(expect.arrayContaining(LINES));
});
