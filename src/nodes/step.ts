/**
 * Step: a handler of the user's does something, and its result is kept under the step's name.
 *
 * A token born here is ready at once and waits for a worker that has the handler; the handler runs
 * outside every transaction, at least once, and its result is committed exactly once. (That of a
 * transactional step runs in a transaction, which commits with its result or not at all.) If it
 * fails, the same token is run again as its retry policy says. If it can be undone, that is
 * recorded with its result, and a saga may run the undo later.
 *
 * BPMN serviceTask, sendTask, scriptTask · Serverless Workflow call, run · builder .step()
 */
import { assert } from '../base/assert.ts';
import { parseDuration } from '../base/duration.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Mutable } from '../base/mutable.ts';
import { no, ok } from '../base/result.ts';
import type { Move, NodeKind, Offer, Write } from '../kernel/kind.ts';
import type { Diagnostic, DraftNode } from '../model/draft.ts';
import type { VarWrite } from '../model/input.ts';
import { nextTry, readRetry, type Retry } from './retry.ts';
import { problem, readLimit } from './settings.ts';

/** What is offered to workers stands in it as it is: it is asked for with every token. */
type Step = Offer & {
  /** It stands for a scope of its own, in which nobody could read what it sets there. */
  readonly alone?: true;
  readonly retry?: Retry;
  readonly undoRetry?: Retry;
};

/** What is undone must be undone, so it is tried more than once. */
const UNDO_RETRY: Retry = {
  maxAttempts: 5,
  delayMs: 1_000,
  backoff: 'exponential',
  maxDelayMs: 60_000,
  jitter: 0,
};

export const step: NodeKind<Step & JsonObject> = {
  kind: 'step',

  compile(draft) {
    const { priority, alone, undo, onFailure, transactional, limit } = draft.settings;
    const problems: Diagnostic[] = [];
    const config: Mutable<Step> = {};
    if (alone === true) config.alone = true;
    if (onFailure === 'incident') config.mends = true;
    if (transactional === true) config.transactional = true;
    if (Number.isSafeInteger(priority)) config.priority = priority as number;
    else if (priority !== undefined) {
      const rule = `the priority of "${draft.id}" is a whole number`;
      const message = `${rule}; came ${JSON.stringify(priority)}`;
      problems.push(problem(draft, 'bad-priority', message));
    }
    if (limit !== undefined) Object.assign(config, readLimit(draft, limit, problems));
    const tries = read(draft, draft.settings, problems);
    if (tries.retry !== undefined) {
      config.retry = tries.retry;
      config.maxAttempts = tries.retry.maxAttempts;
    }
    if (tries.timeoutMs !== undefined) config.timeoutMs = tries.timeoutMs;
    if (tries.deadlineMs !== undefined) config.deadlineMs = tries.deadlineMs;
    if (undo !== undefined) Object.assign(config, readUndo(draft, undo, problems));
    return problems.length > 0 ? no(problems) : ok({ config });
  },

  offer({ node }) {
    return node.config;
  },

  again(place, view) {
    const { token, node } = place;
    const { retry, undoRetry, deadlineMs } = node.config;
    if (token.mode === 'compensation') return nextTry(undoRetry ?? UNDO_RETRY, place, view);
    if (retry === undefined) return null;
    const at = nextTry(retry, place, view);
    // Past the deadline nothing would come of it, so there is nothing to wait for.
    const since = token.wake?.since ?? token.createdAt;
    if (deadlineMs === undefined) return at;
    return at >= since + deadlineMs + view.asleep(since) ? null : at;
  },

  resume({ node }, _view, signal) {
    assert(signal.on === 'result', 'a step only waits for its handler');
    const { value } = signal;
    const result: Write = { in: 'scope', space: 'results', name: node.id, value };
    const move: Mutable<Extract<Move, { move: 'take' }>> = {
      move: 'take',
      edges: node.out,
      writes: [result],
    };
    if (node.config.undoAttempts !== undefined) move.undo = { result: value };
    if (signal.sets.length === 0) return move;
    const kept = signal.sets.filter((set) => node.config.alone !== true || set.in === 'instance');
    move.writes = [result, ...kept.map(writeOf)];
    return move;
  },
};

function writeOf({ name, value, in: where }: VarWrite): Write {
  return { in: where, space: 'vars', name, value };
}

interface Tries {
  retry?: Retry;
  timeoutMs?: number;
  deadlineMs?: number;
}

function read(draft: DraftNode, settings: JsonObject, problems: Diagnostic[]): Tries {
  const tries: Tries = {};
  if (settings['retry'] !== undefined) {
    const policy = readRetry(settings['retry']);
    if (policy.ok) tries.retry = policy.value;
    else
      problems.push(problem(draft, 'bad-retry', `the retry of "${draft.id}": ${policy.problem}`));
  }
  for (const name of ['timeoutMs', 'deadlineMs'] as const) {
    const ms = settings[name];
    if (ms === undefined) continue;
    if (typeof ms === 'number' && ms > 0 && parseDuration(ms).ok) tries[name] = ms;
    else {
      const message = `"${name}" of "${draft.id}" is a number of ms, more than 0`;
      problems.push(problem(draft, 'bad-time', message));
    }
  }
  return tries;
}

function readUndo(
  draft: DraftNode,
  undo: Json,
  problems: Diagnostic[],
): Pick<Step, 'undoAttempts' | 'undoRetry' | 'undoTimeoutMs'> {
  if (typeof undo !== 'object' || undo === null || Array.isArray(undo)) {
    const message = `"undo" of "${draft.id}" is an object with what undoing it takes`;
    problems.push(problem(draft, 'bad-undo', message));
    return {};
  }
  const { retry = UNDO_RETRY, timeoutMs } = read(draft, undo as JsonObject, problems);
  return {
    undoAttempts: retry.maxAttempts,
    ...(retry === UNDO_RETRY ? {} : { undoRetry: retry }),
    ...(timeoutMs === undefined ? {} : { undoTimeoutMs: timeoutMs }),
  };
}
