/** jq's own tests belong to jq and are no part of this project: they run where they are present. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runJqSuite } from './jq-suite.ts';

const folder = join(import.meta.dirname, '..', '..', 'shared', 'jq');
const isAway = !existsSync(folder);
if (isAway) console.log(`jq's own tests are not at ${folder}: the suite is not run`);

/** Of all cases, those that we leave out included. */
const PASSING_SHARE_MIN = 0.98;

test.skipIf(isAway)("jq's own tests pass, but for two in a hundred", () => {
  const told: string[] = [];
  const run = runJqSuite(folder, { progress: () => {}, result: (lines) => told.push(lines) });
  const tally = run.ok ? run.value : { passed: 0, total: 1 };
  expect(tally.passed / tally.total, told.join('\n')).toBeGreaterThanOrEqual(PASSING_SHARE_MIN);
});

test('a folder without tests is told in a sentence', () => {
  const say = { progress: () => {}, result: () => {} };
  const away = join(import.meta.dirname, 'away');
  const known = join(import.meta.dirname);
  expect(runJqSuite(away, say)).toMatchObject({
    problem: `${away} is not a folder that can be read`,
  });
  expect(runJqSuite(known, say)).toMatchObject({ problem: `there is no *.test file in ${known}` });
});
