/** What the page about schedules shows is in a program that is run, and its numbers are ours. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LIMITS } from '../src/model/limits.ts';
import { SCHEDULE_EVERY_MS_MIN } from '../src/runtime/schedule-spec.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/schedules.md'), 'utf8');

test('every block of the page stands in the example, word for word', () => {
  const program = readFileSync(join(root, 'examples/reports.ts'), 'utf8');
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, body]) => body ?? '');
  expect(blocks.length).toBe(2);
  for (const block of blocks) expect(program).toContain(block);
});

test('the limits are what the page says', () => {
  expect(page).toContain(`at least ${SCHEDULE_EVERY_MS_MIN} ms (\`SCHEDULE_EVERY_MS_MIN\`)`);
  const most = LIMITS.SCHEDULE_CATCH_UP_MAX.toLocaleString('en');
  expect(page).toContain(`at most ${most} of them (\`SCHEDULE_CATCH_UP_MAX\`)`);
  expect(page).toContain('more than a minute late (`SCHEDULE_LATE_MS_MAX`)');
  expect(LIMITS.SCHEDULE_LATE_MS_MAX).toBe(60_000);
});
