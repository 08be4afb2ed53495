/** There is a page for every code that can be met, and each says what it is made to say. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { codesIn, rowsOf } from '../scripts/pages/codes.ts';
import { sayingsIn } from '../scripts/pages/sayings.ts';
import { madePages, pagesThere } from '../scripts/pages.ts';
import { readTree, type SourceFile } from '../scripts/tidy/source.ts';

const root = join(import.meta.dirname, '..');
const there = new Map(pagesThere().map(({ path, text }) => [path, text]));
const pages = [...there].filter(([path]) => /^docs\/errors\/(?!README)/.test(path));
let files: readonly SourceFile[] = [];

beforeAll(() => {
  files = readTree(root);
});

/** The members of a union of texts, as the sources have it. */
function unionIn(path: string, name: string): readonly string[] {
  const text = readFileSync(join(root, path), 'utf8');
  const [, union = ''] = new RegExp(`export type ${name} =([^;]+);`).exec(text) ?? [];
  return [...union.matchAll(/'([^']+)'/g)].map(([, code = '']) => code);
}

test('the pages that a program makes are as it makes them now: npm run pages', async () => {
  const made = await madePages(files);
  const stale = [...made].filter(([path, text]) => there.get(path) !== text);
  expect(stale.map(([path]) => path)).toEqual([]);
  expect([...there.keys()].filter((path) => !made.has(path))).toEqual([]);
});

describe('every code has a page', () => {
  const codes = new Set(pages.map(([path]) => path.slice('docs/errors/'.length, -'.md'.length)));

  test.each([
    ['src/base/engine-error.ts', 'EngineErrorCode'],
    ['src/server/problem.ts', 'RequestCode'],
    ['src/expressions/jq/diagnostics.ts', 'JqDiagnosticCode'],
    ['src/kernel/standing.ts', 'ReasonCode'],
  ])('of %s, %s', (path, name) => {
    const union = unionIn(path, name);
    expect(union.length).toBeGreaterThan(5);
    expect(union.filter((code) => !codes.has(code))).toEqual([]);
  });

  test('that the sources say, wherever and in whatever way', () => {
    const said = new Set(sayingsIn(files).map(({ code }) => code));
    const known = (code: string): boolean =>
      // An example in the API document; what every kind of Serverless Workflow says as sw-do does.
      code === 'carrier.busy' ||
      codes.has(code.replace(/^sw-\w+\./, 'sw-do.')) ||
      [...codes].some((one) => matches(code, one));
    expect([...said].filter((code) => !known(code))).toEqual([]);
    expect(said.size).toBeGreaterThan(300);
  });

  test('and no page is about something that no table explains, and no source has', () => {
    const told = new Set(rowsOf(files).flatMap((row) => row.codes));
    expect([...codes].filter((code) => !told.has(code))).toEqual([]);
    expect(codesIn(files).filter(({ paths }) => paths.length === 0)).toEqual([]);
  });
});

/** `task.bad-<name>` stands for whatever a run puts in. */
function matches(open: string, code: string): boolean {
  if (!open.includes('<')) return false;
  const pattern = open.replaceAll('.', '\\.').replaceAll(/<[^<>]*>/g, '[\\w-]+');
  return new RegExp(`^${pattern}$`).test(code);
}

describe('every page of a code', () => {
  test('says what it means, what to do and where it comes from', () => {
    for (const heading of ['What it means', 'What to do', 'Where it comes from']) {
      const lacking = pages.filter(([, text]) => !text.includes(`\n## ${heading}\n`));
      expect(lacking.map(([path]) => path)).toEqual([]);
    }
  });

  test('has no heading with nothing below it', () => {
    const empty = pages.filter(([, text]) => /\n## [^\n]+\n+(#|$)/.test(text));
    expect(empty.map(([path]) => path)).toEqual([]);
  });

  test('says of a fault how it is caught, and of an error what it is over HTTP', () => {
    const of = (word: string): (readonly [string, string])[] =>
      pages.filter(([, text]) => text.includes(`\n${word}`));
    expect(of('A **fault**').every(([, text]) => text.includes('## How to catch it'))).toBe(true);
    expect(of('An **error**').every(([, text]) => text.includes('over HTTP: status'))).toBe(true);
    expect(of('A **fault**').length).toBeGreaterThan(50);
  });
});
