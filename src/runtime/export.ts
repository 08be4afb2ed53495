/**
 * One instance as one file: its plan, all that ever happened to it, and the results that came too
 * late. That is enough to see it at any moment of its life (`replay.ts`), with no database at hand.
 */
import { EngineError } from '../base/engine-error.ts';
import type { Json } from '../base/json.ts';
import type { HistoryRow } from '../model/commit.ts';
import type { InstanceId, Instant, PlanHash } from '../model/ids.ts';
import type { DroppedNote, Store } from '../stores/store.ts';
import { historyOf } from './pasts.ts';

export const EXPORT_FORMAT = 'perdure.instance/1';

/** Plain JSON. */
export interface ExportedInstance {
  readonly format: typeof EXPORT_FORMAT;
  readonly exportedAt: Instant;
  readonly instance: InstanceId;
  /** The one it runs now; its hash is that of its body. */
  readonly plan: { readonly hash: PlanHash; readonly body: Json };
  readonly history: readonly HistoryRow[];
  readonly dropped: readonly DroppedNote[];
}

/** Undefined if there is no such instance. */
export async function exportInstance(
  store: Store,
  id: InstanceId,
): Promise<ExportedInstance | undefined> {
  const [rows] = await store.load([id]);
  if (rows === undefined) return undefined;
  const { plan: hash, version } = rows.head;
  const plan = await store.loadPlan(hash);
  if (plan === undefined) {
    const message = `the plan ${hash} of instance ${id} is missing: restore it from a backup`;
    throw new EngineError('store.corrupt', message, { details: { instance: id, plan: hash } });
  }
  // It may have moved on since it was loaded, to another plan even; or it has been removed.
  const history = await historyOf(store, id, version);
  if (history.length < version) return undefined;
  return {
    format: EXPORT_FORMAT,
    exportedAt: store.now(),
    instance: id,
    plan: { hash, body: plan.body },
    history,
    dropped: await store.dropped(id),
  };
}
