/**
 * What goes wrong outside, and what people do about it: handlers that fail, are given up on or have
 * nothing to do any more, instances that were called and did not complete, incidents that someone
 * mends. As with every answer, it depends on the node and on the passes around it.
 */
import { phaseOf, scopeOf, type Instance } from '../kernel/instance.ts';
import type { NodeId } from '../model/ids.ts';
import type { Outcome } from '../model/input.ts';
import type { Fault, Token } from '../model/instance.ts';
import type { ChildAnswer } from '../model/post.ts';
import { setsFor, valueFor } from './laws-answers.ts';
import { activityOutcome } from './random-activities.ts';
import { CODES } from './random-failures.ts';
import { luck, lucky } from './random-luck.ts';

/** Which execution of which visit: together with the seed it says all. */
export interface Execution {
  readonly node: string;
  readonly path: string;
  /** Executions before it that failed. */
  readonly tries: number;
  readonly seed: number;
}

type Failed = Extract<Outcome, { outcome: 'failed' }>;

/** How often a handler fails before it succeeds; most never do. */
const FAILS = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 9];

/** Null if this execution does well. */
export function failureAt({ node, path, tries, seed }: Execution): Failed | null {
  if (tries >= lucky(FAILS, seed, 'fails', node, path)) return null;
  return failedWith(node, [seed, 'fault', node, path, tries]);
}

/** Undoing fails more often: it is what the laws are after. */
function undoFailureAt({ node, path, tries, seed }: Execution): Failed | null {
  if (tries >= lucky([0, 0, 0, 0, 1, 2, 9], seed, 'undo fails', node, path)) return null;
  return failedWith(node, [seed, 'undo fault', node, path, tries]);
}

function failedWith(node: string, words: readonly (string | number)[]): Failed {
  const code = lucky(CODES, ...words);
  const fatal = luck(8, ...words, 'fatal') === 0 ? { fatal: true as const } : {};
  const fault = { code, message: `${node} is ${code}`, ...fatal };
  const final = luck(8, ...words, 'final') === 0 ? { final: true as const } : {};
  const inDoubt = luck(4, ...words, 'in doubt') === 0 ? { inDoubt: true as const } : {};
  return { outcome: 'failed', fault, ...final, ...inDoubt };
}

/** What becomes of a token nobody wants: it is put down, or whoever has it answers after all. */
function unwantedOutcome({ node, path, tries, seed }: Execution): Outcome {
  const words = [seed, 'unwanted', node, path, tries];
  switch (luck(4, ...words)) {
    case 0:
      return { outcome: 'done', value: valueFor(node, path, seed) };
    case 1:
      return failedWith(node, words);
    default:
      return { outcome: 'unrun' };
  }
}

/** What the handler of a token brings. */
export function outcomeOf(
  instance: Instance,
  token: Token,
  path: string,
  { seed, failures }: { readonly seed: number; readonly failures: boolean },
): Outcome {
  const { node, attempts, crashes, mode } = token;
  const execution = { node, path, tries: attempts - crashes, seed };
  if (mode === 'compensation') {
    return (failures ? undoFailureAt(execution) : null) ?? { outcome: 'done', value: null };
  }
  if (isLeftOver(instance, token)) return unwantedOutcome(execution);
  const failed = failures ? failureAt(execution) : null;
  if (failed !== null) return failed;
  const sets = setsFor(node, path, seed);
  const value = valueFor(node, path, seed);
  const ended = activityOutcome(instance, token, seed);
  if (ended === 'waiting') {
    const timeoutMs = luck(2, seed, 'times out', token.id) === 0 ? 1_000 : null;
    return { outcome: 'waiting', type: 'event-0', timeoutMs, letters: [] };
  }
  return { outcome: 'done', value, ...(sets.length > 0 ? { sets } : {}), ...ended };
}

/** By the plainest reading: its scope drains, or is being undone, and it does not undo itself. */
export function isLeftOver(instance: Instance, { scope, mode }: Token): boolean {
  if (mode === 'compensation') return false;
  const { drains, owner, parent } = scopeOf(instance, scope);
  if (drains !== null) return true;
  if (parent === null) return phaseOf(instance.head) === 'compensating';
  return owner !== null && instance.tokens.get(owner)?.wait?.on === 'saga';
}

export function childAnswer(
  { node, path, seed }: Omit<Execution, 'tries'>,
  failures: boolean,
): ChildAnswer {
  const word = failures ? luck(6, seed, 'child', node, path) : 5;
  if (word === 0) return { status: 'canceled' };
  if (word > 1) return { status: 'completed', output: valueFor(node, path, seed) };
  const code = lucky(CODES, seed, 'child', node, path);
  const failed: Fault = { code, message: `a child is ${code}`, node: 'Inner' as NodeId };
  return { status: 'failed', fault: failed };
}

/** What someone does about an incident: no one tries for ever, or skips what cannot be skipped. */
export function remedyFor(
  { wait, node }: Token,
  times: number,
  seed: number,
): 'retry' | 'skip' | 'cancel' {
  // Who skips the burning of fuel goes round for ever.
  const skips = wait?.on === 'incident' && wait.can.includes('skip') && !node.endsWith('.burn');
  const wanted = lucky(['retry', 'retry', 'skip', 'cancel'], seed, 'remedy', node, times);
  if (wanted === 'retry' && times < RETRIES_MOST) return 'retry';
  return wanted !== 'cancel' && skips ? 'skip' : 'cancel';
}

const RETRIES_MOST = 5;
