/**
 * What must hold whatever an operator does, and whenever (B-30, L-42, L-43, S-69, scenario 24).
 *
 * Each seed is one random definition, played with a crash after every commit while someone
 * suspends, resumes, retries, skips, wakes, sets, moves, cancels, revives and reruns as luck has
 * it; after every commit the laws are tried (see `testing/laws-operations.ts`). Then those of going
 * back in time, node by node, on runs whose end is known (`testing/laws-pasts.ts`). A failing seed
 * prints how to replay it and the smallest sequence that still fails.
 */
import { expect, test } from 'vitest';
import { kinds } from '../nodes/index.ts';
import { lawMachine, type Quick } from '../testing/laws-quick.ts';
import { checkReruns, checkRevival, Life } from '../testing/laws-pasts.ts';
import { sequenceOf, tellSequence, trySequence } from '../testing/operations-report.ts';
import { withShortLists } from '../testing/random-blocks.ts';
import { type Case, caseOf, drawingOf, isOrderly } from '../testing/random-case.ts';
import { luck } from '../testing/random-luck.ts';
import { advance } from './advance.ts';
import type { Machine } from './machine.ts';

const SEQUENCES = 1_000;
const PER_TEST = 50;

for (let from = 1; from <= SEQUENCES; from += PER_TEST) {
  const to = from + PER_TEST - 1;
  test(`sequences ${from} to ${to} of an operator keep the laws`, async () => {
    for (let seed = from; seed <= to; seed += 1) expect(await tellSequence(seed)).toBe('');
  });
}

test('among them everything is done, and refused by every name it can be', async () => {
  const tally = new Map<string, number>();
  for (let seed = 1; seed <= 160; seed += 1) {
    const played = await trySequence(sequenceOf(seed));
    for (const [word, count] of played.kept ? played.player.tally : []) {
      tally.set(word, (tally.get(word) ?? 0) + count);
    }
  }
  const rare = EVERYTHING.filter((word) => !tally.has(word));
  expect(rare, JSON.stringify(Object.fromEntries(tally))).toEqual([]);
});

const EVERYTHING: readonly string[] = [
  ...['cancel', 'suspend', 'resume', 'retry', 'skip', 'wake', 'set', 'move', 'revive', 'rerun'].map(
    (verb) => `${verb} done`,
  ),
  ...['suspend', 'resume', 'retry', 'skip', 'wake', 'set', 'move'].map(
    (verb) => `${verb} instance.over`,
  ),
  ...['skip', 'wake', 'set', 'move', 'revive', 'rerun'].map((verb) => `${verb} operation.refused`),
  ...['cancel', 'suspend', 'resume'].map((verb) => `${verb} so already`),
  ...['skip', 'move'].map((verb) => `${verb} token.not-found`),
  ...['retry token.not-parked', 'wake instance.suspended', 'move node.not-found', 'rerun copied'],
  ...['wake token.gated', 'wake token.not-waiting', 'wake variable.reserved'],
];

const SEEDS = 400;
const SEEDS_PER_TEST = 50;

for (let from = 1; from <= SEEDS; from += SEEDS_PER_TEST) {
  const to = from + SEEDS_PER_TEST - 1;
  test(`definitions ${from} to ${to} come to the same end from every node`, async () => {
    for (let seed = from; seed <= to; seed += 1) await tryPasts(seed);
  });
}

/** What the case of a seed comes to is known only if it depends on no order and nothing fails. */
function orderlyCase(seed: number): Case | undefined {
  const drawn = caseOf(seed);
  const habits = { ...drawn.habits, failAt: null, failures: false, cancel: null };
  const failing = luck(2, seed, 'no saga') === 0 ? { saga: 'none' as const } : drawn.failing;
  const { shape: whole } = drawn;
  // It is gone back to from every node, and each time all of it is played.
  const isRow = whole.family === 'structured';
  const shape = isRow ? { ...whole, row: withShortLists(whole.row) } : whole;
  const one = { ...drawn, shape, trapped: false, failing, habits };
  return isOrderly(one) ? one : undefined;
}

async function tryPasts(seed: number): Promise<void> {
  const one = orderlyCase(seed);
  if (one === undefined) return;
  const movesPerCommit = luck(3, seed, 'short') === 0 ? 1 + luck(5, seed, 'moves') : null;
  const crashesMax = luck(2, seed, 'crashes') === 0 ? 0 : null;
  const drawing = drawingOf(one, `past-${seed}`);
  const machine = lawMachine(drawing, kinds, { movesPerCommit, crashesMax });
  const quick = { seed, order: one.habits.order, failures: false, advance };
  const life = Life.begun(machine, quick);
  life.play();
  const whole = life.ending();
  const half = life.twin(1 + luck(life.history.length, seed, 'half'));
  await told(seed, async () => {
    await checkReruns(half, whole, quick);
    // All that is over is gone back to in the same way: some of it is enough.
    if (seed % 2 === 0) await checkReruns(life, whole, quick);
    for (const failAt of [0, 1, 3, 7]) await tryRevival(machine, quick, failAt, whole);
  });
}

async function tryRevival(
  machine: Machine,
  quick: Quick,
  failAt: number,
  whole: ReturnType<Life['ending']>,
): Promise<void> {
  const life = Life.begun(machine, quick, failAt);
  life.play();
  if (life.instance.head.status === 'failed') await checkRevival(life, whole);
}

/** A seed is a bug report. */
async function told(seed: number, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    throw new Error(`definition ${seed}: ${(thrown as Error).message}`, { cause: thrown });
  }
}
