/**
 * Sequences of what an operator does, by seed: a case, and how often something is done while it is
 * played. One that breaks a law is made smaller and told, as any other finding is.
 */
import { LawBroken } from './laws-ending.ts';
import { OperationsPlayer } from './laws-operations.ts';
import { tellDraft, tellHabits } from './laws-report.ts';
import { type Breach, TRIAL, type Trial } from './laws.ts';
import { type Case, caseOf, drawingOf, smallerCases } from './random-case.ts';
import { luck } from './random-luck.ts';
import { shrink } from './shrink.ts';

export interface Sequence {
  readonly one: Case;
  readonly operations: number;
  /** A chain is played in place of what the case draws. */
  readonly chain: boolean;
}

const OPERATIONS_MOST = 14;
const CHAIN_EVERY = 8;

/** Half of them are about failures, and some wait for someone to mend those. */
export function sequenceOf(seed: number): Sequence {
  const drawn = caseOf(seed);
  const failures = luck(2, seed, 'operator', 'failures') === 0;
  const mends = luck(4, seed, 'operator', 'mends') === 0;
  const failing = mends ? { ...drawn.failing, onFailure: 'incident' as const } : drawn.failing;
  // Whatever is cancelled, or fails once and for all, the operator brings about.
  const habits = { ...drawn.habits, failures, cancel: null, failAt: null };
  const operations = 3 + luck(OPERATIONS_MOST - 2, seed, 'operator', 'how often');
  return { one: { ...drawn, failing, habits }, operations, chain: seed % CHAIN_EVERY === 0 };
}

export type Played =
  | { readonly kept: true; readonly player: OperationsPlayer }
  | { readonly kept: false; readonly breach: Breach };

let runs = 0;

export async function trySequence(
  { one, operations, chain }: Sequence,
  trial: Trial = TRIAL,
): Promise<Played> {
  runs += 1;
  let player: OperationsPlayer | undefined;
  try {
    player = new OperationsPlayer(one, trial, `ops-${one.seed}-${runs}`, chain);
    await player.play(operations);
    return { kept: true, player };
  } catch (thrown) {
    const { name, message, stack = '' } = thrown as Error;
    const law = thrown instanceof LawBroken ? thrown.law : name;
    const place = stack.split('\n').find((line) => line.includes('/src/')) ?? '';
    return { kept: false, breach: { law, message: message + place, story: player?.story ?? [] } };
  }
}

/** Within so many sequences a planted bug is found. */
const HUNTED_MAX = 1_000;

/** The first law that is broken where there is a bug. */
export async function lawBroken(trial: Trial): Promise<string> {
  for (let seed = 1; seed <= HUNTED_MAX; seed += 1) {
    const played = await trySequence(sequenceOf(seed), trial);
    if (!played.kept) return played.breach.law;
  }
  return 'none';
}

/** The sequence of a seed breaks a law: how, and the smallest that does. Empty if it keeps them. */
export async function tellSequence(seed: number, trial: Trial = TRIAL): Promise<string> {
  const whole = sequenceOf(seed);
  const played = await trySequence(whole, trial);
  if (played.kept) return '';
  const { breach } = played;
  let left = breach;
  const least = await shrink(whole, smaller, async (candidate) => {
    const again = await trySequence(candidate, trial);
    if (again.kept || again.breach.law !== breach.law) return false;
    left = again.breach;
    return true;
  });
  return [
    `law "${breach.law}" is broken by sequence ${seed}: ${breach.message}`,
    `replay it: npm run sim -- --operations --seed ${seed}`,
    `shrunk to ${least.operations} operations: ${left.message}`,
    `answers: ${tellHabits(least.one.habits)}`,
    least.chain ? 'a chain' : tellDraft(drawingOf(least.one, 'least').draft),
    ...left.story,
  ].join('\n');
}

function* smaller(whole: Sequence): Iterable<Sequence> {
  const { one, operations } = whole;
  for (const fewer of [Math.floor(operations / 2), operations - 1]) {
    if (fewer > 0 && fewer < operations) yield { ...whole, operations: fewer };
  }
  for (const less of smallerCases(one)) yield { ...whole, one: less };
}
