import { expect, test } from 'vitest';
import type { Json } from '../base/json.ts';
import { contentOf } from './http-content.ts';

const read = (type: string | undefined, body: string | Uint8Array): Json =>
  contentOf({
    headers: type === undefined ? {} : { 'content-type': type },
    body: Buffer.from(body),
  });

test.each<[string | undefined, string | Uint8Array, Json]>([
  ['application/json', '{"a":[1]}', { a: [1] }],
  ['Application/JSON; charset=utf-8', '"x"', 'x'],
  ['application/problem+json', 'null', null],
  ['text/json', '7', 7],
  ['application/json', '\ufeff7', 7],
  ['text/plain', '{"a":1}', '{"a":1}'],
  ['text/html; charset=utf-8', '<p>ü', '<p>ü'],
  ['application/yaml', 'a: 1', 'a: 1'],
  ['application/x-yaml', 'a: 1', 'a: 1'],
  ['application/vnd.oai+yaml', 'a: 1', 'a: 1'],
  ['application/octet-stream', 'hello', 'aGVsbG8='],
  ['application/xml', '<a/>', 'PGEvPg=='],
  ['image/png', Uint8Array.of(0, 255), 'AP8='],
  [undefined, 'hello', 'aGVsbG8='],
])('of %s is read as that says [HT-03]', (type, body, expected) => {
  expect(read(type, body)).toEqual(expected);
});

test.each([
  ['text/plain; charset=iso-8859-1', Uint8Array.of(0xfc), 'ü'],
  ['text/plain;charset="utf-16le"', Uint8Array.of(0xfc, 0), 'ü'],
  ['text/plain', Uint8Array.of(0xfc), '\ufffd'],
  ['application/json; charset=latin1', Uint8Array.of(0x22, 0xfc, 0x22), 'ü'],
])('of %s is decoded by its character set', (type, body, expected) => {
  expect(read(type, body)).toBe(expected);
});

test.each([undefined, 'application/json', 'text/plain', 'image/png'])(
  'of %s is null if there is nothing [HT-13]',
  (type) => {
    expect(read(type, '')).toBeNull();
  },
);

test.each([
  ['is not JSON', 'application/json', 'oops hunter2'],
  ['is not JSON', 'application/problem+json', '{"a":'],
  ['is not utf-8', 'application/json', Uint8Array.of(0x22, 0xfc, 0x22)],
  ['which is not known', 'text/plain; charset=klingon', 'x'],
  ['the number Infinity', 'application/json', '1e999'],
  ['nested deeper than 200', 'application/json', `${'['.repeat(201)}${']'.repeat(201)}`],
])('that %s (%s) is a communication error [HT-15]', (message, type, body) => {
  const wrong = () => read(type, body);
  expect(wrong).toThrow(message);
  expect(wrong).toThrow(expect.objectContaining({ kind: 'communication', status: 500 }));
  expect(wrong).not.toThrow('hunter2');
});
