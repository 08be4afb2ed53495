import { describe, expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import { atExpression, headersOf, messageOf, payloadOf, writePayload } from './message.ts';

describe('the payload of a message', () => {
  test.each<[string, string | undefined, Buffer, Json]>([
    ['nothing', 'application/json', Buffer.alloc(0), null],
    ['JSON by its type', 'application/json', Buffer.from('{"a":1}'), { a: 1 }],
    ['JSON by chance', undefined, Buffer.from('[1]'), [1]],
    ['a text by its type', 'text/plain; charset=utf-8', Buffer.from('[1]'), '[1]'],
    ['a text, although it should be JSON', 'application/json', Buffer.from('{"a":'), '{"a":'],
    ['a text, since it is too deep', undefined, Buffer.from('['.repeat(201)), '['.repeat(201)],
    ['base64 by its type', 'image/png', Buffer.from('ab'), 'YWI='],
    ['base64, since it is no text', undefined, Buffer.from([0xff]), '/w=='],
  ])('is %s', (_, type, body, payload) => {
    expect(payloadOf(body, type)).toEqual(payload);
  });

  test('keeps no prototype that a stranger sends', () => {
    const payload = payloadOf(Buffer.from('{"__proto__":{"a":1}}'), undefined) as object;
    expect(Object.keys(payload)).toEqual(['__proto__']);
    expect(
      headersOf(JSON.parse('{"__proto__":"x","a":"b"}') as object as Record<string, string>),
    ).toEqual({ a: 'b' });
  });
});

describe('a payload that is sent', () => {
  test.each<[Json, string | undefined, object]>([
    [null, 'application/json', {}],
    [{ a: 1 }, undefined, { body: '{"a":1}', contentType: 'application/json' }],
    ['a', undefined, { body: 'a', contentType: 'text/plain; charset=utf-8' }],
    ['a', 'application/json', { body: '"a"', contentType: 'application/json' }],
    ['YWI=', 'image/png', { body: Buffer.from('ab'), contentType: 'image/png' }],
  ])('is written by its type: %j as %s', (payload, type, written) => {
    expect(writePayload(payload, type)).toEqual(written);
  });
});

describe('a correlation id', () => {
  const of = (
    headers: Record<string, Json>,
    told?: string,
    ...places: string[]
  ): Json | undefined =>
    messageOf({ body: Buffer.from('{"id":7,"o":{}}'), headers, correlationId: told }, places)[
      'correlationId'
    ];

  test('is where the document says, else what the protocol says, else a header [AS-10]', () => {
    expect(of({ correlationId: 'c' }, 'b', '$message.payload#/id')).toBe('7');
    expect(of({ correlationId: 'c' }, 'b', '$message.payload#/none')).toBe('b');
    expect(of({ correlationId: 'c' })).toBe('c');
    expect(of({ 'Correlation-Id': 'd' })).toBe('d');
  });

  test('is a text or a number, and not there otherwise', () => {
    expect(of({}, undefined, '$message.payload#/o')).toBeUndefined();
    expect(of({ correlationId: '' })).toBeUndefined();
    expect(of({})).toBeUndefined();
  });

  test.each<[string, Json | undefined]>([
    ['$message.header#/a', 1],
    ['$message.payload#/b/0', 2],
    ['$message.payload', { b: [2] }],
    ['$message.payload#b', undefined],
    ['$request.header#/a', undefined],
  ])('is found by an expression: %s', (expression, value) => {
    expect(atExpression(expression, { payload: { b: [2] }, headers: { a: 1 } })).toEqual(value);
  });
});
