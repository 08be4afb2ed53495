/**
 * The checklist of Serverless Workflow, row by row, against the tests there are: those that name a
 * row are run by vitest, and every row that has no passing one is told by name.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { no, ok, type Result } from '../src/base/result.ts';
import { MISSING } from './checklist/missing.ts';
import { filesFor } from './checklist-files.ts';
import { judgeRows, type Ran, readRows, strayIds, type Verdict } from './checklist-rows.ts';
import type { Say, Tally } from './suite.ts';

export interface ChecklistOptions {
  /** Where the tests are. */
  readonly root?: string;
  readonly missing?: Readonly<Record<string, string>>;
}

/** The problem is a sentence, if there are no rows. */
export async function runChecklist(
  path: string,
  say: Say,
  options: ChecklistOptions = {},
): Promise<Result<Tally, string>> {
  const { root = dirname(import.meta.dirname), missing = MISSING } = options;
  if (!existsSync(path)) return no(`there is no file ${path}`);
  const rows = readRows(readFileSync(path, 'utf8'));
  if (!rows.ok) return no(`${path}: ${rows.problem}`);
  const files = filesFor(root, rows.value);
  say.progress(`${rows.value.length} rows; ${files.length} test files name some of them`);
  const tests = files.length === 0 ? [] : await runTests(root, files, say);
  const verdicts = judgeRows(rows.value, tests, missing);
  for (const id of strayIds(rows.value, tests)) say.result(`a test names ${id}, which is no row`);
  tell(verdicts, missing, say);
  return ok(tallyOf(verdicts));
}

function tell(
  verdicts: readonly Verdict[],
  missing: Readonly<Record<string, string>>,
  say: Say,
): void {
  const lineOf = ({ row, why }: Verdict): string => `${row.id}  ${row.text}: ${why}`;
  for (const verdict of verdicts) {
    if (verdict.as === 'failed') say.result(`FAILED ${lineOf(verdict)}`);
  }
  const skipped = verdicts.filter(({ as }) => as === 'skipped');
  if (skipped.length > 0) say.result('left out on purpose:');
  for (const verdict of skipped) say.result(`  ${lineOf(verdict)}`);
  const met = verdicts.filter(({ row, as }) => as === 'passed' && Object.hasOwn(missing, row.id));
  for (const { row } of met) say.result(`${row.id} is met, and still listed as missing`);
}

function tallyOf(verdicts: readonly Verdict[]): Tally {
  const count = (as: Verdict['as']): number => verdicts.filter((one) => one.as === as).length;
  const total = verdicts.length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped'), total };
}

/** What came of every test of these files. */
async function runTests(root: string, files: readonly string[], say: Say): Promise<readonly Ran[]> {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-checklist-'));
  const report = join(folder, 'report.json');
  try {
    const vitest = join(
      dirname(fileURLToPath(import.meta.resolve('vitest/package.json'))),
      PROGRAM,
    );
    const words = ['run', '--root', root, '--reporter=default', '--reporter=json'];
    const args = [vitest, ...words, `--outputFile.json=${report}`, ...files];
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: ownEnvironment(),
      stdio: 'pipe',
    });
    relay(child, say);
    await once(child, 'close');
    if (!existsSync(report)) throw new Error('vitest has left no report; what it said is above');
    return resultsIn(JSON.parse(readFileSync(report, 'utf8')) as Report, root);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const PROGRAM = 'vitest.mjs';

/** A run of tests inside a run of tests is one of its own. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^VITEST|^NODE_ENV$/.test(name));
  return { ...Object.fromEntries(own), NO_COLOR: '1' };
}

function relay({ stdout, stderr }: ChildProcess, say: Say): void {
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\n')) if (line.trim() !== '') say.progress(line);
    });
  }
}

/** Of what vitest reports, as much as is read here. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
    }[];
  }[];
}

function resultsIn({ testResults }: Report, root: string): readonly Ran[] {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({
      file: relative(root, name),
      title: fullName,
      status: status === 'passed' || status === 'failed' ? status : 'skipped',
    })),
  );
}
