/**
 * `npm run conformance -- NAME PATH`: somebody else's definition of right, run against ours.
 *
 * What fails is told on stdout with its place, progress goes to stderr. The last line of stdout is
 * JSON: {"name","passed","failed","skipped","total"}. The exit code is 1 if anything failed, and 2
 * if there was nothing to run.
 */
import type { Result } from '../src/base/result.ts';
import { runChecklist } from './checklist-suite.ts';
import { runCtkSuite } from './ctk-suite.ts';
import { runJqSuite } from './jq-suite.ts';
import type { Say, Tally } from './suite.ts';

type Ran = Result<Tally, string>;

interface Suite {
  /** What its path is. */
  readonly takes: string;
  readonly run: (path: string, say: Say) => Ran | Promise<Ran>;
}

const SUITES: ReadonlyMap<string, Suite> = new Map([
  ['jq', { takes: 'the folder of its tests', run: runJqSuite }],
  ['ctk', { takes: 'the folder of its features', run: (path, say) => runCtkSuite(path, say) }],
  ['checklist', { takes: 'the file with its rows', run: (path, say) => runChecklist(path, say) }],
  ['examples', { takes: 'the folder of its files', run: loadExamples }],
]);

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const [name, path, ...more] = args;
  const suite = SUITES.get(name ?? '');
  if (name === undefined || suite === undefined) {
    const which = `npm run conformance -- NAME PATH, where NAME is one of: ${knownNames()}`;
    return refuse(name === undefined ? which : `there is no suite "${name}"; ${which}`);
  }
  if (path === undefined || more.length > 0) {
    return refuse(`npm run conformance -- ${name} PATH takes ${suite.takes}`);
  }
  const run = await suite.run(path, {
    progress: (line) => void process.stderr.write(`${line}\n`),
    result: (lines) => void process.stdout.write(`${lines}\n`),
  });
  if (!run.ok) return refuse(run.problem);
  process.stdout.write(`${JSON.stringify({ name, ...run.value })}\n`);
  return run.value.failed > 0 ? 1 : 0;
}

/** Loaded with all the servers that it takes, and only then. */
async function loadExamples(path: string, say: Say): Promise<Ran> {
  const { runExamples } = await import('./examples-suite.ts');
  return runExamples(path, say);
}

function knownNames(): string {
  return [...SUITES.keys()].join(', ');
}

function refuse(sentence: string): number {
  process.stderr.write(`${sentence}\n`);
  return 2;
}
