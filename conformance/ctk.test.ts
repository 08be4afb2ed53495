/** The official features belong to others and are no part of this project: they run if present. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { runCtkSuite } from './ctk-suite.ts';

const folder = join(import.meta.dirname, '..', '..', 'shared', 'dsl', 'ctk');
const isAway = !existsSync(folder);
if (isAway) console.log(`the conformance kit is not at ${folder}: its scenarios are not run`);

const SCENARIOS = 21;

test.skipIf(isAway)(
  'all scenarios of the conformance kit pass on all stores [DOC-22]',
  async () => {
    const told: string[] = [];
    const say = { progress: () => {}, result: (lines: string) => told.push(lines) };
    const total = SCENARIOS;
    const run = await runCtkSuite(folder, say, inject('postgres'));
    expect(run, told.join('\n')).toEqual({
      ok: true,
      value: { passed: total, failed: 0, skipped: 0, total },
    });
  },
);
