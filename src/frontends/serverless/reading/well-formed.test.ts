/** Definitions that have nothing wrong with them are read, whatever they have in them. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../base/json.ts';
import {
  arePublishedDefinitionsHere,
  conformanceDefinitions,
  publishedExamples,
} from '../../../testing/published-definitions.ts';
import { definition, SNIPPETS } from '../../../testing/serverless-snippets.ts';
import { readWorkflow } from './reading.ts';

/** No document of what has a mistake; the sentences say which. */
function read(text: string): JsonObject | null {
  const { document, errors } = readWorkflow(text);
  expect(errors).toEqual([]);
  return document;
}

describe('every construct of the language', () => {
  test('there are at least 44 well-formed definitions of our own [DOC-23]', () => {
    expect(Object.keys(SNIPPETS).length).toBeGreaterThanOrEqual(44);
  });

  test.each(Object.entries(SNIPPETS))('%s is read without a word [DOC-23]', (_name, text) => {
    const { document, errors, warnings } = readWorkflow(text);
    expect({ errors, warnings }).toEqual({ errors: [], warnings: [] });
    expect(document).not.toBeNull();
  });
});

describe('what others publish', () => {
  test.runIf(arePublishedDefinitionsHere)('all 68 examples are read [DOC-21]', () => {
    const examples = publishedExamples();
    expect(examples).toHaveLength(68);
    expect(examples.filter(({ text }) => readWorkflow(text).document === null)).toEqual([]);
    expect(examples.flatMap(({ text }) => readWorkflow(text).errors)).toEqual([]);
  });

  test.runIf(arePublishedDefinitionsHere)('all 21 definitions of the kit are read [DOC-22]', () => {
    const definitions = conformanceDefinitions();
    expect(definitions).toHaveLength(21);
    expect(definitions.filter(({ text }) => readWorkflow(text).document === null)).toEqual([]);
    expect(definitions.flatMap(({ text }) => readWorkflow(text).errors)).toEqual([]);
  });
});

describe('versions of the language', () => {
  const head = (dsl: string): string => `
document: { dsl: '${dsl}', namespace: a, name: b, version: 1.0.0 }
do:
  - a: { wait: PT1S }
`;

  const versions = ['1.0.0', '1.0.1', '1.0.2', '1.0.3', '1.0.0-alpha5', '1.0.3-rc.1+build.5'];
  test.each(versions)('%s is read without a word [DOC-07]', (dsl) => {
    const { document, errors, warnings } = readWorkflow(head(dsl));
    expect([...errors, ...warnings]).toEqual([]);
    expect(document).toMatchObject({ document: { dsl } });
  });

  test.each(['0.8.0', '1.1.0', '2.0.0'])('%s is refused, and it is said why [DOC-07]', (dsl) => {
    expect(readWorkflow(head(dsl)).errors).toMatchObject([
      { code: 'serverless.unsupported-dsl', message: expect.stringContaining(dsl) },
    ]);
  });

  test.each(['0.8', '1.0', '1', 'latest', '1.0.3-', '01.0.0', '1.0.0.0'])(
    '%s is no full semantic version [DOC-03]',
    (version) => {
      const head = `{ dsl: '1.0.3', namespace: a, name: b, version: '${version}' }`;
      expect(readWorkflow(`document: ${head}\ndo: []`).errors).toMatchObject([
        { code: 'serverless.bad-value', node: '/document/version' },
      ]);
    },
  );

  test.each(['1.0.0-beta.2', '0.1.0+exp.sha.5114f85', '2146.999.999', '1.0.0--'])(
    '%s is one [DOC-03]',
    (version) => {
      read(`document: { dsl: '1.0.3', namespace: a, name: b, version: '${version}' }\ndo: []`);
    },
  );

  test.each(['2147.0.0', '0.1000.0', '0.0.1000'])('%s cannot be kept', (version) => {
    const text = `document: { dsl: '1.0.3', namespace: a, name: b, version: ${version} }\ndo: []`;
    expect(readWorkflow(text).errors).toMatchObject([{ code: 'serverless.version-too-large' }]);
  });

  test('a name has up to 63 characters [DOC-04]', () => {
    const name = 'a'.repeat(63);
    read(`document: { dsl: '1.0.3', namespace: ${name}, name: A-1, version: 1.0.0 }\ndo: []`);
  });
});

describe('what is only kept', () => {
  test('title, summary, tags and metadata are as they were written [DOC-05]', () => {
    const document = read(SNIPPETS['title, summary, tags and metadata'] ?? '');
    expect(document?.['document']).toEqual({
      dsl: '1.0.3',
      namespace: 'test',
      name: 'sample',
      version: '0.1.0',
      title: 'A sample',
      summary: 'It has a title, and ${ this } is no expression.\n',
      tags: { team: 'pets' },
      metadata: { owner: { name: 'me', since: '2020-01-01' } },
    });
  });

  test('metadata of a task is kept, whatever it says [DOC-29]', () => {
    const metadata = { retry: 'nothing', use: '${ $secrets.none }', call: 5, text: 'a ${ .b } c' };
    const task = JSON.stringify({ set: { a: 1 }, metadata });
    const { document, errors, warnings } = readWorkflow(definition(`do:\n  - a: ${task}\n`));
    expect([...errors, ...warnings]).toEqual([]);
    expect(document).toMatchObject({ do: [{ a: { metadata } }] });
  });

  test('what is in a schema is not looked at', () => {
    const schema = { document: { default: 'a ${ .b }', if: '${ $secrets.none }' } };
    const body = `input: ${JSON.stringify({ schema })}\ndo:\n  - a: { wait: PT1S }\n`;
    const { errors, warnings } = readWorkflow(definition(body));
    expect([...errors, ...warnings]).toEqual([]);
  });
});

describe('shapes of several versions', () => {
  const both = [
    ['script arguments', 'run: { script: { language: js, code: a, arguments: [b] } }'],
    ['script arguments by name', 'run: { script: { language: js, code: a, arguments: { b: 1 } } }'],
    ['shell arguments by name', 'run: { shell: { command: a, arguments: { b: 1 } } }'],
    ['a language called js', 'run: { script: { language: js, code: a } }'],
    ['a language called javascript', 'run: { script: { language: javascript, code: a } }'],
    ['detail', 'try: [{ b: { wait: PT1S } }], catch: { errors: { with: { detail: c } } }'],
    ['details', 'try: [{ b: { wait: PT1S } }], catch: { errors: { with: { details: c } } }'],
    ['an event without a source', 'emit: { event: { with: { type: b } } }'],
    ['catch.then', 'try: [{ b: { wait: PT1S } }], catch: { then: end }'],
    ['a list in for', 'for: { in: [{ b: 1 }] }, do: [{ c: { wait: PT1S } }]'],
  ];
  test.each(both)('%s is read without a word [DOC-24]', (_what, task) => {
    const { errors, warnings } = readWorkflow(definition(`do:\n  - a: { ${task} }\n`));
    expect([...errors, ...warnings]).toEqual([]);
  });

  test('without authority and grant tokens can be had up to 1.0.3 [DOC-28]', () => {
    read(SNIPPETS['OAuth2 as it was allowed before'] ?? '');
  });

  test('an evaluation that says nothing is read [DOC-26]', () => {
    read(definition('evaluate: {}\ndo: []\n'));
  });

  test('a property of the workflow that is not known is kept [DOC-25]', () => {
    const { document, errors, warnings } = readWorkflow(definition('x-team: pets\ndo: []\n'));
    expect(errors).toEqual([]);
    expect(document).toMatchObject({ 'x-team': 'pets' });
    expect(warnings[0]).toMatchObject({ code: 'serverless.unknown-property', node: '/x-team' });
  });
});
