/** What the random jq programs are worth: they use everything there is, and most of them work. */
import { loadJq } from 'jq-wasm';
import { describe, expect, test } from 'vitest';
import { Oracle } from './jq-oracle.ts';
import { jqCaseOf } from './random-jq.ts';
import { LEVEL, piece, print, slot, smallerPieces, word } from './random-jq-text.ts';

const PROGRAMS = Array.from({ length: 6_000 }, (_, at) => jqCaseOf(at + 1).program);

/** What depends on the world outside or on who is asked, or is missing in the oracle (gamma). */
const LEFT_OUT = `builtins/0 debug/0 debug/1 env/0 gamma/0 get_jq_origin/0 get_prog_origin/0
  get_search_list/0 halt/0 halt_error/0 halt_error/1 have_decnum/0 have_literal_numbers/0 input/0
  input_filename/0 input_line_number/0 inputs/0 localtime/0 modulemeta/0 now/0 stderr/0
  strflocaltime/1`.split(/\s+/);

/** The functions that a program calls, as `name/arity`; near enough for counting. */
function callsIn(program: string): string[] {
  const bare = program.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) =>
    text.includes('\\(') ? text.replaceAll(/["\\]/g, ' ') : '0',
  );
  return [...bare.matchAll(/(?<![\w.$@])[A-Za-z_]\w*/g)].map((found) => {
    const [name] = found;
    return `${name}/${arityOf(bare.slice(found.index + name.length))}`;
  });
}

function arityOf(rest: string): number {
  if (!rest.startsWith('(')) return 0;
  let depth = 0;
  let args = 1;
  for (const character of rest) {
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    if (depth === 0) break;
    if (character === ';' && depth === 1) args += 1;
  }
  return args;
}

test('every builtin is called, but for those that depend on the world outside', async () => {
  const jq = await loadJq();
  const builtins = jq.first<string[]>(null, 'builtins') ?? [];
  const called = new Set(PROGRAMS.flatMap(callsIn));
  const missing = builtins.filter((name) => !called.has(name) && !LEFT_OUT.includes(name));
  expect(builtins.length).toBeGreaterThan(150);
  expect(missing).toEqual([]);
});

describe('every construct is used', () => {
  test.each([
    ['fields', /\.a\b/],
    ['fields in quotes', /\."a b"/],
    ['keywords as fields', /\.(if|and|def|end)\b/],
    ['keys of JavaScript', /__proto__/],
    ['an index', /\.\[0\]/],
    ['an index from the end', /\[-1\]/],
    ['a slice', /\[\d?:\d\]/],
    ['iteration', /\[\]/],
    ['the optional mark', /\]\?/],
    ['recursion into everything', /\.\./],
    ['a comma', /, /],
    ['a pipe', / \| /],
    ['arithmetic', / [+*/%-] /],
    ['comparison', / (==|!=|<|<=|>|>=) /],
    ['and, or', / (and|or) /],
    ['an alternative', / \/\/ /],
    ['negation', /-\(/],
    ['a condition', /if .* then .* elif .* else .* end/],
    ['a condition without else', /if [^f]* then ((?!else).)* end$/],
    ['try without catch', /\(.*\)\?/],
    ['try with catch', /try .* catch /],
    ['a label', /label \$\w+ \| .*break \$/],
    ['a binding', / as \$\w+ \| /],
    ['an array pattern', / as \[\$/],
    ['an object pattern', / as \{\w+: \$/],
    ['an object pattern with a computed key', / as \{\(/],
    ['an object pattern with a variable', / as \{\$\w+[,}:]/],
    ['alternative patterns', / \?\/\/ /],
    ['reduce', /reduce .* as \$/],
    ['foreach with two parts', /foreach .* as \$\w+ \([^;]*; [^;]*\)/],
    ['foreach with three parts', /foreach .* as \$\w+ \([^;]*; [^;]*; [^;]*\)/],
    ['a function', /def \w+: /],
    ['a function with a value', /def \w+\(\$\w+\): /],
    ['a function with a closure', /def \w+\(\w+\): /],
    ['a function with both', /def \w+\(\w+; \$\w+\): /],
    ['an object with a computed key', /\{\(/],
    ['an object with a variable', /[{ ]\$\w+[,}]/],
    ['an object with a shorthand', /[{ ]\w+}/],
    ['interpolation', /"[^"]*\\\(/],
    ['a format', /@base64(?! ")/],
    ['a format with a string', /@\w+ "/],
    ['a place', /\$__loc__/],
    ['a comment', /# .*\n/],
    ['the given variable', /\$given/],
    ['assignment', / = /],
    ['an update', / \|= /],
    ['arithmetic updates', / [+*/%-]= /],
    ['an alternative update', / \/\/= /],
    ['a path through first', /first\([^()]*\) \|?=/],
    ['a path through select', /select\(.*\) \|?=/],
    ['a path through getpath', /getpath\(.*\) \|?=/],
    ['a path through a slice', /\[\d:\d?\] \|?=/],
    ['a path through if', /end \|?=/],
  ] satisfies [string, RegExp][])('%s', (_, pattern) => {
    expect(PROGRAMS.filter((program) => pattern.test(program)).length).toBeGreaterThan(0);
  });
});

test('most programs work: at least six of ten end without an error', async () => {
  const cases = Array.from({ length: 1_000 }, (_, at) => jqCaseOf(at + 1));
  const answers = await new Oracle().ask(cases);
  const working = answers.filter(({ end }) => end === 'done');
  const giving = working.filter((answer) => answer.end === 'done' && answer.outputs.length > 0);
  expect(working.length).toBeGreaterThan(600);
  expect(giving.length).toBeGreaterThan(450);
});

test('a seed always gives the same program', () => {
  expect(jqCaseOf(4711)).toEqual(jqCaseOf(4711));
});

test('parentheses are written where they are needed and nowhere else', () => {
  const sum = piece(LEVEL.add, slot(word('1'), LEVEL.add), ' + ', slot(word('2'), LEVEL.multiply));
  const product = piece(LEVEL.multiply, slot(sum, LEVEL.multiply), ' * ', slot(word('3')));
  expect(print(product)).toBe('(1 + 2) * 3');
  expect([...smallerPieces(product)].map(print)).toContain('(1 + 0) * 3');
  expect([...smallerPieces(product)].map(print)).toContain('1 * 3');
});
