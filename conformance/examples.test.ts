/** The examples belong to others and are no part of this project: they run where they are. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
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

const OURS = `
document: { dsl: '1.0.3', namespace: test, name: ours, version: '1.0.0' }
do:
  - answer:
      set: { answer: 42 }
`;

describe('a folder of examples', () => {
  function folderOf(files: Readonly<Record<string, string>>): string {
    const own = mkdtempSync(join(tmpdir(), 'perdure-examples-'));
    onTestFinished(() => rmSync(own, { recursive: true }));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(own, name), text);
    return own;
  }

  test('is run file by file, and told what does not load and what ends otherwise', async () => {
    const told: string[] = [];
    const own = folderOf({ 'emit.yaml': OURS, 'ours.yaml': OURS, 'set.yml': 'do: []' });
    const say = { progress: () => {}, result: (lines: string) => told.push(lines) };
    expect(await runExamples(own, say)).toEqual({
      ok: true,
      value: { passed: 0, failed: 2, skipped: 1, total: 3 },
    });
    expect(told).toEqual([
      expect.stringMatching(/^FAILED emit.yaml\n {2}as it is: output: .*expected .*, came/),
      'ours.yaml loads, and nobody has said how it is run',
      expect.stringMatching(/^FAILED set.yml\n {2}it does not load: .*document/),
    ]);
  });

  test('that has none is told in a sentence', async () => {
    const own = folderOf({});
    const say = { progress: () => {}, result: () => {} };
    const problem = `there is no *.yaml file in ${own}`;
    expect(await runExamples(own, say)).toMatchObject({ problem });
  });
});
