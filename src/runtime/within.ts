/**
 * Strides whose commit belongs to a transaction: of a program that starts an instance together with
 * rows of its own, or of a step whose effects are in the same database (P4).
 *
 * Such a commit goes alone, since the transaction is its own, builds on nothing that is still under
 * way, and hands nothing over: what it makes ready is there for whoever finds it. The cache hears
 * of it when it is durable. Others may get ahead of it until it is written: the stride is then
 * worked out again, in the same transaction.
 */
import { EngineError } from '../base/engine-error.ts';
import { assemble, emptyInstance, type Instance } from '../kernel/instance.ts';
import type { Machine } from '../kernel/machine.ts';
import { touchedBy } from '../kernel/touched.ts';
import type { Hint } from '../model/hint.ts';
import type { InstanceId } from '../model/ids.ts';
import type { Commit, Guest, Store } from '../stores/store.ts';
import type { Library } from './library.ts';
import { strideBy } from './migrating.ts';
import { commitOf } from './commit-of.ts';
import { type CommitWatch, watchCommit, type WatchHouse } from './commit-watch.ts';
import type { Request } from './strides.ts';

/** What others may do to an instance between reading it and locking it, before we give up. */
const TRIES_MAX = 100;

export interface WithinHouse extends WatchHouse {
  readonly store: Store;
  readonly library: Library;
}

/** A stride that is written, and durable when its transaction is. */
export interface Written {
  readonly outcome: 'written';
  readonly commit: Commit;
  readonly after: Instance;
  readonly hints: readonly Hint[];
  /** Ended by whoever knows that it is durable. */
  readonly watch: CommitWatch | null;
}

export type Within =
  | Written
  | { readonly outcome: 'nothing' | 'missing' | 'fenced' | 'delivered' }
  | { readonly outcome: 'exists'; readonly instance: InstanceId };

/** The first stride of an instance. */
export function startWithin(
  house: WithinHouse,
  guest: Guest,
  request: Request,
  machine: Machine,
): Promise<Within> {
  return write(house, guest, request, machine, emptyInstance(request.instance));
}

/** Any later one. */
export async function strideWithin(
  house: WithinHouse,
  guest: Guest,
  request: Request,
): Promise<Within> {
  const { store, library } = house;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const [rows] = await store.load([request.instance]);
    if (rows === undefined) return { outcome: 'missing' };
    const { plan } = rows.head;
    const machine = library.find(plan) ?? (await library.load(plan, store));
    const written = await write(house, guest, request, machine, assemble(rows));
    if (written !== STALE) return written;
  }
  const message = `gave up after losing the race for ${request.instance} ${TRIES_MAX} times`;
  throw new EngineError('store.unreachable', message, { retryable: true });
}

/** Someone was first: told apart from the same answer to an input that came late. */
const STALE: Within = { outcome: 'nothing' };

async function write(
  house: WithinHouse,
  guest: Guest,
  request: Request,
  machine: Machine,
  before: Instance,
): Promise<Within> {
  const happening = request.input(house.store.now());
  const stride = strideBy(machine, before, happening);
  if (stride.changes.length === 0) return { outcome: 'nothing' };
  const { after, hints } = stride;
  const commit = commitOf(request, before, { after, touched: touchedBy(before, stride) }, []);
  const watch = watchCommit(house, request, { happening, before, stride });
  const outcome = await guest.commit(commit);
  if (outcome.outcome === 'committed') return { outcome: 'written', commit, after, hints, watch };
  watch?.end(outcome.outcome);
  if (outcome.outcome === 'stale') return STALE;
  if (outcome.outcome === 'failed') throw outcome.error;
  return outcome;
}
