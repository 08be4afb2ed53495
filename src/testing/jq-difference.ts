/**
 * Random jq programs put to our own jq and to the real one: where they differ is a finding, unless
 * it is one of those that we know and have a reason for (`jq-known.ts`).
 */
import type { Json } from '../base/json.ts';
import { type Again, KNOWN, type Known, type Pair } from './jq-known.ts';
import { EXACTLY, isSameAnswer, type OwnAnswer } from './jq-likeness.ts';
import type { Answer, Question } from './jq-asking.ts';
import type { Oracle } from './jq-oracle.ts';
import { type JqCase, jqCaseOf } from './random-jq.ts';
import { print, smallerPieces } from './random-jq-text.ts';

/** The two that are asked. Ours is asked first, since only that one has a budget. */
export interface Contest {
  readonly own: (question: Question) => OwnAnswer;
  readonly oracle: Oracle;
}

export interface Finding extends Pair {
  readonly seed: number;
}

/** How the cases of a run came out. */
export interface JqTally {
  cases: number;
  /** Both said the same. */
  same: number;
  /** A limit of ours was reached, or the oracle broke down: nothing was compared. */
  unanswered: number;
  /** Of the same answers: how many times both refused to compile, and both ended in an error. */
  refused: number;
  failed: number;
  /** How often each known difference came up. */
  readonly known: Map<string, number>;
}

export function newTally(): JqTally {
  return { cases: 0, same: 0, unanswered: 0, refused: 0, failed: 0, known: new Map() };
}

/** The difference between two answers: none, one that is known, or one that is not. */
export async function judge(pair: Pair, contest: Contest): Promise<Verdict> {
  const { ours, theirs, question } = pair;
  if (ours.end === 'limit' || theirs.end === 'silent') return 'unanswered';
  if (isSameAnswer(ours, theirs, EXACTLY)) return 'same';
  const again: Again = async (program) => {
    const [other] = await answerAll(contest, [{ ...question, program }]);
    return other;
  };
  for (const known of KNOWN) if (await known.explains(pair, again)) return known;
  return 'different';
}

type Verdict = 'same' | 'unanswered' | 'different' | Known;

/** Plays the cases of so many seeds. What is found is as small as it can be. */
export async function playJq(
  contest: Contest,
  seeds: readonly number[],
  tally: JqTally,
): Promise<readonly Finding[]> {
  const cases = seeds.map(jqCaseOf);
  const pairs = await answerAll(contest, cases);
  const findings: Finding[] = [];
  for (const [at, pair] of pairs.entries()) {
    const first = await judge(pair, contest);
    const one = cases[at];
    const isClear = first === 'same' || first === 'unanswered' || one === undefined;
    const { verdict, least } =
      isClear || (typeof first === 'object' && first.byText !== true)
        ? { verdict: first, least: pair }
        : await lookCloser(contest, one, pair);
    count(tally, pair, verdict);
    if (verdict === 'different') findings.push({ ...least, seed: seeds[at] ?? 0 });
  }
  return findings;
}

/** The verdict on what is left when all that makes no difference is cut off. */
async function lookCloser(
  contest: Contest,
  one: JqCase,
  pair: Pair,
): Promise<{ verdict: Verdict; least: Pair }> {
  const least = await leastOf(contest, one, pair);
  return { verdict: await judge(least, contest), least };
}

function count(tally: JqTally, { ours }: Pair, verdict: Verdict): void {
  tally.cases += 1;
  if (verdict === 'unanswered') tally.unanswered += 1;
  if (typeof verdict === 'object') {
    tally.known.set(verdict.name, (tally.known.get(verdict.name) ?? 0) + 1);
  }
  if (verdict !== 'same') return;
  tally.same += 1;
  if (ours.end === 'refused') tally.refused += 1;
  if (ours.end === 'error') tally.failed += 1;
}

async function answerAll(
  { own: answer, oracle }: Contest,
  questions: readonly Question[],
): Promise<readonly Pair[]> {
  const own = questions.map((question) => ({ question, ours: answer(question) }));
  // What does not compile would spoil a whole batch, and what reaches a limit might never end.
  const sound = own.filter(({ ours }) => ours.end === 'done' || ours.end === 'error');
  const refused = own.filter(({ ours }) => ours.end === 'refused');
  const theirs = new Map<Question, Answer>();
  const note = (asked: typeof own, answers: readonly Answer[]): void => {
    for (const [at, answer] of answers.entries()) {
      const question = asked[at]?.question;
      if (question !== undefined) theirs.set(question, answer);
    }
  };
  note(sound, await oracle.ask(sound.map(({ question }) => question)));
  for (const one of refused) note([one], await oracle.ask([one.question]));
  return own.map((one) => ({ ...one, theirs: theirs.get(one.question) ?? { end: 'silent' } }));
}

/** One seed alone, and what became of it. */
export async function playJqSeed(contest: Contest, seed: number): Promise<string> {
  const [pair] = await answerAll(contest, [jqCaseOf(seed)]);
  return pair === undefined ? '' : tellPair(pair);
}

/** So many smaller programs are tried at once, and so many times at most. */
const CUTS_AT_ONCE = 20;
const CUTS_MAX = 200;

/** A case made as small as it can be while both still differ in a way that needs a look. */
async function leastOf(contest: Contest, whole: JqCase, pair: Pair): Promise<Pair> {
  let least = { one: whole, pair };
  for (let cuts = 0, rest = smallerCases(whole); cuts < CUTS_MAX; cuts += 1) {
    const some = takeSome(rest);
    if (some.length === 0) break;
    const smaller = await firstToDiffer(contest, some, pair);
    if (smaller === undefined) continue;
    least = smaller;
    rest = smallerCases(least.one);
  }
  return least.pair;
}

function takeSome(cases: Iterator<JqCase>): readonly JqCase[] {
  const some: JqCase[] = [];
  for (let next = cases.next(); next.done !== true; next = cases.next()) {
    some.push(next.value);
    if (some.length === CUTS_AT_ONCE) break;
  }
  return some;
}

async function firstToDiffer(
  contest: Contest,
  cases: readonly JqCase[],
  { ours }: Pair,
): Promise<{ one: JqCase; pair: Pair } | undefined> {
  const compiles = (question: Question): OwnAnswer => {
    const answer = contest.own(question);
    // Most cuts leave no program at all; those say nothing about an answer.
    return answer.end === 'refused' && ours.end !== 'refused' ? { end: 'limit' } : answer;
  };
  const pairs = await answerAll({ ...contest, own: compiles }, cases);
  for (const [at, pair] of pairs.entries()) {
    const one = cases[at];
    const verdict = await judge(pair, contest);
    if (verdict === 'same' || verdict === 'unanswered' || one === undefined) continue;
    if (verdict === 'different' || verdict.byText === true) return { one, pair };
  }
  return undefined;
}

function* smallerCases(whole: JqCase): Generator<JqCase> {
  for (const tree of smallerPieces(whole.tree)) yield { ...whole, tree, program: print(tree) };
  for (const input of smallerValues(whole.input)) yield { ...whole, input };
  for (const given of smallerValues(whole.given)) yield { ...whole, given };
}

function* smallerValues(value: Json): Generator<Json> {
  if (value !== null) yield null;
  if (typeof value !== 'object' || value === null) return;
  const items = Object.entries(value);
  for (const [, item] of items) yield item;
  for (const at of items.keys()) {
    const rest = items.toSpliced(at, 1);
    yield Array.isArray(value) ? rest.map(([, item]) => item) : Object.fromEntries(rest);
  }
}

export function tellFinding(finding: Finding): string {
  return `seed ${finding.seed}\n${tellPair(finding)}`;
}

function tellPair({ question, ours, theirs }: Pair): string {
  return [
    `  program  ${question.program}`,
    `  input    ${JSON.stringify(question.input)}`,
    ...(question.program.includes('$given')
      ? [`  $given   ${JSON.stringify(question.given)}`]
      : []),
    `  ours     ${tellAnswer(ours)}`,
    `  jq       ${tellAnswer(theirs)}`,
  ].join('\n');
}

function tellAnswer(answer: OwnAnswer): string {
  switch (answer.end) {
    case 'refused':
      return `does not compile: ${answer.message.trim()}`;
    case 'limit':
      return 'reaches a limit';
    case 'silent':
      return 'breaks down';
    default: {
      const outputs = answer.outputs.map(show).join(' ; ');
      const told = outputs === '' ? 'nothing' : outputs;
      return answer.end === 'done' ? told : `${told}, then error ${show(answer.error)}`;
    }
  }
}

/** As JSON, but for the zero that JSON.stringify would hide the sign of. */
function show(value: Json): string {
  return JSON.stringify(value, (_, part: Json) => (Object.is(part, -0) ? '-0' : part));
}
