/**
 * Random jq programs, put to our jq and to the real one (`src/testing/jq-difference.ts`). A program
 * to which they give different answers is a violation; it is shrunk and told on stderr, with its
 * seed. Differences that are known and meant are only counted.
 */
import { answerOf } from '../src/testing/jq-answer.ts';
import {
  type Contest,
  type JqTally,
  newTally,
  playJq,
  playJqSeed,
  tellFinding,
} from '../src/testing/jq-difference.ts';
import { Oracle } from '../src/testing/jq-oracle.ts';
import type { Options } from './options.ts';

/** Findings that are shrunk and told in full; the others are only named. */
const TOLD_MAX = 10;
const PROGRESS_MS = 1_000;
/** As many as the oracle answers at once. */
const BATCH = 40;

export interface JqReport {
  readonly cases: number;
  readonly differences: number;
  /** A limit of ours was reached, or the oracle broke down. */
  readonly unanswered: number;
  /** How often each known difference came up. */
  readonly known: Readonly<Record<string, number>>;
}

/** Plays the seeds that the options name, until all are played or it is time to stop. */
export async function playJqMany(
  { from, count }: Options,
  isStopped: () => boolean,
): Promise<JqReport> {
  const contest = newContest();
  const tally = newTally();
  let differences = 0;
  let told = Date.now();
  for (let seed = from; seed < from + count && !isStopped(); seed += BATCH) {
    const length = Math.min(BATCH, from + count - seed);
    const seeds = Array.from({ length }, (_, at) => seed + at);
    for (const finding of await playJq(contest, seeds, tally)) {
      differences += 1;
      const isTold = differences <= TOLD_MAX;
      const text = isTold ? tellFinding(finding) : `jq differs for seed ${finding.seed}`;
      process.stderr.write(`${text}\n`);
    }
    if (Date.now() - told < PROGRESS_MS) continue;
    told = Date.now();
    process.stderr.write(`${tally.cases} of ${count} jq programs played, ${differences} differ\n`);
    // Nothing else lets the event loop turn, and a signal needs it to.
    await new Promise((resume) => setImmediate(resume));
  }
  return reportOf(tally, differences);
}

function newContest(): Contest {
  return { own: answerOf, oracle: new Oracle() };
}

function reportOf({ cases, unanswered, known }: JqTally, differences: number): JqReport {
  return { cases, differences, unanswered, known: Object.fromEntries(known) };
}

function tellTally({ known, unanswered }: JqTally): string {
  const [name] = known.keys();
  if (name !== undefined) return `they differ as is known: ${name}`;
  return unanswered > 0 ? 'there is nothing to compare' : 'they are the same';
}

/** One seed alone, told in full on stdout. */
export async function playJqOne(seed: number): Promise<JqReport> {
  const contest = newContest();
  const tally = newTally();
  process.stdout.write(`jq seed ${seed}\n${await playJqSeed(contest, seed)}\n`);
  const findings = await playJq(contest, [seed], tally);
  const [finding] = findings;
  const verdict =
    finding === undefined ? tellTally(tally) : `they differ:\n${tellFinding(finding)}`;
  process.stdout.write(`${verdict}\n`);
  return reportOf(tally, findings.length);
}
