/**
 * The chains of the storm, and the one handler that runs all their steps. What comes of an
 * execution is drawn from the seed and from what the handler can see, so that the same execution
 * draws the same. Before it is returned it is said to a ledger that the engine knows nothing of.
 */
import { setTimeout } from 'node:timers/promises';
import { chanceOf } from '../base/chance.ts';
import { chain } from '../frontends/chain/chain.ts';
import { completed, dead, retry, waiting } from '../frontends/chain/results.ts';
import type { StepResult } from '../model/chain.ts';
import type { Flow } from '../model/definition.ts';
import type { ChainHandlers, ChainStep } from '../runtime/links.ts';

export const LEASE_MS = 1_000;
const STEP_TYPES = ['PICK', 'PACK', 'PAY', 'BILL', 'SHIP'] as const;
/** This one may be run another number of times than the others of its chain. */
const ODD_TYPE = 'PACK';

/** One definition. */
export interface Kind {
  readonly name: string;
  readonly types: readonly string[];
  readonly maxAttempts: number;
  readonly oddAttempts: number;
  readonly timeouts: boolean;
}

/** 3 to 6 steps, of which the last is of the type of the first. */
const KINDS: readonly Kind[] = [2, 3, 4, 5].flatMap((length) =>
  [1, 2, 3, 4].flatMap((maxAttempts) =>
    [true, false].map((timeouts) => ({
      name: `storm-${length + 1}-${maxAttempts}-${timeouts ? 'timed' : 'patient'}`,
      types: [...STEP_TYPES.slice(0, length), STEP_TYPES[0]],
      maxAttempts,
      oddAttempts: 5 - maxAttempts,
      timeouts,
    })),
  ),
);

export function kindOf(number: number): Kind {
  const kind = KINDS[number % KINDS.length];
  if (kind === undefined) throw new Error('there are kinds of chains');
  return kind;
}

export function attemptsOf({ types, maxAttempts, oddAttempts }: Kind): readonly number[] {
  return types.map((type) => (type === ODD_TYPE ? oddAttempts : maxAttempts));
}

export function stormChains(): readonly Flow[] {
  return KINDS.map(({ name, types, maxAttempts, oddAttempts, timeouts }) =>
    chain<StormContext>(name, 1, types, {
      maxAttempts,
      backoff: { base: 2, max: 20 },
      waitingTimeouts: timeouts,
      steps: { [ODD_TYPE]: { maxAttempts: oddAttempts } },
    }),
  );
}

export interface StormContext {
  readonly number: number;
  /** What came of its executions, as far as they wanted that to be known. */
  readonly trail: readonly string[];
}

/** One execution of a handler: what it was told, and what it decided. */
export interface StormLine {
  /** The worker that ran it. */
  readonly by: string;
  readonly idempotencyKey: string;
  readonly attempt: number;
  readonly step: number;
  readonly taskType: ChainStep['taskType'];
  readonly wake: string;
  /** The message it was woken by. */
  readonly message: string | null;
  readonly told: StormContext;
  readonly became: StepResult['became'] | 'threw';
  readonly error?: string;
  readonly left: StormContext;
}

/** A wait that is about to begin. The n-th of its step waits for a message of its own. */
export interface Wanted {
  readonly instance: string;
  readonly key: string | null;
  readonly step: number;
  readonly nth: number;
  readonly timeouts: boolean;
}

/** When the message comes for which a step waits, and how often. */
export type Fate = 'early' | 'once' | 'twice' | 'never';

export function typeOf({ step, nth }: Pick<Wanted, 'step' | 'nth'>): string {
  return `go ${step} ${nth}`;
}

export function messageIdOf({ instance, step, nth }: Wanted): string {
  return `${instance} ${step} ${nth}`;
}

/** Steps whose first wait may find its message there. */
const EARLY_STEPS = 3;

/** Only what times out may wait for nothing. */
export function fateOf(seed: number, wanted: Wanted): Fate {
  const fates: Fate[] = ['once', 'twice'];
  if (wanted.nth === 0 && wanted.step < EARLY_STEPS) fates.push('early');
  if (wanted.timeouts) fates.push('never');
  const chance = chanceOf(`${seed} fate ${messageIdOf(wanted)}`);
  return fates[Math.floor(chance * fates.length)] ?? 'once';
}

export interface StormBook {
  readonly seed: number;
  readonly worker: string;
  readonly note: (line: StormLine) => void;
  readonly want: (wanted: Wanted) => void;
}

export function stormHandlers(book: StormBook): ChainHandlers {
  const run = (step: ChainStep<StormContext>): Promise<StepResult> => act(step, book);
  return Object.fromEntries(STEP_TYPES.map((type) => [type, run]));
}

/** How often each is drawn, in a hundred. */
const ODDS = { completed: 57, waiting: 16, retry: 14, threw: 9, dead: 4 } as const;

async function act(step: ChainStep<StormContext>, book: StormBook): Promise<StepResult> {
  const { idempotencyKey, attempt, stepSeq, taskType, wake, event, context: told } = step;
  const luck = (what: string): number =>
    chanceOf(`${book.seed} ${what} ${idempotencyKey} ${attempt}`);
  const became = drawn(luck('became'));
  const error = `${became} ${stepSeq} ${attempt}`;
  const mark = `${stepSeq} ${became}`;
  // Some leave what the chain is about as it is, some alter it, some put another in its place.
  const left = became === 'waiting' || luck('mark') < 0.7 ? marked(told, mark) : told;
  step.context = left;
  const failed = became === 'completed' || became === 'waiting' ? {} : { error };
  const message = (event as { id?: string } | null)?.id ?? null;
  const line = { by: book.worker, idempotencyKey, attempt, step: stepSeq, taskType, message };
  book.note({ ...line, wake: wake.reason, told, became, ...failed, left });
  const answer = became === 'waiting' ? waitingFor(step, book, luck) : undefined;
  await linger(luck('takes'));
  if (became === 'threw') throw new Error(error);
  if (became === 'retry') return retry(luck('backoff') < 0.5 ? null : 5, error);
  if (became === 'dead') return dead(error);
  return answer ?? completed();
}

function drawn(luck: number): StormLine['became'] {
  let left = luck * 100;
  for (const [became, odds] of Object.entries(ODDS)) {
    left -= odds;
    if (left < 0) return became as StormLine['became'];
  }
  return 'completed';
}

function marked({ number, trail }: StormContext, mark: string): StormContext {
  return { number, trail: [...trail, mark] };
}

function waitingFor(
  { instance, key, stepSeq: step, context }: ChainStep<StormContext>,
  { seed, want }: StormBook,
  luck: (what: string) => number,
): StepResult {
  const { timeouts } = kindOf(context.number);
  // This one is on the trail already.
  const nth = context.trail.filter((mark) => mark === `${step} waiting`).length - 1;
  const wanted = { instance, key, step, nth, timeouts };
  want(wanted);
  const ms = 20 + Math.floor(luck('timeout') * 300);
  // Where nothing else comes, time must. Otherwise it races with the message, or there is none.
  const isTimed = fateOf(seed, wanted) === 'never' || luck('timed') < 0.5;
  return waiting(typeOf(wanted), isTimed ? ms : null);
}

/** Most are quick; a few take longer than their lease. */
async function linger(luck: number): Promise<void> {
  if (luck < 0.5) return;
  await setTimeout(luck > 0.99 ? LEASE_MS * 1.3 : (luck - 0.5) * 40);
}
