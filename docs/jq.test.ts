/** What the page about jq shows compiles and does what it says, and its numbers are ours. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { JQ_BUDGET_DEFAULT } from '../src/expressions/jq/budget.ts';
import { COMPILED_NODES_MAX } from '../src/expressions/jq/compile/compiler.ts';
import { compileJq } from '../src/expressions/jq/jq.ts';
import { PROGRAM_CHARS_MAX } from '../src/expressions/jq/syntax/parser.ts';
import { PATTERN_CHARS_MAX } from '../src/expressions/jq/regex/regex.ts';
import { PROGRAM_DEPTH_MAX } from '../src/expressions/jq/syntax/token-reader.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/jq.md'), 'utf8');
const shown = (value: number): string => value.toLocaleString('en');

test('the program of the page runs', () => {
  const [, text = ''] = /^```jq\n([\s\S]*?)^```/m.exec(page) ?? [];
  const program = compileJq(text);
  if (!program.ok) throw new Error(JSON.stringify(program.problem));
  const items = [
    { sku: 'a', stock: 1, price: 2 },
    { sku: 'b', stock: 0, price: 3 },
    { sku: 'a', stock: 5, price: 4 },
  ];
  expect(program.value.run({ items })).toEqual({ ok: true, value: [{ a: 6 }] });
});

test('the limits are those of the page, all of them', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| ([\d,]+) \|/gm)].map(([, name, most]) => [
    name,
    most,
  ]);
  const limits = Object.entries(JQ_BUDGET_DEFAULT).map(([name, most]) => [name, shown(most)]);
  expect(rows).toEqual(limits);
  expect(page).toContain(
    `deeper than ${PROGRAM_DEPTH_MAX}, longer than ${shown(PROGRAM_CHARS_MAX)} characters, ` +
      `or more than ${shown(COMPILED_NODES_MAX)} nodes`,
  );
  expect(page).toContain(`at most ${shown(PATTERN_CHARS_MAX)} characters`);
});

test('the mistakes are told as the page shows them', () => {
  const [, told = ''] = /^```\n(jq\.[\s\S]*?)^```/m.exec(page) ?? [];
  const program = compileJq('map(sortBy(.a),\n  $ordr)', { vars: ['order'] });
  const lines = program.ok
    ? []
    : program.problem.map(
        ({ code, message, span }) => `${code} ${span.line}:${span.column} ${message}\n`,
      );
  expect(lines.join('')).toBe(told);
});

test('every code of a diagnostic is on the page, and no other', () => {
  const source = readFileSync(join(root, 'src/expressions/jq/diagnostics.ts'), 'utf8');
  const [, union = ''] = /export type JqDiagnosticCode =([^;]+);/.exec(source) ?? [];
  const codes = [...union.matchAll(/'([^']+)'/g)].map(([, code]) => code);
  const table = /\| code \| \|\n([\s\S]*?)\n\n/.exec(page)?.[1] ?? '';
  const documented = [...table.matchAll(/`(jq\.[\w-]+)`/g)].map(([, code]) => code);
  expect(new Set(documented)).toEqual(new Set(codes));
});

test('what the page says is refused is refused, and what passes passes', () => {
  for (const name of ['env', '$ENV', 'inputs', 'input_filename', 'input_line_number', 'halt']) {
    expect(compileJq(name), name).toMatchObject({ problem: [{ code: 'jq.unsupported' }] });
  }
  for (const name of ['debug', 'stderr', 'try input catch .', 'gamma', 'toarray', 'pow10']) {
    expect(compileJq(name).ok, name).toBe(true);
  }
});
