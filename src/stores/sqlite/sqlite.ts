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
import { encode, Missed, refOf, refusal } from '../payload.ts';
import type {
  Claim,
  ClaimOneRequest,
  ClaimRequest,
  Commit,
  CommitOutcome,
  Delivery,
  DroppedNote,
  Held,
  HistoryRequest,
  NewMessage,
  PlanRow,
  PostRow,
  Store,
  TokenRef,
} from '../store.ts';
import { Connection } from './connection.ts';
import type { Durability } from './migrate.ts';
import {
  readClaim,
  readDelivery,
  readDropped,
  readHistory,
  readId,
  readInstance,
  readPlan,
  readPost,
  readRef,
  readSnapshot,
} from './rows.ts';
import type { CommitAnswer } from './session.ts';
import {
  type CommitRow,
  droppedCells,
  encodeCommit,
  heldCells,
  messageCells,
  planCells,
} from './writes.ts';

export interface SqliteOptions {
  /** `full` survives a loss of power; `relaxed` may lose its last moments, and never more. */
  durability?: Durability;
  /** For tests: time is what it says, and not the clock of the machine. */
  clock?: () => number;
}

/** A store in a SQLite file, which is created if it is not there. */
export function sqlite(path: string, options: SqliteOptions = {}): Store {
  return new Sqlite(path, options);
}

/** Beside this file, as source or as compiled. */
const THREAD = new URL(`./thread${extname(import.meta.url)}`, import.meta.url);

class Sqlite implements Store {
  readonly #path: string;
  readonly #durability: Durability;
  readonly #clock: (() => number) | undefined;
  #connection: Connection | undefined;

  constructor(path: string, { durability = 'full', clock }: SqliteOptions) {
    this.#path = path;
    this.#durability = durability;
    this.#clock = clock;
  }

  async open(): Promise<void> {
    assert(this.#connection === undefined, 'a store is opened once');
    const setup = { path: this.#path, durability: this.#durability };
    const connection = new Connection(THREAD, setup, this.#clock);
    await connection.open();
    this.#connection = connection;
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
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

  async load(ids: readonly InstanceId[]): Promise<readonly (InstanceRows | undefined)[]> {
    const sets = await this.#database.call('load', ids);
    return sets.map((set) => set && readInstance(set));
  }

  async commit(commits: readonly Commit[]): Promise<readonly CommitOutcome[]> {
    const missed = new Missed();
    const encoded = commits.map((commit) => encodeUnlessLost(commit, missed));
    const sent = encoded.flatMap((row) => ('outcome' in row ? [] : [row]));
    const answers = sent.length === 0 ? [] : await this.#database.call('commit', sent);
    let answered = 0;
    return commits.map((commit, index) => {
      const row = encoded[index];
      if (row !== undefined && 'outcome' in row) return row;
      const answer = answers[answered];
      answered += 1;
      assert(answer !== undefined, 'every commit sent has its answer');
      return outcomeOf(commit, answer);
    });
  }

  async claim({ worker, handlers, limit, leaseMs }: ClaimRequest): Promise<readonly Claim[]> {
    const cells = { worker, handlers: encode(handlers), limit, leaseMs };
    return (await this.#database.call('claim', cells)).map(readClaim);
  }

  async claimOne(request: ClaimOneRequest): Promise<Claim | undefined> {
    const { instance, token, version, worker, leaseMs } = request;
    const ref = [instance, token, version];
    const row = await this.#database.call('claimOne', ref, worker, leaseMs);
    return row && readClaim(row);
  }

  async renew(held: readonly Held[], leaseMs: number): Promise<readonly Held[]> {
    const kept = await this.#database.call('renew', held.map(heldCells), leaseMs);
    return held.filter((_claim, index) => kept[index] !== true);
  }

  async release(held: readonly Held[]): Promise<void> {
    await this.#database.call('release', held.map(heldCells));
  }

  async expired(limit: number): Promise<readonly Claim[]> {
    return (await this.#database.call('expired', limit)).map(readClaim);
  }

  async due(limit: number): Promise<readonly TokenRef[]> {
    return (await this.#database.call('due', limit)).map(readRef);
  }

  async nextDue(handlers: readonly string[]): Promise<Instant | undefined> {
    return (await this.#database.call('nextDue', encode(handlers))) as Instant | undefined;
  }

  async publish(message: NewMessage): Promise<boolean> {
    return await this.#database.call('publish', messageCells(message), message.ttlMs);
  }

  async deliverable(limit: number, message?: string): Promise<readonly Delivery[]> {
    return (await this.#database.call('deliverable', limit, message)).map(readDelivery);
  }

  async consume(message: string): Promise<boolean> {
    return await this.#database.call('consume', message);
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

  async snapshot(instance: InstanceId, n: number): Promise<InstanceRows | undefined> {
    const row = await this.#database.call('snapshot', instance, n);
    return row && readSnapshot(row);
  }

  async findByKey(flow: string, key: string): Promise<InstanceId | undefined> {
    const row = await this.#database.call('findByKey', flow, key);
    return row && readId(row);
  }

  async scan(after: InstanceId | null, limit: number): Promise<readonly InstanceId[]> {
    return (await this.#database.call('scan', after ?? '', limit)).map(readId);
  }
}

/** What the thread gets, or the outcome of a commit that need not be sent. */
function encodeUnlessLost(commit: Commit, missed: Missed): CommitRow | CommitOutcome {
  try {
    const row = encodeCommit(commit);
    return missed.isUnder(row) ? { outcome: 'stale' } : row;
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    missed.note(refOf(commit), 'failed');
    return failed(commit, thrown);
  }
}

function failed({ commitId, touched }: Commit, cause: unknown): CommitOutcome {
  return { outcome: 'failed', error: refusal(commitId, touched.head.id, cause) };
}

function outcomeOf(commit: Commit, answer: CommitAnswer): CommitOutcome {
  switch (answer.outcome) {
    case 'committed':
      return { outcome: 'committed', taken: takenBy(commit, answer) };
    case 'failed':
      return failed(commit, answer.cause);
    case 'exists':
      return { outcome: 'exists', instance: answer.instance as InstanceId };
    default:
      return { outcome: answer.outcome };
  }
}

function takenBy(
  { take, touched }: Commit,
  { at, versions }: Extract<CommitAnswer, { outcome: 'committed' }>,
): readonly Claim[] {
  if (take === null) return [];
  const { worker, leaseMs } = take;
  const { id: instance, version: instanceVersion } = touched.head;
  const tokens = touched.tokens.filter(({ id }) => take.tokens.includes(id));
  return tokens.map((token, index) => {
    const version = versions[index];
    assert(version !== undefined && token.handler !== null, 'each token taken has its version');
    return {
      instance,
      token: token.id,
      version,
      worker,
      handler: token.handler,
      at: at as Instant,
      until: (at + leaseMs) as Instant,
      instanceVersion,
    };
  });
}
