/**
 * Removing what is over and old, a short transaction at a time: other work goes on in between, and
 * whoever is cut short calls again. What somebody still has a use for is kept and counted: see
 * `stores/instances.ts`.
 */
import type { Duration } from '../base/duration.ts';
import { EngineError } from '../base/engine-error.ts';
import type { Flow } from '../model/definition.ts';
import type { Instant } from '../model/ids.ts';
import type { EndedStatus } from '../stores/instances.ts';
import type { Store } from '../stores/store.ts';
import { checkFields, checkGiven, checkListener } from './fields.ts';
import { readFlow, readStatuses, readText } from './filter.ts';
import { checkWhole } from './options.ts';
import { durationOf } from './durations.ts';

export interface PruneOptions {
  /** Over for at least so long. */
  readonly olderThan: Duration;
  /** All three unless given. */
  readonly status?: EndedStatus | readonly EndedStatus[];
  readonly flow?: string | Pick<Flow, 'name'>;
  readonly tenant?: string;
  /** Counts what would be removed. Nothing is. */
  readonly dryRun?: boolean;
  /** Instances of one transaction, at most; 500 unless given. */
  readonly batch?: number;
  /** Told after each transaction. */
  readonly onProgress?: (progress: PruneResult) => void;
}

export interface PruneResult {
  /** Instances that were removed, with everything of theirs. */
  readonly pruned: number;
  /** Old enough, and still needed. */
  readonly kept: number;
  /** Messages that nobody can have any more. None if only some instances were meant. */
  readonly messages: number;
  /** Receipts that are over, however lately. None if only some instances were meant. */
  readonly receipts: number;
  readonly batches: number;
}

const STATUSES: readonly EndedStatus[] = ['completed', 'failed', 'canceled'];
const FIELDS: readonly (keyof PruneOptions)[] = [
  ...(['olderThan', 'status', 'flow', 'tenant', 'dryRun', 'batch', 'onProgress'] as const),
];
const BATCH_DEFAULT = 500;
const BATCH_MAX = 10_000;
/** How many are looked at for one batch, at most. */
const WALK = 5_000;

export async function prune(store: Store, options: PruneOptions): Promise<PruneResult> {
  const { batch, dryRun, before, ...meant } = readOptions(store, options);
  const count = { pruned: 0, kept: 0, messages: 0, receipts: 0, batches: 0 };
  const note = (removed: number): void => {
    if (removed === 0) return;
    count.batches += 1;
    options.onProgress?.({ ...count });
  };
  for (let after: string | null = null; ; ) {
    const request = { ...meant, before, after, limit: batch, walk: WALK, dryRun };
    const { pruned, kept, next } = await store.instances.prune(request);
    count.pruned += pruned;
    count.kept += kept;
    note(pruned);
    if (next === null) break;
    after = next;
  }
  const isAll = meant.flow === null && meant.tenant === null && options.status === undefined;
  for (let after: string | null = null; isAll; ) {
    const request = { before, after, walk: batch, dryRun };
    const { pruned, next } = await store.instances.pruneMessages(request);
    count.messages += pruned;
    note(pruned);
    if (next === null) break;
    after = next;
  }
  for (let after: string | null = null; isAll; ) {
    const { pruned, next } = await store.receipts.prune({ after, walk: batch, dryRun });
    count.receipts += pruned;
    note(pruned);
    if (next === null) break;
    after = next;
  }
  return count;
}

function readOptions(
  store: Store,
  options: PruneOptions,
): {
  readonly statuses: readonly EndedStatus[];
  readonly flow: string | null;
  readonly tenant: string | null;
  readonly before: Instant;
  readonly batch: number;
  readonly dryRun: boolean;
} {
  checkFields('prune', options, FIELDS);
  checkGiven('prune', options, ['status', 'flow', 'tenant']);
  const { olderThan, status, flow, tenant, dryRun = false, batch = BATCH_DEFAULT } = options;
  if (olderThan === undefined) {
    throw bad('prune needs olderThan: how long an instance has been over, such as "30d"');
  }
  checkWhole('batch', batch, 1);
  if (batch > BATCH_MAX) throw bad(`batch is at most ${BATCH_MAX}; came ${batch}`);
  if (typeof dryRun !== 'boolean') throw bad('dryRun is true or false');
  checkListener(options.onProgress);
  return {
    statuses: status === undefined ? STATUSES : readStatuses(status, STATUSES),
    flow: readFlow(flow),
    tenant: readText('tenant', tenant),
    before: (store.now() - durationOf(olderThan) + 1) as Instant,
    batch,
    dryRun,
  };
}

function bad(message: string): EngineError {
  return new EngineError('engine.option-invalid', message);
}
