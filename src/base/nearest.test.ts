import { expect, test } from 'vitest';
import { meant, nearest } from './nearest.ts';

const WORDS = ['flow', 'status', 'tenant', 'createdAfter', 'createdBefore'];

test.each([
  ['staus', 'status'],
  ['Status', 'status'],
  ['tennant', 'tenant'],
  ['createdafter', 'createdAfter'],
  ['createBefore', 'createdBefore'],
  ['flows', 'flow'],
  ['folw', 'flow'],
])('who writes %s means %s', (word, one) => {
  expect(nearest(word, WORDS)).toBe(one);
});

test.each(['colour', '', 'x'])('who writes "%s" means none of them', (word) => {
  expect(nearest(word, WORDS)).toBeUndefined();
});

test('the word that was meant is offered, or all there are', () => {
  expect(meant('staus', WORDS)).toBe('did you mean "status"?');
  expect(meant('colour', WORDS)).toBe(`there are ${WORDS.join(', ')}`);
  expect(nearest('any', [])).toBeUndefined();
});
