import { describe, expect, test } from 'vitest';
import { admitJson, JSON_DEPTH_MAX, type Json } from './json.ts';
import { readJsonText } from './json-text.ts';

describe('what JSON.parse reads is read the same', () => {
  const texts = [
    ...['null', 'true', ' false ', '0', '-0', '12.5e-3', '1E5', '"a"', '""', '[]', '{}', '[[],{}]'],
    '{"a":[1,{"b":null}],"c":"\\u00e9\\n\\"\\\\/"}',
    '\r\n\t{ "a" : 1 , "" : 2 }\n',
    '{"__proto__": 1, "constructor": 2}',
    '"\u2028 é 😀"',
  ];
  test.each(texts)('%s', (text) => {
    const { value, problems } = readJsonText(text);
    expect(problems).toEqual([]);
    const parsed = admitJson(JSON.parse(text));
    expect(JSON.stringify(value)).toBe(JSON.stringify(parsed.ok && parsed.value));
  });

  test('and what was read is altered by nobody', () => {
    const { value } = readJsonText('{"a":[{}]}');
    const { a } = value as { a: readonly object[] };
    expect([value, a, a[0]].every(Object.isFrozen)).toBe(true);
  });

  test('a byte order mark before it is no part of it', () => {
    expect(readJsonText('\ufeff[1]').value).toEqual([1]);
  });
});

describe('what JSON.parse refuses is refused, with its place', () => {
  const table: readonly (readonly [string, number, number, RegExp])[] = [
    ['', 1, 1, /a value comes here; the text ends here/],
    ['{"a": 1,}', 1, 8, /no "," comes before a "\}"/],
    ['[1,\n  2,\n]', 2, 4, /no "," comes before a "\]"/],
    ['[1 2]', 1, 4, /a "," or a "\]" ends it; came "2"/],
    ['{"a" 1}', 1, 6, /a ":" comes after a key; came "1"/],
    ['{a: 1}', 1, 2, /a key in double quotes comes here; came "a"/],
    ["{'a': 1}", 1, 2, /texts stand in double quotes/],
    ['[1] x', 1, 5, /nothing comes after it; came "x"/],
    ['{\n  // no\n}', 2, 3, /JSON has no comments/],
    ['[/* no */]', 1, 2, /JSON has no comments/],
    ['"a\nb"', 1, 1, /in the same line/],
    ['["a', 1, 2, /in the same line/],
    ['["\\', 1, 2, /in the same line/],
    ['["\\x"]', 1, 2, /an escape that is none/],
    ['["\\u12"]', 1, 2, /an escape that is none/],
    ['[01]', 1, 3, /a "," or a "\]" ends it/],
    ['[+1]', 1, 2, /a value comes here; came "\+1"/],
    ['[.5]', 1, 2, /a value comes here/],
    ['[1.]', 1, 3, /a "," or a "\]" ends it/],
    ['[NaN]', 1, 2, /a value comes here; came "NaN"/],
    ['[nul]', 1, 2, /a value comes here; came "nul"/],
    ['{"a":', 1, 6, /a value comes here; the text ends here/],
    ['{"a"', 1, 5, /the text ends here/],
    ['[1', 1, 3, /the text ends here/],
    ['\r\n\r\n  ]', 3, 3, /a value comes here/],
  ];
  test.each(table)('%j', (text, line, column, message) => {
    expect(() => JSON.parse(text) as Json).toThrow(SyntaxError);
    const { value, problems } = readJsonText(text);
    expect(value).toBeUndefined();
    expect(problems).toEqual([
      { message: expect.stringMatching(message), place: { line, column } },
    ]);
  });

  test('a number that no number holds', () => {
    expect(readJsonText('[1e999]').problems).toMatchObject([{ message: /too large/ }].map(like));
  });
});

function like({ message }: { message: RegExp }): unknown {
  return { message: expect.stringMatching(message) };
}

test('a key that is there twice is said, each time, and the first of them counts', () => {
  const { value, problems } = readJsonText('{"a": 1,\n "a": 2, "b": {"c": 1, "c": 2}, "a": 3}');
  expect(value).toEqual({ a: 1, b: { c: 1 } });
  expect(problems).toEqual([
    { message: 'the key "a" is there twice', place: { line: 2, column: 2 } },
    { message: 'the key "c" is there twice', place: { line: 2, column: 24 } },
    { message: 'the key "a" is there twice', place: { line: 2, column: 33 } },
  ]);
});

test('what is nested as deep as may be is read, and not one deeper', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  expect(readJsonText(nested(JSON_DEPTH_MAX)).problems).toEqual([]);
  const { value, problems } = readJsonText(nested(JSON_DEPTH_MAX + 1));
  expect(value).toBeUndefined();
  expect(problems).toMatchObject([{ place: { line: 1, column: JSON_DEPTH_MAX + 1 } }]);
});

test('where a part stands is known of every list and object, and of what they hold', () => {
  const text = '{\n  "a": [\n    10, {"b": "x"}\n  ]\n}';
  const { value, placeOf } = readJsonText(text);
  const { a } = value as { a: readonly [number, object] };
  expect(placeOf(value as object)).toEqual({ line: 1, column: 1 });
  expect(placeOf(value as object, 'a')).toEqual({ line: 2, column: 8 });
  expect(placeOf(a)).toEqual({ line: 2, column: 8 });
  expect(placeOf(a, 0)).toEqual({ line: 3, column: 5 });
  expect(placeOf(a[1])).toEqual({ line: 3, column: 9 });
  expect(placeOf(a[1], 'b')).toEqual({ line: 3, column: 15 });
  expect(placeOf(a[1], 'c')).toBeUndefined();
  expect(placeOf({})).toBeUndefined();
});
