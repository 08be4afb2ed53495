/**
 * What is known of a run when it is over: how it ended, in which order its tasks began, by its
 * history, and what came of each of them, by the lifecycle events that were sent.
 */
import { isJsonObject, type Json } from '../src/base/json.ts';
import type { OutboxEvent } from '../src/calls/target.ts';
import type { HistoryEntry, InstanceView } from '../src/runtime/run.ts';
import type { Outcome } from './ctk-judging.ts';

const ENDED = { completed: 'complete', failed: 'fault', canceled: 'cancel' } as const;

export function outcomeOf({ status, output, fault }: InstanceView): Outcome {
  const ended = Object.hasOwn(ENDED, status) ? ENDED[status as keyof typeof ENDED] : 'none';
  const error = fault?.details;
  return { ended, output, ...(error !== undefined && isJsonObject(error) ? { error } : {}) };
}

/** Names of tasks in the order in which they began; those that were skipped did not. */
export function orderIn(history: readonly HistoryEntry[], plan: Json): readonly string[] {
  const changes = history.flatMap((entry) => entry.changes);
  const skipped = new Set(
    changes.flatMap((change) => {
      if (change.did !== 'end-token') return [];
      return change.outcomes?.includes('skipped') === true ? [change.token] : [];
    }),
  );
  const names = namesIn(plan);
  return changes.flatMap((change) => {
    if (change.did !== 'birth-token' || skipped.has(change.token.id)) return [];
    return names.get(change.token.node) ?? [];
  });
}

/** By node, of those that somebody wrote. */
function namesIn(plan: Json): ReadonlyMap<string, string> {
  const nodes = isJsonObject(plan) && Array.isArray(plan['nodes']) ? plan['nodes'] : [];
  return new Map(
    nodes.flatMap((node: Json): (readonly [string, string])[] => {
      const { id, config, hidden } = isJsonObject(node) ? node : {};
      const task = isJsonObject(config) ? config['task'] : undefined;
      const name = isJsonObject(task) ? task['name'] : undefined;
      if (hidden === true || typeof id !== 'string' || typeof name !== 'string') return [];
      return [[id, name]];
    }),
  );
}

const TASK = /^io\.serverlessworkflow\.task\.(completed|faulted|cancelled)\.v1$/;
const OVER = /^io\.serverlessworkflow\.workflow\.(completed|faulted|cancelled)\.v1$/;

/** Where letters arrive. Those of one instance come in order, so the last one is the last. */
export class LetterBox {
  readonly #tasks = new Map<string, Outcome>();
  readonly #over: Promise<void>;
  #end: () => void = () => {};

  constructor() {
    this.#over = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  readonly receive = ({ type, data }: OutboxEvent): void => {
    if (OVER.test(type)) this.#end();
    const [, what] = TASK.exec(type) ?? [];
    if (what === undefined || !isJsonObject(data)) return;
    const { task, output, error } = data;
    const ended = what === 'completed' ? 'complete' : what === 'faulted' ? 'fault' : 'cancel';
    this.#tasks.set(lastName(typeof task === 'string' ? task : ''), {
      ended,
      ...(output === undefined ? {} : { output }),
      ...(isJsonObject(error) ? { error } : {}),
    });
  };

  /** By name, once the workflow is over and has been heard of. */
  async tasks(): Promise<ReadonlyMap<string, Outcome>> {
    await this.#over;
    return this.#tasks;
  }
}

/** The last part of a pointer. */
function lastName(pointer: string): string {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}
