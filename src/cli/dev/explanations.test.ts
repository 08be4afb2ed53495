/** Whatever can be wrong with a definition has a word on what to do about it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { explanationOf } from './explanations.ts';

const FOLDERS = ['serverless', 'flowchart'].map((name) =>
  join(import.meta.dirname, '../../frontends', name),
);

/** As they stand in the code that finds them. */
function codes(): ReadonlySet<string> {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const texts = files
    .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
    .map((file) => readFileSync(file, 'utf8'));
  const found = texts.flatMap((text) => [
    ...text.matchAll(/'((?:serverless|flowchart)\.[a-z-]+)'/g),
  ]);
  return new Set(found.map(([, code = '']) => code));
}

test('every code of a definition in YAML or JSON is explained', () => {
  const all = [...codes()];
  expect(all.length).toBeGreaterThan(40);
  expect(all.filter((code) => explanationOf(code) === null)).toEqual([]);
});

test('what is not there is to be defined or corrected, whatever it is called', () => {
  for (const what of ['timeout', 'retry', 'function', 'secret']) {
    expect(explanationOf(`serverless.unknown-${what}`)).toMatch(/^Define it under "use"/);
  }
});

test('what could not be fetched is not taken for a place that nothing leads to', () => {
  expect(explanationOf('serverless.unreachable')).toMatch(/address/);
  expect(explanationOf('node.unreachable')).toMatch(/^Nothing leads here/);
});

test('a retry policy without a delay is told to have one', () => {
  expect(explanationOf('serverless.retry-without-delay')).toContain('delay: { seconds: 1 }');
});
