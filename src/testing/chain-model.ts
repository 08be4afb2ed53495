/**
 * What a chain must look like after the given facts, by the page that chains were first described
 * on. It knows nothing of tokens, claims, strides or stores, and imports nothing: if it and the
 * engine agree, they do so by two ways of reading the same rules.
 */
export interface ModelChain {
  /** Of each step, in order. */
  readonly maxAttempts: readonly number[];
  readonly timeouts: boolean;
  readonly context: unknown;
}

/** Something that is known to have happened to a step: a result, a wake, a lease that ran out. */
export interface Fact {
  readonly step: number;
  readonly was: keyof typeof STATES;
  readonly error?: string;
  readonly context?: unknown;
}

/** The states a step may be in before. */
const STATES = {
  ...{ completed: 'READY', waiting: 'READY', retry: 'READY', threw: 'READY', dead: 'READY' },
  ...{ expired: 'READY', event: 'WAITING', timeout: 'WAITING' },
} as const;
/** Leases of one step that may run out. */
const CRASHES_MAX = 10;

export interface ModelStep {
  status: 'PENDING' | 'READY' | 'WAITING' | 'DONE' | 'DEAD';
  attempts: number;
  crashes: number;
  waits: number;
  error: string | null;
  wake: string;
}

/** What an execution was told, if the engine told it the truth. */
export interface Told {
  readonly attempt: number;
  readonly wake: string;
  readonly context: unknown;
}

export interface Predicted {
  readonly status: 'RUNNING' | 'COMPLETED' | 'FAILED';
  readonly context: unknown;
  readonly steps: readonly ModelStep[];
  /** What each fact changed. */
  readonly path: readonly string[];
  readonly told: readonly Told[];
  readonly broken: readonly string[];
}

export type Model = typeof predict;

export function predict(chain: ModelChain, facts: readonly Fact[]): Predicted {
  let status: Predicted['status'] = 'RUNNING';
  let context = chain.context;
  const usual = { attempts: 0, crashes: 0, waits: 0, error: null, wake: 'first' };
  const steps = chain.maxAttempts.map(
    (_, n): ModelStep => ({ ...usual, status: n === 0 ? 'READY' : 'PENDING' }),
  );
  const [path, told, broken]: [string[], Told[], string[]] = [[], [], []];
  for (const { step: n, was, error = null, context: left } of facts) {
    const [step, next] = [steps[n], steps[n + 1]];
    if (step?.status !== STATES[was]) broken.push(`step ${n} was ${step?.status} and ${was}`);
    if (was === 'timeout' && !chain.timeouts) broken.push(`step ${n} has no timeouts`);
    if (step === undefined) continue;
    const { attempts, wake } = step;
    const isWake = was === 'event' || was === 'timeout';
    if (!isWake) told.push({ attempt: attempts + 1, wake, context });
    if (!isWake && was !== 'threw' && was !== 'expired') context = left;
    step.status = was === 'completed' ? 'DONE' : was === 'waiting' ? 'WAITING' : 'READY';
    if (was === 'waiting') step.waits += 1;
    if (was === 'completed') step.error = null;
    if (was === 'completed' && next !== undefined) next.status = 'READY';
    if (was === 'completed' && next === undefined) status = 'COMPLETED';
    if (isWake) step.wake = was;
    if (was === 'expired') step.crashes += 1;
    if (was === 'expired' && wake === 'first') step.wake = 'lease-recovery';
    const isTried = was === 'retry' || was === 'threw';
    if (isTried && wake !== 'event' && wake !== 'timeout') step.wake = 'retry';
    const isSpent = isTried && attempts + 1 >= (chain.maxAttempts[n] ?? 0);
    const isDead = was === 'dead' || isSpent || step.crashes > CRASHES_MAX;
    if (isDead) [step.status, status] = ['DEAD', 'FAILED'];
    if (isTried || was === 'dead' || was === 'expired') step.attempts += 1;
    if (isTried || was === 'dead' || was === 'expired') step.error = error;
    const calls = was === 'completed' && next !== undefined ? [`${n + 1} READY`] : [];
    const ends = status === 'RUNNING' ? [] : [status];
    path.push([`${n} ${step.status}`, ...calls, ...ends].toSorted().join(', '));
  }
  return { status, context, steps, path, told, broken };
}
