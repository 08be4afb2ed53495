/**
 * Our schema and the published one say the same of sound definitions and of thousands with
 * mistakes, but for differences that have a name.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '../../../base/json.ts';
import { mutated, vocabularyOf } from '../../../testing/mutated-definitions.ts';
import { asInTheNewestText, LESS } from '../../../testing/newest-shape.ts';
import {
  arePublishedDefinitionsHere,
  conformanceDefinitions,
  publishedExamples,
  publishedSchema,
} from '../../../testing/published-definitions.ts';
import { definition, SNIPPETS } from '../../../testing/serverless-snippets.ts';
import { shapeFindings } from './reading.ts';

/** A seed is a definition with mistakes; each run looks at all of them. */
const SEEDS = 6_000;

const MOMENT = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
const POINTER = /^(\/([^~/]|~[01])*)*$/;

function theirJudge(): (document: Json) => boolean {
  const ajv = new Ajv2020({
    strict: false,
    // Their URIs are told by patterns; what else a format asks for is left to whoever uses it.
    formats: {
      'uri-template': true,
      'uri-reference': true,
      'date-time': MOMENT,
      'json-pointer': POINTER,
    },
  });
  return ajv.compile(parse(publishedSchema()) as object);
}

const mistakesOf = (document: Json): readonly string[] =>
  shapeFindings(document)
    .filter(({ isWarning }) => !isWarning)
    .map(({ message }) => message);

/** Definitions that one of the two takes and the other does not, by the name of the difference. */
const MORE_CASES: readonly (readonly [string, string])[] = [
  ['an expression of several lines', `do: [{ a: { wait: "\${\\n.b\\n}" } }]`],
  ['named arguments', 'do: [{ a: { run: { shell: { command: b, arguments: { c: 1 } } } } }]'],
  ...['headers', 'query'].map(
    (part) =>
      [
        `a number in ${part}`,
        `do: [{ a: { call: http, with: { method: get, endpoint: a:b, ${part}: { c: 1 } } } }]`,
      ] as const,
  ),
  ['"extension" extended', 'use: { extensions: [{ a: { extend: extension } }] }\ndo: []'],
  ...[
    'OAuth2 as it was allowed before',
    'a gRPC call of a host that is found out',
    'a message that is an expression',
    'a subscription while something holds',
    'OAuth2 with everything',
  ].map((name) => [name, (SNIPPETS[name] ?? '').replace(/^document:\n(  .*\n)+/, '')] as const),
];

const LESS_CASES: Readonly<Record<string, string>> = {
  'an event that is emitted has attributes': 'do: [{ a: { emit: { event: {} } } }]',
  'nothing takes less time than none, or happens less often than never':
    'do: [{ a: { wait: { seconds: -1 } } }]',
  'a URI has no spaces': 'use: { catalogs: { a: { endpoint: "a b:c" } } }\ndo: []',
  'the old name of the detail of an error is text, as the new one is':
    'do: [{ a: { try: [], catch: { errors: { with: { details: 5 } } } } }]',
};

describe.runIf(arePublishedDefinitionsHere)('the published schema and ours', () => {
  const theirs = arePublishedDefinitionsHere ? theirJudge() : () => false;
  const examples = publishedExamples().map(({ text }) => parse(text) as Json);
  const snippets = Object.values(SNIPPETS).map((text) => parse(text) as Json);

  test('both take all that is published [DOC-21] [DOC-22]', () => {
    const kit = conformanceDefinitions().map(({ text }) => parse(text) as Json);
    for (const document of [...examples, ...kit]) {
      expect(theirs(document)).toBe(true);
      expect(mistakesOf(document)).toEqual([]);
    }
  });

  test(`both say the same of ${SEEDS} definitions with mistakes`, () => {
    const sound = [...examples, ...snippets];
    const words = vocabularyOf(sound);
    let taken = 0;
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const document = mutated(sound[seed % sound.length] ?? null, seed, words);
      const mistakes = mistakesOf(document);
      const isKnown = mistakes.every((message) =>
        Object.values(LESS).some((sentence) => sentence.test(message)),
      );
      const verdict = theirs(asInTheNewestText(document));
      taken += Number(verdict);
      if (isKnown && mistakes.length > 0) continue;
      expect(mistakes.length === 0, `seed ${seed}: ${mistakes.join('; ')}`).toBe(verdict);
    }
    // Neither all nor none: chance has to bring both, or nothing was shown.
    expect(taken).toBeGreaterThan(SEEDS / 20);
    expect(taken).toBeLessThan(SEEDS / 2);
  });

  test.each(MORE_CASES)('ours takes %s, and theirs does not', (_name, body) => {
    const document = parse(definition(body)) as Json;
    expect(mistakesOf(document)).toEqual([]);
    expect(theirs(document)).toBe(false);
    expect(theirs(asInTheNewestText(document))).toBe(true);
  });

  test.each(Object.entries(LESS))('%s: theirs takes more', (name, sentence) => {
    const document = parse(definition(LESS_CASES[name] ?? '')) as Json;
    expect(theirs(document)).toBe(true);
    expect(mistakesOf(document)).toEqual([expect.stringMatching(sentence)]);
  });
});
