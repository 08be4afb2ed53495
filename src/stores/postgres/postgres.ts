/**
 * The store for production: one Postgres database, any number of processes. This file turns model
 * values into statements and back, one short method for each verb of the port.
 *
 * No session state is relied on: each transaction may run on another connection, so a pooler in
 * transaction mode may stand in between (`listen: false` then, since bells need a connection of
 * their own). Nothing is lost with it but a moment.
 */
import type { Pool } from 'pg';
import type { HistoryRow } from '../../model/commit.ts';
import type { InstanceId, Instant, PlanHash } from '../../model/ids.ts';
import type { InstanceRows } from '../../model/instance.ts';
import { ownName } from '../../model/own-names.ts';
import type { PlanName } from '../../model/plan-diff.ts';
import type { Tx } from '../../model/tx.ts';
import { commitBy } from '../outcomes.ts';
import {
  readClaim,
  readDelivery,
  readDropped,
  readHistory,
  readId,
  readLinks,
  readPending,
  readPlan,
  readPlanName,
  readPost,
  readRef,
  readSnapshot,
  type Row,
} from '../rows.ts';
import type {
  Bell,
  Claim,
  ClaimOneRequest,
  ClaimRequest,
  Commit,
  CommitOutcome,
  Committed,
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
  TokenRef,
  Transaction,
} from '../store.ts';
import { pendingCells } from '../message-writes.ts';
import { droppedCells, planCells } from '../writes.ts';
import { Belfry } from './belfry.ts';
import { claimLone, claimReady, releasing } from './claiming.ts';
import { StoreClock } from './clock.ts';
import { commitAll } from './commits.ts';
import { type Ask, column, columns, Driver } from './driver.ts';
import { postgresInstances } from './instances.ts';
import { PostgresLanes } from './lanes.ts';
import { PostgresLetters } from './letters.ts';
import { type Durability, openDatabase } from './migrate.ts';
import { checkOptions, POOL_SIZE, type PostgresOptions } from './options.ts';
import { loadAll } from './loading.ts';
import { askOutlook } from './outlook.ts';
import * as queries from './queries.ts';
import { recallAll } from './recall.ts';
import { PostgresReceipts } from './receipts.ts';
import { PostgresHalts } from './halts.ts';
import { PostgresServers } from './servers.ts';
import { PostgresHealth } from './health.ts';
import { PostgresSchedules } from './schedules.ts';
import { Sentry } from './sentry.ts';
import { ALL_SHARDS, heldCells, shardOf } from './shard.ts';
import { byUrgency } from './sorting.ts';
import { postgresTasks } from './tasks.ts';
import { beginTransaction, guestOf, publishAlone } from './transactions.ts';
import { errorOf } from './trouble.ts';

/** A store in a Postgres database, given by its URL or by a pool of yours, which stays yours. */
export function postgres(from: string | Pool, options: PostgresOptions = {}): Store {
  return new Postgres(from, options);
}

/** What ends with closing, and is made anew by whoever opens the store again. */
interface Parts {
  readonly driver: Driver;
  readonly bell: Belfry | null;
  /** Not where a test decides what time it is. */
  readonly sentry: Sentry | null;
}

/** The class itself is for tests that cannot wait until a thread is taken for stuck. */
export class Postgres implements Store {
  readonly hasTransactions: boolean = true;
  readonly letters: PostgresLetters;
  readonly schedules: PostgresSchedules;
  readonly halts: PostgresHalts;
  readonly lanes: PostgresLanes;
  readonly servers: PostgresServers;
  readonly instances: Store['instances'];
  readonly tasks: Store['tasks'];
  readonly receipts: PostgresReceipts;
  readonly health: PostgresHealth;
  readonly #clock: StoreClock;
  readonly #durability: Durability;
  readonly #make: () => Parts;
  #parts: Parts;
  #isClosed = false;

  constructor(from: string | Pool, options: PostgresOptions, blockedMsMax?: number) {
    const { schema = 'perdure', poolSize = POOL_SIZE } = options;
    const { listen = true, durability = 'full' } = options;
    checkOptions(from, { schema, poolSize, ...options });
    this.#clock = new StoreClock(options.clock);
    this.letters = new PostgresLetters((...ask) => this.#ask(...ask), this.#clock);
    const ask = (...ask: Ask): Promise<readonly Row[]> => this.#ask(...ask);
    this.schedules = new PostgresSchedules({ ask, clock: this.#clock });
    this.halts = new PostgresHalts({ ask, clock: this.#clock });
    this.lanes = new PostgresLanes(() => this.#driver, this.#clock);
    this.instances = postgresInstances(() => this.#driver, this.#clock);
    this.tasks = postgresTasks(() => this.#driver);
    this.servers = new PostgresServers({ ask, clock: this.#clock });
    this.receipts = new PostgresReceipts({ ask, clock: this.#clock });
    this.health = new PostgresHealth(this.#clock, () => this.#driver);
    this.#durability = durability;
    this.#make = () => {
      const driver = new Driver(from, { schema, poolSize });
      const isTold = options.clock !== undefined;
      return {
        driver,
        bell: listen ? new Belfry(driver) : null,
        sentry: isTold ? null : new Sentry(driver.config, schema, blockedMsMax),
      };
    };
    this.#parts = this.#make();
  }

  get #driver(): Driver {
    return this.#parts.driver;
  }

  get #sentry(): Sentry | null {
    return this.#parts.sentry;
  }

  async open(): Promise<void> {
    if (this.#isClosed) this.#parts = this.#make();
    this.#isClosed = false;
    await openDatabase(this.#driver, this.#durability);
    const [row] = await this.#ask(queries.own.clock);
    this.#clock.note(Number(row?.now));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    // In this order: the driver still brings out the last ring.
    await Promise.all([this.#parts.bell?.close(), this.#sentry?.close(), this.#driver.close()]);
  }

  now(): Instant {
    return this.#clock.now() as Instant;
  }

  async savePlan(plan: PlanRow): Promise<void> {
    await this.#ask(queries.putPlan, ...planCells(plan), this.#clock.told);
  }

  async loadPlan(hash: PlanHash): Promise<PlanRow | undefined> {
    const [row] = await this.#ask(queries.findPlan, hash);
    return row && readPlan(row);
  }

  async plans(): Promise<readonly PlanName[]> {
    return (await this.#ask(queries.plansNow)).map(readPlanName);
  }

  async links(): Promise<readonly string[]> {
    return readLinks(await this.#ask(queries.linksOf));
  }

  async load(ids: readonly InstanceId[]): Promise<readonly (InstanceRows | undefined)[]> {
    if (ids.length === 0) return [];
    return this.#known(() => loadAll(this.#driver, ids));
  }

  async commit(commits: readonly Commit[]): Promise<readonly CommitOutcome[]> {
    const outcomes = await this.#inDoubt(() =>
      commitBy(commits, (rows) => commitAll(this.#driver, this.#clock, rows)),
    );
    this.#sentry?.committed(commits, outcomes);
    return outcomes;
  }

  async recall(commits: readonly Commit[]): Promise<readonly (Committed | undefined)[]> {
    const found = await this.#known(() => recallAll(this.#driver, commits));
    this.#sentry?.recalled(commits, found);
    return found;
  }

  within(tx: Tx): Guest {
    return guestOf(this.#driver, this.#clock, tx);
  }

  async begin(): Promise<Transaction> {
    return beginTransaction(this.#driver, this.#clock, (held) => this.#sentry?.released(held));
  }

  async claim(request: ClaimRequest): Promise<readonly Claim[]> {
    const { handlers, leaseMs, lone = false } = request;
    const where = [column(ALL_SHARDS), column(handlers), this.#clock.told];
    const ask = (...asked: Ask): Promise<readonly Row[]> => this.#askByKey(...asked);
    const claim = lone ? claimLone : claimReady;
    const rows = await this.#inDoubt(() => claim(ask, where, request));
    const claims = rows.toSorted(byUrgency).map(readClaim);
    if (request.elsewhere !== true) this.#sentry?.claimed(claims, leaseMs);
    return claims;
  }

  async claimOne(request: ClaimOneRequest): Promise<Claim | undefined> {
    const { instance, token, version, worker, leaseMs } = request;
    const cells = [shardOf(instance), instance, token, version, worker];
    const [row] = await this.#inDoubt(() =>
      this.#ask(queries.claimOne, ...cells, this.#clock.told, leaseMs),
    );
    const claim = row && readClaim(row);
    if (claim !== undefined) this.#sentry?.claimed([claim], leaseMs);
    return claim;
  }

  async renew(held: readonly Held[], leaseMs: number): Promise<readonly Held[]> {
    if (held.length === 0) return [];
    const now = this.#clock.told;
    const cells = columns(held.map(heldCells));
    const [, rows] = await this.#askAll(
      [queries.renew, ...cells, now, leaseMs],
      [queries.own.held, ...cells],
    );
    const standing = new Set((rows ?? []).map(({ place }) => Number(place)));
    return held.filter((_claim, index) => !standing.has(index + 1));
  }

  letGo(held: readonly Held[], afterMs: number = 0): void {
    this.#sentry?.letGo(held, afterMs);
  }

  async release(held: readonly Held[]): Promise<void> {
    if (held.length === 0) return;
    this.#sentry?.released(held);
    await this.#askAll(...releasing(held, this.#clock.told));
  }

  async expired(limit: number): Promise<readonly Claim[]> {
    const now = this.#clock.told;
    return (await this.#askByKey(queries.expired, column(ALL_SHARDS), now, limit)).map(readClaim);
  }

  async due(limit: number): Promise<readonly TokenRef[]> {
    const now = this.#clock.told;
    return (await this.#askByKey(queries.due, column(ALL_SHARDS), now, limit)).map(readRef);
  }

  outlook(request: OutlookRequest): Promise<Outlook> {
    return askOutlook(this.#clock, request, (...ask) => this.#ask(...ask));
  }

  listen(ring: (bell: Bell) => void): void {
    this.#parts.bell?.listen(ring);
  }

  ring(bell: Bell = 'work'): void {
    this.#parts.bell?.ring(bell);
  }

  async publish(message: NewMessage): Promise<boolean> {
    return publishAlone(this.#driver, this.#clock, message);
  }

  async deliverable(limit: number, message?: string): Promise<readonly Delivery[]> {
    const all = column(ALL_SHARDS);
    const now = this.#clock.told;
    const rows =
      message === undefined
        ? await this.#askAnew(queries.awaited, all, now, limit)
        : await this.#askAnew(queries.deliverable, all, shardOf(message), message, now, limit);
    return rows.map(readDelivery);
  }

  async deliverableTo(tokens: readonly TokenRef[]): Promise<readonly Delivery[]> {
    if (tokens.length === 0) return [];
    const refs = columns(tokens.map((ref) => [shardOf(ref.instance), ref.instance, ref.token]));
    const cells = [column(ALL_SHARDS), ...refs, this.#clock.told];
    return (await this.#askAnew(queries.deliverableTo, ...cells)).map(readDelivery);
  }

  async knows(message: string): Promise<boolean> {
    return (await this.#ask(queries.knows, shardOf(message), message)).length > 0;
  }

  async consume(messages: readonly string[]): Promise<readonly string[]> {
    if (messages.length === 0) return [];
    const ids = columns(messages.map((id) => [shardOf(id), id]));
    const ask: Ask = [queries.consume, column(ALL_SHARDS), ...ids];
    const [, rows = []] = await this.#askAll([queries.begin], ask, [queries.commit]);
    return rows.map(({ id }) => String(id));
  }

  async pending(request: PendingRequest): Promise<readonly PendingMessage[]> {
    const cells = [column(ALL_SHARDS), this.#clock.told, ...pendingCells(request), request.limit];
    return (await this.#ask(queries.pending, ...cells)).map(readPending);
  }

  async posts(limit: number, without: readonly InstanceId[] = []): Promise<readonly PostRow[]> {
    const rows = await this.#ask(queries.posts, column(ALL_SHARDS), limit, column(without));
    return rows.map(readPost);
  }

  async carried(ids: readonly string[]): Promise<void> {
    await this.#ask(queries.carried, column(ALL_SHARDS), column(ids));
  }

  async drop(note: DroppedNote): Promise<void> {
    await this.#ask(queries.putDropped, shardOf(note.instance), ...droppedCells(note));
  }

  async dropped(instance: InstanceId): Promise<readonly DroppedNote[]> {
    return (await this.#ask(queries.droppedNotes, shardOf(instance), instance)).map(readDropped);
  }

  async history({ instance, after, limit }: HistoryRequest): Promise<readonly HistoryRow[]> {
    const cells = [shardOf(instance), instance, after, limit];
    return (await this.#ask(queries.historyAfter, ...cells)).map(readHistory);
  }

  async snapshot(instance: InstanceId, n: number): Promise<InstanceRows | undefined> {
    const [row] = await this.#ask(queries.snapshotAt, shardOf(instance), instance, n);
    return row && readSnapshot(row);
  }

  async findByKey(
    flow: string,
    key: string,
    tenant: string | null,
  ): Promise<InstanceId | undefined> {
    const own = ownName(key, tenant);
    const cells = columns([[shardOf(flow, own), flow, own]]);
    const [row] = await this.#ask(queries.keyHolder, ...cells);
    return row && readId(row);
  }

  async scan(after: InstanceId | null, limit: number): Promise<readonly InstanceId[]> {
    return (await this.#ask(queries.scan, column(ALL_SHARDS), after ?? '', limit)).map(readId);
  }

  async #ask(...ask: Ask): Promise<readonly Row[]> {
    const [rows] = await this.#askAll(ask);
    return rows ?? [];
  }

  /** Of what may take claims: those that were taken all the same are nobody's (D15). */
  async #inDoubt<Value>(work: () => Promise<Value>): Promise<Value> {
    const since = this.now();
    try {
      return await work();
    } catch (thrown) {
      this.#sentry?.doubt(since, this.now());
      throw thrown;
    }
  }

  /** Planned for the tables as they are now, as what a transaction begins with explains. */
  async #askAnew(...ask: Ask): Promise<readonly Row[]> {
    const [, rows = []] = await this.#askAll([queries.beginRead], ask, [queries.commit]);
    return rows;
  }

  /** By its indexes and in their order, whatever the tables held when it was planned. */
  async #askByKey(...ask: Ask): Promise<readonly Row[]> {
    const [, rows = []] = await this.#askAll([queries.own.beginRounds], ask, [queries.own.end]);
    return rows;
  }

  #askAll(...asks: readonly Ask[]): Promise<readonly (readonly Row[])[]> {
    return this.#known(() => this.#driver.all(...asks));
  }

  async #known<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (thrown) {
      throw errorOf(thrown, this.#driver.where);
    }
  }
}
