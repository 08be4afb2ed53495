import { expect, test } from 'vitest';
import type { JsonObject } from '../api/shapes.ts';
import { readJson } from './json-field.tsx';
import { localText, momentOf } from './schema-fields.tsx';
import { firstValue, formProblems, placed, resolved, shapeOf } from './schema-rules.ts';

const ORDER: JsonObject = {
  type: 'object',
  required: ['customer', 'items', 'paid'],
  additionalProperties: false,
  properties: {
    customer: { type: 'string', minLength: 2 },
    items: { type: 'array', minItems: 1, items: { $ref: '#/$defs/item' } },
    paid: { type: 'boolean' },
    currency: { type: 'string', default: 'EUR', enum: ['EUR', 'USD'] },
    note: { type: ['string', 'null'] },
  },
  $defs: {
    item: {
      type: 'object',
      required: ['sku'],
      properties: {
        sku: { type: 'string', pattern: '^[A-Z]\\d$' },
        price: { type: 'number', minimum: 0, multipleOf: 0.1 },
      },
    },
  },
};

function kindOf(schema: JsonObject): string {
  return shapeOf(resolved(schema, schema), schema).kind;
}

test('a form begins with defaults and with the frame of what is required', () => {
  expect(firstValue(ORDER)).toEqual({ items: [], paid: false, currency: 'EUR' });
});

test('what is wrong is told with its place', () => {
  const value = {
    ...{ customer: 'A', items: [{ sku: 'a1', price: -1 }, {}], paid: 'x', other: 1 },
    note: null,
  };
  expect(formProblems(ORDER, value)).toEqual([
    { path: '/customer', message: 'must have 2 characters or more' },
    { path: '/items/0/sku', message: 'must fit the pattern ^[A-Z]\\d$' },
    { path: '/items/0/price', message: 'must be 0 or more' },
    { path: '/items/1/sku', message: 'is required' },
    { path: '/paid', message: 'must be yes or no' },
    { path: '', message: '“other” is not known' },
  ]);
  const good = { customer: 'Ada', items: [{ sku: 'A1', price: 0.3 }], paid: true };
  expect(formProblems(ORDER, good)).toEqual([]);
});

test('each schema is the field that people expect of it', () => {
  expect(kindOf({ type: 'string' })).toBe('text');
  expect(shapeOf({ type: 'string', maxLength: 500 }, {})).toMatchObject({ isLong: true });
  expect(kindOf({ type: ['integer', 'null'] })).toBe('number');
  expect(kindOf({ enum: [1, 'two', null] })).toBe('enum');
  expect(kindOf({ oneOf: [{ const: 'a', title: 'First' }, { const: 'b' }] })).toBe('enum');
  expect(kindOf({ anyOf: [{ type: 'string' }, { type: 'null' }] })).toBe('choice');
  expect(kindOf({ const: 3 })).toBe('const');
  expect(kindOf({ allOf: [{ properties: { a: { type: 'string' } } }] })).toBe('object');
});

test('what is not understood is written as JSON and left to the server', () => {
  for (const schema of [
    ...[{}, { type: 'object' }, { type: 'array' }, { type: ['string', 'number'] }],
    ...[{ $ref: 'https://example.com/x' }, { $ref: '#/nowhere' }, { not: { type: 'string' } }],
  ]) {
    expect(kindOf(schema)).toBe('json');
    expect(formProblems(schema, { anything: true })).toEqual([]);
  }
});

test('a schema that refers to itself, or has a pattern nobody can read, ends well', () => {
  const loop: JsonObject = { $ref: '#/a', a: { $ref: '#/b' }, b: { $ref: '#/a' } };
  expect(firstValue(loop)).toBeUndefined();
  expect(formProblems({ type: 'string', pattern: '(' }, 'x')).toEqual([]);
});

test('what the server says is put to the field that it names', () => {
  expect(placed({ path: 'items.0.sku', message: 'no' }).path).toBe('/items/0/sku');
  expect(placed({ path: '/items', message: 'no' }).path).toBe('/items');
  const message = 'Instance does not have required property "text".';
  expect(placed({ path: '', message }).path).toBe('/text');
});

test('JSON that cannot be read is told by line and column', () => {
  expect(readJson('  ')).toEqual({ ok: true, value: undefined });
  expect(readJson('{"a": 1}')).toEqual({ ok: true, value: { a: 1 } });
  const read = readJson('{\n  "a": 1,\n  b\n}');
  expect(read).toMatchObject({ ok: false });
  expect(read.ok ? '' : read.message).toMatch(/line 3, column 3/);
});

test('a moment is shown by the local clock and kept as it is', () => {
  expect(momentOf(localText('2030-12-31T12:00:00Z'))).toBe('2030-12-31T12:00:00.000Z');
  expect(momentOf('')).toBe('');
});
