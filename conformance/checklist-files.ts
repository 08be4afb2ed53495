/**
 * The test files that may be for some row: they, or what they import of `testing`, say its id. Only
 * those are run.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Row } from './checklist-rows.ts';

const SKIPPED = new Set(['node_modules', 'dist', 'coverage']);

/** Their paths below a folder, in order. */
export function filesFor(root: string, rows: readonly Row[]): readonly string[] {
  const ids = new Set(rows.map(({ id }) => id));
  return testsIn(root)
    .filter((path) => textsOf(path).some((text) => names(text, ids)))
    .map((path) => relative(root, path).split(sep).join('/'))
    .toSorted();
}

function testsIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return entry.name.endsWith('.test.ts') ? [path] : [];
    return SKIPPED.has(entry.name) || entry.name.startsWith('.') ? [] : testsIn(path);
  });
}

/** Its own text, and that of suites that several test files share. */
function textsOf(path: string): readonly string[] {
  const own = readFileSync(path, 'utf8');
  const imported = Array.from(own.matchAll(/from '(\.[^']*\/testing\/[^']+|\.\/[^']+)'/g));
  const paths = imported.map(([, from = '']) => resolve(dirname(path), from));
  const shared = paths.filter((one) => one.includes(`${sep}testing${sep}`) && existsSync(one));
  return [own, ...shared.map((one) => readFileSync(one, 'utf8'))];
}

function names(text: string, ids: ReadonlySet<string>): boolean {
  return Array.from(text.matchAll(/\b[A-Z][A-Z0-9]*-[A-Z]?\d+\b/g)).some(([id]) => ids.has(id));
}
