/** Patterns of schemas: what they mean in JavaScript, and what they may cost. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { NAMES_MAX } from './gentle.ts';
import { Patterns } from './patterns.ts';
import { checkSchema } from './schema.ts';

/** Each with texts that it is for, and texts that it is almost for. */
const PATTERNS: readonly string[] = [
  ...['^a+$', 'a.c', '^[^]$', 'x[]', '^$', 'a|b|^c$', '^(?:a|ab)(?:c|bcd)(?:d*)$'],
  ...[String.raw`^\d{2,3}$`, String.raw`^\D+$`, String.raw`\bfoo\b`, String.raw`\Boo`],
  ...[String.raw`^\w+$`, String.raw`^[\w.]+$`, String.raw`^\W$`, String.raw`^[\W]$`],
  ...[String.raw`^\s+$`, String.raw`^\S+$`, String.raw`^[\S]+$`, String.raw`^[^\s]+$`],
  ...[String.raw`^\u00e9$`, String.raw`^\u{1f600}$`, String.raw`^\ud83d\ude00$`, String.raw`^\x41`],
  ...[String.raw`^\cJ$`, String.raw`^\0$`, String.raw`^[\b]$`, String.raw`^\v$`, String.raw`^\t$`],
  ...[String.raw`^[a\-z]$`, '^[a-c-]$', '^[-a]$', '^[[:]+$', '^[a&&b]+$', String.raw`^[\]\[]$`],
  ...[String.raw`^\p{Lu}`, String.raw`^\P{L}$`, String.raw`^[\p{L}\d]+$`, '^#[0-9a-f]{3}(?:x)?$'],
  ...[String.raw`^\p{Script=Greek}+$`, String.raw`^(?<year>\d{4})-\k<year>$`, String.raw`^(.)\1$`],
  ...['^(?=a)ab', '^(?!a)b', '(?<=a)b', '(?<!a)b', '^a{2}?$', '^a*?b', '^ab{0,2}c$', 'a b'],
  ...[
    String.raw`^\/\.\*\$\^\{\}\(\)\|\\$`,
    '^[.*$^{}()|]+$',
    String.raw`^[a-z0-9]+(?:-[a-z0-9]+)*$`,
  ],
  ...[String.raw`^(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)))?$`],
  String.raw`^[\u0400-\u04ff\u{1f600}-\u{1f64f}]+$`,
];

const TEXTS: readonly string[] = [
  ...['', 'a', 'aa', 'aaa', 'a\n', '\n', 'ab', 'abc', 'abcd', 'abbc', 'b', 'c', 'a\rc', 'a\u2028c'],
  ...[
    '12',
    '123',
    '1234',
    '\u0663\u0663',
    'foo',
    'a foo b',
    'éfooé',
    'oo',
    'éoo',
    '_x9',
    'x.y',
    '-',
  ],
  ...[
    ' ',
    '\u00a0',
    '\ufeff',
    '\u0085',
    '\u180e',
    'é',
    '😀',
    '\ud83d',
    'A',
    '\0',
    '\b',
    '\v',
    '\t',
  ],
  ...['z', '[:', '&', '[', ']', 'Éa', 'ǅ', 'αβγ', '2024-2024', '2024-2025'],
  ...['bb', '#0af', '#0afx'],
  ...['/.*$^{}()|\\', '.*$^{}()|', 'a-b-c', 'a--b', '1.0', '1.0-rc'],
  ...['1.0-01', 'привет😀', 'a b'],
];

test.each(PATTERNS)('the pattern %s fits what it fits in JavaScript', (pattern) => {
  const patterns = new Patterns();
  patterns.begin();
  const native = new RegExp(pattern, 'u');
  const found = TEXTS.filter((text) => patterns.test(pattern, text));
  expect(found).toEqual(TEXTS.filter((text) => native.test(text)));
});

describe('a text that would keep the platform busy for days', () => {
  const text = `${'a'.repeat(5_000)}!`;

  test.each(['^(a+)+$', '^(a|aa)+$', '^([a-z]+-?)*x$', String.raw`^(\w+\s?)*$`])(
    'is held against %s, and soon',
    (pattern) => {
      const checked = checkSchema({ type: 'string', pattern }, text);
      expect(checked).toMatchObject({
        ok: true,
        value: [{ message: expect.any(String) as never }],
      });
    },
  );

  test('is not held against a pattern that looks back for very long', () => {
    const checked = checkSchema({ pattern: String.raw`^(a*)*\1(a*)*\1b$` }, text);
    expect(checked).toMatchObject({
      ok: false,
      problem: [{ message: expect.stringContaining('PATTERN_STEPS_MAX') as never }],
    });
  });

  test('is held against the format of a URL, and soon', () => {
    const form = { format: 'url' };
    const wrong = checkSchema(form, `http://${text}`);
    expect(wrong).toMatchObject({ ok: true });
    expect(checkSchema(form, 'http://example.com/a?b#c')).toEqual({ ok: true, value: [] });
    expect(checkSchema(form, 'mailto:ann@example.com')).toMatchObject({ value: [{ path: '' }] });
  });

  test('is held against the patterns of names, and soon', () => {
    const form = { patternProperties: { '^(a+)+$': false }, additionalProperties: true };
    expect(checkSchema(form, { [text]: 1 })).toEqual({ ok: true, value: [] });
    expect(checkSchema(form, { aa: 1 })).toMatchObject({ value: [{ path: '/aa' }] });
  });
});

describe('a schema with patterns', () => {
  const problems = (form: JsonObject, value: never): unknown => checkSchema(form, value);

  test('says of a text that it does not match, and where', () => {
    const form = { properties: { id: { type: 'string', pattern: '^[a-z]+$', minLength: 2 } } };
    expect(problems(form, { id: 'A1' } as never)).toEqual({
      ok: true,
      value: [{ path: '/id', message: 'String does not match pattern.' }],
    });
    expect(problems(form, { id: 'ab' } as never)).toEqual({ ok: true, value: [] });
    expect(problems(form, { id: 'ab\n' } as never)).toMatchObject({ value: [{ path: '/id' }] });
  });

  test('has names that patterns are for, and others', () => {
    const form = {
      properties: { pattern: { type: 'number' } },
      patternProperties: { '^x-': { type: 'string' }, '^x-n': { maxLength: 2 }, '.y$': {} },
      additionalProperties: false,
    };
    expect(problems(form, { pattern: 1, 'x-a': 'long', 'x-n': 'ab', ay: 1 } as never)).toEqual({
      ok: true,
      value: [],
    });
    expect(problems(form, { 'x-n': 'abc', z: 1, 'x-(': 1 } as never)).toEqual({
      ok: true,
      value: [
        { path: '/x-(', message: 'Instance type "number" is invalid. Expected "string".' },
        { path: '/x-n', message: expect.any(String) as never },
        { path: '/z', message: 'Nothing is allowed here.' },
      ],
    });
  });

  test('takes what only looks like a pattern for what it is', () => {
    expect(problems({ const: { pattern: '^a$' } }, { pattern: '^a$' } as never)).toEqual({
      ok: true,
      value: [],
    });
    expect(problems({ enum: [{ pattern: 'b' }] }, { pattern: 'b' } as never)).toEqual({
      ok: true,
      value: [],
    });
  });

  test('compares so many names with them, and no more', () => {
    const form = { patternProperties: { '^a': { type: 'number' } } };
    const of = (count: number): JsonObject =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, n]));
    expect(checkSchema(form, of(NAMES_MAX))).toEqual({ ok: true, value: [] });
    expect(checkSchema(form, of(NAMES_MAX + 1))).toMatchObject({
      value: [{ message: expect.stringContaining('too many names') as never }],
    });
  });
});
