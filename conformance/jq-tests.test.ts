import { describe, expect, test } from 'vitest';
import type { Json } from '../src/base/json.ts';
import { isLeftOut, type JqAnswer, type JqCase, judge, readJqTests } from './jq-tests.ts';

const agrees = (wanted: string, got: Json): boolean => wanted === JSON.stringify(got);

function onlyCase(text: string): JqCase {
  const [one, ...more] = readJqTests(text);
  if (one === undefined || more.length > 0) throw new Error(`one case: ${text}`);
  return one;
}

describe('the reader', () => {
  test('a block is a program, an input and one output per line', () => {
    expect(readJqTests('# about\n\n.[]\n[1,2]\n1\n2\n\n\n.\nnull\nnull\n')).toEqual([
      {
        line: 3,
        program: '.[]',
        refused: false,
        input: '[1,2]',
        outputs: ['1', '2'],
        fails: false,
      },
      { line: 9, program: '.', refused: false, input: 'null', outputs: ['null'], fails: false },
    ]);
  });

  test('a program that yields nothing has no output lines', () => {
    expect(onlyCase('empty\nnull\n')).toMatchObject({ outputs: [], fails: false });
    expect(onlyCase('empty\nnull')).toMatchObject({ input: 'null', outputs: [], fails: false });
  });

  test('a comment in the place of an output can say that the run ends in an error', () => {
    const text = '.[]|.a\n[{"a":1},2]\n1\n# Runtime error: "whatever"\n\n.\n1\n1\n# Regression\n';
    expect(readJqTests(text)).toMatchObject([
      { outputs: ['1'], fails: true },
      { outputs: ['1'], fails: false },
    ]);
  });

  test('a comment ends a block, and between a program and its input it is passed over', () => {
    expect(readJqTests('.\n1\n1\n# next\n.a\n# its input\n2\n')).toMatchObject([
      { program: '.', outputs: ['1'] },
      { program: '.a', input: '2', outputs: [] },
    ]);
  });

  test.each(['%%FAIL\n{\njq: error: of a kind\n    {\n    ^\n\n', '%%FAIL IGNORE MSG\n{\n'])(
    'a program that must not compile has neither input nor outputs: %j',
    (text) => {
      expect(onlyCase(text)).toEqual({
        ...{ line: 2, program: '{', refused: true },
        ...{ input: '', outputs: [], fails: false },
      });
    },
  );

  test('line ends of Windows, byte order marks and a missing last line end do no harm', () => {
    const text = '\uFEFF.\r\n\uFEFF"a"\r\n"a"\r\n\r\n%%FAIL\r\n}\r\n\r\n.a\r\nnull\r\nnull';
    expect(readJqTests(text)).toMatchObject([
      { program: '.', input: '"a"', outputs: ['"a"'] },
      { program: '}', refused: true },
      { program: '.a', input: 'null', outputs: ['null'] },
    ]);
  });

  test('a file of comments holds no case', () => {
    expect(readJqTests('# one\n\n  # two\n \t\n')).toEqual([]);
  });
});

describe('the judge', () => {
  const plain = onlyCase('.[]\n[1,2]\n1\n2\n');
  const failing = onlyCase('.[]|.a\n[{"a":1},2]\n1\n# Runtime error: "whatever"\n');
  const refused = onlyCase('%%FAIL\n{\n');
  const message = 'a reason';

  test.each<[string, JqCase, JqAnswer]>([
    ['the outputs in order', plain, { end: 'done', outputs: [1, 2] }],
    ['an error behind the last output', plain, { end: 'error', outputs: [1, 2], message }],
    ['the error that is announced', failing, { end: 'error', outputs: [1], message }],
    ['a refusal that is wanted', refused, { end: 'refused', message }],
  ])('%s passes', (_, one, answer) => {
    expect(judge(one, answer, agrees)).toEqual({ passed: true });
  });

  test.each<[string, JqCase, JqAnswer]>([
    ['a wrong answer', plain, { end: 'done', outputs: [1, 3] }],
    ['the wrong order', plain, { end: 'done', outputs: [2, 1] }],
    ['a missing output', plain, { end: 'done', outputs: [1] }],
    ['an output cut off by an error', plain, { end: 'error', outputs: [1], message }],
    ['one output too many', plain, { end: 'done', outputs: [1, 2, 3] }],
    ['a limit behind the last output', plain, { end: 'limit', outputs: [1, 2], message }],
    ['an announced error that stays away', failing, { end: 'done', outputs: [1] }],
    ['an error in the wrong place', failing, { end: 'error', outputs: [], message }],
    ['a program that compiles although it must not', refused, { end: 'done', outputs: [] }],
    ['a program that does not compile', plain, { end: 'refused', message }],
  ])('%s is found out', (_, one, answer) => {
    expect(judge(one, answer, agrees)).toMatchObject({ passed: false });
  });

  test('a verdict tells what was expected and what came', () => {
    expect(judge(failing, { end: 'error', outputs: [], message }, agrees)).toEqual({
      passed: false,
      expected: '1, then an error',
      got: 'nothing, then a reason',
    });
  });
});

test.each([
  'import "a" as foo; foo::a',
  'include "c" {search:"./"}; [a, c]',
  'modulemeta | .deps',
  'try input catch .',
  '[inputs]',
  'input_filename',
  'input_line_number',
  'env.PAGER',
  '$ENV.PAGER',
  '{a: $ENV | length}',
  'get_search_list',
])('%s is left out on purpose', (program) => {
  expect(isLeftOut(program)).toBe(true);
});

test.each([
  '{if:0,import:14,include:15,env:1}',
  '.input | .env',
  '"input \\(1) env"',
  '$input + @input',
  'try error("import \\"a\\" as foo") catch .',
  'def inputsize: 1; inputsize',
  'environment',
])('%s is not', (program) => {
  expect(isLeftOut(program)).toBe(false);
});
