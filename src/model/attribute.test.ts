import { expect, test } from 'vitest';
import {
  attributeOf,
  SEARCH_ATTRIBUTES_MAX,
  SEARCH_NAME_CHARS_MAX,
  searchProblem,
} from './attribute.ts';

test('text, numbers and booleans are what is found by; nothing else is', () => {
  expect(['', 'a', 0, -1.5, true, false].map((value) => attributeOf(value, 9))).toEqual([
    ...['', 'a', 0, -1.5, true, false],
  ]);
  expect([null, undefined, [], {}, ['a']].map((value) => attributeOf(value, 9))).toEqual([
    ...[null, null, null, null, null],
  ]);
});

test('long text is cut, and half a pair is no character', () => {
  expect(attributeOf('abcd', 4)).toBe('abcd');
  expect(attributeOf('abcde', 4)).toBe('abcd');
  expect(attributeOf('abc😀', 4)).toBe('abc\ufffd');
  expect(attributeOf('😀 \ud800', 9)).toBe('😀 \ufffd');
});

test('names are few, short and each there once', () => {
  const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `n${n}`);
  const longest = 'x'.repeat(SEARCH_NAME_CHARS_MAX);
  for (const good of [[], ['a'], ['a', 'A'], [longest], names(SEARCH_ATTRIBUTES_MAX)]) {
    expect(searchProblem(good)).toBeUndefined();
  }
  expect(searchProblem(names(SEARCH_ATTRIBUTES_MAX + 1))).toContain('SEARCH_ATTRIBUTES_MAX is 20');
  expect(searchProblem([`${longest}x`])).toContain('1 to 100 characters; the one at 0');
  expect(searchProblem(['a', ''])).toContain('the one at 1');
  expect(searchProblem(['a', 7])).toContain('the one at 1');
  expect(searchProblem(['\ud800'])).toContain('the one at 0');
  expect(searchProblem(['a', 'b', 'a'])).toBe('names "a" twice');
  expect(searchProblem('customer')).toContain('is a list of names');
  expect(searchProblem({})).toContain('is a list of names');
});
