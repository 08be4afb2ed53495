/**
 * The book of executions: how often each token was run, and what became of it when that failed.
 *
 * - A token is executed at most `maxAttempts` times, leases that ran out aside (D11).
 * - A failure that leaves executions is tried again: the same token, not before now and not later
 *   than its policy's cap. One that does not, or that nobody wants tried again, is not.
 * - Only where the definition asks for it does what failed wait for someone to mend it.
 */
import type { Change } from '../model/change.ts';
import type { NodeId } from '../model/ids.ts';
import type { Input, Outcome } from '../model/input.ts';
import type { Token } from '../model/instance.ts';
import type { Plan } from '../model/plan.ts';
import type { Instance } from '../kernel/instance.ts';
import { isLeftOver } from './laws-failures.ts';
import { obey } from './laws-ending.ts';

/** One commit: what came in, on what, and what was made of it. */
export interface Page {
  readonly before: Instance;
  readonly input: Input;
  readonly changes: readonly Change[];
}

interface Runs {
  executions: number;
  crashes: number;
  maxAttempts: number;
}

interface Policy {
  readonly maxDelayMs: number;
}

interface StepConfig {
  readonly maxAttempts?: number;
  readonly undoAttempts?: number;
  readonly retry?: Policy;
  readonly undoRetry?: Policy;
  readonly deadlineMs?: number;
  readonly mends?: true;
}

/** What undoing has if nothing else is said. */
const UNDO_POLICY: Policy = { maxDelayMs: 60_000 };
/** No policy of a random definition makes longer ones. */
const PAUSE_MS_MOST = 1_500;

type Result = Extract<Input, { type: 'result' }>;

export class AttemptBook {
  readonly #plan: Plan;
  readonly #runs = new Map<number, Runs>();

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  enter(page: Page): void {
    const { input, changes } = page;
    this.#checkIncidents(page);
    if (input.type === 'expire') this.#runsOf(input.token).crashes += 1;
    if (input.type === 'result') this.#checkResult(page, input);
    else checkRetried(changes, null);
    for (const change of changes) this.#note(change);
  }

  #note(change: Change): void {
    if (change.did === 'birth-token') {
      const { id, node, mode, wait, maxAttempts = 1 } = change.token;
      // Who waits before an activity is never run itself.
      if (wait?.on === 'merge') return;
      const { maxAttempts: forward = 1, undoAttempts } = this.#configOf(node);
      const right = mode === 'compensation' ? undoAttempts : forward;
      obey('attempts', maxAttempts === right, () => `token ${id} has ${maxAttempts}, not ${right}`);
      this.#runs.set(id, { executions: 0, crashes: 0, maxAttempts });
    }
    if (change.did === 'wake-token' && change.maxAttempts !== undefined) {
      this.#runsOf(change.token).maxAttempts = change.maxAttempts;
    }
  }

  #checkResult({ before, changes }: Page, { token: id, outcome, at }: Result): void {
    const token = before.tokens.get(id);
    if (token === undefined || outcome.outcome === 'unrun') return checkRetried(changes, null);
    // Who waits for a message has not failed, and is run again as if for the first time.
    if (outcome.outcome === 'waiting') return checkRetried(changes, null);
    const runs = this.#runsOf(id);
    runs.executions += 1;
    const { executions, maxAttempts } = runs;
    const often = `token ${id} is executed ${executions} times, at most ${maxAttempts} are allowed`;
    obey('attempts', executions <= maxAttempts, () => often);
    const policy = this.#policyAfter(before, token, outcome);
    const retried = changes.find((change) => change.did === 'retry-token');
    // Past its deadline it is not tried again, whatever the policy says.
    const { deadlineMs } = this.#configOf(token.node);
    const mayEnd = deadlineMs !== undefined && at + PAUSE_MS_MOST >= token.createdAt + deadlineMs;
    if (policy === null || (mayEnd && retried === undefined)) return checkRetried(changes, null);
    checkRetried(changes, id);
    const pause = (retried?.availableAt ?? at) - at;
    const fits = pause >= 0 && pause <= policy.maxDelayMs;
    obey('retries', fits, () => `token ${id} pauses for ${pause} ms`);
  }

  /** The policy that has it run again; null if it is not. */
  #policyAfter(before: Instance, token: Token, outcome: Outcome): Policy | null {
    if (outcome.outcome !== 'failed' || outcome.final === true) return null;
    if (outcome.fault.fatal === true || isLeftOver(before, token)) return null;
    const { executions, crashes, maxAttempts } = this.#runsOf(token.id);
    if (executions + crashes >= maxAttempts) return null;
    const { retry = null, undoRetry = UNDO_POLICY } = this.#configOf(token.node);
    return token.mode === 'compensation' ? undoRetry : retry;
  }

  #checkIncidents({ before, changes }: Page): void {
    for (const change of changes) {
      if (change.did !== 'park-token' || change.wait.on !== 'incident') continue;
      const { onFailure, onUndoFailure } = this.#plan;
      const token = before.tokens.get(change.token);
      const undoes = token?.mode === 'compensation';
      const mends = token !== undefined && this.#configOf(token.node).mends === true;
      const asked = undoes ? onUndoFailure === 'halt' : onFailure === 'incident' || mends;
      obey('incidents', asked, () => `token ${change.token} waits to be mended`);
    }
  }

  #runsOf(id: number): Runs {
    const runs = this.#runs.get(id);
    if (runs === undefined) obey('attempts', false, () => `token ${id} was never born`);
    return runs as Runs;
  }

  #configOf(node: NodeId): StepConfig {
    return (this.#plan.nodes.get(node)?.config ?? {}) as StepConfig;
  }
}

/** Exactly this token is retried, and it lives on. */
function checkRetried(changes: readonly Change[], token: number | null): void {
  const retried = changes.flatMap((change) => (change.did === 'retry-token' ? [change.token] : []));
  const right = retried.join() === (token === null ? '' : `${token}`);
  const who = retried.join() || 'nobody';
  obey('retries', right, () => `tried again: ${who}; expected: ${token ?? 'nobody'}`);
  // What else happens in the same stride may still cancel it.
  const ended = changes.find((change) => change.did === 'end-token' && change.token === token);
  const lives = ended?.did !== 'end-token' || ended.why === 'cancelled';
  obey('retries', lives, () => `token ${token} is tried again and ends`);
}
