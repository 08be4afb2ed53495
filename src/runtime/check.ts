/** Every promise that can be read off the store, checked instance by instance. */
import { assemble } from '../kernel/instance.ts';
import { checkInvariants, type Violation } from '../kernel/invariants.ts';
import type { HistoryRow } from '../model/commit.ts';
import type { InstanceId } from '../model/ids.ts';
import type { Unserved } from '../stores/servers.ts';
import type { Store } from '../stores/store.ts';
import { checkFields, told, wrong } from './fields.ts';
import { notFound } from './loading.ts';
import { checkText } from './options.ts';

export interface Checked {
  readonly ok: boolean;
  readonly instances: number;
  readonly violations: readonly (Violation & { readonly instance: InstanceId })[];
  /** Open instances that nothing will move until someone mends them. */
  readonly stalled: readonly InstanceId[];
  /** Work that is due and that no process has a handler for. */
  readonly unserved: readonly Unserved[];
}

const PAGE = 200;

export interface CheckOptions {
  /** Only these, and not all there are. */
  readonly ids?: readonly string[];
}

export async function checkAll(store: Store, options: CheckOptions = {}): Promise<Checked> {
  checkFields('check', options, ['ids']);
  const { ids: only } = options;
  if (only !== undefined && !Array.isArray(only)) {
    throw wrong(`ids is a list of ids; came ${told(only)}`, 'ids');
  }
  for (const id of only ?? []) checkText('an id', id);
  const violations: (Violation & { instance: InstanceId })[] = [];
  const stalled: InstanceId[] = [];
  const unserved: Unserved[] = [];
  let instances = 0;
  let after: InstanceId | null = null;
  for (;;) {
    const ids: readonly InstanceId[] =
      only === undefined ? await store.scan(after, PAGE) : (only as readonly InstanceId[]);
    for (const id of ids) {
      const found = await checkOne(store, id);
      // One that was named is to be there; of all there are, one may just have been removed.
      if (found === undefined && only !== undefined) throw notFound(id);
      if (found === undefined) continue;
      instances += 1;
      violations.push(...found.violations.map((violation) => ({ ...violation, instance: id })));
      if (found.stalled) stalled.push(id);
    }
    unserved.push(...(await store.servers.unserved(ids)));
    after = ids.at(-1) ?? after;
    if (only !== undefined || ids.length < PAGE) break;
  }
  return { ok: violations.length === 0, instances, violations, stalled, unserved };
}

async function checkOne(
  store: Store,
  id: InstanceId,
): Promise<{ violations: readonly Violation[]; stalled: boolean } | undefined> {
  const [rows] = await store.load([id]);
  if (rows === undefined) return undefined;
  // The instance may have moved on since: its history is read only up to what was loaded.
  const history = (await wholeHistory(store, id)).filter(({ n }) => n <= rows.head.version);
  return {
    violations: checkInvariants(assemble(rows), history),
    stalled: rows.head.stalled !== null,
  };
}

async function wholeHistory(store: Store, instance: InstanceId): Promise<HistoryRow[]> {
  const all: HistoryRow[] = [];
  for (;;) {
    const rows = await store.history({ instance, after: all.length, limit: PAGE });
    all.push(...rows);
    if (rows.length < PAGE) return all;
  }
}
