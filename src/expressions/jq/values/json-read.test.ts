import { describe, expect, test } from 'vitest';
import type { Json } from '../../../base/json.ts';
import { meterOf } from '../../../testing/jq-purse.ts';
import type { JqBudget } from '../budget.ts';
import { Exceeded, Raised } from '../faults.ts';
import { readJson } from './json-read.ts';

function complaintOf(text: string): Json {
  try {
    readJson(text, meterOf());
    return null;
  } catch (thrown) {
    if (thrown instanceof Raised) return thrown.value;
    throw thrown;
  }
}

describe('what is JSON is read like anywhere else', () => {
  const table = [
    ...['null', 'true', ' false ', '0', '-0', '12.5e-3', '1E5', '123456789012345678', '""'],
    ...['[]', '{}', '[[],{},[null]]', '\r\n\t{ "a" : 1 , "" : [ 2 ] }\n', '1e1000'],
    '{"a":[1,{"b":null}],"c":"\\u00e9\\n\\"\\\\/\\b\\f\\r\\t"}',
    '{"__proto__":1,"constructor":{"__proto__":2}}',
    '{"a":1,"a":2,"b":3,"a":4}',
    '"\u2028 é 😀 \\ud83d\\ude00 \\uD83D\\uDE00 \u007f"',
  ];
  test.each(table)('%s', (text) => {
    expect(readJson(text, meterOf())).toEqual(JSON.parse(text));
  });

  test('objects have no prototype', () => {
    const value = readJson('{"a":{}}', meterOf()) as { a: object };
    expect([value, value.a].map((one) => Object.getPrototypeOf(one) as unknown)).toEqual([
      null,
      null,
    ]);
  });
});

describe('more is taken than is JSON', () => {
  const table: readonly (readonly [string, Json])[] = [
    ['01', 1],
    ['1.', 1],
    ['.5', 0.5],
    ['+1', 1],
    ['[-.5e1]', [-5]],
    ['nan', Number.NaN],
    ['[NaN,-nan]', [Number.NaN, Number.NaN]],
    ['Infinity', Infinity],
    ['{"a":-inf}', { a: -Infinity }],
    ['1\0', 1],
    ['"\\udc00"', '\ufffd'],
    ['\ufeff[1]', [1]],
  ];
  test.each(table)('%j', (text, value) => {
    expect(readJson(text, meterOf())).toEqual(value);
  });

  test('and the run knows when a number is none that JSON has', () => {
    const meter = meterOf();
    readJson('[1,2.5]', meter);
    expect(meter.odd).toBe(false);
    readJson('[nan]', meter);
    expect(meter.odd).toBe(true);
  });
});

describe('what is wrong is said in the words of jq', () => {
  const table: readonly (readonly [string, string])[] = [
    ['', 'Expected JSON value'],
    ['  ', 'Expected JSON value'],
    ['\ufeff', 'Expected JSON value'],
    ['\ufefd1', 'Malformed BOM'],
    ['\uffff', 'Malformed BOM'],
    ['\ufeff\ufeff1', 'Invalid numeric literal at EOF at line 1, column 4'],
    ['1 2', 'Unexpected extra JSON values'],
    ['1 2 }', 'Unexpected extra JSON values'],
    ['nan nan', 'Unexpected extra JSON values'],
    ['[]1', 'Unexpected extra JSON values'],
    ['1""', 'Unexpected extra JSON values'],
    ['{"a":1}{"b":2}', 'Unexpected extra JSON values'],
    ['1 2,', "Expected value before ',' at line 1, column 4"],
    ['1 2]', "Unmatched ']' at line 1, column 4"],
    ['1 x', 'Invalid numeric literal at EOF at line 1, column 3'],
    ['"a"b', 'Invalid numeric literal at EOF at line 1, column 4'],
    ['1,', "Expected value before ',' at line 1, column 2"],
    ['[1', 'Unfinished JSON term at EOF at line 1, column 2'],
    ['{"a":1', 'Unfinished JSON term at EOF at line 1, column 6'],
    ['[1,]', 'Expected another array element at line 1, column 4'],
    ['[,1]', "Expected value before ',' at line 1, column 2"],
    ['[1,,2]', "Expected value before ',' at line 1, column 4"],
    ['[1 2]', 'Expected separator between values at line 1, column 5'],
    ['[1"a"]', 'Expected separator between values at line 1, column 5'],
    ['[[] []]', 'Expected separator between values at line 1, column 5'],
    ['{"a":}', "Unmatched '}' at line 1, column 6"],
    ['{"a":1,}', 'Expected another key-value pair at line 1, column 8'],
    ['{"a" 1}', 'Expected separator between values at line 1, column 7'],
    ['{"a"}', 'Objects must consist of key:value pairs at line 1, column 5'],
    ['{"a",1}', 'Objects must consist of key:value pairs at line 1, column 5'],
    ['[1}', 'Objects must consist of key:value pairs at line 1, column 3'],
    ['{1:2}', 'Object keys must be strings at line 1, column 3'],
    ['{:1}', "Expected string key before ':' at line 1, column 2"],
    ['"a":1', "Expected string key before ':' at line 1, column 4"],
    ['[1:2]', "':' not as part of an object at line 1, column 3"],
    ['{"a":"b":"c"}', "':' not as part of an object at line 1, column 9"],
    [']', "Unmatched ']' at line 1, column 1"],
    ['}', "Unmatched '}' at line 1, column 1"],
    ['[}', "Unmatched '}' at line 1, column 2"],
    ['{"a":1]', "Unmatched ']' at line 1, column 7"],
    ['tru', 'Invalid literal at EOF at line 1, column 3'],
    ['nulll', 'Invalid literal at EOF at line 1, column 5'],
    ['truex ', 'Invalid literal at line 1, column 6'],
    ['n', 'Invalid numeric literal at EOF at line 1, column 1'],
    ['NaN10', 'Invalid numeric literal at EOF at line 1, column 5'],
    ['-', 'Invalid numeric literal at EOF at line 1, column 1'],
    ['1e', 'Invalid numeric literal at EOF at line 1, column 2'],
    ['[1\u000b]', 'Invalid numeric literal at line 1, column 4'],
    ['\u00a01', 'Invalid numeric literal at EOF at line 1, column 3'],
    ['[1,\n2,\n é]', 'Invalid numeric literal at line 3, column 4'],
    ["{'a': 123}", 'Invalid string literal; expected ", but got \' at line 1, column 5'],
    ['"abc', 'Unfinished string at EOF at line 1, column 4'],
    ['"a\\', 'Unfinished string at EOF at line 1, column 3'],
    ['"\\x"', 'Invalid escape at line 1, column 4'],
    ['"\\u12"', 'Invalid \\uXXXX escape at line 1, column 6'],
    ['"\\u12g4"', 'Invalid characters in \\uXXXX escape at line 1, column 8'],
    ['"\\ud800"', 'Invalid \\uXXXX\\uXXXX surrogate pair escape at line 1, column 8'],
    ['"\\ud800\\u0041"', 'Invalid \\uXXXX\\uXXXX surrogate pair escape at line 1, column 14'],
    [
      '"a\nb"',
      'Invalid string: control characters from U+0000 through U+001F must be escaped' +
        ' at line 2, column 2',
    ],
  ];
  test.each(table)('%j', (text, complaint) => {
    expect(complaintOf(text)).toBe(`${complaint} (while parsing '${text}')`);
  });

  test('the text is shown up to the first NUL', () => {
    expect(complaintOf('x\0y')).toBe(
      "Invalid numeric literal at EOF at line 1, column 3 (while parsing 'x')",
    );
  });
});

describe('depth is limited', () => {
  test('to ten thousand arrays', () => {
    const text = '['.repeat(10_000) + ']'.repeat(10_000);
    expect(complaintOf(text)).toBeNull();
    expect(complaintOf(`[${text}]`)).toMatch(
      /^Exceeds depth limit for parsing at line 1, column 10001 /,
    );
  });

  test('to half as many objects, since keys count as well', () => {
    const text = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    expect(complaintOf(text)).toBeNull();
    expect(complaintOf(text.replace('1', '[]'))).toMatch(
      /^Exceeds depth limit for parsing at line 1, column 25001 /,
    );
  });
});

describe('what is read is paid for', () => {
  const table: readonly (readonly [string, string, Partial<JqBudget>])[] = [
    ['blanks', ' '.repeat(100_000), { steps: 1_000 }],
    ['numbers', `[${'1,'.repeat(1_000)}1]`, { steps: 1_000 }],
    ['elements', `[${'1,'.repeat(1_000)}1]`, { elements: 500 }],
    ['members', `{${'"a":1,'.repeat(1_000)}"b":1}`, { elements: 1_000 }],
    ['arrays', `[${'[],'.repeat(1_000)}1]`, { elements: 5_000 }],
    ['texts', `"${'x'.repeat(10_000)}"`, { stringBytes: 5_000 }],
    ['complaints', 'x'.repeat(10_000), { stringBytes: 5_000 }],
  ];
  test.each(table)('%s', (_what, text, budget) => {
    expect(() => readJson(text, meterOf(budget))).toThrow(Exceeded);
  });
});
