import { expect, test } from 'vitest';
import type { Json } from '../base/json.ts';
import { writeBody } from './http-body.ts';

const FORM = 'application/x-www-form-urlencoded';

const textOf = (value: Json, contentType?: string): string =>
  Buffer.from(writeBody(value, contentType).body).toString();

test.each<[Json, string, string]>([
  [{ a: [1, null] }, '{"a":[1,null]}', 'application/json'],
  [[1, 2], '[1,2]', 'application/json'],
  [7, '7', 'application/json'],
  [false, 'false', 'application/json'],
  ['hi', 'hi', 'text/plain; charset=utf-8'],
  ['', '', 'text/plain; charset=utf-8'],
])('without a content type, %j is written by what it is [HT-08]', (value, body, contentType) => {
  expect(writeBody(value, undefined)).toEqual({ body, contentType });
});

test.each<[Json, string, string]>([
  [{ a: 1 }, 'application/json; charset=utf-8', '{"a":1}'],
  [{ a: 1 }, 'application/merge-patch+json', '{"a":1}'],
  ['{"a":1}', 'application/json', '{"a":1}'],
  ['7', 'application/json', '7'],
  [7, 'application/json', '7'],
  [{ a: 'x y', b: [1, 2], c: null, d: true }, FORM, 'a=x%20y&b=1&b=2&d=true'],
  ['a=1', FORM, 'a=1'],
  ['<a/>', 'application/xml', '<a/>'],
  [7, 'text/plain', '7'],
  [{ a: 1 }, 'application/x-amz-json-1.1', '{"a":1}'],
  ['aGVsbG8=', 'application/octet-stream', 'hello'],
  ['aGVsbG8=', 'image/png', 'hello'],
  ['<svg/>', 'image/svg+xml', '<svg/>'],
  ['ü', 'Text/Plain; Charset="UTF-8"', 'ü'],
])('%j under %s is written as that says [HT-09]', (value, contentType, expected) => {
  expect(textOf(value, contentType)).toBe(expected);
  expect(writeBody(value, contentType).contentType).toBe(contentType);
});

test('a form of several parts has its fields in parts, and a boundary of its own', () => {
  const fields = { a: 'x', b: [1, true], 'c"\n': 'y', d: null };
  const { body, contentType } = writeBody(fields, 'multipart/form-data; boundary=mine');
  const [, boundary = ''] = /^multipart\/form-data; boundary=(part-\w+)$/.exec(contentType) ?? [];
  const part = (name: string, text: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
  expect(Buffer.from(body).toString()).toBe(
    [
      ...[part('a', 'x'), part('b', '1'), part('b', 'true'), part('c%22%0A', 'y')],
      `--${boundary}--\r\n`,
    ].join(''),
  );
  expect(writeBody(fields, 'multipart/form-data')).toEqual({ body, contentType });
});

test.each<[string, Json, string]>([
  ['is given as base64', 'hello!', 'application/octet-stream'],
  ['is given as base64', 'aGVsbG8', 'application/octet-stream'],
  ['is given as base64', { a: 1 }, 'application/octet-stream'],
  ['is a text: only', { a: 1 }, 'multipart/mixed'],
  ['is an object of its fields', [1], FORM],
  ['is an object of its fields', 7, 'multipart/form-data'],
  ['the form field "a" takes a text', { a: { b: 1 } }, FORM],
  ['came a list in a list', { a: [[1]] }, FORM],
  ['is sent as utf-8, and its content type says iso-8859-1', 'ü', 'text/plain; charset=ISO-8859-1'],
])('%s: %j under %s is refused', (message, value, contentType) => {
  const write = () => writeBody(value, contentType);
  expect(write).toThrow(message);
  expect(write).toThrow(expect.objectContaining({ kind: 'configuration' }));
});
