/** What is shown of one execution of a handler: its span, and how long it took. */
import type { Outcome } from '../model/input.ts';
import type { WatchHouse } from './commit-watch.ts';
import type { Work } from './handlers.ts';
import type { Measuring, StepEnd } from './measuring.ts';
import { keptIn, type Traced } from './tracing.ts';

/** Null if nobody looks. */
export function beginExecution({ tracing, measuring }: WatchHouse, work: Work): Execution | null {
  if (tracing === null && !measuring.isOn) return null;
  const { wake } = work.token;
  const traced =
    tracing && tracing.begin('perdure.step', keptIn(wake?.trace), attributesOf(work), [wake?.left]);
  return new Execution(measuring, work, traced);
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
    const { claim, head, token } = this.#work;
    this.#measuring.tell({
      ...{ what: 'step', flow: head.flow, node: token.node, outcome: came },
      attempt: token.attempts + 1,
      ms: performance.now() - this.#begun,
      queuedMs: Math.max(claim.at - token.availableAt, 0),
    });
  }
}

/** Null for what was not run. That of a failure is what its policy will say, but for deadlines. */
function endOf(outcome: Outcome, { token }: Work): StepEnd | null {
  if (outcome.outcome === 'unrun') return null;
  if (outcome.outcome !== 'failed') return outcome.outcome;
  const isFinal = outcome.final === true || outcome.fault.fatal === true;
  return isFinal || token.attempts + 1 >= token.maxAttempts ? 'failed' : 'retry';
}

function attributesOf({ claim, token, head }: Work): Record<string, string | number | boolean> {
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
