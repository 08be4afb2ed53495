import { describe, expect, test } from 'vitest';
import type { Code } from '../model/definition.ts';
import { problemsOf } from '../testing/problems.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

function pricing(value: Code, settings = {}): Drawing {
  return draw(['price -> A'], { price: { kind: 'set', settings, code: { value } } });
}

test('a set computes a value, keeps it as its result and writes its fields as variables', () => {
  const story = new Story(pricing(({ input }) => ({ total: Number(input) * 2 })));

  expect(story.start(21)).toBe(text`
    start  test 21
    open   scope 1
    birth  token 2 at price
    write  scope 1 results {"price":{"total":42}}
    write  scope 1 vars {"total":42}
    birth  token 3 at A ready
    end    token 2 done
    ! offer token 3 to test@1/A
  `);
});

describe('a value that is no object is a result and no variable', () => {
  for (const value of [null, true, 7, 'seven', [1, { a: 2 }]]) {
    test(JSON.stringify(value), () => {
      const told = new Story(pricing(() => value)).start();
      expect(told).toContain(`results {"price":${JSON.stringify(value)}}`);
      expect(told).not.toContain('vars');
    });
  }
});

function inside(settings: { in?: string }): Drawing {
  return draw(['box -> A', 'price -> B'], {
    box: { kind: 'scope', settings: { body: 'price' } },
    price: { kind: 'set', settings, in: 'box', code: { value: () => ({ total: 42 }) } },
    B: { kind: 'step', in: 'box' },
  });
}

test('O-87: variables are written in the scope the node lies in', () => {
  const told = new Story(inside({})).start();
  expect(told).toContain('write  scope 3 results {"price":{"total":42}}');
  expect(told).toContain('write  scope 3 vars {"total":42}');
});

test('variables are written for the whole instance if the node says so, results never are', () => {
  const told = new Story(inside({ in: 'instance' })).start();
  expect(told).toContain('write  scope 3 results {"price":{"total":42}}');
  expect(told).toContain('write  scope 1 vars {"total":42}');
});

test('a value is read by what comes after it', () => {
  const story = new Story(
    draw(['one -> two -> A'], {
      one: { kind: 'set', code: { value: () => ({ n: 1 }) } },
      two: { kind: 'set', code: { value: ({ vars }) => ({ n: Number(vars['n']) + 1 }) } },
    }),
  );
  expect(story.start()).toContain('vars {"n":2}');
});

test('a closure cannot alter what it is given', () => {
  const sneaky: Code = ({ input }) => (input as { list: number[] }).list.push(1);
  const story = new Story(pricing(sneaky));
  story.start(Object.freeze({ list: Object.freeze([]) }));
  expect(story.head.fault).toMatchObject({ code: 'code.threw', node: 'price' });
});

test('a closure that throws fails the instance and names the node', () => {
  const story = new Story(pricing(() => Reflect.get(undefined as never, 'x')));
  expect(story.start()).toContain('end    token 2 failed code.threw');
  expect(story.head).toMatchObject({ status: 'failed', fault: { node: 'price' } });
});

test('a value that is not JSON fails the instance', () => {
  const story = new Story(pricing(() => ({ when: new Date(0) })));
  story.start();
  expect(story.head.fault).toMatchObject({ code: 'code.not-json', node: 'price' });
});

test('a set writes in its scope or in the instance, nowhere else', () => {
  expect(problemsOf(pricing(() => 1, { in: 'parent' }))).toEqual([
    `set.bad-place price: "price" sets in 'scope' or in 'instance'; came "parent"`,
  ]);
});
