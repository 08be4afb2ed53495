/**
 * The simulator as a program: seeds in, a verdict out.
 *
 *     npm run sim -- --count 20000      plays that many random definitions
 *     npm run sim -- --seed 4711        plays one and tells all of it
 *     npm run sim -- --store sqlite     with SQLite under the crashing twin
 *     npm run sim -- --operations       while an operator does whatever comes to mind
 *     npm run sim -- --jq               plays random jq programs and no definitions
 *
 * Each seed is one definition, played as `src/testing/laws.ts` says: answers in some order, a crash
 * after every commit, answers that come twice or late. A seed that breaks a law is shrunk and told
 * on stderr. A run that names none of the options but the first plays as many jq programs, too
 * (`jq.ts`): each of them is a run, and an answer that differs from that of the real jq breaks a
 * law. The last line on stdout is JSON; the exit code is 1 if a law was broken, 2 if the arguments
 * make no sense. Interrupted, it finishes the definition it is at and tells what it has.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { touchedBy } from '../src/kernel/touched.ts';
import { sqlite } from '../src/stores/sqlite/sqlite.ts';
import { showEnding } from '../src/testing/laws-ending.ts';
import { findBreach, tellDraft, tellFinding, tellHabits } from '../src/testing/laws-report.ts';
import { TRIAL, type Trial, tryCase } from '../src/testing/laws.ts';
import { sequenceOf, tellSequence, trySequence } from '../src/testing/operations-report.ts';
import { caseOf, drawingOf } from '../src/testing/random-case.ts';
import { type JqReport, playJqMany, playJqOne } from './jq.ts';
import { type Options, readOptions } from './options.ts';

/** Findings that are shrunk and told in full; the others are only named. */
const TOLD_MAX = 3;
const PROGRESS_MS = 1_000;

interface Tally {
  runs: number;
  violations: number;
  jq?: JqReport;
}

/** Set by the first interrupt; a second one ends the process. */
const stop = { isWanted: false };

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (!options.ok) {
    process.stderr.write(`${options.problem}\n`);
    return 2;
  }
  const tally: Tally = { runs: 0, violations: 0 };
  if (options.value.seed === null) process.once('SIGINT', () => void (stop.isWanted = true));
  if (options.value.jq !== 'alone') await playDefinitions(options.value, tally);
  if (options.value.jq !== 'not') await playJq(options.value, tally);
  process.stdout.write(`${JSON.stringify({ name: 'sim', ...tally })}\n`);
  return tally.violations > 0 ? 1 : 0;
}

function playDefinitions(options: Options, tally: Tally): Promise<void> {
  return withTrial(options.store, (trial) => {
    const { seed, operations } = options;
    if (seed === null) return playMany(options, trial, tally);
    return operations ? operateOne(seed, trial, tally) : playOne(seed, trial, tally);
  });
}

async function playJq(options: Options, tally: Tally): Promise<void> {
  const { seed } = options;
  const report =
    seed === null ? await playJqMany(options, () => stop.isWanted) : await playJqOne(seed);
  tally.runs += report.cases;
  tally.violations += report.differences;
  tally.jq = report;
}

async function withTrial(
  store: Options['store'],
  play: (trial: Trial) => Promise<void>,
): Promise<void> {
  if (store === 'memory') return play(TRIAL);
  const folder = await mkdtemp(join(tmpdir(), 'perdure-sim-'));
  const clock = { now: 0 };
  const path = join(folder, 'sim.db');
  // Losing power is not what is tried here, and each fsync would cost more than the rest.
  const database = sqlite(path, { durability: 'relaxed', clock: () => clock.now });
  await database.open();
  try {
    await play({ ...TRIAL, openShelf: () => ({ store: database, clock, touchedBy }) });
  } finally {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function playMany(options: Options, trial: Trial, tally: Tally): Promise<void> {
  const { from, count } = options;
  const play = options.operations ? operateSeed : playSeed;
  let told = Date.now();
  for (let seed = from; seed < from + count && !stop.isWanted; seed += 1) {
    await play(seed, trial, tally);
    if (Date.now() - told < PROGRESS_MS) continue;
    told = Date.now();
    process.stderr.write(`${tally.runs} of ${count} played, ${tally.violations} broke a law\n`);
    // The memory store never lets the event loop turn by itself, and a signal needs it to.
    await new Promise((resume) => setImmediate(resume));
  }
}

async function playSeed(seed: number, trial: Trial, tally: Tally): Promise<void> {
  tally.runs += 1;
  if (tally.violations >= TOLD_MAX) {
    const verdict = await tryCase(caseOf(seed), trial);
    if (verdict.kept) return;
    tally.violations += 1;
    process.stderr.write(`law "${verdict.breach.law}" is broken by seed ${seed}\n`);
    return;
  }
  const finding = await findBreach(seed, trial);
  if (finding === undefined) return;
  tally.violations += 1;
  process.stderr.write(`${tellFinding(finding)}\n\n`);
}

async function operateSeed(seed: number, trial: Trial, tally: Tally): Promise<void> {
  tally.runs += 1;
  const isTold = tally.violations < TOLD_MAX;
  const found = isTold ? await tellSequence(seed, trial) : await briefSequence(seed, trial);
  if (found === '') return;
  tally.violations += 1;
  process.stderr.write(`${found}\n\n`);
}

async function briefSequence(seed: number, trial: Trial): Promise<string> {
  const played = await trySequence(sequenceOf(seed), trial);
  return played.kept ? '' : `law "${played.breach.law}" is broken by sequence ${seed}`;
}

async function operateOne(seed: number, trial: Trial, tally: Tally): Promise<void> {
  const played = await trySequence(sequenceOf(seed), trial);
  const story = played.kept ? played.player.story : played.breach.story;
  for (const part of story) process.stdout.write(`${part}\n`);
  await operateSeed(seed, trial, tally);
}

async function playOne(seed: number, trial: Trial, tally: Tally): Promise<void> {
  const one = caseOf(seed);
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  say(`seed ${seed}, ${one.shape.family}; answers: ${tellHabits(one.habits)}`);
  say(tellDraft(drawingOf(one, `law-${seed}`).draft));
  const verdict = await tryCase(one, trial);
  tally.runs += 1;
  for (const part of verdict.kept ? verdict.player.story : verdict.breach.story) say(part);
  if (verdict.kept) return say(`keeps the laws: ${showEnding(verdict.ending)}`);
  tally.violations += 1;
  const finding = await findBreach(seed, trial);
  say(finding === undefined ? 'a second try keeps the laws' : `\n${tellFinding(finding)}`);
}

process.exitCode = await main();
