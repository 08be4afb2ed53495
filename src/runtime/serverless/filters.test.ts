/** Which events a listener is for: LI-10 to LI-13. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { eventOf, heard } from '../../testing/listeners.ts';
import { workflow } from '../../testing/workflows.ts';

const INPUT = { wanted: 'x' };

/** Whether an event with these attributes fits a filter as it is written. */
async function fits(filter: string, attributes: JsonObject): Promise<boolean> {
  const body = `do: [{ hear: { listen: { to: { one: { with: ${filter} } } } } }]`;
  const event = { ...eventOf('a'), ...attributes };
  return (await heard(body, [event], { input: INPUT })) !== 'waiting';
}

describe('an attribute', () => {
  test.each<[string, JsonObject]>([
    ['type', { type: 'com.example.order' }],
    ['source', { source: 'https://example.com/orders' }],
    ['subject', { subject: 'order/1' }],
    ['id', { id: 'one' }],
    ['time', { time: '2026-01-01T00:00:00Z' }],
    ['dataschema', { dataschema: 'https://example.com/schema' }],
    ['datacontenttype', { datacontenttype: 'application/json' }],
    ['extension', { extension: 'more' }],
  ])('is the very same: %s [LI-10]', async (name, attributes) => {
    const filter = JSON.stringify(attributes);
    expect(await fits(filter, attributes)).toBe(true);
    const other = { ...attributes, [name]: name === 'time' ? '2026-01-02T00:00:00Z' : 'other' };
    expect(await fits(filter, other)).toBe(false);
    if (name === 'type' || name === 'source' || name === 'id') return;
    expect(await fits(filter, {})).toBe(false);
  });

  test('may be a number or true, where it is an extension [LI-10]', async () => {
    expect(await fits('{ type: a, level: 3, hot: true }', { level: 3, hot: true })).toBe(true);
    expect(await fits('{ type: a, level: 3 }', { level: 4 })).toBe(false);
    expect(await fits('{ type: a, level: 3 }', { level: '3' })).toBe(false);
  });

  test('each of several must fit [LI-10]', async () => {
    const filter = '{ type: a, subject: s }';
    expect(await fits(filter, { subject: 's' })).toBe(true);
    expect(await fits(filter, { subject: 't' })).toBe(false);
    expect(await fits(filter, { subject: 's', type: 'b' })).toBe(false);
  });
});

describe('a pattern', () => {
  test.each([
    ['com\\.example\\..*', 'com.example.order', true],
    ['com\\.example\\.(order|bill)', 'com.example.bill', true],
    ['com\\.example\\.(order|bill)', 'com.example.bills', false],
    ['order', 'com.example.order', false],
    ['.*order', 'com.example.order', true],
    ['.*ORDER', 'com.example.order', false],
    ['^com\\..*$', 'com.example.order', true],
    ['[a-z]+', 'order7', false],
    ['[a-z]+[0-9]?', 'order7', true],
    ['a|b', 'bc', false],
  ])('fits from beginning to end, and cares for case: %s, %s [LI-11]', async (wanted, type, is) => {
    expect(await fits(JSON.stringify({ type: wanted }), { type })).toBe(is);
  });

  test('that is the very text of the attribute fits it as well [LI-11]', async () => {
    const source = 'https://example.com/a?b=(c)';
    expect(await fits(JSON.stringify({ source }), { source })).toBe(true);
    expect(await fits('{ source: "/a(" }', { source: '/a(' })).toBe(true);
    expect(await fits('{ source: "/a(" }', { source: '/a' })).toBe(false);
  });

  test('is as good in subject, source and extensions [LI-11]', async () => {
    const filter = '{ source: "/rooms/.*", subject: "[0-9]+", extension: "x.+" }';
    const attributes = { source: '/rooms/1', subject: '42', extension: 'xy' };
    expect(await fits(filter, attributes)).toBe(true);
    expect(await fits(filter, { ...attributes, subject: 'forty-two' })).toBe(false);
  });

  test('costs no more than it may, however it is made', async () => {
    const filter = '{ subject: "(a*)*b" }';
    expect(await fits(filter, { subject: 'a'.repeat(30) })).toBe(false);
  });
});

describe('an expression', () => {
  test('is asked with the attribute as its input [LI-12]', async () => {
    const filter = '{ type: a, subject: \'${ startswith("order/") }\' }';
    expect(await fits(filter, { subject: 'order/1' })).toBe(true);
    expect(await fits(filter, { subject: 'bill/1' })).toBe(false);
  });

  test('is asked with the data of the event [LI-12]', async () => {
    const filter = "{ type: a, data: '${ .temperature > 38 }' }";
    expect(await fits(filter, { data: { temperature: 39 } })).toBe(true);
    expect(await fits(filter, { data: { temperature: 38 } })).toBe(false);
    expect(await fits(filter, { data: {} })).toBe(false);
  });

  test('may be the value that is wanted, of the input or the context [LI-12]', async () => {
    const filter = "{ type: a, subject: '${ $input.wanted }' }";
    expect(await fits(filter, { subject: 'x' })).toBe(true);
    expect(await fits(filter, { subject: 'y' })).toBe(false);
    const context = "{ type: a, subject: '${ $context.wanted }' }";
    expect(await fits(context, { subject: 'x' })).toBe(true);
  });

  test('that fails fails the task [LI-12]', async () => {
    const body = `do: [{ hear: { listen: { to: { one: { with: { data: '\${ .a.b }' } } } } } }]`;
    expect(await heard(body, [eventOf('a', { a: 1 })])).toMatchObject({
      type: 'https://serverlessworkflow.io/spec/1.0.0/errors/expression',
      status: 400,
      instance: '/do/0/hear',
    });
  });

  test('in an event is data, and is never evaluated [LI-12]', async () => {
    const filter = '{ type: a, data: { text: plain } }';
    expect(await fits(filter, { data: { text: '${ "plain" }' } })).toBe(false);
    const body = 'do: [{ hear: { listen: { to: { any: [] } } } }]';
    expect(await heard(body, [eventOf('a', '${ 1 + 1 }')])).toEqual(['${ 1 + 1 }']);
  });
});

describe('data', () => {
  const filter = '{ type: a, data: { order: { kind: book, tags: [x] } } }';

  test('has at least those members, to any depth [LI-12]', async () => {
    const order = { kind: 'book', tags: ['x'], more: 1 };
    expect(await fits(filter, { data: { order, more: 2 } })).toBe(true);
    expect(await fits(filter, { data: { order: { ...order, tags: ['x', 'y'] } } })).toBe(false);
    expect(await fits(filter, { data: { order: { kind: 'book' } } })).toBe(false);
    expect(await fits(filter, { data: 'book' })).toBe(false);
  });
});

describe('a filter without a word', () => {
  test('is no filter [LI-13]', () => {
    const body = 'do: [{ hear: { listen: { to: { one: { with: {} } } } } }]';
    expect(() => workflow(body)).toThrow(/with/);
  });
});
