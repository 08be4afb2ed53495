import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Seconds differ by machine, the compiler's own count of its work does not. Measured: 42,006 and
 * 0.13 s of checking (TypeScript 7.0.2 on two cores).
 */
const INSTANTIATIONS_MAX = 100_000;

const root = join(import.meta.dirname, '../../..');

test('checking a hundred steps costs the compiler little', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-types-'));
  try {
    const config = {
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: { typeRoots: [join(root, 'node_modules/@types')] },
      files: [join(import.meta.dirname, 'hundred-steps.types.test.ts')],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(root, 'node_modules/.bin/tsc');
    const options = ['-p', folder, '--extendedDiagnostics', '--singleThreaded'];
    const output = execFileSync(tsc, options, { cwd: root, encoding: 'utf8' });
    const count = Number(/Instantiations:\s+(\d+)/.exec(output)?.[1]);
    expect(count).toBeGreaterThan(10_000);
    expect(count).toBeLessThan(INSTANTIATIONS_MAX);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
