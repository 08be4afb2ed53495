/**
 * From an action that goes back in time to the input that does it.
 *
 * History is read in pages and once: what is asked of it is worked out on the way, and states are
 * made from the nearest snapshot (D14). So however long an instance has lived, nothing is blocked
 * by it for long; and one that has moved on meanwhile costs only what has happened since.
 */
import { EngineError } from '../base/engine-error.ts';
import { fold } from '../kernel/fold.ts';
import { type Instance, rowsOf } from '../kernel/instance.ts';
import type { Machine } from '../kernel/machine.ts';
import { isUndoing, pastAt, pastOfFailure, pastOfNode, unlivable, Visits } from '../kernel/past.ts';
import { Arrivals, failureIn, lastBeforeEnd, type Spell } from '../kernel/spells.ts';
import type { Change, Restored } from '../model/change.ts';
import type { HistoryRow } from '../model/commit.ts';
import type { InstanceId, Instant, NodeId } from '../model/ids.ts';
import type { Past } from '../model/input.ts';
import type { Head } from '../model/instance.ts';
import type { Store } from '../stores/store.ts';
import { notFound } from './loading.ts';

/** Commits that are read at once. */
const PAGE = 1_000;

/** What of a store it takes to go back in time. */
export type Archive = Pick<Store, 'history' | 'snapshot' | 'now'>;

/** All commits up to one, or up to the newest; fewer if it was removed while they were read. */
export async function historyOf(
  store: Pick<Store, 'history'>,
  instance: InstanceId,
  upTo: number = Number.POSITIVE_INFINITY,
  from: number = 0,
): Promise<HistoryRow[]> {
  const rows: HistoryRow[] = [];
  for await (const page of pagesOf(store, instance, from, upTo)) rows.push(...page);
  return rows;
}

async function* pagesOf(
  store: Pick<Store, 'history'>,
  instance: InstanceId,
  from: number,
  upTo: number,
): AsyncGenerator<readonly HistoryRow[], void, undefined> {
  for (let after = from; after < upTo; ) {
    const limit = Math.min(PAGE, upTo - after);
    const page = await store.history({ instance, after, limit });
    yield page;
    if (page.length < limit) return;
    after += page.length;
  }
}

/** As it was when it failed; what made it fail has not happened. */
export async function pastToRevive(store: Archive, machine: Machine, head: Head): Promise<Past> {
  if (head.status !== 'failed') {
    throw refused(`instance ${head.id} is ${head.status}, and only one that failed can be revived`);
  }
  const failure = await failureOf(store, head);
  if (failure === null) throw refused(`where instance ${head.id} failed is not in its history`);
  if (failure.since.some(isUndone)) {
    throw refused(`what instance ${head.id} did was undone: rerun it from a node instead`);
  }
  if (failure.since.some(isMigration)) {
    // Those rows belong to another plan.
    throw refused(`instance ${head.id} was migrated after it failed: rerun it from a node instead`);
  }
  const { rows, at } = await stateAt(store, machine, head.id, failure.spell);
  return pastOfFailure(rows, at, failure.spell.failed);
}

type Failure = NonNullable<ReturnType<typeof failureIn>>;

/** From the newest commit back: most often it failed with that one. */
async function failureOf(
  store: Archive,
  { id: instance, version }: Head,
): Promise<{ readonly spell: Failure; readonly since: readonly Change[] } | null> {
  const rows: HistoryRow[] = [];
  for (let upTo = version; upTo > 0; ) {
    const after = Math.max(upTo - PAGE, 0);
    const page = await store.history({ instance, after, limit: upTo - after });
    if (page.length < upTo - after) throw notFound(instance);
    rows.unshift(...page);
    const spell = failureIn(rows);
    if (spell !== null) return { spell, since: changesAfter(rows, spell) };
    upTo = after;
  }
  return null;
}

function changesAfter(rows: readonly HistoryRow[], { n: from, index }: Spell): readonly Change[] {
  return rows.flatMap(({ n, changes }) => {
    if (n < from) return [];
    return n === from ? changes.slice(index) : changes;
  });
}

function isUndone({ did }: Change): boolean {
  return did === 'settle-undo';
}

function isMigration({ did }: Change): boolean {
  return did === 'migrate';
}

/** An instance as it was when it last came to a node. */
export class WayBack {
  readonly machine: Machine;
  readonly #store: Archive;
  readonly #node: NodeId;
  readonly #arrivals: Arrivals;
  readonly #visits = new Visits();
  /** How far its history has been read. */
  #read = 0;
  #isMigrated = false;
  /** What has been undone since it came there. */
  #undone: Change[] = [];
  /** The state it was in then, once it is known. */
  #then: { readonly rows: Restored; readonly at: Instant } | null = null;

  constructor(store: Archive, machine: Machine, node: NodeId) {
    if (!machine.plan.nodes.has(node)) throw noNode(machine, node);
    this.machine = machine;
    this.#store = store;
    this.#node = node;
    this.#arrivals = new Arrivals(machine, node);
  }

  /** What is younger than the given state is not read: it may be by another plan. */
  async past(instance: Instance): Promise<Past> {
    const { head } = instance;
    await this.#readTo(head);
    const now = head.endedAt === null ? instance : await beforeTheEnd(this.#store, head);
    if (head.endedAt === null && isUndoing(now)) {
      throw refused(`something of instance ${head.id} is being undone: let that end, or cancel it`);
    }
    const arrival = this.#arrivals.last;
    if (arrival === null) {
      const since = this.#isMigrated ? ' since it has been migrated' : '';
      throw refused(`instance ${head.id} never came to "${this.#node}"${since}`);
    }
    this.#then ??= await stateAt(this.#store, this.machine, head.id, arrival);
    const { rows, at } = this.#then;
    const why = unlivable(rows, this.#undone);
    if (why !== undefined) {
      throw refused(`instance ${head.id} cannot go on from "${this.#node}": ${why}`);
    }
    const { machine } = this;
    const by = head.endedAt ?? this.#store.now();
    return pastOfNode(rows, at, arrival.token, { now, machine, at: by, visits: this.#visits.most });
  }

  async #readTo({ id, version }: Head): Promise<void> {
    for await (const page of pagesOf(this.#store, id, this.#read, version)) {
      for (const row of page) this.#take(row);
    }
    if (this.#read !== version) throw notFound(id);
  }

  #take(row: HistoryRow): void {
    const before = this.#arrivals.last;
    this.#arrivals.read(row);
    this.#visits.read(row);
    this.#read = row.n;
    this.#isMigrated ||= row.changes.some(isMigration);
    const { last } = this.#arrivals;
    if (last !== before) {
      this.#undone = [];
      this.#then = null;
    }
    const from = last?.n === row.n ? last.index : 0;
    this.#undone.push(...row.changes.slice(from).filter(isUndone));
  }
}

async function stateAt(
  store: Archive,
  machine: Machine,
  id: InstanceId,
  { n, index }: Spell,
): Promise<{ readonly rows: Restored; readonly at: Instant }> {
  const { before, row } = await commitAt(store, id, n);
  return { rows: pastAt(machine, before, row, index), at: row.at };
}

/** A commit, and the instance as it was before it. */
async function commitAt(
  store: Archive,
  instance: InstanceId,
  n: number,
): Promise<{ readonly before: Instance; readonly row: HistoryRow }> {
  const from = (await store.snapshot(instance, n - 1)) ?? null;
  const after = from?.head.version ?? 0;
  const rows = await store.history({ instance, after, limit: n - after });
  const row = rows.at(-1);
  if (row?.n !== n) throw notFound(instance);
  return { before: fold(instance, rows.slice(0, -1), from), row };
}

/** Its end forgets who was at work, and what could have been undone. */
async function beforeTheEnd(store: Archive, { id, version }: Head): Promise<Instance> {
  const { before, row } = await commitAt(store, id, version);
  return fold(id, [lastBeforeEnd(row)], rowsOf(before));
}

function noNode({ plan }: Machine, node: NodeId): EngineError {
  const nodes = [...plan.nodes.values()].filter(({ hidden }) => !hidden).map(({ id }) => id);
  const message = `"${plan.name}" has no node "${node}"; it has ${nodes.join(', ')}`;
  return new EngineError('node.not-found', message, { details: { node, nodes } });
}

function refused(message: string): EngineError {
  return new EngineError('operation.refused', message);
}
