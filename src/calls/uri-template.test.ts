import { describe, expect, test } from 'vitest';
import type { Json } from '../base/json.ts';
import { expandTemplate } from './uri-template.ts';

const PET = 'https://shop.example/pet/{petId}';

describe('a name in braces', () => {
  test.each<[string, Json, string]>([
    [PET, { petId: 7 }, 'https://shop.example/pet/7'],
    [PET, { petId: 'rex' }, 'https://shop.example/pet/rex'],
    [PET, { petId: false }, 'https://shop.example/pet/false'],
    ['{a}/{b}{a}', { a: 1, b: 2.5 }, '1/2.51'],
    ['no names', { a: 1 }, 'no names'],
  ])('is the property of the input [UR-01]: %s', (template, input, expected) => {
    expect(expandTemplate(template, input)).toBe(expected);
  });

  test.each<[Json]>([[{}], [{ petId: null }], [null], ['petId'], [[1]]])(
    'is an empty text if there is none [UR-02]: %j',
    (input) => {
      expect(expandTemplate(PET, input)).toBe('https://shop.example/pet/');
    },
  );

  test('is taken verbatim, dots and all [UR-03]', () => {
    const input = { 'pet.id': 5, pet: { id: 6 } };
    expect(expandTemplate('/pet/{pet.id}', input)).toBe('/pet/5');
    expect(expandTemplate('/pet/{pet.id}', { pet: { id: 6 } })).toBe('/pet/');
  });

  test.each<[string, Json]>([
    ['a list', [1]],
    ['an object', { id: 1 }],
  ])('that is %s is an expression error [UR-04]', (what, petId) => {
    expect(() => expandTemplate(PET, { petId })).toThrow(
      expect.objectContaining({
        ...{ kind: 'expression', status: 400 },
        detail: expect.stringContaining(`"{petId}" in a URI takes a text, a number or a boolean`),
      }),
    );
    expect(() => expandTemplate(PET, { petId })).toThrow(what);
  });

  test.each([
    ['a b', 'a%20b'],
    ['a/b?c#d&e=f', 'a%2Fb%3Fc%23d%26e%3Df'],
    ["!'()*+", '%21%27%28%29%2A%2B'],
    ['100%', '100%25'],
    ['-._~', '-._~'],
    ['ü€😀', '%C3%BC%E2%82%AC%F0%9F%98%80'],
    ['half \ud800', 'half%20%EF%BF%BD'],
    ['{b}', '%7Bb%7D'],
  ])('is percent-encoded [UR-05]: %j', (a, expected) => {
    expect(expandTemplate('/{a}', { a, b: 'no' })).toBe(`/${expected}`);
  });

  test.each(['$context', '$secrets', '$input', 'constructor', '__proto__', 'toString'])(
    'is nothing but a property of the input [UR-06]: %s',
    (name) => {
      expect(expandTemplate(`/{${name}}`, { context: 1, input: 2 })).toBe('/');
    },
  );

  test('may be a variable as a property of the input is called, too', () => {
    expect(expandTemplate('/{$context}/{+a}', { $context: 1, '+a': 2 })).toBe('/1/2');
  });

  test.each(['+a', '#a', '?a', 'a*', 'a:3', 'a,b'])('knows no operators: {%s}', (name) => {
    expect(() => expandTemplate(`/{${name}}`, { a: 1, b: 2 })).toThrow(
      expect.objectContaining({ kind: 'configuration' }),
    );
  });
});

describe('a value', () => {
  test.each([
    ['/v2/pet/{a}', { a: '..' }],
    ['/v2/pet/{a}/toys', { a: '.' }],
    ['/v2/{a}{b}?x=1', { a: '.', b: '.' }],
    ['/v2/%2e{a}', { a: '.' }],
  ])('cannot make a URI go back a step: %s', (template, input) => {
    expect(() => expandTemplate(template, input)).toThrow('lead elsewhere');
  });

  test('may hold dots, and an author may go back a step', () => {
    expect(expandTemplate('/v2/../{a}/x?q={b}', { a: '...', b: '..' })).toBe('/v2/../.../x?q=..');
  });
});
