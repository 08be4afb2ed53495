/** Which handlers processes have, in a map by worker: all of them are in this process. */
import type { InstanceId, Instant } from '../../model/ids.ts';
import {
  type HeldBy,
  HOLDS_MAX,
  type Server,
  SERVED_AFTER_MS,
  type Servers,
  type Unserved,
  withHolds,
} from '../servers.ts';
import type { TokenRow } from './rows.ts';
import type { Tables } from './tables.ts';
import type { TokenQueue } from './token-queue.ts';

export class MemoryServers implements Servers {
  readonly #now: () => Instant;
  readonly #tables: Tables;
  readonly #queue: TokenQueue;
  readonly #rows = new Map<string, Omit<Server, 'holds'>>();

  constructor(now: () => Instant, tables: Tables, queue: TokenQueue) {
    this.#now = now;
    this.#tables = tables;
    this.#queue = queue;
  }

  async put(worker: string, handlers: readonly string[], forMs: number): Promise<void> {
    const now = this.#now();
    const until = (now + forMs) as Instant;
    this.#rows.set(
      worker,
      Object.freeze({ worker, handlers: Object.freeze([...handlers]), until }),
    );
    for (const other of this.#rows.values()) {
      if (other.until < now) this.#rows.delete(other.worker);
    }
  }

  async remove(worker: string): Promise<void> {
    this.#rows.delete(worker);
  }

  async list(): Promise<readonly Server[]> {
    const now = this.#now();
    const there = [...this.#rows.values()].filter(({ until }) => until >= now);
    const sorted = there.sort((a, b) => (a.worker < b.worker ? -1 : 1));
    const held = [...this.#queue.leases].sort(byLease).slice(0, HOLDS_MAX);
    return withHolds(sorted, held.flatMap(holdOf));
  }

  async unserved(instances: readonly InstanceId[]): Promise<readonly Unserved[]> {
    const served = new Set((await this.list()).flatMap(({ handlers }) => handlers));
    const found = instances.flatMap((instance) => {
      const rows = this.#tables.find(instance)?.tokens.values() ?? [];
      return rows.filter((row) => this.#isOverdue(row)).flatMap((row) => unservedBy(served, row));
    });
    return found.sort(bySince);
  }

  #isOverdue({ home, token, lockedBy }: TokenRow): boolean {
    if (home.head.status === 'suspended' || lockedBy !== null) return false;
    return token.status === 'ready' && token.availableAt <= this.#now() - SERVED_AFTER_MS;
  }
}

function holdOf({ home, token, lockedBy, lockedAt, lockedUntil }: TokenRow): readonly HeldBy[] {
  if (lockedBy === null) return [];
  const [since, until] = [lockedAt as Instant, lockedUntil as Instant];
  const { id, node } = token;
  const hold = Object.freeze({ instance: home.id, token: id, node, since, until });
  return [{ worker: lockedBy, hold }];
}

function byLease(a: TokenRow, b: TokenRow): number {
  if (a.lockedUntil !== b.lockedUntil) return a.lockedUntil - b.lockedUntil;
  if (a.home.id !== b.home.id) return a.home.id < b.home.id ? -1 : 1;
  return a.token.id - b.token.id;
}

function unservedBy(served: ReadonlySet<string>, { home, token }: TokenRow): readonly Unserved[] {
  const { id, node, handler, availableAt: since } = token;
  if (handler === null || served.has(handler)) return [];
  return [Object.freeze({ instance: home.id, token: id, node, handler, since })];
}

function bySince(a: Unserved, b: Unserved): number {
  if (a.since !== b.since) return a.since - b.since;
  return a.instance === b.instance ? a.token - b.token : a.instance < b.instance ? -1 : 1;
}
