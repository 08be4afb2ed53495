/**
 * The store that forgets: everything in this process, nothing on disk. It keeps the promises of the
 * port to the letter, so that what works on it works on a database, and it is what the test kit
 * runs on. Every verb does its work before it returns; the promises are only the port's shape.
 *
 * `close` keeps what it holds: an engine can be closed and another opened on the same store, which
 * is how tests restart without a disk.
 */
import { parseJson } from '../../base/json.ts';
import type { HistoryRow } from '../../model/commit.ts';
import type { InstanceId, Instant, PlanHash } from '../../model/ids.ts';
import type { InstanceRows } from '../../model/instance.ts';
import { ownName } from '../../model/own-names.ts';
import type { PlanName } from '../../model/plan-diff.ts';
import type { Tx } from '../../model/tx.ts';
import { encode, Missed, noTransactions, refOf } from '../payload.ts';
import type {
  Claim,
  ClaimOneRequest,
  ClaimRequest,
  Commit,
  Committed,
  CommitOutcome,
  Delivery,
  DroppedNote,
  Guest,
  Held,
  HistoryRequest,
  NewMessage,
  Outlook,
  OutlookRequest,
  PendingMessage,
  PendingRequest,
  PlanRow,
  PostRow,
  Store,
  Take,
  TokenRef,
  Transaction,
} from '../store.ts';
import { compareTexts } from '../texts.ts';
import { MemoryInstances } from './instances.ts';
import { LaneBook } from './lane-book.ts';
import { MemoryLanes } from './lanes.ts';
import { Mailbox } from './mailbox.ts';
import { MemoryHalts } from './halts.ts';
import { MemoryServers } from './servers.ts';
import { MemoryHealth } from './health.ts';
import { MemoryLetters } from './letters.ts';
import { checkStoreOptions } from '../options.ts';
import { Outbox } from './outbox.ts';
import { MemoryReceipts } from './receipts.ts';
import { claimOf, decodeHistory, decodeInstance, isHeldBy, type TokenRow } from './rows.ts';
import { TokenQueue } from './token-queue.ts';
import { MemorySchedules } from './schedules.ts';
import { lock, Tables } from './tables.ts';
import { MemoryTasks } from './tasks.ts';

export interface MemoryStore extends Store {
  /** The whole history of an instance, without waiting. */
  historyNow(instance: InstanceId): readonly HistoryRow[];
}

/** A store in memory. With a `clock` of the caller's own, time is a number the test sets. */
export function memory(options: { clock?: () => number } = {}): MemoryStore {
  checkStoreOptions('memory', options, ['clock']);
  return new Memory(options.clock ?? Date.now);
}

class Memory implements MemoryStore {
  readonly hasTransactions: boolean = false;
  readonly #clock: () => number;
  readonly #queue = new TokenQueue();
  readonly #mailbox = new Mailbox((id) => this.#tables.find(id)?.head.tenant ?? null);
  readonly #outbox = new Outbox();
  readonly letters: MemoryLetters = new MemoryLetters(() => this.now());
  readonly schedules: MemorySchedules = new MemorySchedules(() => this.now());
  readonly receipts: MemoryReceipts = new MemoryReceipts(() => this.now());
  readonly #book = new LaneBook();
  readonly tasks: MemoryTasks = new MemoryTasks((id) => this.#tables.find(id));
  readonly #tables = new Tables({
    ...{ queue: this.#queue, mailbox: this.#mailbox, outbox: this.#outbox },
    ...{ letters: this.letters, lanes: this.#book, tasks: this.tasks },
  });
  readonly halts: MemoryHalts = new MemoryHalts(() => this.now(), this.#tables);
  readonly health: MemoryHealth = new MemoryHealth({
    ...{ tables: this.#tables, queue: this.#queue, mailbox: this.#mailbox },
    ...{ letters: this.letters, now: () => this.now() },
  });
  readonly lanes: MemoryLanes = new MemoryLanes({
    ...{ book: this.#book, tables: this.#tables, queue: this.#queue, now: () => this.now() },
  });
  readonly servers: MemoryServers = new MemoryServers(() => this.now(), this.#tables, this.#queue);
  readonly #plans = new Map<PlanHash, { readonly row: PlanRow; readonly body: string }>();
  readonly #links = new Set<string>();
  readonly #dropped = new Map<InstanceId, DroppedNote[]>();
  readonly instances: MemoryInstances = new MemoryInstances({
    ...{ tables: this.#tables, mailbox: this.#mailbox, outbox: this.#outbox },
    letters: this.letters,
    forget: (id) => this.#dropped.delete(id),
  });

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  async open(): Promise<void> {}

  async close(): Promise<void> {}

  now(): Instant {
    return this.#clock() as Instant;
  }

  async savePlan({ hash, name, version, body, links = [] }: PlanRow): Promise<void> {
    if (this.#plans.has(hash)) return;
    for (const link of links) this.#links.add(link);
    this.#plans.set(hash, { row: { hash, name, version, body: null }, body: encode(body) });
  }

  async loadPlan(hash: PlanHash): Promise<PlanRow | undefined> {
    const plan = this.#plans.get(hash);
    return plan && Object.freeze({ ...plan.row, body: parseJson(plan.body) });
  }

  async plans(): Promise<readonly PlanName[]> {
    const rows = Array.from(this.#plans.values(), ({ row: { hash, name, version } }) =>
      Object.freeze({ hash, name, version }),
    );
    // Stable: of one version the one that was saved last comes last.
    return rows.sort((a, b) => compareTexts(a.name, b.name) || a.version - b.version);
  }

  async links(): Promise<readonly string[]> {
    return [...this.#links];
  }

  async load(ids: readonly InstanceId[]): Promise<readonly (InstanceRows | undefined)[]> {
    return ids.map((id) => {
      const row = this.#tables.find(id);
      return row && decodeInstance(row);
    });
  }

  async commit(commits: readonly Commit[]): Promise<readonly CommitOutcome[]> {
    const now = this.now();
    const missed = new Missed();
    return commits.map((commit) => {
      const ref = refOf(commit);
      const outcome = this.#tables.commit(commit, missed.isUnder(ref), now);
      missed.note(ref, outcome.outcome);
      return outcome;
    });
  }

  async recall(commits: readonly Commit[]): Promise<readonly (Committed | undefined)[]> {
    return commits.map((commit) => this.#tables.recall(commit));
  }

  within(_tx: Tx): Guest {
    throw noTransactions('the memory store');
  }

  async begin(): Promise<Transaction> {
    throw noTransactions('the memory store');
  }

  async claim(request: ClaimRequest): Promise<readonly Claim[]> {
    const now = this.now();
    const { lone, tenant } = request;
    const limit = lone === true ? 1 : request.limit;
    const wanted = { ...request, lone: lone === true, limit };
    const rows =
      tenant === undefined
        ? this.#queue.takeDue(wanted, now)
        : this.#queue.takeDueOf(tenant, wanted, now);
    return rows.map((row) => this.#claimRow(row, request, now));
  }

  async claimOne(request: ClaimOneRequest): Promise<Claim | undefined> {
    const now = this.now();
    const row = this.#tables.findToken(request);
    if (row === undefined || row.version !== request.version || row.lockedBy !== null) return;
    const { status, handler, availableAt } = row.token;
    if (status !== 'ready' || handler === null || availableAt > now) return;
    if (row.home.head.status === 'suspended' || row.isHeld) return;
    this.#queue.remove(row);
    return this.#claimRow(row, request, now);
  }

  #claimRow(row: TokenRow, by: Omit<Take, 'tokens'>, now: number): Claim {
    lock(row, by, now);
    this.#queue.add(row, now);
    return claimOf(row);
  }

  async renew(held: readonly Held[], leaseMs: number): Promise<readonly Held[]> {
    const now = this.now();
    return held.filter((claim) => {
      const row = this.#findHeld(claim);
      if (row === undefined) return true;
      row.lockedUntil = Math.max(row.lockedUntil, now + leaseMs);
      return false;
    });
  }

  /** Nothing to stop: in one thread, nobody recovers a claim while its holder is too busy. */
  letGo(): void {}

  async release(held: readonly Held[]): Promise<void> {
    const now = this.now();
    for (const claim of held) {
      const row = this.#findHeld(claim);
      if (row === undefined || row.lockedUntil < now) continue;
      this.#queue.remove(row);
      row.version += 1;
      row.lockedBy = null;
      if (row.token.lanes.length > 0) {
        row.isHeld = true;
        this.#book.rejoin(claim, row.lockedAt, row.home.head.status === 'suspended');
      }
      this.#queue.add(row, now);
    }
  }

  #findHeld(claim: Held): TokenRow | undefined {
    const row = this.#tables.findToken(claim);
    return row !== undefined && isHeldBy(row, claim) ? row : undefined;
  }

  async expired(limit: number): Promise<readonly Claim[]> {
    return this.#queue.expired(limit, this.now()).map(claimOf);
  }

  async due(limit: number): Promise<readonly TokenRef[]> {
    const rows = this.#queue.toWake(limit, this.now());
    return rows.map(({ home, token }) => ({ instance: home.id, token: token.id }));
  }

  async outlook(request: OutlookRequest): Promise<Outlook> {
    const { handlers, schedules, letters, withoutPosts = [], messages } = request;
    const now = this.now();
    return {
      ...this.#queue.outlook(handlers, now),
      lanes: this.lanes.nextDue(handlers),
      letters: letters === undefined ? undefined : this.letters.nextDue(letters),
      schedules: this.schedules.nextDue(schedules),
      halts: this.halts.hasAny,
      posts: this.#outbox.hasAny(withoutPosts),
      messages: messages && this.#mailbox.deliverable(1, now).length > 0,
    };
  }

  /** There are no other processes: whoever else is at work on this store is in this one. */
  listen(): void {}

  ring(): void {}

  async publish(message: NewMessage): Promise<boolean> {
    return this.#mailbox.publish(message, this.now());
  }

  async deliverable(limit: number, message?: string): Promise<readonly Delivery[]> {
    if (message === undefined) return this.#mailbox.deliverable(limit, this.now());
    return this.#mailbox.deliverableOf(message, limit, this.now());
  }

  async deliverableTo(tokens: readonly TokenRef[]): Promise<readonly Delivery[]> {
    return this.#mailbox.deliverableTo(tokens, this.now());
  }

  async knows(message: string): Promise<boolean> {
    return this.#mailbox.knows(message);
  }

  async consume(messages: readonly string[]): Promise<readonly string[]> {
    return messages.filter((message) => this.#mailbox.consume(message));
  }

  async pending(request: PendingRequest): Promise<readonly PendingMessage[]> {
    return this.#mailbox.pending(request, this.now());
  }

  async posts(limit: number, without: readonly InstanceId[] = []): Promise<readonly PostRow[]> {
    return this.#outbox.first(limit, without);
  }

  async carried(ids: readonly string[]): Promise<void> {
    this.#outbox.carried(ids);
  }

  async drop({ instance, token, version, worker, reason, at }: DroppedNote): Promise<void> {
    const notes = this.#dropped.get(instance) ?? [];
    notes.push(Object.freeze({ instance, token, version, worker, reason, at }));
    this.#dropped.set(instance, notes);
  }

  async dropped(instance: InstanceId): Promise<readonly DroppedNote[]> {
    return [...(this.#dropped.get(instance) ?? [])];
  }

  async history({ instance, after, limit }: HistoryRequest): Promise<readonly HistoryRow[]> {
    const rows = this.#tables.find(instance)?.history ?? [];
    return rows.slice(after, after + limit).map(decodeHistory);
  }

  historyNow(instance: InstanceId): readonly HistoryRow[] {
    return (this.#tables.find(instance)?.history ?? []).map(decodeHistory);
  }

  async snapshot(instance: InstanceId, n: number): Promise<InstanceRows | undefined> {
    const found = this.#tables.find(instance)?.snapshots.findLast((row) => row.n <= n);
    return found && (parseJson(found.body) as unknown as InstanceRows);
  }

  async findByKey(
    flow: string,
    key: string,
    tenant: string | null,
  ): Promise<InstanceId | undefined> {
    return this.#tables.findByKey(flow, ownName(key, tenant));
  }

  async scan(after: InstanceId | null, limit: number): Promise<readonly InstanceId[]> {
    return this.#tables.scan(after, limit);
  }
}
