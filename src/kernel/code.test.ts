import { describe, expect, test } from 'vitest';
import type { Code, CodeView } from '../model/definition.ts';
import type { Fault } from '../model/instance.ts';
import { LIMITS } from '../model/limits.ts';
import { draw, Story } from '../testing/story.ts';
import { faultOf } from './code.ts';

/** What becomes of a closure: the fault it gives, or null. */
function faultFrom(value: Code, limits = {}): Fault | null {
  const story = new Story(draw(['x -> A'], { x: { kind: 'set', code: { value } } }), { limits });
  story.start();
  return story.head.fault;
}

/** A closure that throws something. */
const thrower =
  (thrown: unknown): Code =>
  () => {
    throw thrown;
  };

const cyclic: Record<string, unknown> = { name: 'loop' };
cyclic['self'] = cyclic;

const trap = {
  get message(): never {
    throw new Error('hands off');
  },
};

const proxy: unknown = new Proxy<object>({ a: 1 }, { get: () => Reflect.get(trap, 'message') });

describe('whatever a closure throws is a fault with a code and a short message', () => {
  const odd: readonly (readonly [string, unknown, string])[] = [
    ['an error', new Error('no stock'), 'no stock'],
    ['an error of a kind', new TypeError('x is undefined'), 'TypeError: x is undefined'],
    ['a text', 'no stock', 'no stock'],
    ['a number', 7, '7'],
    ['undefined', undefined, 'undefined was thrown'],
    ['null', null, 'null'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['a bigint', 7n, '7'],
    ['a plain object', { a: 1 }, 'an object that is no error was thrown'],
    ['a cyclic object', cyclic, 'an object that is no error was thrown'],
    ['an object with a getter that throws', trap, 'something unreadable was thrown'],
    ['a proxy that throws', proxy, 'something unreadable was thrown'],
  ];
  for (const [name, thrown, message] of odd) {
    test(name, () => {
      expect(faultFrom(thrower(thrown))).toEqual({ code: 'code.threw', message, node: 'x' });
    });
  }

  test('an error that has a code keeps it', () => {
    const error = Object.assign(new Error('refused'), { code: 'card.refused' });
    expect(faultFrom(thrower(error))).toMatchObject({ code: 'card.refused', message: 'refused' });
  });

  test('an error whose code is no text has ours', () => {
    const error = Object.assign(new Error('refused'), { code: 42 });
    expect(faultFrom(thrower(error))?.code).toBe('code.threw');
  });

  test('an error with a message of 10 MB is cut, and says by how much', () => {
    const fault = faultFrom(thrower(new Error('x'.repeat(10_000_000))));
    expect(fault?.message.length).toBeLessThan(LIMITS.FAULT_CHARS_MAX + 50);
    expect(fault?.message).toMatch(/x… \(9991808 more characters\)$/);
  });

  test('an error with a code of 1 MB is cut too', () => {
    const error = Object.assign(new Error('x'), { code: 'c'.repeat(1_000_000) });
    expect(faultFrom(thrower(error))?.code.length).toBeLessThan(250);
  });
});

test('a message of FAULT_CHARS_MAX is whole, and one character more is cut', () => {
  const limits = { ...LIMITS, FAULT_CHARS_MAX: 10 };
  expect(faultOf(new Error('1234567890'), 'x', limits).message).toBe('1234567890');
  expect(faultOf(new Error('12345678901'), 'x', limits).message).toBe(
    '1234567890… (1 more characters)',
  );
});

describe('whatever a closure returns is JSON or a fault', () => {
  const sayings: readonly (readonly [string, unknown, string])[] = [
    ['a date', new Date(0), 'the value is a Date; use date.toISOString()'],
    ['a bigint', 1n, 'the value is a bigint'],
    ['NaN', Number.NaN, 'the value is the number NaN'],
    ['a function', () => 1, 'the value is a function'],
    ['a symbol in a list', [Symbol('s')], '"/0" is a symbol'],
    [
      'a class instance',
      new (class Money {})(),
      'the value is a Money; use a plain object instead',
    ],
    ['a getter that throws', { a: trap }, 'reading it threw an error of its own'],
    ['a proxy that throws', proxy, 'reading it threw an error of its own'],
  ];
  for (const [name, value, problem] of sayings) {
    test(name, () => {
      const message = `"value" of node "x" did not return JSON: ${problem}`;
      expect(faultFrom(() => value)).toEqual({ code: 'code.not-json', message, node: 'x' });
    });
  }

  test('a cycle', () => {
    expect(faultFrom(() => cyclic)).toMatchObject({
      code: 'code.not-json',
      message: expect.stringContaining('in a cycle'),
    });
  });

  test('undefined, which is null', () => {
    expect(faultFrom(() => undefined)).toBe(null);
  });

  test('a promise, with a word on what to do', () => {
    expect(faultFrom(() => Promise.resolve(1))).toMatchObject({
      code: 'code.not-json',
      message: expect.stringContaining(': a closure is synchronous; use a step instead'),
    });
  });

  test('a promise that fails, which nobody is left to hear: the process lives on', async () => {
    const heard: unknown[] = [];
    const listen = (reason: unknown): unknown => heard.push(reason);
    process.on('unhandledRejection', listen);
    expect(faultFrom(() => Promise.reject(new Error('unheard')))?.code).toBe('code.not-json');
    // Node tells of a rejection nobody heard once the microtasks of the turn are done.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', listen);
    expect(heard).toEqual([]);
  });

  test('something whose every property is a trap, `then` among them', () => {
    const get = (): never => Reflect.get(trap, 'message');
    expect(faultFrom(() => new Proxy<object>(new Date(0), { get }))?.code).toBe('code.not-json');
  });
});

test('a value of VALUE_CHARS_MAX characters is kept, and one character more is a fault', () => {
  const limits = { VALUE_CHARS_MAX: 10 };
  expect(faultFrom(() => '12345678', limits)).toBe(null);
  expect(faultFrom(() => ({ a: 1234 }), limits)).toBe(null);
  expect(faultFrom(() => '123456789', limits)).toEqual({
    code: 'code.too-large',
    message: '"value" of node "x" returned 11 characters of JSON (VALUE_CHARS_MAX 10)',
    node: 'x',
  });
  expect(faultFrom(() => ({ a: 12345 }), limits)?.code).toBe('code.too-large');
});

test('a closure that is not there is a fault that names node and slot', () => {
  const story = new Story(draw(['x -> A'], { x: { kind: 'set' } }));
  story.start();
  expect(story.head.fault).toEqual({
    code: 'code.missing',
    message: 'node "x" has no code for "value"',
    node: 'x',
  });
});

test('a closure sees input, results, variables, item and index, and can alter none', () => {
  const seen: CodeView[] = [];
  const story = new Story(
    draw(['A -> x'], {
      x: {
        kind: 'set',
        code: {
          value: (view) => {
            seen.push(view);
            return Object.assign(view.results, { A: 'forged' });
          },
        },
      },
    }),
  );
  story.start({ n: 1 });
  story.done(2, { id: 7 });
  expect(seen).toEqual([
    { input: { n: 1 }, results: { A: { id: 7 } }, vars: {}, item: null, index: null },
  ]);
  expect(story.head.fault).toMatchObject({ code: 'code.threw' });
});

test('O-92: a closure is asked once; what it said is history, whatever it would say now', () => {
  let asked = 0;
  const story = new Story(
    draw(['x -> A -> y -> B'], {
      x: {
        kind: 'set',
        code: {
          value: () => {
            asked += 1;
            return asked;
          },
        },
      },
      y: { kind: 'set', code: { value: ({ results }) => results['x'] } },
    }),
  );
  story.start();
  // Every stride of a story folds its whole history to check it against the state.
  expect(story.done(3)).toContain('results {"y":1}');
  expect(asked).toBe(1);
});
