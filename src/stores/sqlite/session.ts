/**
 * The verbs of the port, over an open database: what the thread does. It deals in rows and cells;
 * what they mean is known on the other side (`rows.ts`, `writes.ts`).
 *
 * A commit is guarded by reads and only then written, so a lost race has nothing to undo. Whatever
 * else goes wrong with one of a batch ends the transaction, and the batch begins again without it:
 * the same as a savepoint for each would give, but paid for by the bad one alone (a savepoint for
 * each costs one commit in seven; measured 2026-11, 13.4 against 15.9 µs).
 */
import { assert } from '../../base/assert.ts';
import type { CommitAnswer } from '../outcomes.ts';
import { Missed } from '../payload.ts';
import { type InstanceSet, readClaim, type Row } from '../rows.ts';
import type { Held } from '../store.ts';
import type { Watch, Watched } from '../watch.ts';
import { type Cell, type CommitRow, heldCells } from '../writes.ts';
import type { ClaimCells, RecallCells } from './cells.ts';
import { type Driver, troubleOf } from './driver.ts';
import { InstanceSession } from './instance-session.ts';
import { noteCommit } from './commit-watch.ts';
import { HaltSession } from './halt-session.ts';
import { ServerSession } from './server-session.ts';
import { HealthSession } from './health-session.ts';
import { LaneSession } from './lane-session.ts';
import { LetterSession } from './letter-session.ts';
import { MessageSession } from './message-session.ts';
import { type Opening, openDatabase } from './migrate.ts';
import * as queries from './queries.ts';
import { ReceiptSession } from './receipt-session.ts';
import { ScheduleSession } from './schedule-session.ts';
import { TaskSession } from './task-session.ts';
import { reading, writingAt } from './transaction.ts';

type Cells = readonly Cell[];

/** Each verb is told the time by tests; null has the clock of this machine decide. */
type Told = number | null;

export class Session {
  readonly messages: MessageSession;
  readonly letters: LetterSession;
  readonly schedules: ScheduleSession;
  readonly halts: HaltSession;
  readonly servers: ServerSession;
  readonly lanes: LaneSession;
  readonly instances: InstanceSession;
  readonly tasks: TaskSession;
  readonly receipts: ReceiptSession;
  readonly health: HealthSession;
  readonly #path: string;
  readonly #driver: Driver;
  readonly #watch: Watch | null;
  #dataVersion: unknown;

  /** Whatever is claimed here is on the watch, if there is one, for as long as it is held. */
  constructor(path: string, opening: Opening, watch: Watch | null) {
    this.#path = path;
    this.#driver = openDatabase(path, opening);
    this.messages = new MessageSession(this.#driver);
    this.letters = new LetterSession(this.#driver);
    this.schedules = new ScheduleSession(this.#driver);
    this.halts = new HaltSession(this.#driver);
    this.servers = new ServerSession(this.#driver);
    this.lanes = new LaneSession(this.#driver);
    this.instances = new InstanceSession(this.#driver);
    this.tasks = new TaskSession(this.#driver);
    this.receipts = new ReceiptSession(this.#driver);
    this.health = new HealthSession(this.#driver);
    this.#watch = watch;
  }

  close(): void {
    this.#driver.close();
  }

  savePlan(told: Told, cells: Cells): void {
    this.#driver.run(queries.putPlan, ...cells, told ?? Date.now());
  }

  plans(): readonly Row[] {
    return this.#driver.all(queries.plansNow);
  }

  loadPlan(_told: Told, hash: string): Row | undefined {
    return this.#driver.get(queries.findPlan, hash);
  }

  links(): readonly Row[] {
    return this.#driver.all(queries.linksOf);
  }

  load(_told: Told, ids: readonly string[]): readonly (InstanceSet | undefined)[] {
    const driver = this.#driver;
    return reading(driver, () =>
      ids.map((id) => {
        const head = driver.get(queries.findInstance, id);
        return (
          head && {
            head,
            tokens: driver.all(queries.tokensOf, id),
            scopes: driver.all(queries.scopesOf, id),
            variables: driver.all(queries.variablesOf, id),
            latches: driver.all(queries.latchesOf, id),
            undos: driver.all(queries.undosOf, id),
          }
        );
      }),
    );
  }

  commit(told: Told, rows: readonly CommitRow[]): readonly CommitAnswer[] {
    const answers = this.#commitAll(told, rows);
    if (this.#watch !== null) {
      for (const [index, row] of rows.entries()) noteCommit(this.#watch, row, answers[index]);
    }
    return answers;
  }

  #commitAll(told: Told, rows: readonly CommitRow[]): readonly CommitAnswer[] {
    const failed = new Map<CommitRow, CommitAnswer>();
    for (;;) {
      let current: CommitRow | undefined;
      try {
        return writingAt(this.#driver, told, (now) => {
          const missed = new Missed();
          const answers = rows.map((row) => {
            current = row;
            if (missed.isUnder(row)) return { outcome: 'stale' } as const;
            const answer = failed.get(row) ?? this.#commitOne(row, now);
            missed.note(row, answer.outcome);
            return answer;
          });
          current = undefined;
          return answers;
        });
      } catch (thrown) {
        if (current === undefined || troubleOf(thrown, this.#path) !== undefined) throw thrown;
        assert(!failed.has(current), 'a commit fails once');
        failed.set(current, { outcome: 'failed', cause: thrown });
      }
    }
  }

  #commitOne(row: CommitRow, now: number): CommitAnswer {
    const lost = this.#guard(row, now);
    if (lost !== undefined) return lost;
    for (const [query, ...cells] of row.writes) {
      const changed = this.#driver.run(queries[query], ...cells);
      // The head comes first, and has the last guard: nothing is written if it does not hold.
      if (changed === 0 && query === 'updateInstance') return { outcome: 'stale' };
    }
    const { firstVersion: first } = row;
    for (const cells of row.tokens) this.#putToken([...cells, null, null, null, first], first);
    const { worker = null, leaseMs = null } = row.take ?? {};
    const versions = row.taken.map((cells) =>
      this.#putToken([...cells, worker, now, leaseMs, first], first + 1),
    );
    for (const [query, ...cells] of row.holds) this.#driver.run(queries[query], ...cells);
    return { outcome: 'committed', at: now, versions };
  }

  /** The version it has then: that of a new one is known. */
  #putToken(cells: Cells, ifNew: number): number {
    if (this.#driver.run(queries.putToken, ...cells) > 0) return ifNew;
    return Number(this.#driver.get(queries.own.alterToken, ...cells)?.version);
  }

  /** All but the version: that is part of writing the head. */
  #guard(row: CommitRow, now: number): CommitAnswer | undefined {
    const { instance, expected, key, fence } = row;
    const driver = this.#driver;
    if (expected === 0 && this.#versionOf(row) !== undefined) {
      return { outcome: 'exists', instance };
    }
    const holder = key && driver.get(queries.keyHolder, ...key)?.id;
    // What is put back to how it was may have its key already.
    if (typeof holder === 'string' && holder !== instance) {
      if (expected > 0 && this.#versionOf(row) !== expected) return { outcome: 'stale' };
      return { outcome: 'exists', instance: holder };
    }
    if (fence !== null) {
      const { token, worker } = fence;
      const claim = driver.get(queries.fence, instance, token, worker, fence.version);
      // A lease that ends now still holds (L-23).
      const isOver = Number(claim?.locked_until) < now;
      if (claim === undefined || isOver !== fence.expired) {
        return { outcome: this.#versionOf(row) === expected ? 'fenced' : 'stale' };
      }
    }
    if (this.#isDelivered(row)) {
      return { outcome: this.#versionOf(row) === expected ? 'delivered' : 'stale' };
    }
    return undefined;
  }

  #isDelivered({ message, heard, instance }: CommitRow): boolean {
    return heard.some(
      (by) => this.#driver.get(queries.findDelivery, message, instance, by) !== undefined,
    );
  }

  #versionOf({ instance }: CommitRow): unknown {
    return this.#driver.get(queries.versionOf, instance)?.version;
  }

  /** For each commit that came about, the tokens it took that are still held. */
  recall(_told: Told, asked: readonly RecallCells[]): readonly (readonly Row[] | undefined)[] {
    const driver = this.#driver;
    return reading(driver, () =>
      asked.map(({ instance, expected, commitId, take }) => {
        const made = expected + 1;
        if (driver.get(queries.findCommit, instance, made, commitId) === undefined) return;
        if (take === null) return [];
        const { tokens, worker, leaseMs } = take;
        const find = (token: number): Row | undefined =>
          driver.get(queries.findTaken, instance, token, worker, made);
        return this.#held(tokens.map(find).filter(isThere), leaseMs);
      }),
    );
  }

  claim(told: Told, cells: ClaimCells): readonly Row[] {
    const { worker, leaseMs } = cells;
    const driver = this.#driver;
    const rows = writingAt(this.#driver, told, (now) => {
      return this.#claimable(cells, now).map(({ instance_id, id, version }) => {
        const ref = [instance_id, id, version] as Cell[];
        const claim = driver.get(queries.claimOne, ...ref, worker, now, leaseMs);
        assert(claim !== undefined, 'what is claimable is claimed under the same lock');
        return claim;
      });
    });
    return cells.watched ? this.#held(rows, leaseMs) : rows;
  }

  #claimable({ handlers, limit, lone, tenant }: ClaimCells, now: number): readonly Row[] {
    const { claimable, claimableOf, claimableLone, claimableLoneOf } = queries;
    const driver = this.#driver;
    if (lone && tenant === null) return driver.all(claimableLone, handlers, now);
    if (lone) return driver.all(claimableLoneOf, handlers, now, tenant);
    if (tenant === null) return driver.all(claimable, handlers, now, limit);
    return driver.all(claimableOf, handlers, now, limit, tenant);
  }

  claimOne(told: Told, ref: Cells, worker: string, leaseMs: number): Row | undefined {
    const row = writingAt(this.#driver, told, (now) =>
      this.#driver.get(queries.claimOne, ...ref, worker, now, leaseMs),
    );
    return row && this.#held([row], leaseMs)[0];
  }

  #held(rows: readonly Row[], leaseMs: number): readonly Row[] {
    for (const row of rows) this.#watch?.hold({ ...readClaim(row), leaseMs });
    return rows;
  }

  /** Which of them still hold. */
  renew(told: Told, held: readonly Held[], leaseMs: number): readonly boolean[] {
    return this.#renew(
      told,
      held.map((claim) => ({ ...claim, leaseMs })),
    );
  }

  #renew(told: Told, held: readonly Watched[]): readonly boolean[] {
    const { kept, now } = writingAt(this.#driver, told, (now) => {
      const renewOne = (claim: Watched): boolean =>
        this.#driver.run(queries.renew, ...heldCells(claim), now, claim.leaseMs) > 0;
      return { kept: held.map(renewOne), now };
    });
    for (const [index, claim] of held.entries()) {
      if (kept[index] === true) this.#watch?.renewed(claim, now + claim.leaseMs);
      else this.#watch?.drop(claim);
    }
    return kept;
  }

  letGo(_told: Told, held: readonly Held[], afterMs: number): void {
    for (const claim of held) this.#watch?.letGo(claim, Date.now() + afterMs);
  }

  release(told: Told, held: readonly Held[]): void {
    writingAt(this.#driver, told, (now) => {
      for (const claim of held) {
        const cells = [...heldCells(claim), now];
        const rejoined = this.#driver.run(queries.own.rejoinLanes, ...cells) > 0;
        if (rejoined) this.#driver.run(queries.tellLanes, claim.instance, claim.token);
        this.#driver.run(queries.release, ...cells);
      }
    });
    for (const claim of held) this.#watch?.drop(claim);
  }

  expired(told: Told, limit: number): readonly Row[] {
    return this.#driver.all(queries.expired, told ?? Date.now(), limit);
  }

  due(told: Told, limit: number): readonly Row[] {
    return this.#driver.all(queries.due, told ?? Date.now(), limit);
  }

  outlook(told: Told, cells: Cells): { readonly row: Row; readonly now: number } {
    const now = told ?? Date.now();
    const row = this.#driver.get(queries.outlook, ...cells, now);
    assert(row !== undefined, 'an outlook is always a row');
    return { row, now };
  }

  /** `without` and `ids` are JSON texts. */
  posts(_told: Told, limit: number, without: string): readonly Row[] {
    return this.#driver.all(queries.posts, limit, without);
  }

  carried(_told: Told, ids: string): void {
    this.#driver.run(queries.carried, ids);
  }

  drop(_told: Told, cells: Cells): void {
    this.#driver.run(queries.putDropped, ...cells);
  }

  dropped(_told: Told, instance: string): readonly Row[] {
    return this.#driver.all(queries.droppedNotes, instance);
  }

  history(_told: Told, instance: string, after: number, limit: number): readonly Row[] {
    return this.#driver.all(queries.historyAfter, instance, after, limit);
  }

  snapshot(_told: Told, instance: string, n: number): Row | undefined {
    return this.#driver.get(queries.snapshotAt, instance, n);
  }

  findByKey(_told: Told, flow: string, own: string): Row | undefined {
    return this.#driver.get(queries.keyHolder, flow, own);
  }

  scan(_told: Told, after: string, limit: number): readonly Row[] {
    return this.#driver.all(queries.scan, after, limit);
  }

  /** Renews what is held here and running out. */
  keepHeld(): void {
    const due = this.#watch?.due(Date.now()) ?? [];
    if (due.length > 0) this.#renew(null, due);
  }

  /** Whether another connection has written since this was last asked. */
  heard(): boolean {
    const before = this.#dataVersion;
    this.#dataVersion = this.#driver.get(queries.own.dataVersion)?.data_version;
    return this.#dataVersion !== before;
  }
}

function isThere<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}
