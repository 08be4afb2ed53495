/**
 * Random definitions and their next versions: an instance that runs is moved from the one to the
 * other at some point of its life, by the mapping that their difference suggests, or is refused and
 * left as it is. One that is moved fits the other plan, comes to its end by it and keeps every
 * promise on the way, with a crash after every commit; a structured one does not stall.
 */
import { expect, test } from 'vitest';
import { MigrationPlayer } from '../testing/migration-player.ts';
import { MUTATIONS, mutated } from '../testing/mutations.ts';
import { type Case, caseOf } from '../testing/random-case.ts';
import { luck, lucky } from '../testing/random-luck.ts';

/** Of instances that are open when they are to be moved. */
const PAIRS = 500;
const MIGRATED_LEAST = 0.3;

/** The same definition with one thing or two done to it, and what that was. */
function nextOf(first: Case): { next: Case; did: readonly string[] } {
  const { seed } = first;
  const did: string[] = [];
  let next = first;
  for (const word of luck(3, seed, 'two') === 0 ? [1, 2] : [1]) {
    const mutation = lucky(MUTATIONS, seed, 'mutation', word);
    const done = mutated(next, mutation, word);
    if (done.did) did.push(mutation);
    next = done.case;
  }
  return { next, did };
}

test(`${PAIRS} instances go on by the next version or stay as they were`, async () => {
  const counts = { migrated: 0, refused: 0, over: 0 };
  for (let seed = 1; counts.migrated + counts.refused < PAIRS; seed += 1) {
    const first = caseOf(seed);
    const { next, did } = nextOf(first);
    const length = await new MigrationPlayer(first, first).length();
    const after = 1 + luck(Math.max(length - 1, 1), seed, 'after');
    const player = new MigrationPlayer(first, next);
    const { came, status, reasons } = await player.play(after).catch((thrown: unknown) => {
      const what = `seed ${seed} breaks a law (${did.join(', ')}, after ${after} strides)`;
      throw new Error([what, String(thrown), ...player.story].join('\n'), { cause: thrown });
    });
    counts[came] += 1;
    const isOver = status === 'completed' || status === 'failed' || status === 'canceled';
    const mayStall = first.shape.family === 'unstructured' && status === 'stalled';
    // What is the same is never refused.
    const isFine = came === 'refused' ? did.length > 0 : isOver || mayStall;
    expect({ seed, did, came, status, reasons, isFine }).toMatchObject({ isFine: true });
  }
  const { migrated, refused } = counts;
  expect(migrated / (migrated + refused)).toBeGreaterThan(MIGRATED_LEAST);
  expect(refused).toBeGreaterThan(20);
}, 120_000);
