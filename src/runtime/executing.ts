/**
 * What is shown of one execution of a handler: its span, and how long it took. One that runs here
 * is shown while it runs; of one elsewhere, this process hears when it is over.
 */
import type { Instant } from '../model/ids.ts';
import type { Outcome } from '../model/input.ts';
import type { WatchHouse } from './commit-watch.ts';
import type { Work } from './handlers.ts';
import type { Measurement, Measuring, StepEnd } from './measuring.ts';
import { keptIn, type Traced, type Tracing } from './tracing.ts';

type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Null if nobody looks. */
export function beginExecution({ tracing, measuring }: WatchHouse, work: Work): Execution | null {
  if (tracing === null && !measuring.isOn) return null;
  const traced = tracing && beginSpan(tracing, work, {});
  return new Execution(measuring, work, traced);
}

/**
 * Work of a remote worker has its answer, or was given up on, and that is kept. From the claim on
 * it was the worker's: by the store's clock, since nobody here has seen it run.
 */
export function showRemote(
  { tracing, measuring }: WatchHouse,
  work: Work,
  outcome: Outcome,
  now: Instant,
): void {
  const came = endOf(outcome, work);
  if (came === null) return;
  const { at } = work.claim;
  const until = Math.max(now, at) as Instant;
  if (tracing !== null) {
    // What is known of the claim when the answer comes is only what the answer says of it.
    const handler = work.token.handler ?? work.claim.handler;
    const told = { 'perdure.handler': handler, 'perdure.outcome': came };
    const traced = beginSpan(tracing, work, { ...told, 'perdure.remote': true }, at);
    if (outcome.outcome === 'failed') traced.fail(outcome.fault);
    traced.end(until);
  }
  if (measuring.isOn) measuring.tell(measured(work, came, until - at));
}

function beginSpan(tracing: Tracing, work: Work, more: Attributes, at?: Instant): Traced {
  const { wake } = work.token;
  const attributes = { ...attributesOf(work), ...more };
  const linked = [wake?.left];
  const when = at === undefined ? { linked } : { linked, at };
  return tracing.begin('perdure.step', keptIn(wake?.trace), attributes, when);
}

export class Execution {
  readonly #measuring: Measuring;
  readonly #work: Work;
  readonly #traced: Traced | null;
  readonly #begun = performance.now();
  #isOver = false;

  constructor(measuring: Measuring, work: Work, traced: Traced | null) {
    this.#measuring = measuring;
    this.#work = work;
    this.#traced = traced;
  }

  /** For what comes of it: its commit. */
  get trace(): string | undefined {
    return this.#traced?.trace;
  }

  /** What the handler does is part of it. */
  in<Value>(run: () => Value): Value {
    return this.#traced === null ? run() : this.#traced.in(run);
  }

  /** Whichever comes first: an answer, or that nobody waits for one any more. */
  end(outcome: Outcome | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const came = outcome === null ? null : endOf(outcome, this.#work);
    if (came !== null) this.#traced?.set({ 'perdure.outcome': came });
    if (outcome?.outcome === 'failed') this.#traced?.fail(outcome.fault);
    this.#traced?.end();
    if (came === null || !this.#measuring.isOn) return;
    this.#measuring.tell(measured(this.#work, came, performance.now() - this.#begun));
  }
}

function measured({ claim, head, token }: Work, outcome: StepEnd, ms: number): Measurement {
  return {
    ...{ what: 'step', flow: head.flow, node: token.node, outcome },
    attempt: token.attempts + 1,
    ms,
    queuedMs: Math.max(claim.at - token.availableAt, 0),
  };
}

/** Null for what was not run. That of a failure is what its policy will say, but for deadlines. */
function endOf(outcome: Outcome, { token }: Work): StepEnd | null {
  if (outcome.outcome === 'unrun') return null;
  if (outcome.outcome !== 'failed') return outcome.outcome;
  const isFinal = outcome.final === true || outcome.fault.fatal === true;
  return isFinal || token.attempts + 1 >= token.maxAttempts ? 'failed' : 'retry';
}

function attributesOf({ claim, token, head }: Work): Attributes {
  return {
    'perdure.flow': head.flow,
    'perdure.flow.version': head.flowVersion,
    'perdure.instance': head.id,
    'perdure.node': token.node,
    'perdure.token': token.id,
    'perdure.attempt': token.attempts + 1,
    'perdure.worker': claim.worker,
    'perdure.handler': claim.handler,
    ...(head.tenant === null ? {} : { 'perdure.tenant': head.tenant }),
    ...(token.mode === 'compensation' ? { 'perdure.undo': true } : {}),
  };
}
