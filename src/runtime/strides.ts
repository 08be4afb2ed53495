/**
 * From an input to a committed stride: load or cache, advance, commit, and again if someone else
 * was first. Everything that moves an instance comes through here (⑧⑨ in ARCHITECTURE §4).
 *
 * A cached instance runs ahead of the store: the next input builds on a stride whose commit is
 * still under way, and both go out in one batch. If the earlier commit fails, the committer turns
 * the later one away, the cached state is thrown away, and both are worked out again from what the
 * store holds. Nobody outside is told anything, and no handler is given anything, before the commit
 * it rests on is durable.
 */
import { EngineError } from '../base/engine-error.ts';
import { assert, unreachable } from '../base/assert.ts';
import { advance } from '../kernel/advance.ts';
import { absorb, assemble, emptyInstance, type Instance, rowsOf } from '../kernel/instance.ts';
import { touchedBy } from '../kernel/touched.ts';
import type { Machine } from '../kernel/stride.ts';
import type { Hint } from '../model/hint.ts';
import type { InstanceId, Instant, TokenId } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import type { Head } from '../model/instance.ts';
import type { Claim, Commit, CommitOutcome, Fence, Store } from '../stores/store.ts';
import { type Chain, Committer } from './committer.ts';
import { type Work, workOf } from './handlers.ts';
import { newId } from './ids.ts';
import type { Library } from './library.ts';

/** A snapshot this often makes any commit quick to show (D14). */
const SNAPSHOT_EVERY = 1_000;
/** Instances kept in memory between two inputs; the least lately used goes first. */
const CACHE_MAX = 2_000;
/** Losing the race for one instance this often in a row means that something is wrong. */
const TRIES_MAX = 1_000;

/** Which of the tokens a stride makes ready the caller goes on with itself (D5). */
export interface Taker {
  readonly worker: string;
  readonly leaseMs: number;
  accept(offers: readonly Offered[]): readonly TokenId[];
  /** Slots that were accepted for and are not needed: the commit did not come about. */
  giveBack(count: number): void;
}

export type Offered = Extract<Hint, { do: 'offer' }>;

export interface Request {
  readonly instance: InstanceId;
  readonly input: (at: Instant) => Input;
  readonly fence?: Fence;
  readonly message?: string;
  readonly taker?: Taker;
}

export type Applied =
  | { readonly outcome: 'committed'; readonly head: Head; readonly works: readonly Work[] }
  /** The input came late or twice: there is nothing to commit. */
  | { readonly outcome: 'nothing' }
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'fenced' }
  | { readonly outcome: 'delivered' }
  | { readonly outcome: 'exists'; readonly instance: InstanceId };

interface Entry extends Chain {
  instance: Instance;
  /** Commits under way on this state; above zero it is a guess, not what the store holds. */
  pending: number;
}

export class Strides {
  readonly #store: Store;
  readonly #library: Library;
  readonly #committer: Committer;
  readonly #onHints: (hints: readonly Hint[], head: Head) => void;
  readonly #cache = new Map<InstanceId, Entry>();
  readonly #loading = new Map<InstanceId, Promise<Instance | undefined>>();

  constructor(
    store: Store,
    library: Library,
    onHints: (hints: readonly Hint[], head: Head) => void,
  ) {
    this.#store = store;
    this.#library = library;
    this.#committer = new Committer(store);
    this.#onHints = onHints;
  }

  async apply(request: Request): Promise<Applied> {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const entry = this.#cached(request.instance) ?? (await this.#load(request.instance));
      if (entry === undefined) return { outcome: 'missing' };
      const { plan } = entry.instance.head;
      const machine = this.#library.find(plan) ?? (await this.#library.load(plan, this.#store));
      const applied = await this.#stride(request, machine, entry);
      if (applied !== 'stale') return applied;
    }
    const message = `gave up after losing the race for ${request.instance} ${TRIES_MAX} times`;
    throw new EngineError('store.unreachable', message, { retryable: true });
  }

  /** The first stride of an instance, on a machine the caller chose. */
  async start(request: Request, machine: Machine): Promise<Applied> {
    const entry = { instance: emptyInstance(request.instance), pending: 0, dead: false };
    const applied = await this.#stride(request, machine, entry);
    // Only a taken id can make a start stale, and then it exists.
    return applied === 'stale' ? { outcome: 'exists', instance: request.instance } : applied;
  }

  /** The newest state the store is known to hold, without asking it; undefined if unknown. */
  settled(id: InstanceId): Instance | undefined {
    const entry = this.#cache.get(id);
    return entry?.pending === 0 ? entry.instance : undefined;
  }

  /** What the handlers of these claims will see. A claim whose token is gone has no work. */
  async worksFor(claims: readonly Claim[]): Promise<readonly Work[]> {
    const unknown = claims.filter(
      (claim) => this.settled(claim.instance)?.head.version !== claim.instanceVersion,
    );
    const ids = [...new Set(unknown.map((claim) => claim.instance))];
    const rows = ids.length === 0 ? [] : await this.#store.load(ids);
    const loaded = new Map(
      rows.flatMap((row) => (row === undefined ? [] : [[row.head.id, assemble(row)] as const])),
    );
    return claims.flatMap((claim) => {
      const instance = loaded.get(claim.instance) ?? this.settled(claim.instance);
      if (instance?.tokens.get(claim.token) === undefined) return [];
      return [workOf(instance, claim)];
    });
  }

  /** Forgets everything, as a crash would. */
  forget(): void {
    for (const entry of this.#cache.values()) entry.dead = true;
    this.#cache.clear();
  }

  async #stride(request: Request, machine: Machine, entry: Entry): Promise<Applied | 'stale'> {
    if (entry.dead) return 'stale';
    const before = entry.instance;
    const input = request.input(this.#store.now());
    const stride = advance(machine, before, input);
    const { after, hints } = stride;
    if (stride.changes.length === 0) return { outcome: 'nothing' };

    const offers = hints.filter((hint): hint is Offered => hint.do === 'offer');
    const tokens = request.taker?.accept(offers) ?? [];
    const commit = this.#commitOf(request, before, stride, tokens);
    absorb(after);
    entry.instance = after;
    entry.pending += 1;
    this.#keep(request.instance, entry);
    // Read now: until the commit is durable others may build on this state.
    const works = tokens.map((token) => workOf(after, { token } as Claim));

    let result: CommitOutcome;
    try {
      result = await this.#committer.commit(commit, entry);
    } catch (thrown) {
      this.#discard(request, entry, tokens.length);
      throw thrown;
    }
    entry.pending -= 1;
    if (result.outcome === 'committed') {
      this.#onHints(hints.filter((hint) => !(hint.do === 'offer' && tokens.includes(hint.token))), after.head);
      const claims = new Map(result.taken.map((claim) => [claim.token, claim]));
      const taken = works.map((work) => {
        const claim = claims.get(work.token.id);
        assert(claim !== undefined, 'a store takes what the commit asks it to take');
        return { ...work, claim };
      });
      return { outcome: 'committed', head: after.head, works: taken };
    }
    this.#discard(request, entry, tokens.length);
    return failureOf(result);
  }

  #commitOf(
    request: Request,
    before: Instance,
    stride: ReturnType<typeof advance>,
    tokens: readonly TokenId[],
  ): Commit {
    const { version } = stride.after.head;
    const { taker } = request;
    const take =
      taker === undefined || tokens.length === 0
        ? null
        : { worker: taker.worker, leaseMs: taker.leaseMs, tokens };
    return {
      commitId: newId(),
      expected: before.head.version,
      fence: request.fence ?? null,
      message: request.message ?? null,
      touched: touchedBy(before, stride),
      snapshot: version % SNAPSHOT_EVERY === 0 ? rowsOf(stride.after) : null,
      take,
    };
  }

  /** The state was a guess and the guess was wrong: whoever comes next asks the store. */
  #discard(request: Request, entry: Entry, slots: number): void {
    if (this.#cache.get(request.instance) === entry) this.#cache.delete(request.instance);
    if (slots > 0) request.taker?.giveBack(slots);
  }

  #cached(id: InstanceId): Entry | undefined {
    const entry = this.#cache.get(id);
    if (entry === undefined) return undefined;
    this.#cache.delete(id);
    this.#cache.set(id, entry);
    return entry;
  }

  #keep(id: InstanceId, entry: Entry): void {
    this.#cache.set(id, entry);
    if (this.#cache.size <= CACHE_MAX) return;
    for (const [oldest, { pending }] of this.#cache) {
      if (pending > 0) continue;
      this.#cache.delete(oldest);
      return;
    }
  }

  /** Several inputs for one instance load it once and then share the state. */
  async #load(id: InstanceId): Promise<Entry | undefined> {
    let loading = this.#loading.get(id);
    if (loading === undefined) {
      loading = this.#store.load([id]).then(([rows]) => rows && assemble(rows));
      this.#loading.set(id, loading);
      const done = (): boolean => this.#loading.delete(id);
      loading.then(done, done);
    }
    const instance = await loading;
    const cached = this.#cache.get(id);
    if (cached !== undefined || instance === undefined) return cached;
    const entry = { instance, pending: 0, dead: false };
    this.#keep(id, entry);
    return entry;
  }
}

function failureOf(result: Exclude<CommitOutcome, { outcome: 'committed' }>): Applied | 'stale' {
  switch (result.outcome) {
    case 'stale':
      return 'stale';
    case 'fenced':
    case 'delivered':
      return { outcome: result.outcome };
    case 'exists':
      return { outcome: 'exists', instance: result.instance };
    case 'failed':
      throw result.error;
    default:
      return unreachable(result);
  }
}
