/**
 * Everything a machine can say about the code without running it. Every step runs, even after one
 * has failed, so that one call shows all there is to mend.
 *
 *     npm run check                 all steps
 *     npm run check -- lint tidy    these alone
 */
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

const STEPS: Readonly<Record<string, string>> = {
  types: 'tsc -p tsconfig.json',
  'types-pure': 'tsc -p tsconfig.pure.json',
  'types-studio': 'tsc -p studio/tsconfig.json',
  'types-build': 'tsc -p tsconfig.build.json --noEmit',
  lint: 'oxlint',
  format: 'biome format .',
  tidy: 'vitest run src/tidy.test.ts',
  unused: 'knip',
  duplicates: 'jscpd',
};

const root = join(import.meta.dirname, '..');
const bin = join(root, 'node_modules', '.bin');
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(STEPS);
const failed = names.filter((name) => !passes(name));
if (failed.length === 0) {
  console.log(`\ncheck: all ${names.length} steps passed`);
} else {
  console.log(`\ncheck: ${failed.length} of ${names.length} steps failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}

function passes(name: string): boolean {
  const command = STEPS[name];
  if (command === undefined) {
    console.log(`✗ ${name}: no such step; there are ${Object.keys(STEPS).join(', ')}`);
    return false;
  }
  const before = performance.now();
  const { status, stdout, stderr } = spawnSync(command, { cwd: root, env, shell: true });
  const seconds = ((performance.now() - before) / 1000).toFixed(1);
  console.log(`${status === 0 ? '✓' : '✗'} ${name} (${command}) ${seconds} s`);
  if (status !== 0) console.log(`${stdout.toString()}${stderr.toString()}`);
  return status === 0;
}
