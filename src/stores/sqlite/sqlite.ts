/**
 * The default store: one file, no server. SQLite itself runs in a thread of its own; this side
 * turns model values into rows and back, one short method for each verb of the port.
 *
 * Several processes on one machine may share the file. It must lie on a local disk: WAL does not
 * work over a network.
 */
import { extname } from 'node:path';
import { assert } from '../../base/assert.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { HistoryRow } from '../../model/commit.ts';
import type { InstanceId, Instant, PlanHash } from '../../model/ids.ts';
import type { InstanceRows } from '../../model/instance.ts';
import { ownName } from '../../model/own-names.ts';
import type { PlanName } from '../../model/plan-diff.ts';
import type { Tx } from '../../model/tx.ts';
import { commitBy } from '../outcomes.ts';
import { readOutlook } from '../outlooks.ts';
import { encode, encodeUnlessNull, noTransactions } from '../payload.ts';
import { BLOCKED_MS_MAX, Pulse } from '../pulse.ts';
import type {
  Bell,
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
  TokenRef,
  Transaction,
} from '../store.ts';
import { Connection } from './connection.ts';
import { sqliteInstances } from './instances.ts';
import { SqliteLanes } from './lanes.ts';
import { SqliteLetters } from './letters.ts';
import type { Durability, Opening } from './migrate.ts';
import { SqliteHalts } from './halts.ts';
import { SqliteServers } from './servers.ts';
import { SqliteHealth } from './health.ts';
import { SqliteReceipts } from './receipts.ts';
import { SqliteSchedules } from './schedules.ts';
import { sqliteTasks } from './tasks.ts';
import type { RecallCells } from './cells.ts';
import {
  readClaim,
  readDelivery,
  readDropped,
  readHistory,
  readId,
  readInstance,
  readLinks,
  readPending,
  readPlan,
  readPlanName,
  readPost,
  readRef,
  readSnapshot,
} from '../rows.ts';
import { badOption, checkDurability, checkStoreOptions } from '../options.ts';
import { messageCells, pendingCells } from '../message-writes.ts';
import { droppedCells, planCells } from '../writes.ts';

export interface SqliteOptions {
  /** `full` survives a loss of power; `relaxed` may lose its last moments, and never more. */
  durability?: Durability;
  /** This process has the file to itself, or is refused; and so is any other that opens it. */
  exclusive?: boolean;
  /** For tests: time is what it says, and not the clock of the machine. */
  clock?: () => number;
}

/** A store in a SQLite file, which is created if it is not there. */
export function sqlite(path: string, options: SqliteOptions = {}): Store {
  checkStoreOptions('sqlite', options, ['durability', 'exclusive', 'clock']);
  const { exclusive } = options;
  checkDurability(options.durability);
  if (exclusive !== undefined && typeof exclusive !== 'boolean') {
    throw badOption('exclusive is true or false', 'exclusive');
  }
  if (typeof path !== 'string' || path === '') {
    throw badOption('path is a text: that of a file, which is made if it is not there', 'path');
  }
  // Only the command line takes URLs: here, each would be the name of a file.
  const [scheme] = /^sqlite:|^(?!file:)[a-z]+:\/\//i.exec(path) ?? [];
  if (scheme !== undefined) {
    throw badOption(`sqlite() takes a path, and no URL: leave out "${scheme}"`, 'path');
  }
  return new Sqlite(path, options);
}

/** Beside this file, as source or as compiled. */
const THREAD = new URL(`./thread${extname(import.meta.url)}`, import.meta.url);

/** The class itself is for tests that cannot wait until a thread is taken for stuck. */
export class Sqlite implements Store {
  readonly hasTransactions: boolean = false;
  readonly letters: SqliteLetters = new SqliteLetters(() => this.#database);
  readonly schedules: SqliteSchedules = new SqliteSchedules(() => this.#database);
  readonly halts: SqliteHalts = new SqliteHalts(() => this.#database);
  readonly servers: SqliteServers = new SqliteServers(() => this.#database);
  readonly lanes: SqliteLanes = new SqliteLanes(() => this.#database);
  readonly instances: Store['instances'] = sqliteInstances(() => this.#database);
  readonly tasks: Store['tasks'] = sqliteTasks(() => this.#database);
  readonly receipts: SqliteReceipts = new SqliteReceipts(() => this.#database);
  readonly health: SqliteHealth;
  readonly #path: string;
  readonly #opening: Opening;
  readonly #clock: (() => number) | undefined;
  readonly #blockedMsMax: number;
  readonly #listeners: ((bell: Bell) => void)[] = [];
  #connection: Connection | undefined;
  #pulse: Pulse | undefined;

  constructor(path: string, options: SqliteOptions, blockedMsMax: number = BLOCKED_MS_MAX) {
    this.#path = path;
    this.health = new SqliteHealth(path, () => this.#database);
    const { durability = 'full', exclusive = false } = options;
    this.#opening = { durability, exclusive };
    this.#clock = options.clock;
    this.#blockedMsMax = blockedMsMax;
  }

  async open(): Promise<void> {
    assert(this.#connection === undefined, 'a store is opened once');
    const pulse = this.#clock === undefined ? new Pulse() : undefined;
    const setup = {
      path: this.#path,
      ...this.#opening,
      pulse: pulse?.shared ?? null,
      blockedMsMax: this.#blockedMsMax,
    };
    const connection = new Connection(THREAD, setup, this.#clock);
    try {
      await connection.open();
    } catch (thrown) {
      pulse?.stop();
      throw thrown;
    }
    this.#pulse = pulse;
    this.#connection = connection;
    if (this.#listeners.length > 0) this.#hark();
  }

  /** Whoever listens is forgotten, and listens again when it opens the store again. */
  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#listeners.length = 0;
    this.#pulse?.stop();
    await connection?.close();
  }

  get #database(): Connection {
    if (this.#connection !== undefined) return this.#connection;
    const message = `the database "${this.#path}" is not open: call open() first`;
    throw new EngineError('store.unreachable', message, { details: { path: this.#path } });
  }

  now(): Instant {
    return (this.#clock?.() ?? Date.now()) as Instant;
  }

  async savePlan(plan: PlanRow): Promise<void> {
    await this.#database.call('savePlan', planCells(plan));
  }

  async loadPlan(hash: PlanHash): Promise<PlanRow | undefined> {
    const row = await this.#database.call('loadPlan', hash);
    return row && readPlan(row);
  }

  async plans(): Promise<readonly PlanName[]> {
    return (await this.#database.call('plans')).map(readPlanName);
  }

  async links(): Promise<readonly string[]> {
    return readLinks(await this.#database.call('links'));
  }

  async load(ids: readonly InstanceId[]): Promise<readonly (InstanceRows | undefined)[]> {
    const sets = await this.#database.call('load', ids);
    return sets.map((set) => set && readInstance(set));
  }

  async commit(commits: readonly Commit[]): Promise<readonly CommitOutcome[]> {
    return commitBy(commits, (rows) => this.#database.call('commit', rows));
  }

  async recall(commits: readonly Commit[]): Promise<readonly (Committed | undefined)[]> {
    const found = await this.#database.call('recall', commits.map(recallOf));
    return found.map((rows) => rows && { outcome: 'committed', taken: rows.map(readClaim) });
  }

  within(_tx: Tx): Guest {
    throw noTransactions('the SQLite store');
  }

  async begin(): Promise<Transaction> {
    throw noTransactions('the SQLite store');
  }

  async claim(request: ClaimRequest): Promise<readonly Claim[]> {
    const { worker, handlers, limit, leaseMs, lone = false, tenant = null } = request;
    const watched = request.elsewhere !== true;
    const cells = { worker, handlers: encode(handlers), limit, leaseMs, lone, tenant, watched };
    return (await this.#database.call('claim', cells)).map(readClaim);
  }

  async claimOne(request: ClaimOneRequest): Promise<Claim | undefined> {
    const { instance, token, version, worker, leaseMs } = request;
    const ref = [instance, token, version];
    const row = await this.#database.call('claimOne', ref, worker, leaseMs);
    return row && readClaim(row);
  }

  async renew(held: readonly Held[], leaseMs: number): Promise<readonly Held[]> {
    const kept = await this.#database.call('renew', held.map(plain), leaseMs);
    return held.filter((_claim, index) => kept[index] !== true);
  }

  letGo(held: readonly Held[], afterMs = 0): void {
    this.#connection?.tell('letGo', held.map(plain), afterMs);
  }

  async release(held: readonly Held[]): Promise<void> {
    await this.#database.call('release', held.map(plain));
  }

  async expired(limit: number): Promise<readonly Claim[]> {
    return (await this.#database.call('expired', limit)).map(readClaim);
  }

  async due(limit: number): Promise<readonly TokenRef[]> {
    return (await this.#database.call('due', limit)).map(readRef);
  }

  async outlook(request: OutlookRequest): Promise<Outlook> {
    const { handlers, schedules, letters, withoutPosts = [], messages } = request;
    const among = [encode(schedules.flows), encode(schedules.without ?? [])];
    const types = encodeUnlessNull(letters ?? null);
    const { row, now } = await this.#database.call('outlook', [
      ...[encode(handlers), ...among, Number(letters !== undefined), types],
      ...[encode(withoutPosts), Number(messages)],
    ]);
    return readOutlook(row, now);
  }

  /** What another wrote to the file is not told. */
  listen(ring: (bell: Bell) => void): void {
    this.#listeners.push(ring);
    if (this.#listeners.length === 1) this.#hark();
  }

  #hark(): void {
    this.#connection?.listen(() => {
      for (const ring of this.#listeners) ring('all');
    });
  }

  /** The others see it by the file itself. */
  ring(): void {}

  async publish(message: NewMessage): Promise<boolean> {
    return await this.#database.call('messages.publish', messageCells(message), message.ttlMs);
  }

  async deliverable(limit: number, message?: string): Promise<readonly Delivery[]> {
    return (await this.#database.call('messages.deliverable', limit, message)).map(readDelivery);
  }

  async deliverableTo(tokens: readonly TokenRef[]): Promise<readonly Delivery[]> {
    const cells = tokens.map(({ instance, token }) => [instance, token]);
    return (await this.#database.call('messages.deliverableTo', cells)).map(readDelivery);
  }

  async knows(message: string): Promise<boolean> {
    return await this.#database.call('messages.knows', message);
  }

  async consume(messages: readonly string[]): Promise<readonly string[]> {
    return await this.#database.call('messages.consume', messages);
  }

  async pending(request: PendingRequest): Promise<readonly PendingMessage[]> {
    const rows = await this.#database.call(
      'messages.pending',
      pendingCells(request),
      request.limit,
    );
    return rows.map(readPending);
  }

  async posts(limit: number, without: readonly InstanceId[] = []): Promise<readonly PostRow[]> {
    return (await this.#database.call('posts', limit, encode(without))).map(readPost);
  }

  async carried(ids: readonly string[]): Promise<void> {
    await this.#database.call('carried', encode(ids));
  }

  async drop(note: DroppedNote): Promise<void> {
    await this.#database.call('drop', droppedCells(note));
  }

  async dropped(instance: InstanceId): Promise<readonly DroppedNote[]> {
    return (await this.#database.call('dropped', instance)).map(readDropped);
  }

  async history({ instance, after, limit }: HistoryRequest): Promise<readonly HistoryRow[]> {
    return (await this.#database.call('history', instance, after, limit)).map(readHistory);
  }

  async findByKey(
    flow: string,
    key: string,
    tenant: string | null,
  ): Promise<InstanceId | undefined> {
    const row = await this.#database.call('findByKey', flow, ownName(key, tenant));
    return row && readId(row);
  }

  async snapshot(instance: InstanceId, n: number): Promise<InstanceRows | undefined> {
    const row = await this.#database.call('snapshot', instance, n);
    return row && readSnapshot(row);
  }

  async scan(after: InstanceId | null, limit: number): Promise<readonly InstanceId[]> {
    return (await this.#database.call('scan', after ?? '', limit)).map(readId);
  }
}

function recallOf({ touched, expected, commitId, take }: Commit): RecallCells {
  // In the order in which the commit itself would have told them.
  const tokens = touched.tokens.map(({ id }) => id).filter((id) => take?.tokens.includes(id));
  return { instance: touched.head.id, expected, commitId, take: take && { ...take, tokens } };
}

/** Nothing but what proves the claim: whatever else the caller keeps with it stays here. */
function plain({ instance, token, version, worker }: Held): Held {
  return { instance, token, version, worker };
}
