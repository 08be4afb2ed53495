import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'perdure-conformance-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PROGRAM = join(import.meta.dirname, 'conformance.ts');

function run(...words: readonly string[]) {
  const args = ['--conditions=perdure-source', PROGRAM, ...words];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test.each([
  [[], 'npm run conformance -- NAME PATH, where NAME is one of: jq, ctk, checklist, examples\n'],
  [['bpmn', '.'], 'there is no suite "bpmn"; npm run conformance -- NAME PATH, where'],
  [['ctk'], 'npm run conformance -- ctk PATH takes the folder of its features\n'],
  [['checklist', 'a', 'b'], 'npm run conformance -- checklist PATH takes the file with its rows\n'],
  [['examples', 'away'], 'away is not a folder that can be read\n'],
  [['ctk', 'away'], 'away is not a folder that can be read\n'],
  [['checklist', 'away.tsv'], 'there is no file away.tsv\n'],
])('words that make no sense are answered in one sentence: %j', (words, sentence) => {
  const { status, stdout, stderr } = run(...words);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(sentence);
  expect(stderr.trimEnd()).not.toContain('\n');
});

test('the last line of stdout is the tally, as JSON', () => {
  writeFileSync(join(folder, 'a.test'), '.\n1\n1\n\n.\n1\n2\n');
  const { status, stdout } = run('jq', folder);
  expect(status).toBe(1);
  const tally = { name: 'jq', passed: 1, failed: 1, skipped: 0, total: 2 };
  expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toEqual(tally);
});
