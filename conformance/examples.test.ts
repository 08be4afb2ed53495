/** The examples belong to others and are no part of this project: they run where they are present. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { complaintsAbout, namesIn, playExample, runExamples } from './examples-suite.ts';
import { EXAMPLES } from './examples-table.ts';

const folder = join(import.meta.dirname, '..', '..', 'shared', 'dsl', 'examples');
const isAway = !existsSync(folder);
if (isAway) console.log(`the examples are not at ${folder}: they are not run`);

const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

describe.skipIf(isAway)('the examples', () => {
  test('load, all 68 of them [DOC-21]', () => {
    const names = namesIn(folder);
    expect(names.ok && names.value.map((name) => [name, complaintsAbout(read(name))])).toEqual(
      Object.keys(EXAMPLES)
        .toSorted()
        .map((name) => [name, []]),
    );
    expect(Object.keys(EXAMPLES)).toHaveLength(68);
  });

  const cases = Object.entries(EXAMPLES).map(([name, example]) => {
    const rows = ['WF-08', ...(example.rows ?? [])].join(', ');
    return { title: `${name} [${rows}]`, name, example };
  });

  test.each(cases)('end alike with crashes and without: $title', async ({ name, example }) => {
    expect(await playExample(read(name), example)).toEqual([]);
  });
});
