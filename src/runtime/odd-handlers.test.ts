/** Bad input: whatever a handler does, the outcome is a bounded fault with a code. */
import { describe, expect, test, vi } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Fault } from '../model/instance.ts';
import { LIMITS, type Limits } from '../model/limits.ts';
import { createTestEngine } from '../testing/test-engine.ts';
import { Notebook } from '../testing/world.ts';
import { STEP_FAILED } from './handler-log.ts';
import type { HandlerContext } from './handlers.ts';

const odd = flow('odd')
  .step('act', (): unknown => null)
  .end(({ results }) => results.act);

const calm = flow('calm')
  .step('breathe', () => 'in')
  .step('again', () => 'out')
  .end(({ results }) => [results.breathe, results.again]);

type Act = (context: HandlerContext) => unknown;

/** What comes of it; beside it, instances of another flow must not notice anything. */
async function outcomeOf(act: Act, limits: Partial<Limits> = {}) {
  const logger = new Notebook();
  const kit = createTestEngine({ flows: [odd, calm], limits, logger });
  kit.mock('act', act);
  const [run, ...others] = await Promise.all([
    kit.start(odd, null),
    kit.start(calm, null),
    kit.start(calm, null),
  ]);
  await kit.runUntilIdle();
  for (const other of others) expect(await other.result()).toEqual(['in', 'out']);
  const view = await run.inspect();
  expect(['completed', 'failed']).toContain(view.status);
  expect(await kit.engine.check()).toMatchObject({ ok: true });
  expect(logger.lines.filter(({ message }) => message !== STEP_FAILED)).toEqual([]);
  return { ...view, path: kit.path(run.id) };
}

async function faultFrom(act: Act, limits: Partial<Limits> = {}): Promise<Fault> {
  const { status, fault } = await outcomeOf(act, limits);
  expect(status).toBe('failed');
  if (fault === null) throw new Error('a failed instance has a fault');
  expect(fault.node).toBe('act');
  expect(fault.code.length).toBeLessThanOrEqual(250);
  expect(fault.message.length).toBeLessThanOrEqual(LIMITS.FAULT_CHARS_MAX + 40);
  expect(fault.message).not.toBe('');
  return fault;
}

const MEGABYTES = 10 * 1_024 * 1_024;

function cyclic(): object {
  const ring: Record<string, unknown> = {};
  ring['self'] = ring;
  return ring;
}

/** An object that refuses every look at it. */
function trap(): object {
  const refuse = (): never => {
    throw new Error('do not look');
  };
  return new Proxy({}, { get: refuse, getPrototypeOf: refuse, ownKeys: refuse, has: refuse });
}

function throwing(value: unknown): Act {
  return () => {
    // What the handlers of strangers throw is no error half of the time.
    throw value;
  };
}

function erroneous(fields: object, message = 'boom'): Error {
  return Object.assign(new Error(message), fields);
}

class Money {
  readonly amount = 1;
}

describe('a handler may throw anything', () => {
  test.each<[string, unknown, string, string]>([
    ['a text', 'just words', 'handler.threw', 'just words'],
    ['undefined', undefined, 'handler.threw', 'undefined was thrown'],
    ['null', null, 'handler.threw', 'null'],
    ['a number', 42, 'handler.threw', '42'],
    ['a bigint', 42n, 'handler.threw', '42'],
    ['a symbol', Symbol('s'), 'handler.threw', 'Symbol(s)'],
    ['an object', { reason: 'x' }, 'handler.threw', 'an object that is no error was thrown'],
    ['a cyclic object', cyclic(), 'handler.threw', 'an object that is no error was thrown'],
    ['an error', new Error('boom'), 'handler.threw', 'boom'],
    ['an error of a kind', new TypeError('boom'), 'handler.threw', 'TypeError: boom'],
    ['an error with a code', erroneous({ code: 'E42' }), 'E42', 'boom'],
    ['an error with an odd code', erroneous({ code: 42 }), 'handler.threw', 'boom'],
    ['an error with an empty code', erroneous({ code: '' }), 'handler.threw', 'boom'],
    ['an error with an odd message', erroneous({ message: 7 }), 'handler.threw', 'an object that'],
    ['what refuses every look', trap(), 'handler.threw', 'something unreadable was thrown'],
    ['an error with a cause', new Error('a', { cause: cyclic() }), 'handler.threw', 'a'],
  ])('%s', async (_, value, code, message) => {
    const fault = await faultFrom(throwing(value));
    expect(fault.code).toBe(code);
    expect(fault.message).toContain(message);
  });

  test('an object whose getter throws', async () => {
    const error = new Error('fine');
    Object.defineProperty(error, 'message', {
      get: () => {
        throw new Error('not fine');
      },
    });
    expect(await faultFrom(throwing(error))).toMatchObject({ code: 'handler.threw' });
  });

  test('an error whose toString throws', async () => {
    const error = erroneous({
      toString: () => {
        throw new Error('no text');
      },
    });
    expect(await faultFrom(throwing(error))).toMatchObject({ message: 'boom' });
  });

  test('an error with a message of 10 MB, of which the beginning is kept', async () => {
    const { message } = await faultFrom(throwing(new Error('x'.repeat(MEGABYTES))));
    expect(message).toMatch(/^x+… \(\d+ more characters\)$/);
    expect(message.indexOf('…')).toBe(LIMITS.FAULT_CHARS_MAX);
  });

  test('an error with a code or a name of 10 MB', async () => {
    const long = 'x'.repeat(MEGABYTES);
    expect((await faultFrom(throwing(erroneous({ code: long })))).code).toMatch(/^x{200}…/);
    expect((await faultFrom(throwing(erroneous({ name: long })))).message).toMatch(/^x+…/);
  });

  test('FAULT_CHARS_MAX is where a message is cut, and not before', async () => {
    const limits = { FAULT_CHARS_MAX: 50 };
    const fits = await faultFrom(throwing(new Error('x'.repeat(50))), limits);
    expect(fits.message).toBe('x'.repeat(50));
    const cut = await faultFrom(throwing(new Error('x'.repeat(51))), limits);
    expect(cut.message).toBe(`${'x'.repeat(50)}… (1 more characters)`);
  });

  test('at once, before it has awaited anything, or much later', async () => {
    const later = async (): Promise<never> => {
      await Promise.resolve();
      throw new Error('later');
    };
    expect((await faultFrom(throwing(new Error('at once')))).message).toBe('at once');
    expect((await faultFrom(later)).message).toBe('later');
  });
});

describe('a handler may return any JSON', () => {
  test.each<[string, unknown, unknown]>([
    ['nothing', undefined, null],
    ['null', null, null],
    ['a text', 'words', 'words'],
    ['false', false, false],
    ['minus zero', -0, 0],
    ['a list', [1, [2]], [1, [2]]],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ['a field that is undefined', { a: undefined, b: 1 }, { b: 1 }],
    ['a promise', Promise.resolve('kept'), 'kept'],
    ['a lonely surrogate', '\ud800', '\ud800'],
    ['a null character', '\u0000', '\u0000'],
  ])('%s', async (_, value, kept) => {
    expect(await outcomeOf(() => value)).toMatchObject({ status: 'completed', output: kept });
  });

  test('and a field named __proto__ is a field like any other', async () => {
    const { output } = await outcomeOf(() => JSON.parse('{"__proto__":{"evil":true}}') as unknown);
    expect(JSON.stringify(output)).toBe('{"__proto__":{"evil":true}}');
    expect(Reflect.get(Object.prototype, 'evil')).toBeUndefined();
  });
});

describe('a result that is not JSON is refused with the place', () => {
  test.each<[string, unknown, string]>([
    ['a cycle', cyclic(), 'nested deeper than 200, or in a cycle'],
    ['a bigint', { total: 1n }, '"/total" is a bigint'],
    ['a Date', new Date(0), 'the value is a Date; use date.toISOString()'],
    ['a Map', { seen: new Map() }, '"/seen" is a Map'],
    ['a Set', new Set(), 'the value is a Set'],
    ['NaN', Number.NaN, 'the value is the number NaN'],
    ['infinity', [1, Number.POSITIVE_INFINITY], '"/1" is the number Infinity'],
    ['a function', () => 1, 'the value is a function'],
    ['a symbol', Symbol('s'), 'the value is a symbol'],
    ['a class instance', new Money(), 'the value is a Money; use a plain object instead'],
    ['an error', new Error('returned'), 'the value is a Error'],
    ['undefined in a list', [undefined], '"/0" is undefined'],
    ['an object with toJSON', { toJSON: () => 1 }, 'the value is an object with toJSON'],
    ['a buffer', Buffer.from('x'), 'the value is a Buffer'],
    ['a key of 10 MB', { ['k'.repeat(MEGABYTES)]: 1n }, 'is a bigint'],
    ['what refuses every look', { inside: trap() }, 'reading it threw an error of its own'],
  ])('%s', async (_, value, problem) => {
    const fault = await faultFrom(() => value);
    expect(fault.code).toBe('handler.result-not-json');
    expect(fault.message).toContain(problem);
  });

  test('a thing that only looks like a promise', async () => {
    const thenable = {};
    Reflect.set(thenable, 'then', throwing(new Error('no promise')));
    expect((await faultFrom(() => thenable)).message).toBe('no promise');
  });
});

test('a result has at most VALUE_CHARS_MAX characters', async () => {
  const limits = { VALUE_CHARS_MAX: 100 };
  const fits = await outcomeOf(() => 'x'.repeat(98), limits);
  expect(fits.output).toBe('x'.repeat(98));
  expect(await faultFrom(() => 'x'.repeat(99), limits)).toEqual({
    code: 'handler.result-too-large',
    message: 'a result has at most VALUE_CHARS_MAX 100 characters of JSON; came 101',
    node: 'act',
  });
  const many = await faultFrom(() => Array.from({ length: 51 }, () => 1), limits);
  expect(many.code).toBe('handler.result-too-large');
});

test('the default VALUE_CHARS_MAX holds at n and not at n + 1', async () => {
  const n = LIMITS.VALUE_CHARS_MAX;
  expect((await outcomeOf(() => 'x'.repeat(n - 2))).status).toBe('completed');
  expect((await faultFrom(() => 'x'.repeat(n - 1))).code).toBe('handler.result-too-large');
});

describe('a handler may set variables', () => {
  test.each<[string, unknown]>([
    ['no name', ''],
    ['a name that is no text', 7],
    ['__proto__', '__proto__'],
    ['a name of the engine', '$now'],
    ['a name of 501 characters', 'x'.repeat(501)],
    ['a name of 10 MB', 'x'.repeat(MEGABYTES)],
  ])('but not with %s', async (_, name) => {
    const fault = await faultFrom(({ set }) => set(name as string, 1));
    expect(fault.code).toBe('handler.bad-variable');
  });

  test.each<[string, unknown]>([
    ['a cycle', cyclic()],
    ['a bigint', 1n],
    ['a Date', new Date(0)],
  ])('but not to %s', async (_, value) => {
    const fault = await faultFrom(({ set }) => set('mine', value));
    expect(fault.code).toBe('handler.variable-not-json');
    expect(fault.message).toContain('"mine"');
  });

  test('but not to more than VALUE_CHARS_MAX characters', async () => {
    const limits = { VALUE_CHARS_MAX: 100 };
    const fault = await faultFrom(({ set }) => set('mine', 'x'.repeat(99)), limits);
    expect(fault.code).toBe('handler.variable-too-large');
  });

  test('but not for anywhere else than the scope or the instance', async () => {
    const elsewhere = { in: 'galaxy' as 'scope' };
    const fault = await faultFrom(({ set }) => set('mine', 1, elsewhere));
    expect(fault.code).toBe('handler.bad-variable');
  });

  test('and none of them is kept if the step fails', async () => {
    const { tokens, scopes } = await outcomeOf(({ set }) => {
      set('mine', 1, { in: 'instance' });
      throw new Error('after all');
    });
    expect({ tokens, scopes }).toEqual({ tokens: [], scopes: [] });
  });
});

test('a log line that cannot be written does not fail the step', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const kit = createTestEngine({ flows: [odd] });
  kit.mock('act', ({ log }) => {
    log.debug('nobody asked');
    log.warn('fine', { n: 1 });
    log.error('ring', { ring: cyclic() });
    log.error('huge', { huge: 1n });
    const trap = {
      get inside(): never {
        throw new Error('read me not');
      },
    };
    log.error('trap', { trap });
    return 'logged';
  });
  expect(await (await kit.start(odd, null)).result()).toBe('logged');
  const lines = stderr.mock.calls.map(([line]) => String(line));
  stderr.mockRestore();
  expect(lines).toEqual([
    expect.stringContaining('perdure warn: fine {"instance":'),
    expect.stringContaining('perdure error: ring {"instance":'),
    'perdure error: huge (details that cannot be written)\n',
    expect.stringContaining('perdure error: trap '),
  ]);
});

test('what a handler is given is frozen', async () => {
  const kit = createTestEngine({ flows: [odd] });
  kit.mock('act', ({ input, results, vars }) => [input, results, vars].map(Object.isFrozen));
  const run = await kit.start('odd', { a: {} });
  expect(await run.result()).toEqual([true, true, true]);
});
