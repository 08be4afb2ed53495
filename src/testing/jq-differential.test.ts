/** Our jq against the real one: `npm run sim -- --jq` plays more, and tells what it finds. */
import { expect, test } from 'vitest';
import { answerOf } from './jq-answer.ts';
import { newTally, playJq, tellFinding } from './jq-difference.ts';
import { Oracle } from './jq-oracle.ts';

/** As many as take some twelve seconds. */
const CASES = 8_000;
const BATCH = 40;
/** More findings than that are not needed to see that something is wrong. */
const TOLD_MAX = 5;

test('random jq programs mean the same to us as to the real jq', async () => {
  const contest = { own: answerOf, oracle: new Oracle() };
  const tally = newTally();
  const told: string[] = [];
  for (let seed = 1; seed <= CASES; seed += BATCH) {
    const seeds = Array.from({ length: BATCH }, (_, at) => seed + at);
    told.push(...(await playJq(contest, seeds, tally)).map(tellFinding));
    if (told.length >= TOLD_MAX) break;
  }
  expect(told.join('\n')).toBe('');
  expect(tally.unanswered / tally.cases).toBeLessThan(0.01);
});

test.each([
  ['[1, 2] | map(. + 1)', null, { end: 'done', outputs: [[2, 3]] }],
  ['.[] | tonumber', ['1', 'a'], { end: 'error', outputs: [1] }],
  ['1 +', null, { end: 'refused' }],
  ['', 5, { end: 'refused' }],
  ['def f: 1;', 5, { end: 'refused' }],
  ['. # no more', 5, { end: 'done', outputs: [5] }],
  ['$given, $__loc__.line', null, { end: 'done', outputs: [7, 1] }],
  ['[range(1e8)] | length', null, { end: 'silent' }],
])('the oracle answers %j, alone and among others', async (program, input, answer) => {
  const oracle = new Oracle();
  const plain = { program: '.', input: 3, given: null };
  expect(await oracle.ask([{ program, input, given: 7 }])).toMatchObject([answer]);
  expect(await oracle.ask([plain, { program, input, given: 7 }, plain])).toMatchObject([
    { end: 'done', outputs: [3] },
    answer,
    { end: 'done', outputs: [3] },
  ]);
});
