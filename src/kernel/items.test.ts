import { expect, test } from 'vitest';
import { EMPTY } from '../base/json.ts';
import { Items } from './items.ts';

test('what is kept by number comes back in the order of the numbers, whatever was first', () => {
  const items = Items.none.with('10', 'ten').with('2', 'two').with('next', 11).with('0', null);
  expect(items.list).toEqual([null, 'two', 'ten']);
  expect(items.object).toEqual({ '0': null, '2': 'two', '10': 'ten', next: 11 });
  expect(items.get('2')).toBe('two');
  expect(items.get('next')).toBe(11);
  expect(items.get('3')).toBeUndefined();
  expect([items.has('0'), items.has('1'), items.has('next')]).toEqual([true, false, true]);
});

test('a write shows in nothing that was there before it', () => {
  const before = Items.none.with('0', 'a');
  const after = before.with('0', 'b').with('1', 'c');
  expect(before.object).toEqual({ '0': 'a' });
  expect(after.object).toEqual({ '0': 'b', '1': 'c' });
  expect(Items.none.isEmpty).toBe(true);
  expect(after.isEmpty).toBe(false);
});

test('rows and back are the same', () => {
  const items = Items.of({ '3': { a: 1 }, '1': [2], runners: 4 });
  expect(Items.of(items.object).object).toEqual(items.object);
  expect(Items.of(EMPTY).isEmpty).toBe(true);
});
