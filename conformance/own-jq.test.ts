/**
 * Our own cases of jq, in `conformance/jq`: they stand without jq's own tests, which belong to jq
 * and are not everywhere. What they expect is what jq 1.8.2 answers; builtins that the jq they were
 * compared with was built without go by its manual.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Json } from '../src/base/json.ts';
import { BUILTINS } from '../src/expressions/jq/builtins/builtins.ts';
import { compileJq } from '../src/expressions/jq/jq.ts';
import { readTokens, type Token } from '../src/expressions/jq/syntax/lexer.ts';
import { runJqSuite } from './jq-suite.ts';
import { type JqCase, readJqTests } from './jq-tests.ts';

const CASES_MIN = 400;
const REFUSED_CASES_MIN = 40;

const folder = join(import.meta.dirname, 'jq');
const files: ReadonlyMap<string, readonly JqCase[]> = new Map(
  readdirSync(folder)
    .toSorted()
    .map((file) => [file, readJqTests(readFileSync(join(folder, file), 'utf8'))]),
);
const cases = [...files.values()].flat();

const told: string[] = [];
const run = runJqSuite(folder, { progress: () => {}, result: (lines) => told.push(lines) });

test.each([...files.keys()])('the cases of %s pass', (file) => {
  expect(told.filter((lines) => lines.startsWith(`FAILED ${file}:`))).toEqual([]);
});

test('there are enough cases, those of programs that must not compile among them', () => {
  expect(cases.length).toBeGreaterThanOrEqual(CASES_MIN);
  expect(cases.filter(({ refused }) => refused).length).toBeGreaterThanOrEqual(REFUSED_CASES_MIN);
});

test('all of them were run and none was left out', () => {
  const total = cases.length;
  expect(run).toEqual({ ok: true, value: { passed: total, failed: 0, skipped: 0, total } });
});

test('no case ends in an error that it does not announce', () => {
  const surprises = cases
    .filter((one) => !one.refused && endsInError(one) !== one.fails)
    .map(({ program }) => program);
  expect(surprises).toEqual([]);
});

function endsInError({ program, input }: JqCase): boolean {
  const compiled = compileJq(program);
  return !compiled.ok || !compiled.value.run(JSON.parse(input) as Json, {}, {}, Date.now()).ok;
}

test('no case is there twice', () => {
  const seen = new Set<string>();
  const twice = cases.filter(({ program, input }) => {
    const key = `${program} of ${input}`;
    const isKnown = seen.has(key);
    seen.add(key);
    return isKnown;
  });
  expect(twice.map(({ program }) => program)).toEqual([]);
});

test('every builtin is called by some case', () => {
  const called = new Set<string>();
  for (const { program, refused } of cases) {
    if (!refused) for (const name of callsIn(readTokens(program))) called.add(name);
  }
  expect(Object.keys(BUILTINS).filter((name) => !called.has(name))).toEqual([]);
});

test('calls are told by name and number of arguments', () => {
  const program = '{map: 1} | f | g(1; (2; 3); [h(4)]) | "\\(i(5; 6))" | .j';
  expect([...callsIn(readTokens(program))]).toEqual(['f/0', 'g/3', 'h/1', 'i/2']);
  expect([...callsIn(readTokens('def k(l): 1; k'))]).not.toContain('k/1');
});

/** As `name/arguments`. A word before a colon is a key, and one behind `def` a definition. */
function* callsIn(tokens: readonly Token[]): Generator<string> {
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'string') {
      for (const part of token.parts) if (typeof part !== 'string') yield* callsIn(part);
    }
    if (token.kind !== 'word' || tokens[at + 1]?.text === ':') continue;
    if (tokens[at - 1]?.text !== 'def') yield `${token.text}/${argumentsAt(tokens, at + 1)}`;
  }
}

function argumentsAt(tokens: readonly Token[], at: number): number {
  if (tokens[at]?.text !== '(') return 0;
  let count = 1;
  let depth = 0;
  for (const { kind, text } of tokens.slice(at)) {
    if (kind !== 'op') continue;
    if (/[([{]/.test(text)) depth += 1;
    else if (/[)\]}]/.test(text)) depth -= 1;
    if (depth === 0) break;
    if (depth === 1 && text === ';') count += 1;
  }
  return count;
}
