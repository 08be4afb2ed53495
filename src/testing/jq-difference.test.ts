/** Whether a mistake would be found: the real jq plays against itself, with and without one. */
import { loadJq } from 'jq-wasm';
import { expect, test } from 'vitest';
import {
  type Contest,
  type Finding,
  judge,
  newTally,
  playJq,
  playJqSeed,
  shrinkFinding,
  tellFinding,
} from './jq-difference.ts';
import type { OwnAnswer } from './jq-likeness.ts';
import { type Answer, askJq, Oracle, type Question } from './jq-oracle.ts';

const jq = await loadJq();

/** The real jq, which reads something else than what it is given. */
function misreading(misread: (program: string) => string): Contest {
  const own = (question: Question): OwnAnswer => {
    const asked = { ...question, program: misread(question.program) };
    return askJq(jq, [asked])?.[0] ?? { end: 'limit' };
  };
  return { own, oracle: new Oracle() };
}

async function hunt(contest: Contest): Promise<Finding> {
  for (let seed = 1; seed < 2_000; seed += 40) {
    const seeds = Array.from({ length: 40 }, (_, at) => seed + at);
    const [finding] = await playJq(contest, seeds, newTally());
    if (finding !== undefined) return shrinkFinding(contest, finding);
  }
  throw new Error('nobody noticed');
}

test('the real jq does not differ from itself, asked one by one or many at once', async () => {
  const tally = newTally();
  const seeds = Array.from({ length: 600 }, (_, at) => 900_001 + at);
  const findings = await playJq(
    misreading((program) => program),
    seeds,
    tally,
  );
  expect(findings.map(tellFinding)).toEqual([]);
  expect(tally).toMatchObject({ cases: 600, same: 600 });
  expect(tally.failed).toBeGreaterThan(30);
  expect(tally.refused).toBeGreaterThan(10);
});

test.each<[string, (program: string) => string]>([
  ['sorting does nothing', (program) => program.replaceAll(/\bsort\b/g, '.')],
  ['updates are assignments', (program) => program.replaceAll(' |= ', ' = ')],
  ['the comma goes missing', (program) => program.replaceAll(/, (?=\$)/g, ' // ')],
  ['last is first', (program) => program.replaceAll(/\blast\(/g, 'first(')],
  ['a name is read as another', (program) => program.replaceAll('.__proto__', '.a')],
  ['try does not catch', (program) => program.replaceAll(/\btry error/g, 'error')],
])('if %s, that is found and made small', async (_, misread) => {
  const finding = await hunt(misreading(misread));
  expect(finding.question.program.length, tellFinding(finding)).toBeLessThan(60);
});

test('one seed is told with both answers and a verdict', async () => {
  const told = await playJqSeed(
    misreading((program) => `1, (${program})`),
    3,
  );
  expect(told).toMatch(/program .*\n.*input .*\n[^]*ours .*\n.*jq .*\n.*verdict {2}different/);
});

const done = (...outputs: Extract<Answer, { end: 'done' }>['outputs']): Answer => ({
  end: 'done',
  outputs,
});

test.each<[string, string, OwnAnswer, Answer]>([
  ['1', 'another output', done(1), done(2)],
  ['1', 'an output more', done(1), done(1, 1)],
  ['1', 'another order of keys', done({ a: 1, b: 2 }), done({ b: 2, a: 1 })],
  ['0', 'another sign of zero', done(-0), done(0)],
  ['1', 'an error', done(1), { end: 'error', outputs: [1], error: 'no' }],
  [
    '1',
    'another message',
    { end: 'error', outputs: [], error: 'yes' },
    { end: 'error', outputs: [], error: 'no' },
  ],
  ['1', 'a refusal', done(1), { end: 'refused', message: '' }],
  ['1 | floor', 'another digit of an exact function', done(0.3), done(0.30000000000000004)],
  ['1 | sin', 'a digit further up', done(0.3), done(0.3000001)],
])('%s: %s is a difference', (program, _, ours, theirs) => {
  const question = { program, input: null, given: null };
  expect(judge({ question, ours, theirs })).toBe('different');
});

test.each<[string, string, OwnAnswer, Answer]>([
  ['1 | sin', 'last digits', done([0.3]), done([0.30000000000000004])],
  ['1 | sin | tostring', 'last digits', done('x 0.3'), done('x 0.30000000000000004')],
])('%s: %s are known to differ', (program, name, ours, theirs) => {
  const question = { program, input: null, given: null };
  expect(judge({ question, ours, theirs })).toMatchObject({ name });
});
