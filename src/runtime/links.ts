/**
 * Steps of chains: what their handlers are given, and what they say became of the step.
 *
 * A handler answers with one of four results. Whatever else it returns is a mistake of its author's
 * and fails the execution as a throw would, with a sentence that says what was expected.
 */
import { parseDuration } from '../base/duration.ts';
import { admitJson, type Json } from '../base/json.ts';
import { cut } from '../kernel/code.ts';
import type { Outbound, StepResult } from '../model/chain.ts';
import type { Outcome } from '../model/input.ts';
import type { Letter } from '../model/letter.ts';
import type { Limits } from '../model/limits.ts';
import { BadValue, checkValue } from './bad-value.ts';
import type { HandlerContext } from './handlers.ts';

/** What the handler of a chain's step is given. */
export interface ChainStep<Context = ChainContext>
  extends Pick<
    HandlerContext,
    'wake' | 'event' | 'attempt' | 'idempotencyKey' | 'signal' | 'log' | 'heartbeat'
  > {
  /** What the chain is about, as JSON. Alter it, or put another in its place: it is saved. */
  context: Context;
  /** Whether it is run because its time to wait is over. */
  readonly taskType: 'READY_STEP' | 'WAITING_TIMEOUT';
  readonly stepType: string;
  readonly stepSeq: number;
  /** The id of the instance, and its business key. */
  readonly instance: string;
  readonly key: string | null;
}

/** A chain that does not say what it is about may be about anything. */
// oxlint-disable-next-line typescript/no-explicit-any
export type ChainContext = Record<string, any>;

/** As a method, so that one that expects a context of its own can stand among others. */
export type ChainHandler<Context = ChainContext> = {
  run(step: ChainStep<Context>): StepResult | Promise<StepResult>;
}['run'];

/** Handlers by step type, or as `chain/step`. */
export type ChainHandlers = Readonly<Record<string, ChainHandler>>;

/** The outcome of one execution, by what the handler returned. Throws what is no result. */
export function resultOf(
  returned: unknown,
  { key }: Pick<ChainStep, 'key'>,
  limits: Limits,
): Exclude<Outcome, { outcome: 'unrun' }> {
  const result = (typeof returned === 'object' ? returned : null) as StepResult | null;
  switch (result?.became) {
    case 'completed':
      return { outcome: 'done', value: null };
    case 'waiting': {
      const timeoutMs = result.timeout === null ? null : durationIn('waiting', result.timeout);
      const type = textIn('waiting', 'event', result.event, limits.KEY_CHARS_MAX);
      const letters = lettersOf(result.outbound, key, limits);
      return { outcome: 'waiting', type, timeoutMs, letters };
    }
    case 'retry': {
      const fault = { code: 'chain.retry', message: errorIn('retry', result.error, limits) };
      if (result.backoff === null) return { outcome: 'failed', fault };
      return { outcome: 'failed', fault, afterMs: durationIn('retry', result.backoff) };
    }
    case 'dead': {
      const message = errorIn('dead', result.error, limits);
      return { outcome: 'failed', fault: { code: 'chain.dead', message, fatal: true } };
    }
    default: {
      const rule = 'a step of a chain returns completed(), waiting(…), retry(…) or dead(…)';
      throw new BadValue('chain.bad-result', `${rule}; came ${brief(returned)}`);
    }
  }
}

/** What the chain is about from now on; nothing if the handler left it as it was. */
export function outputOf(
  { context, was }: { readonly context: unknown; readonly was: string },
  limits: Limits,
): { readonly output?: Json } {
  const output = checkValue(context, { kind: 'context', name: 'the context of a chain' }, limits);
  return JSON.stringify(output) === was ? {} : { output };
}

type Result = StepResult['became'];

function durationIn(result: Result, duration: unknown): number {
  const isPlain = typeof duration === 'string' || typeof duration === 'number';
  const parsed = parseDuration(isPlain ? duration : brief(duration));
  if (parsed.ok) return parsed.value;
  throw new BadValue('chain.bad-result', `the time in ${result}(…): ${parsed.problem}`);
}

/** It is no UTF-8, so no database keeps it: said now, and not by a commit that is refused. */
const HALF_A_PAIR = /\p{Cs}/u;

function textIn(result: Result, what: string, text: unknown, max: number): string {
  const isText = typeof text === 'string' && text.trim() !== '' && text.length <= max;
  if (isText && !HALF_A_PAIR.test(text)) return text;
  const rule = `the ${what} in ${result}(…) is a text of 1 to ${max} characters, not blank`;
  throw new BadValue('chain.bad-result', `${rule}; came ${brief(text)}`);
}

/** As with whatever is thrown, too long an error is cut and not refused. */
function errorIn(result: Result, error: unknown, { FAULT_CHARS_MAX }: Limits): string {
  if (typeof error === 'string') return cut(error, FAULT_CHARS_MAX);
  const message = `${result}(…) says in a text what went wrong; came ${brief(error)}`;
  throw new BadValue('chain.bad-result', message);
}

function lettersOf(
  outbound: readonly Outbound[],
  usual: string | null,
  limits: Limits,
): readonly Omit<Letter, 'id'>[] {
  if (!Array.isArray(outbound)) {
    const message = `waiting(…) takes a list of outbound events; came ${brief(outbound)}`;
    throw new BadValue('chain.bad-result', message);
  }
  return outbound.map((event: Partial<Outbound> | null) => {
    const type = textIn('waiting', 'type of an outbound event', event?.type, limits.KEY_CHARS_MAX);
    const key = event?.key === undefined ? usual : keyIn(event.key, limits);
    const role = { kind: 'result', name: `the data of the outbound event "${type}"` } as const;
    return { type, key, data: checkValue(event?.data, role, limits) };
  });
}

function keyIn(key: unknown, { KEY_CHARS_MAX }: Limits): string {
  return textIn('waiting', 'key of an outbound event', key, KEY_CHARS_MAX);
}

export function brief(value: unknown): string {
  const admitted = admitJson(value);
  if (value === undefined) return 'nothing';
  return admitted.ok ? JSON.stringify(admitted.value).slice(0, 60) : `a ${typeof value}`;
}
