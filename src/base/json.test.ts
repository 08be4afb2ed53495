import { describe, expect, test } from 'vitest';
import {
  admitJson,
  canonicalJson,
  EMPTY,
  JSON_DEPTH_MAX,
  JSON_VALUES_MAX,
  type Json,
  parseJson,
  sameJson,
} from './json.ts';

function problemOf(value: unknown): string {
  const admitted = admitJson(value);
  return admitted.ok ? 'nothing wrong' : admitted.problem;
}

function nested(depth: number): unknown {
  let value: unknown = 'core';
  for (let i = 0; i < depth; i += 1) value = { in: value };
  return value;
}

describe('what JSON can say is admitted as it is', () => {
  const values: readonly Json[] = [
    null,
    true,
    false,
    0,
    -1.5,
    1e300,
    '',
    'text \u0000 \ud800 😀',
    [],
    {},
    [1, [2, [3]]],
    { a: { b: [{ c: null }] } },
  ];
  for (const value of values) {
    test(JSON.stringify(value), () => {
      expect(admitJson(value)).toEqual({ ok: true, value });
    });
  }
});

test('a bare undefined becomes null, and an undefined property is left out', () => {
  expect(admitJson(undefined)).toEqual({ ok: true, value: null });
  expect(admitJson({ a: 1, b: undefined })).toStrictEqual({ ok: true, value: { a: 1 } });
});

test('minus zero becomes zero, because its text reads back as zero', () => {
  const admitted = admitJson({ n: -0 });
  expect(admitted.ok && Object.is((admitted.value as { n: number }).n, 0)).toBe(true);
});

test('what is admitted is a deep-frozen copy: the stranger keeps no hold on it', () => {
  const theirs = { list: [{ n: 1 }] };
  const admitted = admitJson(theirs);
  theirs.list.push({ n: 2 });
  expect(admitted).toEqual({ ok: true, value: { list: [{ n: 1 }] } });
  const ours = admitted.ok ? (admitted.value as unknown as typeof theirs) : theirs;
  expect(() => ours.list.push({ n: 3 })).toThrow(TypeError);
  expect(() => Object.assign(ours.list[0] ?? {}, { n: 3 })).toThrow(TypeError);
});

describe('what JSON cannot say is refused with its place and reason', () => {
  class Money {
    readonly amount = 1;
  }
  const values: readonly (readonly [string, unknown, string])[] = [
    ['NaN', Number.NaN, 'the value is the number NaN'],
    ['infinity', [Number.POSITIVE_INFINITY], '"/0" is the number Infinity'],
    ['a bigint', { n: 1n }, '"/n" is a bigint'],
    ['a function', { f: () => 1 }, '"/f" is a function'],
    ['a symbol', [Symbol('s')], '"/0" is a symbol'],
    ['a hole in a list', [1, undefined, 3], '"/1" is undefined'],
    ['a date', { at: new Date(0) }, '"/at" is a Date; use date.toISOString()'],
    ['a map', new Map(), 'the value is a Map; use a plain object instead'],
    ['a promise', Promise.resolve(1), 'the value is a Promise; use a plain object instead'],
    ['an error', new Error('x'), 'the value is a Error; use a plain object instead'],
    ['a class', { m: new Money() }, '"/m" is a Money; use a plain object instead'],
    ['toJSON', { toJSON: () => 1 }, 'the value is an object with toJSON'],
  ];
  for (const [name, value, problem] of values) {
    test(name, () => expect(problemOf(value)).toBe(problem));
  }
});

test('a cycle is refused', () => {
  const cyclic: Record<string, unknown> = { name: 'loop' };
  cyclic['self'] = cyclic;
  expect(problemOf(cyclic)).toContain('nested deeper than 200, or in a cycle');
  const list: unknown[] = [];
  list.push(list, list);
  expect(problemOf(list)).toContain('in a cycle');
});

test('a value is nested as deep as JSON_DEPTH_MAX and not one level deeper', () => {
  expect(admitJson(nested(JSON_DEPTH_MAX)).ok).toBe(true);
  expect(problemOf(nested(JSON_DEPTH_MAX + 1))).toContain(`deeper than ${JSON_DEPTH_MAX}`);
});

test('a value has as many parts as JSON_VALUES_MAX and not one more', () => {
  const list = Array.from({ length: JSON_VALUES_MAX - 1 }, () => 0);
  expect(admitJson(list).ok).toBe(true);
  list.push(0);
  expect(problemOf(list)).toBe(`the value is of more than ${JSON_VALUES_MAX} parts`);
});

test('shared parts that would unfold without end are refused and not written out', () => {
  let shared: unknown = 0;
  for (let i = 0; i < 100; i += 1) shared = [shared, shared];
  expect(problemOf(shared)).toContain('parts');
});

test('a getter or a proxy that throws is refused, whatever it throws', () => {
  const trap = {
    get secret(): never {
      throw new Error('hands off');
    },
  };
  expect(problemOf({ trap })).toBe('reading it threw an error of its own');
  const proxy = new Proxy({}, { ownKeys: () => Reflect.get({}, 'x') as never });
  expect(problemOf(proxy)).toBe('reading it threw an error of its own');
});

test('a refusal is short, however long the names in the value are', () => {
  const name = 'n'.repeat(1_000_000);
  expect(problemOf({ [name]: 1n }).length).toBeLessThan(300);
  const Long = { [name]: class {} }[name] ?? Object;
  expect(problemOf(new Long()).length).toBeLessThan(300);
});

test('an object without a prototype is plain, and so is one of another realm', () => {
  const bare = Object.assign(Object.create(null) as object, { a: 1 });
  expect(admitJson(bare)).toEqual({ ok: true, value: { a: 1 } });
  const foreignPrototype = Object.create(null, {
    hasOwnProperty: { value: () => false },
  }) as object;
  const foreign = Object.assign(Object.create(foreignPrototype) as object, { a: 1 });
  expect(admitJson(foreign)).toEqual({ ok: true, value: { a: 1 } });
});

test('a key named __proto__ is a key and no prototype', () => {
  const admitted = admitJson(JSON.parse('{"__proto__":{"admin":true},"a":1}'));
  const value = admitted.ok ? admitted.value : null;
  expect(JSON.stringify(value)).toBe('{"__proto__":{"admin":true},"a":1}');
  expect(Reflect.get(value as object, 'admin')).toBeUndefined();
});

test('stored text is read back deep-frozen', () => {
  const read = parseJson('{"a":[{"b":1}]}') as { a: { b: number }[] };
  expect(read).toEqual({ a: [{ b: 1 }] });
  expect(Object.isFrozen(read) && Object.isFrozen(read.a) && Object.isFrozen(read.a[0])).toBe(true);
  expect(parseJson('null')).toBe(null);
});

test('equal values have one text, whatever the order of their keys', () => {
  const a = { b: 1, a: { d: [1, { z: 0, y: 0 }], c: null } };
  const b = { a: { c: null, d: [1, { y: 0, z: 0 }] }, b: 1 };
  expect(canonicalJson(a)).toBe('{"a":{"c":null,"d":[1,{"y":0,"z":0}]},"b":1}');
  expect(canonicalJson(b)).toBe(canonicalJson(a));
});

test('the order of a list is part of its text', () => {
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
  expect(canonicalJson('"')).toBe('"\\""');
});

test.each<readonly [Json, Json, boolean]>([
  [{ a: 1, b: [2, { c: null, d: 'e' }] }, { b: [2, { d: 'e', c: null }], a: 1 }, true],
  [{ a: 1 }, { a: 1, b: null }, false],
  [{ a: 1, b: null }, { a: 1, c: null }, false],
  [{ a: { b: 1 } }, { a: { b: 2 } }, false],
  [[1, 2], [2, 1], false],
  [['a'], { 0: 'a' }, false],
  [[], {}, false],
  [{}, null, false],
  [1, '1', false],
  [{ toString: 1 }, { a: 1 }, false],
])('%j and %j are the same: %j', (a, b, same) => {
  expect(sameJson(a, b)).toBe(same);
  expect(sameJson(b, a)).toBe(same);
});

test('the empty object that everyone shares cannot be written to', () => {
  expect(() => Object.assign(EMPTY, { a: 1 })).toThrow(TypeError);
});
