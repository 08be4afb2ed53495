/** From text to JSON: YAML and JSON alike, within limits, and every place can be found again. */
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { Dice } from '../../../testing/dice.ts';
import { definition, SNIPPETS } from '../../../testing/serverless-snippets.ts';
import { SERVERLESS_CODES } from './codes.ts';
import { DIAGNOSTICS_MAX, readWorkflow } from './reading.ts';
import {
  DEFINITION_CHARS_MAX,
  DEFINITION_DEPTH_MAX,
  DEFINITION_VALUES_MAX,
  readYamlText,
} from './yaml-text.ts';

const codesOf = (text: string): readonly string[] =>
  readWorkflow(text).errors.map(({ code }) => code);

describe('YAML and JSON', () => {
  test.each(Object.entries(SNIPPETS))('%s is the same in both [DOC-01]', (_name, text) => {
    const { document } = readWorkflow(text);
    expect(document).not.toBeNull();
    expect(readWorkflow(JSON.stringify(document)).document).toEqual(document);
    expect(readWorkflow(JSON.stringify(document, null, '\t')).document).toEqual(document);
    expect(readWorkflow(stringify(document)).document).toEqual(document);
  });

  test('a byte order mark and carriage returns do no harm', () => {
    const text = SNIPPETS['a switch'] ?? '';
    const { document } = readWorkflow(text);
    expect(readWorkflow(`\ufeff${text.replaceAll('\n', '\r\n')}`).document).toEqual(document);
  });

  test('words of YAML 1.1 and dates stay text', () => {
    const text = 'a: on\nb: yes\nc: 2020-01-01\nd: 12:30:00\ne: 010\nf: "5"\ng: ~\non: off';
    expect(readYamlText(text).value).toEqual({
      a: 'on',
      b: 'yes',
      c: '2020-01-01',
      d: '12:30:00',
      e: 10,
      f: '5',
      g: null,
      on: 'off',
    });
  });

  test('a directive does not change what a text says', () => {
    expect(readYamlText('%YAML 1.1\n---\na: yes\nb: 2020-01-01').value).toEqual({
      a: 'yes',
      b: '2020-01-01',
    });
  });

  test('keys are text, and none of them is special', () => {
    const { value } = readYamlText('__proto__: { a: 1 }\nconstructor: 2\n5: b\ntrue: c\n~: d');
    expect(Object.entries(value as object)).toEqual(
      expect.arrayContaining([
        ['__proto__', { a: 1 }],
        ['constructor', 2],
        ['5', 'b'],
        ['true', 'c'],
        ['~', 'd'],
      ]),
    );
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test('what was read can no longer be changed', () => {
    const { document } = readWorkflow(SNIPPETS['a loop'] ?? '');
    expect(Object.isFrozen(document)).toBe(true);
    expect(Object.isFrozen(document?.['do'])).toBe(true);
  });

  test('a text that is none is refused', () => {
    expect(readWorkflow(undefined as never).errors).toMatchObject([
      { code: 'serverless.not-a-definition' },
    ]);
  });
});

describe('anchors and aliases', () => {
  test('an alias is what it stands for, the last before it', () => {
    const text = 'a: &x [1, { b: 2 }]\nc: *x\nd: &x 5\ne: *x\n&k key: *x\nf: *k';
    expect(readYamlText(text).value).toEqual({
      a: [1, { b: 2 }],
      c: [1, { b: 2 }],
      d: 5,
      e: 5,
      key: 5,
      f: 'key',
    });
  });

  test('a merge key takes in what is not said otherwise', () => {
    const text =
      'a: &x { b: 1, c: 2 }\nd: &y { c: 3, e: 4 }\nf: { <<: [*x, *y], b: 5 }\ng:\n  <<: *x';
    expect(readYamlText(text).value).toMatchObject({ f: { b: 5, c: 2, e: 4 }, g: { b: 1, c: 2 } });
    expect(readYamlText('"<<": 5').value).toEqual({ '<<': 5 });
  });

  test('aliases of aliases are refused before they are written out', () => {
    const lines = Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`);
    expect(codesOf(['a0: &a0 [1, 1]', ...lines].join('\n'))).toEqual([
      'serverless.too-many-values',
    ]);
  });
});

describe('limits', () => {
  test('of characters', () => {
    const text = definition('do: []\n');
    expect(readYamlText(`${text}#${'x'.repeat(DEFINITION_CHARS_MAX - text.length - 1)}`)).toEqual(
      expect.objectContaining({ problems: [] }),
    );
    expect(codesOf(`${text}#${'x'.repeat(DEFINITION_CHARS_MAX - text.length)}`)).toEqual([
      'serverless.too-large',
    ]);
  });

  test('of depth', () => {
    const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(readYamlText(nested(DEFINITION_DEPTH_MAX + 1)).problems).toEqual([]);
    expect(codesOf(nested(DEFINITION_DEPTH_MAX + 2))).toEqual(['serverless.too-deep']);
  });

  test('of depth that no reader stands', () => {
    expect(new Set(codesOf('['.repeat(20_000)))).toContain('serverless.too-deep');
  });

  test('of values', () => {
    // A list of a thousand values, and aliases of it; the list around them is one more.
    const thousand = `&a [${'0,'.repeat(999)}]`;
    const lists = (more: number): string =>
      `[${thousand}${', *a'.repeat(DEFINITION_VALUES_MAX / 1_000 - 2)}${', 0'.repeat(more)}]`;
    expect(readYamlText(lists(999)).problems).toEqual([]);
    expect(codesOf(lists(1_000))).toEqual(['serverless.too-many-values']);
  });

  test('of numbers', () => {
    expect(readYamlText('[9007199254740991, -9007199254740991, 0x1f, -0, 1e3]').value).toEqual([
      9007199254740991, -9007199254740991, 31, 0, 1000,
    ]);
    expect(codesOf('[9007199254740992]')).toEqual(['serverless.bad-number']);
  });

  test('of diagnostics', () => {
    const tasks = (count: number): string =>
      definition(`do:\n${Array.from({ length: count }, (_, n) => `  - t${n}: {}\n`).join('')}`);
    expect(readWorkflow(tasks(DIAGNOSTICS_MAX)).errors).toHaveLength(DIAGNOSTICS_MAX);
    const { errors } = readWorkflow(tasks(DIAGNOSTICS_MAX + 5));
    expect(errors).toHaveLength(DIAGNOSTICS_MAX + 1);
    expect(errors.at(-1)).toEqual({
      code: 'serverless.too-many-mistakes',
      message: 'and 5 more; mend these first',
    });
  });
});

describe('places', () => {
  const text = definition(`
use:
  timeouts: { short: &t { after: PT1S } }
do:
  - first/task:
      wait: PT5S
      timeout: *t
  - second: { set: { a: [1, 2] } }
  - third: {
      set: { <<: { b: 1 } }, if: }
`);
  const { spanOf } = readWorkflow(text);

  test.each([
    ['', 1, 1],
    ['/document', 1, 1],
    ['/document/dsl', 2, 8],
    ['/do', 8, 1],
    ['/do/0', 9, 5],
    ['/do/0/first~1task', 9, 5],
    ['/do/0/first~1task/wait', 10, 13],
    ['/do/0/first~1task/timeout', 11, 7],
    ['/do/0/first~1task/timeout/after', 7, 34],
    ['/do/1/second/set/a', 12, 22],
    ['/do/1/second/set/a/1', 12, 29],
    ['/do/2/third/set/b', 14, 23],
    ['/do/2/third/if', 14, 30],
  ])('%j stands in line %i, column %i', (pointer, line, column) => {
    expect(spanOf(pointer)).toEqual({ line, column });
  });

  test.each(['/nothing', '/do/9', '/do/0/first/task', '/document/dsl/more'])(
    '%j stands nowhere',
    (pointer) => {
      expect(spanOf(pointer)).toBeUndefined();
    },
  );
});

describe('whatever the text', () => {
  test('reading it never throws, and every code is known', () => {
    const texts = Object.values(SNIPPETS);
    const letters = ['\n', '  ', '- ', ': ', '{', '}', '[', ']', '"', "'", '&a ', '*a', '!', '|\n'];
    for (let seed = 0; seed < 400; seed += 1) {
      const dice = new Dice(seed);
      let text = dice.pick(texts);
      for (let times = 1 + dice.roll(4); times > 0; times -= 1) {
        const at = dice.roll(text.length);
        text = `${text.slice(0, at)}${dice.pick(letters)}${text.slice(at + dice.roll(3))}`;
      }
      const { errors, warnings } = readWorkflow(text);
      for (const { code } of [...errors, ...warnings]) {
        expect(SERVERLESS_CODES, `seed ${seed}`).toHaveProperty([code]);
      }
    }
  });
});
