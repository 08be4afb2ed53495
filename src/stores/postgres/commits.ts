/**
 * A batch of commits as one transaction (D4): rounds of guards and writes, and then `commit`. The
 * writes of a round go out together with the guards of the next, so a batch costs a round trip for
 * each round and one for its end. What would have to take locks later on (a start whose key an
 * earlier commit of the batch sets free, say) is left to a transaction of its own.
 *
 * If a statement fails because of a value, nobody knows whose it was: everything is taken back, and
 * the batch is run again one commit at a time, so that a bad value hurts nobody else. If the answer
 * to the last words is lost, it is unsure whether all of it came about, and that is what is said.
 */
import { assert } from '../../base/assert.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { CommitAnswer } from '../outcomes.ts';
import { Missed } from '../payload.ts';
import type { CommitRow } from '../writes.ts';
import type { StoreClock } from './clock.ts';
import type { Ask, Driver, Session } from './driver.ts';
import { isRefused, sendingOf } from './once.ts';
import * as queries from './queries.ts';
import { partsOf, type Round, roundsOf } from './round.ts';
import { errorOf, isDisconnected, sqlState, troubleOf } from './trouble.ts';

/** Two transactions that met in a circle: one of them is told so, and repeats itself. */
const CLASHES_MAX = 5;

/** A key may change hands just when someone asks who has it, but not for ever. */
const KEY_TRIES_MAX = 10;

export async function commitAll(
  driver: Driver,
  clock: StoreClock,
  rows: readonly CommitRow[],
): Promise<readonly CommitAnswer[]> {
  const missed = new Missed();
  const answers = new Map<CommitRow, CommitAnswer>();
  let isBrief = false;
  for (const part of partsOf(rows)) {
    const asked = part.filter((row) => !missed.isUnder(row));
    try {
      const work: Part = { driver, clock, before: missed, isBrief };
      const answered: readonly CommitAnswer[] =
        asked.length === 0 ? [] : await commitPart(work, asked);
      for (const [index, answer] of answered.entries()) {
        answers.set(asked[index] as CommitRow, answer);
      }
      // Whoever holds what one of them needs is waited for once, and not once for each.
      isBrief ||= answered.some(isBusyAnswer);
    } catch (thrown) {
      // Those before it did come about, and nobody has been told.
      throw thrown instanceof EngineError && answers.size > 0 ? unsure(thrown) : thrown;
    }
    for (const row of part) missed.note(row, answers.get(row)?.outcome ?? 'stale');
  }
  return rows.map((row) => answers.get(row) ?? { outcome: 'stale' });
}

/** One transaction, as part of a call. */
interface Part {
  readonly driver: Driver;
  readonly clock: StoreClock;
  /** What of the same call did not come about. */
  readonly before: Missed;
  /** What others hold has been waited for already. */
  readonly isBrief: boolean;
}

async function commitPart(
  part: Part,
  rows: readonly CommitRow[],
): Promise<readonly CommitAnswer[]> {
  const { driver } = part;
  let isOnce = !part.isBrief && !rows.some(({ isRare }) => isRare);
  for (let clashes = 0; ; clashes += 1) {
    try {
      return await (isOnce ? commitOnce(part, rows) : transact(part, rows));
    } catch (thrown) {
      const wasOnce = isOnce;
      isOnce = false;
      if (wasOnce && isRefused(thrown)) continue;
      if (clashes < CLASHES_MAX && isClash(thrown)) continue;
      if (thrown instanceof Torn) return oneByOne(part, rows);
      const trouble = troubleOf(thrown, driver.where);
      if (isBusy(thrown) && rows.length === 1) return [{ outcome: 'failed', cause: trouble }];
      if (isBusy(thrown)) return oneByOne({ ...part, isBrief: true }, rows);
      if (trouble === undefined) return oneByOne(part, rows);
      throw trouble;
    }
  }
}

/** Without asking first; whatever stands in the way of a single one of them, nothing is written. */
async function commitOnce(
  { driver, clock }: Part,
  rows: readonly CommitRow[],
): Promise<readonly CommitAnswer[]> {
  const { told } = clock;
  const sendings = roundsOf(rows).map((round) => sendingOf(round, told));
  const answers = new Map<CommitRow, CommitAnswer>();
  const asks = sendings.flatMap((sending) => sending.asks);
  const rowsOf = await askOnce(driver, asks);
  let at = 0;
  for (const sending of sendings) {
    const came = sending.answers(rowsOf.slice(at, at + sending.asks.length));
    for (const [row, answer] of came) answers.set(row, answer);
    at += sending.asks.length;
  }
  const [answer] = answers.values();
  if (answer?.outcome === 'committed') clock.note(answer.at);
  return rows.map((row) => answers.get(row) ?? { outcome: 'stale' });
}

/** One statement is a transaction by itself. */
async function askOnce(driver: Driver, asks: readonly Ask[]): ReturnType<Session['ask']> {
  try {
    if (asks.length === 1) return await driver.all(...asks);
    return await driver.session(async (session) => {
      try {
        const answers = await session.ask([queries.own.beginRounds], ...asks, [queries.commit]);
        return answers.slice(1, -1);
      } catch (thrown) {
        if (!isDisconnected(thrown)) await takeBack(session);
        throw thrown;
      }
    });
  } catch (thrown) {
    // Without a connection nothing was said. Otherwise all of it was: nobody knows how far it came.
    if (thrown instanceof EngineError || !isDisconnected(thrown)) throw thrown;
    throw unsure(errorOf(thrown, driver.where));
  }
}

/** A key was set free just when we looked whose it is. To ask for it now could end in a circle. */
class Torn extends Error {}

function isClash(thrown: unknown): boolean {
  return thrown instanceof Torn || sqlState(thrown)?.startsWith('40') === true;
}

/** Someone else's open transaction holds what one of them needs: the others need not wait. */
function isBusy(thrown: unknown): boolean {
  return sqlState(thrown) === '55P03';
}

function isBusyAnswer(answer: CommitAnswer): boolean {
  return answer.outcome === 'failed' && isBusy(answer.cause);
}

async function oneByOne(part: Part, rows: readonly CommitRow[]): Promise<readonly CommitAnswer[]> {
  const missed = new Missed(part.before);
  const answers: CommitAnswer[] = [];
  for (const row of rows) {
    const answer = missed.isUnder(row)
      ? ({ outcome: 'stale' } as const)
      : await commitAlone(part, row);
    missed.note(row, answer.outcome);
    answers.push(answer);
  }
  return answers;
}

async function commitAlone(part: Part, row: CommitRow): Promise<CommitAnswer> {
  try {
    const [answer] = await transact({ ...part, before: new Missed() }, [row]);
    return answer ?? { outcome: 'stale' };
  } catch (thrown) {
    const trouble = troubleOf(thrown, part.driver.where);
    if (trouble === undefined) return { outcome: 'failed', cause: thrown };
    if (isBusy(thrown)) return { outcome: 'failed', cause: trouble };
    // Those before it did come about, and nobody has been told.
    throw unsure(trouble);
  }
}

async function transact(
  { driver, clock, before, isBrief }: Part,
  rows: readonly CommitRow[],
): Promise<readonly CommitAnswer[]> {
  return driver.session(async (session) => {
    const rounds = roundsOf(rows);
    const begin: Ask = [isBrief ? queries.own.beginBriefly : queries.begin];
    let isEnding = false;
    try {
      const last = await runRounds(session, clock, { rounds, before, first: [begin] });
      isEnding = true;
      const answers = await session.ask(...last.asks, [queries.commit]);
      last.settle(answers.slice(0, -1));
    } catch (thrown) {
      if (isDisconnected(thrown)) {
        const error = errorOf(thrown, driver.where);
        throw isEnding ? unsure(error) : error;
      }
      await takeBack(session);
      throw thrown;
    }
    return answersOf(rounds, rows);
  });
}

/** If even that fails, the connection is given up, and the transaction with it. */
async function takeBack(session: Session): Promise<void> {
  await Promise.allSettled([session.ask([queries.rollback])]);
}

/** In a transaction that someone else began and will end; `first` is asked before all else. */
export async function commitWithin(
  session: Session,
  clock: StoreClock,
  row: CommitRow,
  first: readonly Ask[] = [],
): Promise<CommitAnswer> {
  const rounds = roundsOf([row]);
  const last = await runRounds(session, clock, { rounds, before: new Missed(), first });
  last.settle(await session.ask(...last.asks));
  const [answer] = answersOf(rounds, [row]);
  return answer ?? { outcome: 'stale' };
}

interface Work {
  readonly rounds: readonly Round[];
  /** Of the same call, in transactions before this one. */
  readonly before: Missed;
  /** What is asked first of all. */
  readonly first: readonly Ask[];
}

/** What is left to be asked, and who is to be told the answer. */
interface Rest {
  readonly asks: readonly Ask[];
  settle(answers: Awaited<ReturnType<Session['ask']>>): void;
}

async function runRounds(
  session: Session,
  clock: StoreClock,
  { rounds, before, first }: Work,
): Promise<Rest> {
  const missed = new Missed(before);
  let rest: Rest = { asks: first, settle: () => {} };
  for (const round of rounds) {
    for (const row of round.rows) if (missed.isUnder(row)) round.turnAway(row);
    const { asks } = rest;
    const answers = await session.ask(...asks, ...round.guards());
    rest.settle(answers.slice(0, asks.length));
    round.hear(answers.slice(asks.length));
    await askAgain(session, round);
    const writes = round.judge(timeOf(clock, answers));
    for (const row of round.rows) missed.note(row, round.answerTo(row).outcome);
    rest = { asks: writes, settle: (answered) => round.settle(answered) };
  }
  return rest;
}

async function askAgain(session: Session, round: Round): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const again = round.guardsAgain();
    if (again.length === 0) return;
    // Keys are locked in order; one that is alone has no order to keep.
    if (round.rows.length > 1) throw new Torn();
    assert(tries < KEY_TRIES_MAX, 'a business key comes to rest');
    round.hear(await session.ask(...again));
  }
}

/** When the locks were held. The clock of the process is corrected by it, too. */
function timeOf(clock: StoreClock, answers: Awaited<ReturnType<Session['ask']>>): number {
  const now = Number(answers.at(-1)?.[0]?.now);
  clock.note(now);
  return clock.told ?? now;
}

function answersOf(rounds: readonly Round[], rows: readonly CommitRow[]): readonly CommitAnswer[] {
  const byRow = new Map(
    rounds.flatMap((round) => round.rows.map((row) => [row, round.answerTo(row)] as const)),
  );
  return rows.map((row) => byRow.get(row) ?? { outcome: 'stale' });
}

/** Nobody knows whether it came about: whoever asked may ask again, and recall (D3). */
export function unsure(error: EngineError): EngineError {
  const { code, message, details, cause } = error;
  const options = { retryable: true, details: { ...details, unsure: true }, cause };
  return new EngineError(code, message, options);
}
