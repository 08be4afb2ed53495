/** Forms as people meet them: what does not fit is said in full, and no form can do harm. */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { checkSchema } from './schema.ts';

const expense: JsonObject = {
  type: 'object',
  required: ['amount', 'day'],
  additionalProperties: false,
  properties: {
    amount: { type: 'number', minimum: 1 },
    day: { type: 'string', format: 'date' },
    mail: { type: 'string', format: 'email' },
    lines: { type: 'array', items: { $ref: '#/$defs/line' } },
    paid: { anyOf: [{ const: 'cash' }, { type: 'object', required: ['iban'] }] },
  },
  $defs: { line: { type: 'object', properties: { count: { type: 'integer' } } } },
};

const problemsIn = (value: Json, form = expense): unknown => {
  const checked = checkSchema(form, value);
  return checked.ok ? checked.value : { form: checked.problem };
};

describe('a value', () => {
  test('that fits has no problems, however often it is asked', () => {
    const value = { amount: 3, day: '2026-02-28', mail: 'ann@example.org', lines: [{ count: 2 }] };
    expect(problemsIn(value)).toEqual([]);
    expect(problemsIn({ ...value, paid: 'cash' })).toEqual([]);
  });

  test('that does not is told everything that is wrong with it, and where', () => {
    const value = { amount: 0, mail: 'ann', lines: [{ count: 1 }, { count: 1.5 }], more: 1 };
    expect(problemsIn(value)).toEqual([
      { path: '', message: 'Instance does not have required property "day".' },
      { path: '/amount', message: '0 is less than 1.' },
      { path: '/mail', message: 'String does not match format "email".' },
      {
        path: '/lines/1/count',
        message: 'Instance type "number" is invalid. Expected "integer".',
      },
      { path: '/more', message: 'Nothing is allowed here.' },
    ]);
  });

  test('has a date that is one', () => {
    expect(problemsIn({ amount: 1, day: '2026-02-29' })).toEqual([
      { path: '/day', message: 'String does not match format "date".' },
    ]);
  });

  test('that is at a bound that is not allowed is told so', () => {
    const bounds = { exclusiveMinimum: 0, exclusiveMaximum: 2 };
    expect(problemsIn(0, bounds)).toEqual([{ path: '', message: '0 is less than or equal to 0.' }]);
    expect(problemsIn(1, bounds)).toEqual([]);
    expect(problemsIn(2, bounds)).toEqual([
      { path: '', message: '2 is greater than or equal to 2.' },
    ]);
  });

  test('that is none of several is told so once', () => {
    expect(problemsIn({ amount: 1, day: '2026-02-28', paid: {} })).toEqual([
      { path: '/paid', message: 'Instance does not match any subschemas.' },
    ]);
  });

  test('that is wrong in very many places is told the first of them, and soon', () => {
    const form = { items: { anyOf: [{ type: 'string' }, { type: 'boolean' }] } };
    const problems = problemsIn(Array(100_000).fill(0), form) as readonly unknown[];
    expect(problems).toHaveLength(101);
    expect(problems[0]).toEqual({ path: '/0', message: 'Instance does not match any subschemas.' });
    expect(problems[100]).toEqual({ path: '', message: 'and 99900 more like these' });
  });

  test('with more items than can be compared with each other is refused, and soon', () => {
    const form = { properties: { ids: { type: 'array', uniqueItems: true } } };
    const ids = Array.from({ length: 400_000 }, (_, id) => id);
    const message = 'Array has too many items to compare (more than 5000).';
    expect(problemsIn({ ids }, form)).toEqual([{ path: '/ids', message }]);
    expect(problemsIn({ ids: ids.slice(0, 5_000) }, form)).toEqual([]);
    expect(problemsIn({ ids: [1, 2, 1] }, form)).toHaveLength(1);
  });

  test('is judged by the draft that the form names', () => {
    const items = { type: 'array', items: [{ type: 'string' }], additionalItems: false };
    const seventh = { $schema: 'http://json-schema.org/draft-07/schema#', ...items };
    expect(problemsIn(['a', 'b'], seventh)).toEqual([
      { path: '/1', message: 'Nothing is allowed here.' },
    ]);
    const bound = { minimum: 0, exclusiveMinimum: true };
    const fourth = { $schema: 'http://json-schema.org/draft-04/schema#', ...bound };
    expect(problemsIn(1, fourth)).toEqual([]);
    expect(problemsIn(0, fourth)).toHaveLength(1);
  });

  test('cannot reach what every object has', () => {
    const form = { type: 'object', required: ['constructor'], properties: { toString: false } };
    expect(problemsIn({}, form)).toEqual([
      { path: '', message: 'Instance does not have required property "constructor".' },
    ]);
  });
});

describe('a form', () => {
  test.each<[string, JsonObject, string, string]>([
    ['has a type that is none', { type: 'objet' }, '/type', 'any subschemas'],
    ['requires by a text', { required: 'amount' }, '/required', 'Expected "array"'],
    ['lists what is no list', { enum: 5 }, '/enum', 'Expected "array"'],
    ['has properties that are none', { properties: [] }, '/properties', 'Expected "object"'],
    [
      'is wrong far inside',
      { properties: { a: { items: { minLength: -1 } } } },
      '/properties/a/items',
      'any subschemas',
    ],
    // As draft 4 has it: any other would take true for a number.
    [
      'excludes a bound by true',
      { minimum: 0, exclusiveMinimum: true },
      '/exclusiveMinimum',
      'Expected "number"',
    ],
    ['has a pattern that is none', { pattern: '(' }, '/pattern', 'format "regex"'],
    ['names a draft that nobody has', { $schema: 'http://example.org' }, '/$schema', ''],
    ['asks for what is not followed', { $dynamicRef: '#node' }, '/$dynamicRef', 'Nothing'],
    ['refers to what it lacks', { $ref: '#/$defs/line' }, '', 'is not in it'],
    [
      'refers to another place',
      { properties: { a: { $ref: 'https://example.org/a.json' } } },
      '',
      '"https://example.org/a.json" is not in it, and nothing is fetched',
    ],
    ['has an id that is none', { $id: 'http://[' }, '', 'Invalid URL'],
    ['is only itself', { $ref: '#' }, '', 'refers to itself'],
  ])('that %s is no schema', (_, form, path, message) => {
    const checked = checkSchema(form, null);
    expect(checked).toMatchObject({
      ok: false,
      problem: [{ path, message: expect.stringContaining(message) }],
    });
  });

  test('that goes round for some values only is found out by them', () => {
    const form = { properties: { a: { $ref: '#/properties/a' } } };
    expect(problemsIn({ b: 1 }, form)).toEqual([]);
    expect(problemsIn({ a: 1 }, form)).toEqual({
      form: [{ path: '', message: expect.stringContaining('it refers to itself') as never }],
    });
  });

  test('that refers to itself and gets somewhere is fine', () => {
    const tree = { properties: { below: { type: 'array', items: { $ref: '#' } } } };
    expect(problemsIn({ below: [{ below: [{ below: 1 }] }] }, tree)).toEqual([
      {
        path: '/below/0/below/0/below',
        message: 'Instance type "number" is invalid. Expected "array".',
      },
    ]);
  });

  test('is left as it was, frozen or not, and each of very many is itself', () => {
    const forms = Array.from({ length: 500 }, (_, least) => Object.freeze({ minimum: least }));
    for (const _ of [1, 2]) {
      for (const [least, form] of forms.entries()) {
        expect(problemsIn(least, form)).toEqual([]);
        expect(problemsIn(least - 1, form)).toHaveLength(1);
      }
    }
    expect(forms[7]).toEqual({ minimum: 7 });
  });
});
