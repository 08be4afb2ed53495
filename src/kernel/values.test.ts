import { expect, test } from 'vitest';
import type { Json } from '../base/json.ts';
import { Dice } from '../testing/dice.ts';
import { Values } from './values.ts';

test('what is written is there, and what it was written on stays what it was', () => {
  const one = Values.none.with('a', 1);
  const two = one.with('b', { c: 2 });
  expect([one.object, two.object]).toEqual([{ a: 1 }, { a: 1, b: { c: 2 } }]);
  expect([Values.none.isEmpty, one.isEmpty, Values.of({}).isEmpty]).toEqual([true, false, true]);
  expect(Values.none.object).toEqual({});
});

test('what is read is frozen, and the same object each time', () => {
  const values = Values.of(Object.freeze({ a: 1 })).with('b', 2);
  expect(Object.isFrozen(values.object)).toBe(true);
  expect(values.object).toBe(values.object);
});

test('a name that is written again stands where it stood first, with the new value', () => {
  const values = Values.none.with('a', 1).with('b', 2).with('a', 3).with('a', 4);
  expect(JSON.stringify(values.object)).toBe('{"a":4,"b":2}');
});

test('__proto__ is a name like any other', () => {
  const { object } = Values.none.with('__proto__', { a: 1 }).with('b', 2);
  expect(Object.keys(object)).toEqual(['__proto__', 'b']);
  expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
});

test('any number of writes in any order gives what plain objects give, whenever it is read', () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    const dice = new Dice(seed);
    const read: [object, object][] = [];
    let values = Values.none;
    const plain = new Map<string, Json>();
    for (let i = 0; i < 200; i += 1) {
      const name = `n${dice.roll(60)}`;
      values = values.with(name, i);
      plain.set(name, i);
      // Whoever reads now and then puts notes together that later ones are written on.
      if (dice.roll(20) === 0) read.push([values.object, Object.fromEntries(plain)]);
    }
    for (const [is, should] of read) expect(JSON.stringify(is)).toBe(JSON.stringify(should));
    const all = JSON.stringify(Object.fromEntries(plain));
    expect(JSON.stringify(values.object), `seed ${seed}`).toBe(all);
  }
});

test('of thousands each is found, and all stand in the order in which they came first', () => {
  for (let seed = 1; seed <= 5; seed += 1) {
    const dice = new Dice(seed);
    const name = (): string => (dice.roll(500) === 0 ? '__proto__' : `n${dice.roll(1_500)}`);
    let values = Values.of(Object.freeze({ n7: 'first', last: 0 }));
    const plain = new Map<string, Json>(Object.entries(values.object));
    for (let i = 0; i < 3_000; i += 1) {
      const [written, asked] = [name(), name()];
      values = values.with(written, i);
      plain.set(written, i);
      const found = [values.has(asked), values.get(asked), values.get(written)];
      expect(found).toEqual([plain.has(asked), plain.get(asked), i]);
    }
    expect(JSON.stringify(Object.entries(values.object))).toBe(JSON.stringify([...plain]));
  }
});

test('a hundred thousand writes of one name, never read, pile up no notes', () => {
  let values = Values.none.with('other', 0);
  for (let i = 0; i < 100_000; i += 1) values = values.with('pass', i);
  expect(values.object).toEqual({ other: 0, pass: 99_999 });
});
