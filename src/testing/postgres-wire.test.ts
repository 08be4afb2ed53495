/** Messages are found in a stream however it is cut into chunks. */
import { expect, test } from 'vitest';
import { addressOf, detour, messageOf, textsOf, WireReader } from './postgres-wire.ts';

/** What a client says before it logs on has no type. */
function untyped(...parts: (Buffer | string | number)[]): Buffer {
  return messageOf('', ...parts);
}

const SSL_REQUEST = 80_877_103;
const VERSION = 196_608;
const SPOKEN = Buffer.concat([
  untyped(SSL_REQUEST),
  untyped(VERSION, 'user', 'ann', ''),
  messageOf('Q', 'select 1'),
  messageOf('S'),
]);

test.each([1, 2, 3, 7, SPOKEN.length])('messages are whole in chunks of %i bytes', (size) => {
  const reader = new WireReader('client');
  const messages = Array.from({ length: Math.ceil(SPOKEN.length / size) }, (_, index) => [
    ...reader.read(SPOKEN.subarray(index * size, (index + 1) * size)),
  ]).flat();
  expect(messages.map(({ type }) => type)).toEqual(['may-encrypt', 'startup', 'Q', 'S']);
  expect(Buffer.concat(messages.map(({ bytes }) => bytes))).toEqual(SPOKEN);
  expect(messages.map(({ body }) => textsOf(body, 1)[0])[2]).toBe('select 1');
});

test('whether a server agrees to encrypt is a single byte', () => {
  const reader = new WireReader('server');
  reader.expectAgreement();
  const said = Buffer.concat([Buffer.from('N'), messageOf('R', 0)]);
  expect(Array.from(reader.read(said), ({ type }) => type)).toEqual(['agreement', 'R']);
});

test('what is encrypted passes as it comes', () => {
  const reader = new WireReader('server');
  const noise = Buffer.from([1, 2, 3, 255, 255, 255, 255, 0]);
  reader.seal();
  expect(Array.from(reader.read(noise), ({ bytes }) => bytes)).toEqual([noise]);
});

test('texts end where the message does', () => {
  expect(textsOf(Buffer.from('a\0b\0rest'), 9)).toEqual(['a', 'b']);
  expect(textsOf(Buffer.from('a\0b\0'), 1)).toEqual(['a']);
});

test('a URL is led by another way and keeps the rest', () => {
  expect(addressOf('postgres://ann@db.example')).toEqual({ host: 'db.example', port: 5432 });
  expect(addressOf('postgres://ann@localhost:77/x')).toEqual({ host: 'localhost', port: 77 });
  const other = detour('postgres://ann:s%20t@db.example:77/x?application_name=y', 99);
  expect(other).toBe('postgres://ann:s%20t@127.0.0.1:99/x?application_name=y');
});
