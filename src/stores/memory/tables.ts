/**
 * Instances, their business keys, and the one way to alter them: a commit, all of it or nothing.
 *
 * First everything is encoded, then come the guards, then everything is written. Encoding is what
 * may throw, and by then nothing is touched; writing is plain assignment and cannot fail half way.
 */
import { Table } from '../../base/table.ts';
import type { LatchKey } from '../../model/change.ts';
import type { Touched, ValueRow } from '../../model/commit.ts';
import type { InstanceId, TokenId } from '../../model/ids.ts';
import type { Head } from '../../model/instance.ts';
import { firstVersion, isHalted, takesKey } from '../holds.ts';
import { assertWritable, isOver, refusal } from '../payload.ts';
import type { Claim, Commit, Committed, CommitOutcome, Fence, Take, TokenRef } from '../store.ts';
import { heardIn } from '../message-writes.ts';
import { ownKey } from '../writes.ts';
import type { LaneBook } from './lane-book.ts';
import type { Mailbox } from './mailbox.ts';
import type { MemoryLetters } from './letters.ts';
import type { Outbox } from './outbox.ts';
import {
  claimOf,
  encodeCommit,
  type Encoded,
  type InstanceRow,
  isHeldBy,
  newInstance,
  type TokenRow,
} from './rows.ts';
import type { MemoryTasks } from './tasks.ts';
import type { TokenQueue } from './token-queue.ts';

/** What a commit writes to beside them. */
interface TablesHouse {
  readonly queue: TokenQueue;
  readonly mailbox: Mailbox;
  readonly outbox: Outbox;
  readonly letters: MemoryLetters;
  readonly lanes: LaneBook;
  readonly tasks: MemoryTasks;
}

export class Tables {
  /** Those that are suspended with their flow. */
  readonly halted: Set<InstanceId> = new Set();
  readonly #queue: TokenQueue;
  readonly #mailbox: Mailbox;
  readonly #outbox: Outbox;
  readonly #letters: MemoryLetters;
  readonly #lanes: LaneBook;
  readonly #tasks: MemoryTasks;
  readonly #instances = new Map<InstanceId, InstanceRow>();
  readonly #keys = new Map<string, InstanceId>();
  /** In ascending order, unless one came out of order since the last scan. */
  #ids: InstanceId[] = [];
  #sorted = true;

  constructor({ queue, mailbox, outbox, letters, lanes, tasks }: TablesHouse) {
    this.#queue = queue;
    this.#mailbox = mailbox;
    this.#outbox = outbox;
    this.#letters = letters;
    this.#lanes = lanes;
    this.#tasks = tasks;
  }

  find(id: InstanceId): InstanceRow | undefined {
    return this.#instances.get(id);
  }

  findToken({ instance, token }: TokenRef): TokenRow | undefined {
    return this.#instances.get(instance)?.tokens.get(token);
  }

  findByKey(flow: string, own: string): InstanceId | undefined {
    return this.#keys.get(keyName(flow, own));
  }

  scan(after: InstanceId | null, limit: number): readonly InstanceId[] {
    const ids = this.#sortedIds();
    const from = after === null ? 0 : firstAfter(ids, after);
    return ids.slice(from, from + limit);
  }

  /** In descending order. */
  scanBack(before: string | null, limit: number): readonly InstanceId[] {
    const ids = this.#sortedIds();
    let to = before === null ? ids.length : firstAfter(ids, before as InstanceId);
    if (to > 0 && ids[to - 1] === before) to -= 1;
    return ids.slice(Math.max(to - limit, 0), to).reverse();
  }

  #sortedIds(): readonly InstanceId[] {
    if (!this.#sorted) this.#ids.sort((a, b) => (a < b ? -1 : 1));
    this.#sorted = true;
    return this.#ids;
  }

  /** Those that are over: nothing else speaks of them any more. */
  remove(ids: readonly InstanceId[]): void {
    if (ids.length === 0) return;
    for (const id of ids) this.#instances.delete(id);
    this.#ids = this.#ids.filter((id) => this.#instances.has(id));
  }

  /** `isOrphan`: what it builds on did not come about, so whatever stands there is another's. */
  commit(commit: Commit, isOrphan: boolean, now: number): CommitOutcome {
    const { head } = commit.touched;
    const known = this.#instances.get(head.id);
    const home = known ?? newInstance(head);
    let encoded: Encoded;
    try {
      assertWritable(commit);
      encoded = encodeCommit(home, commit);
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown;
      return { outcome: 'failed', error: refusal(commit.commitId, head.id, thrown) };
    }
    if (isOrphan) return { outcome: 'stale' };
    const lost = this.#guard(commit, known, now);
    if (lost !== undefined) return lost;
    this.#write(home, encoded, commit, now);
    return { outcome: 'committed', taken: claimsOf(encoded, commit) };
  }

  /** By the id of the commit: that of another process may have made the same version. */
  recall({ expected, commitId, touched, take }: Commit): Committed | undefined {
    const home = this.#instances.get(touched.head.id);
    if (home?.history[expected]?.commitId !== commitId) return undefined;
    const taken: Claim[] = [];
    for (const { id } of touched.tokens) {
      const row = take?.tokens.includes(id) === true ? home.tokens.get(id) : undefined;
      if (row === undefined || row.lockedBy !== take?.worker) continue;
      taken.push({ ...claimOf(row), instanceVersion: touched.head.version });
    }
    return { outcome: 'committed', taken };
  }

  #guard(commit: Commit, known: InstanceRow | undefined, now: number): CommitOutcome | undefined {
    const { expected, fence, message } = commit;
    const { id, flow } = commit.touched.head;
    const key = ownKey(commit.touched.head);
    if (expected === 0) {
      if (known !== undefined) return { outcome: 'exists', instance: known.id };
    } else if (known?.head.version !== expected) return { outcome: 'stale' };
    if (key !== null && takesKey(commit)) {
      const holder = this.findByKey(flow, key);
      if (holder !== undefined && holder !== id) return { outcome: 'exists', instance: holder };
    }
    if (fence !== null && !stands(known, fence, now)) return { outcome: 'fenced' };
    const isHad = (by: number): boolean => this.#mailbox.hasDelivered(message ?? '', id, by);
    if (heardIn(commit).some(isHad)) return { outcome: 'delivered' };
    return undefined;
  }

  #write(home: InstanceRow, encoded: Encoded, commit: Commit, now: number): void {
    const { touched, message, take } = commit;
    const { history, snapshot } = encoded;
    const { id, flow, status, updatedAt } = touched.head;
    const key = ownKey(touched.head);
    const first = firstVersion(touched);
    if (commit.expected === 0) this.#add(home);
    if (key !== null && takesKey(commit)) this.#keys.set(keyName(flow, key), id);
    home.head = touched.head;
    this.#mailbox.suspend(id, status === 'suspended');
    if (touched.pausing) this.#pause(home, now);
    if (isHalted(home.head)) this.halted.add(id);
    else this.halted.delete(id);
    for (const token of touched.unsubscribed) this.#mailbox.unsubscribe(id, token);
    for (const token of touched.closedTasks) this.#tasks.close(id, token);
    for (const token of touched.endedTokens) this.#deleteToken(home, token);
    writeScopes(home, commit, encoded);
    writeUndos(home, commit, encoded);
    writeTags(home, touched);
    this.#lanes.note(commit, encoded.tokens);
    for (const row of encoded.tokens) {
      row.version = first;
      this.#putToken(row, isTaken(row, take) ? take : null, now);
    }
    for (const token of touched.drained) this.#drain(home, token, now);
    for (const subscription of touched.subscribed) {
      this.#mailbox.subscribe(id, subscription, updatedAt);
    }
    for (const turned of touched.turned) this.#mailbox.turn(id, turned);
    if (touched.hushed) this.#mailbox.hush(id);
    for (const task of encoded.tasks) this.#tasks.put(id, task);
    for (const by of heardIn(commit)) this.#mailbox.deliver(message ?? '', id, updatedAt, by);
    for (const post of encoded.posts) this.#outbox.put(post);
    for (const letter of encoded.letters) this.#letters.put(letter);
    home.history.push(history);
    if (snapshot !== null) home.snapshots.push({ n: history.n, body: snapshot });
    if (isOver(status)) this.#clear(home, touched.head);
  }

  /** What waits in a lane and has only to be seen not to have begun. */
  #drain(home: InstanceRow, token: TokenId, now: number): void {
    const row = home.tokens.get(token);
    if (row?.isHeld !== true || row.lockedBy !== null || home.head.status === 'suspended') return;
    if (!this.#lanes.drain({ instance: home.id, token })) return;
    row.isHeld = false;
    this.#queue.replace(row, now);
  }

  /** It is suspended, or goes on. */
  #pause(home: InstanceRow, now: number): void {
    const find = (token: TokenId): TokenRow | undefined => home.tokens.get(token);
    if (home.head.status === 'suspended') {
      this.#lanes.sleep(home.id, (token) => (find(token)?.lockedBy ?? null) !== null);
    } else {
      for (const token of this.#lanes.wake(home.id)) {
        const row = find(token);
        if (row !== undefined) row.isHeld = row.lockedBy === null;
      }
    }
    for (const row of home.tokens.values()) this.#queue.replace(row, now);
  }

  #add(home: InstanceRow): void {
    const { id } = home;
    this.#instances.set(id, home);
    const last = this.#ids.at(-1);
    if (last !== undefined && id < last) this.#sorted = false;
    this.#ids.push(id);
  }

  #putToken(row: TokenRow, take: Take | null, now: number): void {
    const { tokens } = row.home;
    const before = tokens.get(row.token.id);
    if (before !== undefined) {
      this.#queue.remove(before);
      row.version = Math.max(before.version + 1, row.version);
    }
    tokens.set(row.token.id, row);
    if (take !== null) lock(row, take, now);
    this.#queue.add(row, now);
  }

  #deleteToken(home: InstanceRow, id: TokenId): void {
    const row = home.tokens.get(id);
    if (row === undefined) return;
    this.#queue.remove(row);
    home.tokens.delete(id);
  }

  /** An ended instance leaves the finished steps of its chain, and what could not be undone. */
  #clear(home: InstanceRow, head: Head): void {
    const { id, flow } = head;
    const key = ownKey(head);
    if (key !== null && this.findByKey(flow, key) === id) this.#keys.delete(keyName(flow, key));
    for (const { token } of home.tokens.values()) {
      if (token.seq === null) this.#deleteToken(home, token.id);
    }
    home.scopes = Table.empty();
    home.latches = null;
    for (const undo of home.undos?.values() ?? []) {
      if (undo.status !== 'failed') home.undos?.delete(undo.id);
    }
    this.#mailbox.unsubscribeAll(home.id);
    this.#tasks.closeAll(home.id);
  }
}

/** Whether the same worker goes on with it. */
function isTaken({ token }: TokenRow, take: Take | null): boolean {
  return take !== null && take.tokens.includes(token.id);
}

function claimsOf({ tokens }: Encoded, { take }: Commit): readonly Claim[] {
  if (take === null || take.tokens.length === 0) return NO_CLAIMS;
  // Most often a step hands over to one other, and that is all there is.
  const taken = tokens.length === 1 ? tokens : tokens.filter((row) => isTaken(row, take));
  return taken.map(claimOf);
}

const NO_CLAIMS: readonly Claim[] = [];

/** Makes a row that is in no heap a claimed one. */
export function lock(row: TokenRow, by: Omit<Take, 'tokens'>, now: number): void {
  row.version += 1;
  row.lockedBy = by.worker;
  row.lockedAt = now;
  row.lockedUntil = now + by.leaseMs;
}

function writeScopes(home: InstanceRow, { touched }: Commit, { scopes, values }: Encoded): void {
  for (const scope of touched.closedScopes) home.scopes.delete(scope);
  for (const row of scopes) {
    const known = home.scopes.get(row.scope.id);
    if (known === undefined) home.scopes.set(row.scope.id, row);
    else Object.assign(known, { scope: row.scope, item: row.item });
  }
  for (let i = 0; i < values.length; i += 1) {
    const { scope, space, name } = touched.values[i] as ValueRow;
    const row = home.scopes.get(scope);
    if (row === undefined) continue;
    row[space] ??= new Map();
    row[space].set(name, values[i] as string);
  }
  for (const latch of touched.droppedLatches) home.latches?.delete(latchName(latch));
  for (const { scope, node, group, fired } of touched.latches) {
    home.latches ??= new Map();
    home.latches.set(latchName({ scope, node, group }), { scope, node, group, fired });
  }
}

function writeUndos(home: InstanceRow, { touched }: Commit, { undos }: Encoded): void {
  for (const undo of undos) {
    home.undos ??= Table.empty();
    home.undos.set(undo.id, undo);
  }
  for (const id of touched.droppedUndos) home.undos?.delete(id);
}

function writeTags(home: InstanceRow, { tags }: Touched): void {
  for (const { name, value } of tags) {
    if (value === null) home.tags?.delete(name);
    else {
      home.tags ??= new Map();
      home.tags.set(name, value);
    }
  }
}

function stands(home: InstanceRow | undefined, fence: Fence, now: number): boolean {
  const row = home?.tokens.get(fence.token);
  if (row === undefined || !isHeldBy(row, fence)) return false;
  return fence.expired ? row.lockedUntil < now : row.lockedUntil >= now;
}

function keyName(flow: string, key: string): string {
  // The length keeps apart what would read the same when put together.
  return `${flow.length} ${flow}${key}`;
}

function latchName({ scope, node, group }: LatchKey): string {
  return `${scope} ${group} ${node}`;
}

/** Where the first id greater than this one stands in a sorted list. */
function firstAfter(ids: readonly InstanceId[], after: InstanceId): number {
  let low = 0;
  for (let high = ids.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? after) <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}
