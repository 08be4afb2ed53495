/**
 * What the handler of a step is given: the assignment as it came, and the means to act. What a
 * program elsewhere knows of a flow it says itself: `async (step: RemoteStep<Order>) => …`.
 */
import type { JsonObject } from '../base/json.ts';

/** As `POST /work/fetch` has it. */
export interface Assigned<Input = unknown> {
  readonly id: string;
  readonly instance: string;
  readonly token: number;
  readonly flow: string;
  readonly version: number;
  readonly node: string;
  /** The business key of the instance. */
  readonly key: string | null;
  readonly tenant: string | null;
  /** The full name under which the work was waiting. */
  readonly handler: string;
  readonly type: string;
  /** 1 for the first execution. */
  readonly attempt: number;
  /** The same for every execution of this step: hand it to whoever must not act twice. */
  readonly idempotencyKey: string;
  readonly wake: { readonly reason: string; readonly payload: unknown };
  /** The data of the message that woke the step; null if none did. */
  readonly event: unknown;
  readonly input: Input;
  readonly results: Readonly<Record<string, unknown>>;
  readonly vars: Readonly<Record<string, unknown>>;
  readonly item: unknown;
  readonly index: number | null;
  readonly context?: unknown;
  /** Of an activity of a flowchart: its name, and what the flowchart says of it. */
  readonly activity?: string;
  readonly config?: JsonObject;
  /** What is to be undone, if that is the work. */
  readonly undo?: {
    readonly result: unknown;
    readonly inDoubt: boolean;
    readonly undoes: string;
  };
  readonly until: number;
  /** The trace it is part of (W3C `traceparent`). */
  readonly trace?: string;
}

export interface RemoteStep<Input = unknown, Context = unknown> extends Assigned<Input> {
  /** What a chain is about. Alter it, or put another in its place: it is saved. */
  context: Context;
  /** Fires when the work is somebody else's: what comes after would be dropped. */
  readonly signal: AbortSignal;
  /** Writes a variable together with the result: for the step's scope, or for the instance. */
  readonly set: (name: string, value: unknown, options?: WriteOptions) => void;
}

interface WriteOptions {
  readonly in?: 'scope' | 'instance';
}

/**
 * Plain data is the result. Steps of chains, and activities that end otherwise, answer as at home:
 * with `completed()`, `waiting(…)`, `retry(…)`, `dead(…)`, `outcome(…)`. As a method, so that one
 * that says what it is given can stand among others.
 */
export type StepHandler = { run(step: RemoteStep): unknown }['run'];

export interface Write {
  readonly name: string;
  readonly value: unknown;
  readonly in?: 'scope' | 'instance';
}

/** One execution, with what its handler sets on the way. */
export interface Execution {
  readonly assigned: Assigned;
  readonly step: RemoteStep;
  readonly writes: readonly Write[];
}

export function executionOf(assigned: Assigned, signal: AbortSignal): Execution {
  const writes: Write[] = [];
  const set: RemoteStep['set'] = (name, value, options = {}) => {
    writes.push({ name, value, ...options });
  };
  // The handler may alter what it is given of the context, and the answer tells whether it did.
  const context = structuredClone(assigned.context);
  return { assigned, writes, step: { ...assigned, context, signal, set } };
}

/** By the name that the worker gave it: in full, of any version of a flow, or by its type. */
export function handlerFor(
  handlers: Readonly<Record<string, StepHandler>>,
  { flow, type, handler }: Assigned,
): StepHandler | undefined {
  const name = [handler, `${flow}/${type}`, type].find((each) => Object.hasOwn(handlers, each));
  return name === undefined ? undefined : handlers[name];
}
