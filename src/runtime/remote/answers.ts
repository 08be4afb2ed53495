/**
 * What a remote worker answers, as the outcome of an execution: by the same rules as what a handler
 * here returns. What cannot be kept is the worker's mistake and not the instance's: it is said, and
 * the work stays the worker's.
 */
import { createHash } from 'node:crypto';
import { EngineError } from '../../base/engine-error.ts';
import { admitJson, canonicalJson, type Json } from '../../base/json.ts';
import type { Outbound, StepResult } from '../../model/chain.ts';
import type { Outcome, VarWrite } from '../../model/input.ts';
import type { Limits } from '../../model/limits.ts';
import { endedWith } from '../activities.ts';
import { BadValue, checkValue } from '../bad-value.ts';
import { durationOf } from '../durations.ts';
import { checkFields, told } from '../fields.ts';
import { failedWith, type Handler, type Work } from '../handlers.ts';
import { outputOf, resultOf } from '../links.ts';
import type { Logger } from '../logger.ts';
import { checkWrite } from '../var-writes.ts';
import type { CompleteOptions, FailOptions, RemoteError } from './options.ts';

/** What is said of the work, whoever says it. */
export type Completion = Omit<CompleteOptions, 'worker' | 'tenant'>;
export type Failure = Omit<FailOptions, 'worker' | 'tenant'>;

export interface AnswerHouse {
  readonly limits: Limits;
  readonly logger: Logger;
}

/** What kind of step it is: which answers it takes depends on that. */
export type StepKind = 'step' | 'link' | 'activity';

const TAKEN: Readonly<Record<StepKind, readonly (keyof Completion)[]>> = {
  step: ['result', 'set'],
  link: ['context', 'waiting'],
  activity: ['result', 'set', 'outcomes', 'waiting'],
};
const CALLED: Readonly<Record<StepKind, string>> = {
  step: 'a step of a flow',
  link: 'a step of a chain',
  activity: 'an activity of a flowchart',
};

/** Names a commit by the answer that it keeps: the same answer again is found by it. */
export function answerId(id: string, worker: string, said: object): string {
  const admitted = admitJson({ id, worker, said });
  if (!admitted.ok) throw invalid('work.not-json', `an answer is JSON: ${admitted.problem}`);
  return createHash('sha256').update(canonicalJson(admitted.value)).digest('base64url');
}

export function completed(
  { limits }: AnswerHouse,
  work: Work,
  kind: StepKind,
  said: Completion,
): Outcome {
  checkTaken(kind, said);
  return saying(() => {
    if (said.waiting !== undefined) return waitingFor(work, said, limits);
    if (kind === 'link') return { outcome: 'done', value: null, ...contextIn(work, said, limits) };
    const { result, outcomes } = said;
    const done =
      outcomes === undefined
        ? ({ outcome: 'done', value: checkValue(result, RESULT, limits) } as const)
        : endedWith({ became: 'outcomes', outcomes, data: result }, work.head, limits);
    const sets = writesIn(said, limits);
    return sets.length === 0 || done.outcome !== 'done' ? done : { ...done, sets };
  });
}

export function failed(
  house: AnswerHouse,
  work: Work,
  kind: StepKind,
  { said, ask }: { readonly said: Failure; readonly ask: Handler | undefined },
): Outcome {
  const { error, retryAfter } = said;
  checkError(error);
  if (kind !== 'link' && said.context !== undefined) throw notTaken(kind, 'context');
  return saying(() => ({
    ...failedWith(thrownBy(error), ask, house),
    ...(retryAfter === undefined ? {} : { afterMs: durationOf(retryAfter) }),
    ...contextIn(work, said, house.limits),
  }));
}

const RESULT = { kind: 'result', name: 'a result' } as const;

/** What the answer would be as an error that a handler here throws. */
function thrownBy({ code, message, details, fatal }: RemoteError): Error {
  const more = {
    ...(code === undefined ? {} : { code }),
    ...(details === undefined ? {} : { details }),
    ...(fatal === true ? { fatal } : {}),
  };
  return Object.assign(new Error(message), more);
}

function checkError(error: unknown): void {
  checkFields('an error', error, ['code', 'message', 'details', 'fatal']);
  const { code, message, fatal } = error as Record<keyof RemoteError, unknown>;
  if (typeof message !== 'string') {
    throw invalid('work.bad-error', `error.message says what went wrong; came ${told(message)}`);
  }
  if (code !== undefined && (typeof code !== 'string' || code === '')) {
    throw invalid('work.bad-error', `error.code is a text; came ${told(code)}`);
  }
  if (fatal === undefined || typeof fatal === 'boolean') return;
  throw invalid('work.bad-error', `error.fatal is true or false; came ${told(fatal)}`);
}

function checkTaken(kind: StepKind, said: Completion): void {
  const given = Object.entries(said).filter(([, value]) => value !== undefined);
  const names = given.map(([name]) => name as keyof Completion);
  const strange = names.find((name) => !TAKEN[kind].includes(name));
  if (strange !== undefined) throw notTaken(kind, strange);
  const other = names.find((name) => name !== 'waiting' && name !== 'context');
  if (!names.includes('waiting') || other === undefined) return;
  throw invalid('work.not-done', `what waits is not done: it has no "${other}" yet`);
}

function notTaken(kind: StepKind, name: string): EngineError {
  const rule = `${CALLED[kind]} answers with ${TAKEN[kind].join(', ')}`;
  return invalid('work.not-taken', `${rule}, and with no "${name}"`);
}

function waitingFor({ head }: Work, said: Completion, limits: Limits): Outcome {
  const { waiting } = said;
  checkFields('waiting', waiting, ['type', 'timeout', 'outbound']);
  const { type, timeout = null, outbound = [] } = waiting as NonNullable<typeof waiting>;
  const outside = outbound as readonly Outbound[];
  const result: StepResult = { became: 'waiting', event: type, timeout, outbound: outside };
  return { ...resultOf(result, head, limits), ...contextIn({ head }, said, limits) };
}

/** What a chain is about, if the worker has altered it. */
function contextIn(
  { head }: Pick<Work, 'head'>,
  { context }: Pick<Completion, 'context'>,
  limits: Limits,
): { readonly output?: Json } {
  if (context === undefined) return {};
  return outputOf({ context, was: JSON.stringify(head.output) }, limits);
}

function writesIn({ set = [] }: Completion, limits: Limits): readonly VarWrite[] {
  if (!Array.isArray(set)) {
    throw new BadValue('handler.bad-variable', `set is a list; came ${told(set)}`);
  }
  return set.map((write) => {
    checkFields('a variable', write, ['name', 'value', 'in']);
    return checkWrite(write.name, write.value, write.in ?? 'scope', limits);
  });
}

/** A value that cannot be kept is told of, and nothing becomes of it. */
function saying<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof BadValue) throw invalid(thrown.code, thrown.message);
    throw thrown;
  }
}

function invalid(code: string, message: string): EngineError {
  return new EngineError('work.invalid', message, { details: { code } });
}
