import { describe, expect, test } from 'vitest';
import { COMPILED_NODES_MAX, DIAGNOSTICS_MAX } from './compile/compiler.ts';
import { spanAt } from './diagnostics.ts';
import { compileJq } from './jq.ts';
import { PROGRAM_CHARS_MAX } from './syntax/parser.ts';
import { PROGRAM_DEPTH_MAX } from './syntax/token-reader.ts';

/** Everything that is said of a program: code, place and message. */
function told(program: string, vars: readonly string[] = []): readonly string[] {
  const compiled = compileJq(program, { vars });
  if (compiled.ok) return ['it compiles'];
  return compiled.problem.map(
    ({ code, message, span }) => `${code} ${span.line}:${span.column} ${message}`,
  );
}

/** A program, where its mistake is, and what is said of it. */
type Row = readonly [string, string, string];

function syntaxIs(program: string, place: string, message: string): void {
  expect(told(program)).toEqual([`jq.syntax ${place} ${message}`]);
}

describe('a mistake of syntax is told at the place where reading ended', () => {
  describe('something is missing, or there is too much', () => {
    test.each<Row>([
      ['(', '1:2', 'expected an expression, found the end'],
      ['.a |\n', '2:1', 'expected an expression, found the end'],
      ['.a == 1 and\n\n', '3:1', 'expected an expression, found the end'],
      ['1 +', '1:4', 'expected an expression, found the end'],
      ['[1, 2', '1:6', 'expected "]", found the end'],
      ['[.[] | select(.a == 1]', '1:22', 'expected ")", found "]"'],
      ['(1]', '1:3', 'expected ")", found "]"'],
      ['1)', '1:2', 'expected the end of the program, found ")"'],
      ['[\n  1\n]]', '3:2', 'expected the end of the program, found "]"'],
      ['{a: 1', '1:6', 'expected "," or "}", found the end'],
      ['{a: 1, b}}', '1:10', 'expected the end of the program, found "}"'],
      ['.[1:', '1:5', 'expected an expression, found the end'],
      ['f(1', '1:4', 'expected ")", found the end'],
      ['def f: 1', '1:9', 'expected ";", found the end'],
      ['def f: 1;', '1:10', 'expected an expression, found the end'],
      ['if 1 then 2', '1:12', 'expected "end", found the end'],
      ['try 1 catch', '1:12', 'expected an expression, found the end'],
    ])('%j', syntaxIs);
  });

  describe('something stands where it cannot', () => {
    test.each<Row>([
      ['| 1', '1:1', 'expected an expression, found "|"'],
      ['1 + * 2', '1:5', 'expected an expression, found "*"'],
      ['1 2', '1:3', 'expected the end of the program, found "2"'],
      ['.a\n.b c', '2:4', 'expected the end of the program, found "c"'],
      ['1 $x', '1:3', 'expected the end of the program, found "$x"'],
      ['1 @json', '1:3', 'expected the end of the program, found "@json"'],
      ['1.2.3', '1:4', 'expected the end of the program, found ".3"'],
      ['0x10', '1:2', 'expected the end of the program, found "x10"'],
      ['.a.', '1:4', 'expected a name, a text or "[" after ".", found the end'],
      ['[1 2]', '1:4', 'expected "]", found "2"'],
      ['[1,]', '1:4', 'expected an expression, found "]"'],
      ['map()', '1:5', 'expected an expression, found ")"'],
      ['range(1;)', '1:9', 'expected an expression, found ")"'],
      ['.[1:2:3]', '1:6', 'expected "]", found ":"'],
      ['.a ? 1 : 2', '1:6', 'expected the end of the program, found "1"'],
      ['1 || 2', '1:4', 'expected an expression, found "|"'],
      ['.a === 1', '1:6', 'expected an expression, found "="'],
      ['1 == 2 == 3', '1:8', '"==" cannot follow another comparison; use ( … )'],
      ['.a = 1\n  |= 2', '2:3', '"|=" cannot follow another assignment; use ( … )'],
      ['1 | import "a" as a; 1', '1:5', 'expected an expression, found "import"'],
    ])('%j', syntaxIs);
  });

  describe('a word of the language is in the wrong place', () => {
    test.each<Row>([
      ['then', '1:1', 'expected an expression, found "then"'],
      ['if 1\nelse 2 end', '2:1', 'expected "then", found "else"'],
      ['if 1 then 2 elif 3 end', '1:20', 'expected "then", found "end"'],
      ['1 catch 2', '1:3', 'expected the end of the program, found "catch"'],
      ['reduce .[] (0; .)', '1:12', 'expected "as", found "("'],
      ['reduce .[] as $x (0)', '1:20', 'expected ";", found ")"'],
      ['reduce .[] as $x (0; 1; 2)', '1:23', 'expected ")", found ";"'],
      ['foreach .[] as $x (0; 1; 2; 3)', '1:27', 'expected ")", found ";"'],
      ['label x | 1', '1:7', 'expected a variable such as $x, found "x"'],
      ['label $x 1', '1:10', 'expected "|", found "1"'],
      ['break x', '1:7', 'expected a variable such as $x, found "x"'],
      ['def 1: 2; 3', '1:5', 'expected the name of a function, found "1"'],
      ['def if: 1; 2', '1:5', 'expected the name of a function, found "if"'],
      ['def f 1; f', '1:7', 'expected ":", found "1"'],
      ['def f(): 1; f', '1:7', 'expected the name of a parameter, found ")"'],
      ['def f(a, b): 1; f', '1:8', 'expected ")", found ","'],
    ])('%j', syntaxIs);
  });

  describe('a pattern or an object is not well made', () => {
    const pattern = 'expected a pattern: $x, [$x] or {key: $x}';
    test.each<Row>([
      ['. as x | x', '1:6', `${pattern}, found "x"`],
      ['. as [] | 1', '1:7', `${pattern}, found "]"`],
      ['. as {a: 1} | 1', '1:10', `${pattern}, found "1"`],
      ['. as [$a, $b | $a', '1:14', 'expected "]", found "|"'],
      ['. as {a} | 1', '1:8', 'expected ":", found "}"'],
      ['. as {} | 1', '1:7', 'a key of a pattern is a word, a text, $x, or in ( … )'],
      ['. as {(1): $x} | 1', '1:8', '1 cannot be a key of an object'],
      ['. as $x, 1', '1:8', 'expected "|", found ","'],
      ['{1: 2}', '1:2', 'a key is a word, a text, a variable, or in ( … )'],
      ['{\n  a: 1,\n  .b: 2\n}', '3:3', 'a key is a word, a text, a variable, or in ( … )'],
      ['{(1): 2}', '1:3', '1 cannot be a key of an object'],
      ['{(null): 2}', '1:3', 'null cannot be a key of an object'],
      ['{("a")}', '1:7', 'expected ":", found "}"'],
      ['{@base64: 1}', '1:2', 'expected a key of an object'],
      ['{a: 1; b: 2}', '1:6', 'expected "," or "}", found ";"'],
      ['{a: }', '1:5', 'expected an expression, found "}"'],
    ])('%j', syntaxIs);
  });

  describe('characters and strings that cannot be read', () => {
    const half = 'half of a surrogate pair; write both halves, or the character itself';
    test.each<Row>([
      ['1 && 2', '1:3', '"&" means nothing here; both is written and'],
      ['!true', '1:1', '"!" means nothing here; opposites are written != and | not'],
      ["'a'", '1:1', '"\'" means nothing here; a text stands in "…"'],
      ['.a | ^', '1:6', '"^" means nothing here'],
      ['$.a', '1:1', '"$" means nothing here; a variable is written $name, and the input .'],
      ['\\', '1:1', String.raw`"\\" means nothing here`],
      ['.a\n| größe', '2:5', '"ö" means nothing here'],
      ['😀', '1:1', '"😀" means nothing here'],
      ['.a + "abc', '1:6', 'a string that begins here has no end'],
      ['"two\nlines', '1:1', 'a string that begins here has no end'],
      [String.raw`"a\(1`, '1:6', String.raw`the text ends inside \( … ) of a string`],
      [String.raw`"a\(1 2)"`, '1:7', 'expected ")", found "2"'],
      [String.raw`"a\()"`, '1:5', 'expected an expression, found ")"'],
      [String.raw`"a\x"`, '1:3', String.raw`\x is no escape; a backslash is written \\`],
      ['"line\nbreak \\q"', '2:7', String.raw`\q is no escape; a backslash is written \\`],
      [String.raw`"\u12"`, '1:2', String.raw`\u is followed by four hex digits`],
      [String.raw`"\ud83d"`, '1:2', half],
      [String.raw`"ab\ude00"`, '1:4', half],
    ])('%j', syntaxIs);
  });
});

describe('a function that is not there', () => {
  test.each<Row>([
    ['lenght', '1:1', 'lenght/0 is not defined; did you mean "length"?'],
    ['.a | sortBy(.b)', '1:6', 'sortBy/1 is not defined; did you mean "sort_by"?'],
    ['def helper: 1; helpr', '1:16', 'helpr/0 is not defined; did you mean "helper"?'],
    ['def f(value): valu; f(1)', '1:15', 'valu/0 is not defined; did you mean "value"?'],
    ['nothing_like_it', '1:1', 'nothing_like_it/0 is not defined'],
    ['constructor', '1:1', 'constructor/0 is not defined'],
    ['hasOwnProperty(1)', '1:1', 'hasOwnProperty/1 is not defined'],
    ['map', '1:1', 'map/0 is not defined; there is map/1'],
    ['map(1; 2)', '1:1', 'map/2 is not defined; there is map/1'],
    ['limit(3 .[])', '1:1', 'limit/1 is not defined; there is limit/2'],
    ['def f(a): a;\nf', '2:1', 'f/0 is not defined; there is f/1'],
    [
      'def first_one(a; b): 1; first_one',
      '1:25',
      'first_one/0 is not defined; there is first_one/2',
    ],
    ['def f: later_on; def later_on: 1; f', '1:8', 'later_on/0 is not defined'],
    ['(def inner_one: 1; 2) | inner_one', '1:25', 'inner_one/0 is not defined'],
    ['def f:\n  def g:\n    nowhere;\n  g;\nf', '3:5', 'nowhere/0 is not defined'],
    ['def unused: nowhere; 1', '1:13', 'nowhere/0 is not defined'],
    ['path(nowhere)', '1:6', 'nowhere/0 is not defined'],
  ])('%j', (program, place, message) => {
    expect(told(program)).toEqual([`jq.undefined-function ${place} ${message}`]);
  });
});

describe('a variable or a label that is not there', () => {
  test.each<Row>([
    ['$nowhere', '1:1', '$nowhere is not defined'],
    ['1 as $count | $cuont', '1:15', '$cuont is not defined; did you mean "$count"?'],
    ['(1 as $first | 2) | $first', '1:21', '$first is not defined'],
    ['def f: $late; 1 as $late | f', '1:8', '$late is not defined'],
    ['reduce $item as $item (0; .)', '1:8', '$item is not defined'],
    ['{$nowhere}', '1:2', '$nowhere is not defined'],
    ['label $out | $out', '1:14', '$out is not defined'],
  ])('%j', (program, place, message) => {
    expect(told(program)).toEqual([`jq.undefined-variable ${place} ${message}`]);
  });

  test('one that the caller brings along may have been meant', () => {
    expect(told('$order', ['order', 'now'])).toEqual(['it compiles']);
    expect(told('.a + $ordr', ['order', 'now'])).toEqual([
      'jq.undefined-variable 1:6 $ordr is not defined; did you mean "$order"?',
    ]);
    expect(told('$customer', ['order', 'now'])).toEqual([
      'jq.undefined-variable 1:1 $customer is not defined; there are $order, $now',
    ]);
  });

  test.each<Row>([
    ['break $out', '1:1', 'there is no label $out to break to'],
    ['label $out | break $ou', '1:14', 'there is no label $ou to break to'],
    ['(label $out | 1)\n| break $out', '2:3', 'there is no label $out to break to'],
    ['1 as $out | break $out', '1:13', 'there is no label $out to break to'],
  ])('%j', (program, place, message) => {
    expect(told(program)).toEqual([`jq.undefined-label ${place} ${message}`]);
  });
});

describe('what jq has and this one leaves out', () => {
  test.each<Row>([
    ['inputs', '1:1', 'inputs/0: a program has the one input it is given'],
    ['[.[], inputs]', '1:7', 'inputs/0: a program has the one input it is given'],
    ['input_filename', '1:1', 'input_filename/0: a program has the one input it is given'],
    ['input_line_number', '1:1', 'input_line_number/0: a program has the one input it is given'],
    ['env.HOME', '1:1', 'env/0: a program does not see the environment'],
    ['.a + $ENV.HOME', '1:6', '$ENV: a program does not see the environment'],
    ['halt', '1:1', 'halt/0: a program cannot end the process; use error'],
    ['"x" | halt_error', '1:7', 'halt_error/0: a program cannot end the process; use error'],
    ['halt_error(1)', '1:1', 'halt_error/1: a program cannot end the process; use error'],
    ['modulemeta', '1:1', 'modulemeta/0: there are no modules here'],
    ['get_search_list', '1:1', 'get_search_list/0: there are no modules here'],
    ['import "a" as a; 1', '1:1', '"import": there are no modules here'],
    ['# first\n  include "a"; 1', '2:3', '"include": there are no modules here'],
    ['module {}; 1', '1:1', '"module": there are no modules here'],
  ])('%j', (program, place, message) => {
    expect(told(program)).toEqual([`jq.unsupported ${place} ${message}`]);
  });

  test('a program may have functions and variables of its own by these names', () => {
    expect(told('def input: 1; 2 as $ENV | input, $ENV, .env, {halt: 3}')).toEqual(['it compiles']);
  });
});

describe('several mistakes', () => {
  test('of names are all told, in the order of the text', () => {
    expect(told('[\n  nowhere,\n  $gone,\n  map,\n  inputs,\n  (label $l | break $m)\n]')).toEqual([
      'jq.undefined-function 2:3 nowhere/0 is not defined',
      'jq.undefined-variable 3:3 $gone is not defined',
      'jq.undefined-function 4:3 map/0 is not defined; there is map/1',
      'jq.unsupported 5:3 inputs/0: a program has the one input it is given',
      'jq.undefined-label 6:15 there is no label $m to break to',
    ]);
  });

  test('are in order, although functions are looked at before what follows them', () => {
    expect(told('one_gone | def f: two_gone; f | three_gone')).toEqual([
      'jq.undefined-function 1:1 one_gone/0 is not defined',
      'jq.undefined-function 1:19 two_gone/0 is not defined',
      'jq.undefined-function 1:33 three_gone/0 is not defined',
    ]);
  });

  test('in one place are told once, however often the place is compiled', () => {
    expect(told('def f(g): g | nowhere; f(1), f(1, 2), f(empty), path(f(.a))')).toEqual([
      'jq.undefined-function 1:15 nowhere/0 is not defined',
    ]);
  });

  test('of syntax are not looked for behind the first, nor names behind it', () => {
    expect(told('nowhere | [1 2] | {3: 4}')).toEqual(['jq.syntax 1:14 expected "]", found "2"']);
  });

  test('are found wherever an expression can stand', () => {
    const program =
      'if aaaaa then .[bbbbb:ccccc] else {(ddddd): eeeee} end |= reduce fffff as $x (0; ggggg)';
    const names = program.match(/(?<word>[a-g])\k<word>{4}/g) ?? [];
    expect(told(program)).toEqual(
      names.map((name) => {
        const column = program.indexOf(name) + 1;
        return `jq.undefined-function 1:${column} ${name}/0 is not defined`;
      }),
    );
    expect(names).toHaveLength(7);
  });
});

describe('places', () => {
  test.each([
    ['a tab is one column', '\t\tnowhere', '1:3'],
    ['a line of Windows is one line', '.a\r\n| nowhere', '2:3'],
    ['a character of two bytes is one column', '"äöü" | nowhere', '1:9'],
    ['a character of two code units is one column', '"😀😀" | nowhere', '1:8'],
    ['what stands in a comment counts, too', '# ü 😀\n.a | # 日本\n\tnowhere', '3:2'],
    ['an interpolation is where it stands', String.raw`"😀\(nowhere)"`, '1:5'],
    ['and so is one within another', String.raw`"é\("è\(nowhere)")"`, '1:9'],
    ['a string of several lines counts them', '"one\ntwo" | nowhere', '2:8'],
    ['a comment that ends in a backslash goes on', '# one \\\n two\nnowhere', '3:1'],
  ])('%s', (_, program, place) => {
    expect(told(program)).toEqual([`jq.undefined-function ${place} nowhere/0 is not defined`]);
  });

  test('begin at 1:1 and end behind the last character', () => {
    expect(spanAt('', 0)).toEqual({ line: 1, column: 1 });
    expect(spanAt('a\nb😀', 5)).toEqual({ line: 2, column: 3 });
  });
});

describe('too much', () => {
  const arrays = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

  test('a program is nested as deep as can be', () => {
    expect(told(arrays(PROGRAM_DEPTH_MAX))).toEqual(['it compiles']);
  });

  test('and not one level deeper', () => {
    const place = `1:${PROGRAM_DEPTH_MAX + 1}`;
    const deeper = `jq.too-deep ${place} nested deeper than ${PROGRAM_DEPTH_MAX}`;
    expect(told(arrays(PROGRAM_DEPTH_MAX + 1))).toEqual([deeper]);
  });

  test('operators in a row are nested, too', () => {
    const deeper = `jq.too-deep 1:1 nested deeper than ${PROGRAM_DEPTH_MAX}`;
    expect(told(`${'1+'.repeat(PROGRAM_DEPTH_MAX - 1)}1`)).toEqual(['it compiles']);
    expect(told(`${'1+'.repeat(PROGRAM_DEPTH_MAX)}1`)).toEqual([deeper]);
  });

  test('strings within interpolations have a limit of their own', () => {
    const strings = (levels: number): string =>
      String.raw`"\(`.repeat(levels) + '1' + ')"'.repeat(levels);
    expect(told(strings(100))).toEqual(['it compiles']);
    expect(told(strings(101))).toEqual(['jq.too-deep 1:304 strings nest deeper than 100']);
  });

  test('a text is as long as can be, and not one character longer', () => {
    const longest = `${' '.repeat(PROGRAM_CHARS_MAX - 1)}.`;
    const tooLong = `jq.too-big 1:1 a program has at most ${PROGRAM_CHARS_MAX} characters`;
    expect(told(longest)).toEqual(['it compiles']);
    expect(told(` ${longest}`)).toEqual([tooLong]);
  });

  test('no more than a hundred mistakes are told, and soon', () => {
    const names = `gone,\n`.repeat(9_000);
    const before = process.cpuUsage();
    expect(told(`${names}1`)).toHaveLength(DIAGNOSTICS_MAX);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });

  test('a program becomes as much code as can be, and no more', () => {
    const items = (count: number): string => `1${',1'.repeat(count - 1)}`;
    const most = COMPILED_NODES_MAX - 1;
    const tooBig = `the program becomes more than ${COMPILED_NODES_MAX} nodes`;
    expect(told(items(most))).toEqual(['it compiles']);
    expect(told(items(most + 1))).toEqual([`jq.too-big 1:${2 * most + 1} ${tooBig}`]);
  });
});
