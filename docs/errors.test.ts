/** Every code is documented, and nothing is that does not exist. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8');

test('docs/errors.md lists the codes of EngineError, all of them and in their order', () => {
  const union = /export type EngineErrorCode =([^;]+);/.exec(read('src/base/engine-error.ts'))?.[1];
  const codes = [...(union ?? '').matchAll(/'([^']+)'/g)].map(([, code]) => code);
  const documented = [...read('docs/errors.md').matchAll(/^\| `([^`]+)` \|/gm)];
  expect(documented.map(([, code]) => code)).toEqual(codes);
  expect(codes.length).toBeGreaterThan(20);
});
