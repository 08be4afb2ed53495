/**
 * The crashing twin: an instance that lives in a store and nowhere else. Every commit is followed
 * by a crash, so every stride begins with what the store gives back; claims are held as a worker
 * holds them and every result is fenced by one.
 */
import type { Outcome } from '../kernel/advance.ts';
import { fold } from '../kernel/fold.ts';
import { assemble, emptyInstance, type Instance, rowsOf } from '../kernel/instance.ts';
import type { Machine } from '../kernel/machine.ts';
import type { touchedBy } from '../kernel/touched.ts';
import type { HistoryRow } from '../model/commit.ts';
import type { InstanceId, TokenId } from '../model/ids.ts';
import type { Input, Message } from '../model/input.ts';
import type { InstanceRows, Token } from '../model/instance.ts';
import { CRASHES_LONE } from '../model/limits.ts';
import type { Post } from '../model/post.ts';
import type { Claim, Commit, CommitOutcome, Fence, Store } from '../stores/store.ts';
import { obey, obeySame } from './laws-ending.ts';
import { Projection } from './laws-projection.ts';
import { type Advance, toldBy } from './laws-stride.ts';
import { luck } from './random-luck.ts';

/** Longer than any run; a lease that is to run out gets a short one. */
const LEASE_MS = 1_000_000_000;
const SHORT_LEASE_MS = 1_000;
/** More tokens than any run has at once. */
const BATCH = 10_000;
/** Often enough that short runs have one too. */
const SNAPSHOT_EVERY = 4;

const WORKER = 'w1';

/** A store, the clock it goes by, and how a stride becomes rows. */
export interface Shelf {
  readonly store: Store;
  readonly clock: { now: number };
  readonly touchedBy: typeof touchedBy;
}

/** What a worker must have to undo a step, after the name of the step's own handler. */
const UNDO = '/:undo';

/** What a commit is about, besides its stride. */
export interface Errand {
  readonly machine: Machine;
  readonly input: Input;
  readonly claim: Claim | null;
  readonly message: string | null;
  readonly handOver: boolean;
}

export class Desk {
  readonly #shelf: Shelf;
  readonly #id: InstanceId;
  readonly #handlers: readonly string[];
  readonly #claims = new Map<TokenId, Claim>();
  #instance: Instance;
  /** The state as the store gave it back. */
  copy: InstanceRows;
  /** Claims that the last commit took away from whoever held them. */
  lost: readonly Claim[] = [];
  #last: Commit | null = null;
  /** Posted and not yet carried. */
  #posts: readonly Post[] = [];
  readonly #advance: Advance;
  readonly #tasks = new Projection();

  constructor(shelf: Shelf, advance: Advance, machine: Machine, id: InstanceId) {
    this.#shelf = shelf;
    this.#advance = advance;
    this.#id = id;
    const nodes = Array.from(machine.spots.values(), ({ handler }) => handler);
    this.#handlers = [machine.handler, ...nodes, ...nodes.map((node) => node + UNDO)];
    this.#instance = emptyInstance(id);
    this.copy = rowsOf(this.#instance);
  }

  /** The same stride from what the store gave back, committed; then the crash. */
  async commit(errand: Errand, smooth: Outcome): Promise<void> {
    const { machine, input } = errand;
    const stride = this.#advance(machine, this.#instance, input);
    obeySame('crash', 'after a crash the stride is another', toldBy(stride), toldBy(smooth));
    const commit = this.#commitOf(errand, stride);
    this.#tasks.enter(commit.touched, stride.after);
    const [outcome] = await this.#shelf.store.commit([commit]);
    obey('commit', outcome?.outcome === 'committed', () => `the commit is ${outcome?.outcome}`);
    this.lost = this.#lose(commit, errand.claim);
    if (outcome?.outcome === 'committed') for (const claim of outcome.taken) this.#hold(claim);
    this.#last = commit;
    await this.#reload(rowsOf(smooth.after));
    for (const claim of this.lost) await this.#checkFenced(claim);
    await this.claimAll();
    const posts = smooth.changes.flatMap((change) => (change.did === 'post' ? [change.post] : []));
    await this.#checkPosts(posts);
  }

  /** Whoever holds what a commit has touched holds it no more. */
  #lose({ touched }: Commit, own: Claim | null): readonly Claim[] {
    const ids = [...touched.tokens.map(({ id }) => id), ...touched.endedTokens];
    const lost = ids.flatMap((id) => this.#claims.get(id) ?? []);
    for (const id of ids) this.#claims.delete(id);
    return lost.filter((claim) => claim !== own);
  }

  /** What commits have posted is kept in order until it is carried; now and then some is. */
  async #checkPosts(more: readonly Post[]): Promise<void> {
    const { store } = this.#shelf;
    if (more.length === 0 && this.#posts.length === 0) return;
    this.#posts = [...this.#posts, ...more];
    const kept = (await store.posts(BATCH)).filter(({ instance }) => instance === this.#id);
    const found = kept.map(({ post }) => post);
    obeySame('carried', 'what is to be carried is not what was posted', found, this.#posts);
    const count = luck(3, this.#id, 'carried', this.#posts.length);
    await store.carried(this.#posts.slice(0, count).map(({ id }) => id));
    this.#posts = this.#posts.slice(count);
  }

  #commitOf({ input, claim, message, handOver }: Errand, stride: Outcome): Commit {
    const touched = this.#shelf.touchedBy(this.#instance, stride);
    const { version } = touched.head;
    const isAsleep = touched.head.status === 'suspended';
    const ready = touched.tokens.filter((token) => !isAsleep && this.#isDue(token));
    const tokens = ready.map((token) => token.id);
    return {
      commitId: `${this.#id}-${version}`,
      expected: version - 1,
      fence: claim === null ? null : fenceOf(claim, input.type === 'expire'),
      message,
      touched,
      snapshot: version % SNAPSHOT_EVERY === 0 ? rowsOf(stride.after) : null,
      take: handOver ? { worker: WORKER, leaseMs: LEASE_MS, tokens } : null,
    };
  }

  async #reload(expected: InstanceRows): Promise<void> {
    const [rows] = await this.#shelf.store.load([this.#id]);
    obey('durable', rows !== undefined, () => 'the instance is gone after a crash');
    if (rows === undefined) return;
    this.#instance = assemble(turned(rows));
    this.copy = rowsOf(this.#instance);
    obeySame('durable', 'the store gave back another state', this.copy, expected);
  }

  #isDue({ status, handler, availableAt }: Token): boolean {
    return status === 'ready' && handler !== null && availableAt <= this.#shelf.clock.now;
  }

  /**
   * Whatever is ready and due and has a handler can be claimed, and nothing else (P7); of what is
   * suspended nothing at all, and whoever held something still does.
   */
  async claimAll(): Promise<void> {
    const isAsleep = this.#instance.head.status === 'suspended';
    const claims = await this.#claim(WORKER, LEASE_MS);
    const wrong = isAsleep ? claims[0] : undefined;
    obey('suspended', wrong === undefined, () => `token ${wrong?.token} is claimed all the same`);
    for (const claim of claims) this.#hold(claim);
    const held = [...this.#claims.keys()].sort((a, b) => a - b);
    const tokens = this.#instance.tokens.values();
    const may = tokens.filter(({ id }) => !isAsleep || this.#claims.has(id));
    const ready = may.filter((token) => this.#isDue(token));
    const ids = ready.map((token) => token.id).sort((a, b) => a - b);
    obeySame('claimable', 'what can be claimed is not what is ready', held.join(), ids.join());
  }

  /** As usual, and then the lone ones (D11), one after the other. */
  async #claim(worker: string, leaseMs: number): Promise<readonly Claim[]> {
    const { store } = this.#shelf;
    const request = { worker, handlers: this.#handlers, limit: BATCH, leaseMs };
    const claims = [...(await store.claim(request))];
    const mixed = claims.some(({ token }) => this.#isLone(token));
    obey('lone', !mixed, () => 'a lone token is claimed together with others');
    for (;;) {
      const [lone, ...more] = await store.claim({ ...request, lone: true });
      if (lone === undefined) return claims;
      const alone = more.length === 0 && this.#isLone(lone.token);
      obey('lone', alone, () => `token ${lone.token} is claimed alone, and so are others`);
      claims.push(lone);
    }
  }

  #isLone(token: TokenId): boolean {
    return (this.#instance.tokens.get(token)?.crashes ?? 0) >= CRASHES_LONE;
  }

  #hold(claim: Claim): void {
    const twice = this.#claims.has(claim.token);
    obey('claimable', !twice, () => `token ${claim.token} is claimed while it is held`);
    this.#claims.set(claim.token, claim);
  }

  holds(token: TokenId): boolean {
    return this.#claims.has(token);
  }

  claimOf(token: TokenId): Claim {
    const claim = this.#claims.get(token);
    obey('claimable', claim !== undefined, () => `token ${token} is ready and nobody holds it`);
    return claim as Claim;
  }

  /** Lets the lease of a token run out. The claim that is over, as the sweep finds it. */
  async expire(token: TokenId): Promise<Claim> {
    const { store, clock } = this.#shelf;
    const lost = this.claimOf(token);
    await store.release([lost]);
    const [claim] = await this.#claim('w2', SHORT_LEASE_MS);
    await this.#checkFenced(lost);
    clock.now += SHORT_LEASE_MS + 1;
    const expired = (await store.expired(BATCH)).filter(({ instance }) => instance === this.#id);
    const right = claim?.token === token && expired.map((one) => one.token).join() === `${token}`;
    obey('leases', right, () => `the lease of token ${token} does not run out`);
    await this.#checkFenced(claim as Claim);
    return claim as Claim;
  }

  /** A time to wake that has come is found by the sweep. */
  async checkDue(token: TokenId): Promise<void> {
    const due = await this.#shelf.store.due(BATCH);
    const found = due.some((one) => one.instance === this.#id && one.token === token);
    obey('due', found, () => `token ${token} is due and the sweep does not find it`);
  }

  /** A message is offered to the instance if, and only if, one of its tokens waits for it. */
  async checkDelivery(id: string, { type, key }: Pick<Message, 'type' | 'key'>): Promise<void> {
    const { store } = this.#shelf;
    await store.publish({ id, type, key, data: null, ttlMs: SHORT_LEASE_MS });
    const deliveries = await store.deliverable(BATCH, id);
    const found = deliveries.some(({ instance }) => instance === this.#id);
    const isMet = (wanted: Pick<Message, 'type' | 'key'>): boolean =>
      wanted.type === type && wanted.key === key;
    const waits = this.copy.tokens.some(({ wait }) => {
      return wait?.on === 'first' ? wait.any.some(isMet) : wait?.on === 'message' && isMet(wait);
    });
    obey(
      'delivery',
      found === waits,
      () => `message ${type} ${key} ${found ? 'comes' : 'is lost'}`,
    );
  }

  /** What was delivered is not offered again, however many tokens wait for its like. */
  async checkDelivered(message: string): Promise<void> {
    const deliveries = await this.#shelf.store.deliverable(BATCH, message);
    const again = deliveries.some(({ instance }) => instance === this.#id);
    obey('delivery', !again, () => `message ${message} comes again`);
  }

  /** The last commit once more, as after a lost reply. */
  async checkLate(): Promise<void> {
    const last = this.#last;
    // Starting twice finds the instance there; anything else finds that it has gone on.
    if (last !== null) await this.#checkRefused(last, last.expected === 0 ? 'exists' : 'stale');
  }

  /** A result under a claim that another took over, or whose lease is over (P2). */
  async #checkFenced(lost: Claim): Promise<void> {
    const none = { after: this.#instance, changes: [] };
    const { head, ...nothing } = this.#shelf.touchedBy(this.#instance, none);
    const expected = head.version;
    const touched = { ...nothing, head: { ...head, version: expected + 1 } };
    const fence = fenceOf(lost, false);
    const commitId = `${this.#id}-late`;
    const whole = { commitId, expected, fence, message: null, touched, snapshot: null, take: null };
    await this.#checkRefused(whole, 'fenced');
  }

  async #checkRefused(commit: Commit, as: CommitOutcome['outcome']): Promise<void> {
    const [outcome] = await this.#shelf.store.commit([commit]);
    const what = `commit ${commit.commitId}, once more, is ${outcome?.outcome}, not ${as}`;
    obey('refused', outcome?.outcome === as, () => what);
    await this.#reload(this.copy);
  }

  /** An instance that ended or stalled leaves nothing for any sweep, however long one waits. */
  async checkAtRest(): Promise<void> {
    const { store, clock } = this.#shelf;
    clock.now += 2 * LEASE_MS;
    const found = [...(await store.due(BATCH)), ...(await store.expired(BATCH))];
    const left = found.find(({ instance }) => instance === this.#id);
    obey('at-rest', left === undefined, () => `token ${left?.token} is still to be woken`);
    await store.carried(this.#posts.map(({ id }) => id));
    this.#posts = [];
  }

  history(): Promise<readonly HistoryRow[]> {
    return this.#shelf.store.history({ instance: this.#id, after: 0, limit: BATCH });
  }

  /** From the newest snapshot on, the history folds to the same state (D14). */
  async checkSnapshot(rows: readonly HistoryRow[]): Promise<void> {
    const { version } = this.#instance.head;
    const snapshot = await this.#shelf.store.snapshot(this.#id, version);
    const n = snapshot?.head.version ?? 0;
    const recent = version - n < SNAPSHOT_EVERY;
    obey('snapshot', recent, () => `the newest snapshot is of commit ${n} of ${version}`);
    if (snapshot === undefined) return;
    const folded = fold(this.#id, rows.slice(n), snapshot);
    const what = `history after snapshot ${n} folds to another state`;
    obeySame('snapshot', what, rowsOf(folded), this.copy);
  }
}

/** No order of rows is promised, so the worst one is tried. */
function turned({ head, tokens, scopes, latches, undos }: InstanceRows): InstanceRows {
  const [turnedTokens, turnedScopes] = [tokens.toReversed(), scopes.toReversed()];
  const [turnedLatches, turnedUndos] = [latches.toReversed(), undos.toReversed()];
  return {
    head,
    tokens: turnedTokens,
    scopes: turnedScopes,
    latches: turnedLatches,
    undos: turnedUndos,
  };
}

function fenceOf({ instance, token, version, worker }: Claim, expired: boolean): Fence {
  return { instance, token, version, worker, expired };
}
