/** Every code is documented, and nothing is that does not exist. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rowsIn } from '../scripts/pages/tables.ts';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8');

test('docs/errors.md lists the codes of EngineError, all of them and in their order', () => {
  const union = /export type EngineErrorCode =([^;]+);/.exec(read('src/base/engine-error.ts'))?.[1];
  const codes = [...(union ?? '').matchAll(/'([^']+)'/g)].map(([, code]) => code);
  const rows = rowsIn({ path: 'docs/errors.md', text: read('docs/errors.md') });
  const documented = rows.filter(({ head }) => head === 'code').flatMap((row) => row.codes);
  expect(documented).toEqual(codes);
  expect(codes.length).toBeGreaterThan(20);
});

test('each of them leads to its page', () => {
  const links = read('docs/errors.md').matchAll(/^\| \[`([^`]+)`\]\(([^)]+)\)/gm);
  for (const [, code, target] of links) expect(target).toBe(`errors/${code}.md`);
});
