import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { filesFor } from './checklist-files.ts';
import { judgeRows, type Ran, readRows, rowsIn, strayIds } from './checklist-rows.ts';
import { runChecklist } from './checklist-suite.ts';

/** In the checkout, so that tests in it find vitest; .gitignore knows the folder. */
const home = join(import.meta.dirname, '..', '.perdure');
mkdirSync(home, { recursive: true });
const root = mkdtempSync(join(home, 'checklist-'));
afterAll(() => rmSync(root, { recursive: true }));

const ROWS = `#\tThings
XX-01\tit is there\tR
XX-02\tit is good\tR S

#\tMore
XY-S1\tit is quick\tA-01
XY-02\tit is free\t(ops)
XY-03\tit is blue\tR
`;

function rowsOf(text: string) {
  const read = readRows(text);
  if (!read.ok) throw new Error(read.problem);
  return read.value;
}

describe('rows', () => {
  test('are the lines that are no headings', () => {
    expect(rowsOf(ROWS)).toEqual([
      { id: 'XX-01', text: 'it is there' },
      { id: 'XX-02', text: 'it is good' },
      { id: 'XY-S1', text: 'it is quick' },
      { id: 'XY-02', text: 'it is free' },
      { id: 'XY-03', text: 'it is blue' },
    ]);
    expect(rowsOf(ROWS.replaceAll('\n', '\r\n'))).toHaveLength(5);
  });

  test.each([
    ['XX-01\ta\nXX-01\tb', 'line 2 has the id of another row: XX-01'],
    ['something', 'line 1 does not begin with the id of a row: something'],
    ['#\tThings', 'there is no row in it'],
  ])('that are none are told: %j', (text, problem) => {
    expect(readRows(text)).toEqual({ ok: false, problem });
  });
});

test.each([
  ['it is there [XX-01]', ['XX-01']],
  ['it [XX-01] is both [XX-02, XY-S1]', ['XX-01', 'XX-02', 'XY-S1']],
  ['around [X2-01] > inside [XX-02]', ['X2-01', 'XX-02']],
  ['the list [1, 2] of XX-01', []],
  ['a pattern [XX-01, and more]', []],
])('the title "%s" names %j', (title, ids) => {
  expect(rowsIn(title)).toEqual(ids);
});

describe('a row', () => {
  const ran = (title: string, status: Ran['status']): Ran => ({ file: 'a.test.ts', title, status });
  const verdictOf = (tests: readonly Ran[], missing = {}) => {
    const [verdict] = judgeRows(rowsOf('XX-01\tit is there'), tests, missing);
    return [verdict?.as, verdict?.why];
  };

  test('has passed if a test for it has, and none has failed', () => {
    const [good, bad] = [ran('a [XX-01]', 'passed'), ran('b [XX-01]', 'failed')];
    expect(verdictOf([good, ran('c [XX-01]', 'skipped')])).toEqual(['passed', '']);
    expect(verdictOf([good, bad])).toEqual(['failed', '"b [XX-01]" failed in a.test.ts']);
    expect(verdictOf([good], { 'XX-01': 'cannot be' })).toEqual(['passed', '']);
  });

  test('that nobody tests has failed, unless there is a reason', () => {
    expect(verdictOf([])).toEqual(['failed', 'no test names it']);
    expect(verdictOf([ran('a [XX-01]', 'skipped')])).toEqual(['failed', '"a [XX-01]" was skipped']);
    expect(verdictOf([], { 'XX-01': 'cannot be' })).toEqual(['skipped', 'cannot be']);
  });

  test('that is none is told, if it looks like one', () => {
    const tests = [ran('a [XX-01, XX-99]', 'passed'), ran('b [S-06]', 'passed')];
    expect(strayIds(rowsOf('XX-01\tit is there'), tests)).toEqual(['XX-99']);
  });
});

const write = (path: string, text: string): void => writeFileSync(join(root, path), text);

describe('the command', () => {
  mkdirSync(join(root, 'testing'));
  mkdirSync(join(root, 'node_modules'));
  const top = "import { describe, expect, test } from 'vitest';\n";
  write('rows.tsv', ROWS);
  write('a.test.ts', `${top}test('it is there [XX-01]', () => {});\n`);
  write(
    'b.test.ts',
    `${top}describe('it [XY-02]', () => {
  test('fails [XX-02]', () => expect(1).toBe(2));
  test('works', () => {});
});\n`,
  );
  write(
    'testing/suite.ts',
    `${top}export const all = () => test('quick [XY-S1, XX-77]', () => {});`,
  );
  write('c.test.ts', "import { all } from './testing/suite.ts';\nall();\n");
  write('d.test.ts', `${top}test('nothing to do with it [S-06]', () => {});\n`);
  write('node_modules/e.test.ts', `${top}test('not ours [XX-01]', () => {});\n`);

  test('runs only the files that name a row, or import from "testing" what does', () => {
    const rows = rowsOf(ROWS);
    expect(filesFor(root, rows)).toEqual(['a.test.ts', 'b.test.ts', 'c.test.ts']);
  });

  test('maps every row to the tests that were run for it, and names the rest', async () => {
    const told: string[] = [];
    const say = { progress: () => {}, result: (lines: string) => told.push(lines) };
    const missing = { 'XY-03': 'nobody has seen it', 'XX-01': 'there was no time' };
    const run = await runChecklist(join(root, 'rows.tsv'), say, { root, missing });
    expect(run).toEqual({ ok: true, value: { passed: 2, failed: 2, skipped: 1, total: 5 } });
    expect(told).toEqual([
      'a test names XX-77, which is no row',
      'FAILED XX-02  it is good: "it [XY-02] fails [XX-02]" failed in b.test.ts',
      'FAILED XY-02  it is free: "it [XY-02] fails [XX-02]" failed in b.test.ts',
      'left out on purpose:',
      '  XY-03  it is blue: nobody has seen it',
      'XX-01 is met, and still listed as missing',
    ]);
  });

  test('says in a sentence that there is nothing to look at', async () => {
    const say = { progress: () => {}, result: () => {} };
    const away = join(root, 'away.tsv');
    expect(await runChecklist(away, say)).toMatchObject({ problem: `there is no file ${away}` });
    const bad = join(root, 'b.test.ts');
    expect(await runChecklist(bad, say)).toMatchObject({
      problem: expect.stringContaining('does not begin with the id of a row'),
    });
  });
});
