/** The types of `.step`: its options, and what an undo is given. */
import type { Duration } from '../../base/duration.ts';
import type { Jsonify } from '../../base/jsonify.ts';
import type { ContextIn, Frame, With } from './frames.ts';
import type { LimitOptions } from './limit-options.ts';
import type { RetryOptions } from './retry-options.ts';
import type { HandlerTools } from './views.ts';

/** An interface, and so looked into only where a step has options: most have none. */
export interface StepOptions<F extends Frame, Own, Name extends string, Value> {
  /** Whether and when to run the handler again after it threw; it runs once if not given. */
  readonly retry?: RetryOptions;
  /** How long one execution may take. */
  readonly timeout?: Duration;
  /** How long all executions together may take, with the pauses between them. */
  readonly deadline?: Duration;
  /** Takes back what the step did, when something later fails for good. */
  readonly undo?: Undoing<F, Own, Name, Value> | UndoOptions<F, Own, Name, Value>;
  /** Higher goes first among what is ready; the instance's priority if not given. */
  readonly priority?: number;
  /** Where the step fails for good, it waits for someone to mend it. */
  readonly onFailure?: 'incident';
  /** Gives the handler, and the undo, a `tx`: what they do with it commits with their result. */
  readonly transactional?: boolean;
  /** How many may be at work at a time, and how many begin per time, in all processes. */
  readonly limit?: LimitOptions;
}

interface UndoOptions<F extends Frame, Own, Name extends string, Value> {
  readonly do: Undoing<F, Own, Name, Value>;
  readonly retry?: RetryOptions;
  readonly timeout?: Duration;
}

/** The step's handler says what `Value` is; an undo only hears of it. */
type Undoing<F extends Frame, Own, Name extends string, Value> = (
  context: ContextIn<F, With<Own, Name, Jsonify<Awaited<NoInfer<Value>>>>> &
    UndoTools<Jsonify<Awaited<NoInfer<Value>>>>,
) => unknown;

/**
 * What every undo is given, whatever its flow. One that is written apart from its flow asks for
 * this, with the type of the step's result: `({ result }: UndoTools<Reservation>) => …`.
 */
export interface UndoTools<Result> extends HandlerTools {
  /** The step's own result. */
  readonly result: Result;
  /** True if no answer of the step ever came; `result` is null then, whatever its type says. */
  readonly inDoubt: boolean;
  /** The idempotency key that the step itself ran with. */
  readonly undoes: string;
}
