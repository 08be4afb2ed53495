/**
 * The examples of Serverless Workflow: each loads, and runs to its end against servers of ours,
 * once as it is and once with a crash after every commit. How, `examples-table.ts` says.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { no, ok, type Result } from '../src/base/result.ts';
import { serverlessFromText } from '../src/frontends/serverless/serverless.ts';
import type { Example } from './examples-case.ts';
import { playTake } from './examples-play.ts';
import { EXAMPLES } from './examples-table.ts';
import type { Say, Tally } from './suite.ts';

/** Runs all there is in a folder. The problem is a sentence, if there is nothing to run. */
export async function runExamples(folder: string, say: Say): Promise<Result<Tally, string>> {
  const names = namesIn(folder);
  if (!names.ok) return names;
  const tally = { passed: 0, failed: 0, skipped: 0, total: names.value.length };
  for (const name of names.value) {
    const text = readFileSync(join(folder, name), 'utf8');
    const example = EXAMPLES[name];
    const misses = [
      ...complaintsAbout(text),
      ...(example === undefined ? [] : await playExample(text, example)),
    ];
    if (misses.length > 0) {
      tally.failed += 1;
      say.result([`FAILED ${name}`, ...misses.map((one) => `  ${one}`)].join('\n'));
    } else if (example === undefined) {
      tally.skipped += 1;
      say.result(`${name} loads, and nobody has said how it is run`);
    } else {
      tally.passed += 1;
      say.progress(`${name}: as expected`);
    }
  }
  return ok(tally);
}

export function namesIn(folder: string): Result<readonly string[], string> {
  try {
    const names = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
    if (names.length === 0) return no(`there is no *.yaml file in ${folder}`);
    return ok(names.toSorted());
  } catch {
    return no(`${folder} is not a folder that can be read`);
  }
}

/** What is wrong with a definition, before anything is run. */
export function complaintsAbout(text: string): readonly string[] {
  const { diagnostics } = serverlessFromText(text).definition;
  return diagnostics.map(({ message, code }) => `it does not load: ${message} (${code})`);
}

/** Every take of it, without and with crashes: all that is not as it should be. */
export async function playExample(text: string, { takes }: Example): Promise<readonly string[]> {
  const misses: string[] = [];
  for (const take of takes) {
    for (const crashes of [false, true]) {
      const how = `${take.about ?? 'as it is'}${crashes ? ', with crashes' : ''}`;
      try {
        const found = await playTake(text, take, crashes);
        misses.push(...found.map((one) => `${how}: ${one}`));
      } catch (thrown) {
        if (!(thrown instanceof Error)) throw thrown;
        misses.push(`${how}: ${thrown.message}`);
      }
    }
  }
  return misses;
}
