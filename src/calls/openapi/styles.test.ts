import { describe, expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import type { ParameterPlace, Writing } from './operation.ts';
import { writeCookie, writeHeader, writePath, writeQuery, writeQuerystring } from './styles.ts';

const LIST = ['blue', 'black', 'brown'];
const MAP = { R: 100, G: 200, B: 150 };

function colour(place: ParameterPlace, writing: Partial<Writing>) {
  const whole: Writing = {
    ...{ style: 'simple', explode: false, separator: ',', reserved: false },
    ...writing,
  };
  return { name: 'color', in: place, required: false, writing: whole };
}

describe('in a path', () => {
  test.each<[Writing['style'], boolean, string, string, string, string]>([
    ['simple', false, '', 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
    ['simple', true, '', 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
    ['label', false, '.', '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
    ['label', true, '.', '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
    [
      'matrix',
      false,
      ';color',
      ';color=blue',
      ';color=blue,black,brown',
      ';color=R,100,G,200,B,150',
    ],
    [
      ...(['matrix', true, ';color', ';color=blue'] as const),
      ...([';color=blue;color=black;color=brown', ';R=100;G=200;B=150'] as const),
    ],
  ])('%s, explode %s [OA-10]', (style, explode, none, one, list, map) => {
    const parameter = colour('path', { style, explode });
    expect(writePath(parameter, '')).toBe(none);
    expect(writePath(parameter, 'blue')).toBe(one);
    expect(writePath(parameter, LIST)).toBe(list);
    expect(writePath(parameter, MAP)).toBe(map);
  });

  test('what separates parts is encoded in values', () => {
    expect(writePath(colour('path', {}), ['a,b', 'c/d'])).toBe('a%2Cb,c%2Fd');
    expect(writePath(colour('path', { separator: '|' }), ['a', 'b'])).toBe('a%7Cb');
  });
});

describe('in a query', () => {
  test.each<[string, Partial<Writing>, string, string, string]>([
    [
      'form',
      { style: 'form', explode: true },
      ...(['color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'] as const),
    ],
    [
      'form that is not exploded',
      { style: 'form' },
      ...(['color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'] as const),
    ],
    [
      'spaceDelimited, ssv',
      { style: 'form', separator: ' ' },
      ...(['color=blue', 'color=blue%20black%20brown'] as const),
      'color=R%20100%20G%20200%20B%20150',
    ],
    [
      'pipeDelimited, pipes',
      { style: 'form', separator: '|' },
      ...(['color=blue', 'color=blue%7Cblack%7Cbrown'] as const),
      'color=R%7C100%7CG%7C200%7CB%7C150',
    ],
    [
      'tsv',
      { style: 'form', separator: '\t' },
      ...(['color=blue', 'color=blue%09black%09brown'] as const),
      'color=R%09100%09G%09200%09B%09150',
    ],
    [
      'deepObject',
      { style: 'deepObject', explode: true },
      ...(['color=blue', 'color=blue&color=black&color=brown'] as const),
      'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150',
    ],
    [
      'JSON',
      { content: 'application/json' },
      ...(['color=%22blue%22', 'color=%5B%22blue%22%2C%22black%22%2C%22brown%22%5D'] as const),
      'color=%7B%22R%22%3A100%2C%22G%22%3A200%2C%22B%22%3A150%7D',
    ],
  ])('%s [OA-10]', (_, writing, one, list, map) => {
    const write = (value: Json): string => writeQuery(colour('query', writing), value).join('&');
    expect([write('blue'), write(LIST), write(MAP)]).toEqual([one, list, map]);
  });

  test('deep objects go as deep as they are', () => {
    const parameter = colour('query', { style: 'deepObject', explode: true });
    const value = { a: { b: [1, 2], c: null }, 'd e': 'f&' };
    expect(writeQuery(parameter, value).join('&')).toBe(
      'color%5Ba%5D%5Bb%5D=1&color%5Ba%5D%5Bb%5D=2&color%5Bd%20e%5D=f%26',
    );
  });

  test('null and empty lists are nothing, false and 0 are something', () => {
    const parameter = colour('query', { style: 'form', explode: true });
    expect(writeQuery(parameter, [])).toEqual([]);
    expect(writeQuery(parameter, {})).toEqual([]);
    expect(writeQuery(parameter, [0, null, false, ''])).toEqual([
      'color=0',
      'color=false',
      'color=',
    ]);
    expect(writeQuery(parameter, { a: null, b: 1 })).toEqual(['b=1']);
  });

  test('reserved characters stay if they may, except those that end a value', () => {
    const parameter = colour('query', { style: 'form', reserved: true });
    const value = "a:/?@!$'()*,;=b#[]&+ %2f%zü";
    expect(writeQuery(parameter, value)).toEqual([
      "color=a:/?@!$'()*,;=b%23%5B%5D%26%2B%20%2f%25z%C3%BC",
    ]);
  });

  test('the whole of it may be one parameter', () => {
    const form = colour('querystring', { content: 'application/x-www-form-urlencoded' });
    expect(writeQuerystring(form, { a: [1, 2], b: 'c d' })).toEqual(['a=1', 'a=2', 'b=c%20d']);
    expect(writeQuerystring(form, '?a=b')).toEqual(['a=b']);
    const json = colour('querystring', { content: 'application/json' });
    expect(writeQuerystring(json, { a: 1 })).toEqual(['%7B%22a%22%3A1%7D']);
  });
});

test.each<[boolean, string]>([
  [false, 'R,100,G,200,B,150'],
  [true, 'R=100,G=200,B=150'],
])('in a header nothing is encoded, explode %s', (explode, map) => {
  const parameter = colour('header', { explode });
  expect(writeHeader(parameter, 'a b/c')).toBe('a b/c');
  expect(writeHeader(parameter, LIST)).toBe('blue,black,brown');
  expect(writeHeader(parameter, MAP)).toBe(map);
  expect(writeHeader(colour('header', { content: 'application/json' }), MAP)).toBe(
    '{"R":100,"G":200,"B":150}',
  );
});

test('in a cookie a list is one, or several', () => {
  const form = colour('cookie', { style: 'form' });
  expect(writeCookie(form, 'a;b')).toEqual(['color=a%3Bb']);
  expect(writeCookie(form, LIST)).toEqual(['color=blue,black,brown']);
  expect(writeCookie(colour('cookie', { style: 'form', explode: true }), LIST)).toHaveLength(3);
  expect(writeCookie(colour('cookie', { style: 'cookie', explode: true }), 'a/b')).toEqual([
    'color=a/b',
  ]);
  expect(writeCookie(colour('cookie', { content: 'application/json' }), { a: 1 })).toEqual([
    'color=%7B%22a%22%3A1%7D',
  ]);
});

test.each<[Json]>([[[[1]]], [[{ a: 1 }]], [{ a: [1] }]])('%j is too deep for a style', (value) => {
  const write = () => writeQuery(colour('query', { style: 'form' }), value);
  expect(write).toThrow(expect.objectContaining({ kind: 'validation' }));
  expect(write).toThrow('the parameter "color"');
});
