/** Whether a mistake would be found: some are made on purpose. */
import { loadJq } from 'jq-wasm';
import { expect, test } from 'vitest';
import {
  type Contest,
  type Finding,
  judge,
  newTally,
  playJq,
  playJqSeed,
  tellFinding,
} from './jq-difference.ts';
import type { OwnAnswer } from './jq-likeness.ts';
import { answerOf } from './jq-answer.ts';
import { type Answer, askJq, type Question } from './jq-asking.ts';
import { Oracle } from './jq-oracle.ts';

const jq = await loadJq();

/** Our jq, which reads something else than what it is given. */
function misreading(misread: (program: string) => string): Contest {
  const own = (question: Question): OwnAnswer =>
    answerOf({ ...question, program: misread(question.program) });
  return { own, oracle: new Oracle() };
}

/** The real jq in the place of ours, but for programs that might not come to an end. */
function itself(question: Question): OwnAnswer {
  if (answerOf(question).end === 'limit') return { end: 'limit' };
  return askJq(jq, [question])?.[0] ?? { end: 'limit' };
}

async function hunt(contest: Contest): Promise<Finding> {
  for (let seed = 1; seed < 2_000; seed += 40) {
    const seeds = Array.from({ length: 40 }, (_, at) => seed + at);
    const [finding] = await playJq(contest, seeds, newTally());
    if (finding !== undefined) return finding;
  }
  throw new Error('nobody noticed');
}

test('the real jq does not differ from itself, asked one by one or many at once', async () => {
  const tally = newTally();
  const seeds = Array.from({ length: 600 }, (_, at) => 900_001 + at);
  const findings = await playJq({ own: itself, oracle: new Oracle() }, seeds, tally);
  expect(findings.map(tellFinding)).toEqual([]);
  expect(tally.same + tally.unanswered).toBe(600);
  expect(tally.unanswered).toBeLessThan(6);
  expect(tally.failed).toBeGreaterThan(30);
  expect(tally.refused).toBeGreaterThan(10);
});

test.each<[string, (program: string) => string]>([
  ['sorting does nothing', (program) => program.replaceAll(/\bsort\b/g, '.')],
  ['updates are assignments', (program) => program.replaceAll(' |= ', ' = ')],
  ['the comma goes missing', (program) => program.replaceAll(/, (?=\$)/g, ' // ')],
  ['one less is taken', (program) => program.replaceAll('limit(2;', 'limit(1;')],
  ['a name is read as another', (program) => program.replaceAll('.__proto__', '.a')],
  ['try does not catch', (program) => program.replaceAll(/\btry error/g, 'error')],
])('if %s, that is found and made small', async (_, misread) => {
  const finding = await hunt(misreading(misread));
  expect(finding.question.program.length, tellFinding(finding)).toBeLessThan(60);
});

test('one seed is told with both answers', async () => {
  const told = await playJqSeed(
    misreading((program) => program),
    3,
  );
  expect(told).toMatch(/program .*\n.*input .*\n[^]*ours .*\n.*jq .*/);
});

type Outputs = Extract<Answer, { end: 'done' }>['outputs'];
const done = (...outputs: Outputs): Answer => ({ end: 'done', outputs });
const failed = (error: string): Answer => ({ end: 'error', outputs: [], error });
const refused = (message: string): Answer => ({ end: 'refused', message });

test.each<[string, string, OwnAnswer, Answer]>([
  ['another output', '1', done(1), done(2)],
  ['an output more', '1', done(1), done(1, 1)],
  ['another order of keys', '1', done({ a: 1, b: 2 }), done({ b: 2, a: 1 })],
  ['another sign of zero', '0', done(-0), done(0)],
  ['an error', '1', done(1), { end: 'error', outputs: [1], error: 'no' }],
  ['another message', '1', failed('yes'), failed('no')],
  ['a refusal', '1', done(1), refused('no')],
  ['another digit of an exact function', '1 | floor', done(0.3), done(0.30000000000000004)],
  ['another number in a message', '1 | error', failed('of 1'), failed('of 2')],
  ['another number for a literal', '1.0 | error', failed('of 1'), failed('of 2.0')],
  ['an unknown name outside of functions', 'foo', refused('foo/0 is not defined'), done(1)],
  ['another year', 'mktime', done(0), done(31_536_000)],
  ['a pattern read in another way', '. as [$a] ?// $b | $a', done(1), done(2)],
  ['another order without nan', 'sort', done([1, 2]), done([2, 1])],
  ['another match in plain letters', 'gsub("";"")', done('a'), done('b')],
])('%s is a difference', async (_, program, ours, theirs) => {
  const question = { program, input: null, given: null };
  const contest = misreading((text) => text);
  expect(await judge({ question, ours, theirs }, contest)).toBe('different');
});

const NO_PATH = 'Invalid path expression near attempt to iterate through 0';
const MOMENT = -2_208_988_800;

test.each<[string, string, OwnAnswer, Answer]>([
  ['last digits', '1 | sin', done([0.3]), done([0.30000000000000004])],
  ['digits of literals', '1.0 | error', failed('of 1'), failed('of 1.0')],
  ['digits of literals', '1e5 | tojson', done('100000'), done('1E+5')],
  ['sign of zero', '-(1 - 1) | tojson', done('0'), done('-0')],
  ['sign of nan', 'copysign(1; nan)', done(1), done(-1)],
  ['order of nan', '[nan, 1] | sort', done([null, 1]), done([1, null])],
  ['caught by ?//', 'first(. as $a ?// $b | 1)', done(1), done(1, 1)],
  ['order of whole numbers as keys', 'tojson', done('{"1":2,"a":3}'), done('{"a":3,"1":2}')],
  ['exponent of infinity', 'infinite | frexp', done([1.7976931348623157e308, 0]), done([null])],
  ['pattern in a path', 'path(. as [$a] | .)', done([]), done([0])],
  ['why a path is none', 'path(0 | add)', failed('Cannot iterate over 0'), failed(NO_PATH)],
  ['the very same value', 'path("a")', done([]), failed('Invalid path expression with result "a"')],
  ['unknown name in an unused function', 'def f: g; 1', refused('g/0 is not defined'), done(1)],
  ['years of two digits', 'mktime', done(MOMENT - 59_958_230_400), done(MOMENT)],
  ['weekdays of years of two digits', '[0, 0] | strftime("%w")', done('5'), done('0')],
  ['slices of one array', '[1, 2] | .[:1] == .[1:]', done(false), done(true)],
  ['beyond the calendar', '1e17 | todate', failed('no'), done('1900-01-00T00:00:00Z')],
  ['empty match inside a character', 'gsub(""; "-")', done('-é-'), done('-é--')],
])('%s: known for %s', async (name, program, ours, theirs) => {
  const question = { program, input: null, given: null };
  const contest = misreading((text) => text);
  expect(await judge({ question, ours, theirs }, contest)).toMatchObject({ name });
});

test('digits that differ more than a little are a difference', async () => {
  const contest: Contest = { own: () => done(0.3), oracle: new Oracle() };
  const question = { program: '1 | sin', input: null, given: null };
  const theirs = done(0.8414709848078965);
  expect(await judge({ question, ours: done(0.3), theirs }, contest)).toBe('different');
});
