/**
 * What must hold for every plan and every order of answers, on random ones (STYLE §2.11).
 *
 * Each seed is one definition, played to its end with answers in some order, a crash after every
 * commit, and answers that come late, twice or to the wrong token; after every commit the laws are
 * tried (see `testing/laws.ts`). A failing seed prints how to replay it and the smallest case that
 * still fails. `npm run sim` plays any number more.
 */
import { expect, test } from 'vitest';
import { findBreach, tellFinding } from '../testing/laws-report.ts';

/** Three of five seeds are structured definitions, two are graphs. */
const SEEDS = 3_000;
const SEEDS_PER_TEST = 50;

for (let from = 1; from <= SEEDS; from += SEEDS_PER_TEST) {
  const to = from + SEEDS_PER_TEST - 1;
  test(`definitions ${from} to ${to} keep the laws in any order of answers`, async () => {
    expect(await firstFinding(from, to)).toBe('');
  });
}

/** The first seed that breaks a law, as a bug report; nothing if none does. */
async function firstFinding(from: number, to: number): Promise<string> {
  for (let seed = from; seed <= to; seed += 1) {
    const finding = await findBreach(seed);
    if (finding !== undefined) return tellFinding(finding);
  }
  return '';
}
