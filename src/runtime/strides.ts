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
import { assert } from '../base/assert.ts';
import { advance } from '../kernel/advance.ts';
import { assemble, emptyInstance, type Instance, rowsOf } from '../kernel/instance.ts';
import { touchedBy } from '../kernel/touched.ts';
import type { Machine } from '../kernel/machine.ts';
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
  accept(hints: readonly Hint[]): readonly TokenId[];
  /** Slots that were accepted for and are not needed: the commit did not come about. */
  giveBack(count: number): void;
}

/** Told after each commit; `taken` are tokens nobody needs to be called for. */
export type OnHints = (hints: readonly Hint[], head: Head, taken: readonly TokenId[]) => void;

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

/** One request under way. */
interface Job {
  readonly request: Request;
  /** A start has its machine; anything else finds it by the plan of its instance. */
  readonly machine: Machine | null;
  /** What the store held when this job asked it, bypassing the cache. */
  asked: Entry | null;
  readonly resolve: (applied: Applied) => void;
  readonly reject: (error: unknown) => void;
  tries: number;
}

/** A stride of a job whose commit is under way. */
interface Attempt {
  readonly job: Job;
  readonly commit: Commit;
  readonly chain: Entry;
  readonly after: Instance;
  readonly hints: readonly Hint[];
  /** What the taker accepted. */
  readonly tokens: readonly TokenId[];
}

interface Entry extends Chain {
  instance: Instance;
  /** Commits under way on this state; above zero it is a guess, not what the store holds. */
  pending: number;
  /** Called when nothing is under way on it any more. */
  readonly onSettled: (() => void)[];
}

export class Strides {
  readonly #store: Store;
  readonly #library: Library;
  readonly #committer: Committer<Attempt>;
  readonly #onHints: OnHints;
  readonly #cache = new Map<InstanceId, Entry>();
  #ended = new Map<InstanceId, Head>();
  #endedBefore = new Map<InstanceId, Head>();
  readonly #loading = new Map<InstanceId, Promise<Instance | undefined>>();

  constructor(store: Store, library: Library, onHints: OnHints) {
    this.#store = store;
    this.#library = library;
    this.#committer = new Committer(store, {
      done: (attempt, outcome) => {
        try {
          this.#done(attempt, outcome);
        } catch (thrown) {
          // It must not spoil those that were committed together with it (P12).
          attempt.job.reject(thrown);
        }
      },
      lost: (attempt, error) => this.#lost(attempt, error),
    });
    this.#onHints = onHints;
  }

  apply(request: Request): Promise<Applied> {
    return new Promise((resolve, reject) => {
      this.#attempt({ request, machine: null, asked: null, resolve, reject, tries: 0 });
    });
  }

  /** The first stride of an instance, on a machine the caller chose. */
  start(request: Request, machine: Machine): Promise<Applied> {
    return new Promise((resolve, reject) => {
      this.#attempt({ request, machine, asked: null, resolve, reject, tries: 0 });
    });
  }

  /** How the instance ended, if it ended here not long ago, without asking the store. */
  ended(id: InstanceId): Head | undefined {
    const head = this.#ended.get(id) ?? this.#endedBefore.get(id) ?? this.settled(id)?.head;
    return head === undefined || head.endedAt === null ? undefined : head;
  }

  /** The newest state the store is known to hold, without asking it; undefined if unknown. */
  settled(id: InstanceId): Instance | undefined {
    const entry = this.#cache.get(id);
    return entry?.pending === 0 ? entry.instance : undefined;
  }

  /** Whether the instance is worked on here, so that its end will be heard. */
  holds(id: InstanceId): boolean {
    const entry = this.#cache.get(id);
    if (entry === undefined || entry.dead) return false;
    // An end that is not committed yet will be heard too, or turn out a wrong guess.
    return entry.pending > 0 || entry.instance.head.endedAt === null;
  }

  /**
   * What the handlers of these claims will see. A claim whose token is gone has no work, and one
   * whose instance cannot be read is told of and must not spoil the others (P12).
   */
  async worksFor(
    claims: readonly Claim[],
    onBroken: (claim: Claim, error: unknown) => void,
  ): Promise<readonly Work[]> {
    for (const { instance } of claims) {
      const settling = this.#settling(instance);
      if (settling !== undefined) await settling;
    }
    // What is cached and committed is the claim's version or a later one that still has the token.
    const unknown = claims.filter(
      (claim) => (this.settled(claim.instance)?.head.version ?? 0) < claim.instanceVersion,
    );
    const ids = [...new Set(unknown.map((claim) => claim.instance))];
    const rows = ids.length === 0 ? [] : await this.#store.load(ids);
    const loaded = new Map(
      rows.flatMap((row) => (row === undefined ? [] : [[row.head.id, row] as const])),
    );
    const assembled = new Map<InstanceId, Instance>();
    const instanceOf = (id: InstanceId): Instance | undefined => {
      const row = loaded.get(id);
      if (row === undefined || assembled.has(id)) return assembled.get(id) ?? this.settled(id);
      assembled.set(id, assemble(row));
      return assembled.get(id);
    };
    return claims.flatMap((claim) => {
      try {
        const instance = instanceOf(claim.instance);
        if (instance?.tokens.get(claim.token) === undefined) return [];
        return [workOf(instance, claim)];
      } catch (thrown) {
        onBroken(claim, thrown);
        return [];
      }
    });
  }

  /** Until what is under way on a cached instance is committed, or has turned out a wrong guess. */
  #settling(id: InstanceId): Promise<void> | undefined {
    const entry = this.#cache.get(id);
    if (entry === undefined || entry.pending === 0) return undefined;
    return new Promise((resolve) => entry.onSettled.push(resolve));
  }

  /** Forgets everything, as a crash would. */
  forget(): void {
    for (const entry of this.#cache.values()) entry.dead = true;
    this.#cache.clear();
    this.#ended.clear();
    this.#endedBefore.clear();
  }

  #attempt(job: Job): void {
    const { instance } = job.request;
    job.tries += 1;
    if (job.tries > TRIES_MAX) return job.reject(outrun(job.request));
    if (job.machine !== null) {
      return this.#stride(job, job.machine, entryOf(emptyInstance(instance)));
    }
    const entry = this.#cached(instance);
    const machine = entry && this.#library.find(entry.instance.head.plan);
    if (entry !== undefined && machine !== undefined) return this.#stride(job, machine, entry);
    this.#fetch(instance).then((found) => {
      if (found === undefined) job.resolve({ outcome: 'missing' });
      else this.#stride(job, found.machine, found.entry);
    }, job.reject);
  }

  async #fetch(id: InstanceId): Promise<{ entry: Entry; machine: Machine } | undefined> {
    const entry = this.#cached(id) ?? (await this.#load(id));
    if (entry === undefined) return undefined;
    const { plan } = entry.instance.head;
    const machine = this.#library.find(plan) ?? (await this.#library.load(plan, this.#store));
    return { entry, machine };
  }

  #stride(job: Job, machine: Machine, entry: Entry): void {
    if (entry.dead) return this.#attempt(job);
    try {
      this.#strideNow(job, machine, entry);
    } catch (thrown) {
      job.reject(thrown);
    }
  }

  /** From reading the cached state to queueing the commit nothing else can come in between. */
  #strideNow(job: Job, machine: Machine, entry: Entry): void {
    const { request } = job;
    const before = entry.instance;
    const stride = advance(machine, before, request.input(this.#store.now()));
    const { after, hints } = stride;
    if (stride.changes.length === 0) return this.#doubt(job, entry);

    const tokens = request.taker?.accept(hints) ?? NONE;
    const commit = this.#commitOf(request, before, stride, tokens);
    entry.instance = after;
    entry.pending += 1;
    this.#keep(request.instance, entry);
    this.#committer.commit({ job, commit, chain: entry, after, hints, tokens });
  }

  #done(attempt: Attempt, result: CommitOutcome): void {
    const { job, after, hints, tokens } = attempt;
    settle(attempt.chain);
    if (result.outcome === 'committed') {
      const { head } = after;
      if (head.endedAt !== null) this.#end(head);
      this.#onHints(hints, head, tokens);
      const isWhole = result.taken.length === tokens.length;
      assert(isWhole, 'a store takes what the commit asks it to take');
      const works = result.taken.map((claim) => workOf(after, claim));
      return job.resolve({ outcome: 'committed', head, works });
    }
    this.#discard(attempt);
    if (result.outcome === 'stale') this.#attempt(job);
    else if (result.outcome === 'failed') job.reject(result.error);
    else job.resolve(result);
  }

  #lost(attempt: Attempt, error: unknown): void {
    settle(attempt.chain);
    this.#discard(attempt);
    attempt.job.reject(error);
  }

  /**
   * Nothing to do, it seems. But a cached state may be behind the store, or ahead of it by a guess
   * that turns out wrong, and no commit will tell: only what the store holds is believed.
   */
  #doubt(job: Job, entry: Entry): void {
    if (job.asked === entry) job.resolve({ outcome: 'nothing' });
    else this.#ask(job).catch(job.reject);
  }

  async #ask(job: Job): Promise<void> {
    const [rows] = await this.#store.load([job.request.instance]);
    if (rows === undefined) return job.resolve({ outcome: 'missing' });
    const { plan } = rows.head;
    const machine = this.#library.find(plan) ?? (await this.#library.load(plan, this.#store));
    job.asked = entryOf(assemble(rows));
    this.#stride(job, machine, job.asked);
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
  #discard({ job: { request }, chain, tokens }: Attempt): void {
    if (this.#cache.get(request.instance) === chain) this.#cache.delete(request.instance);
    if (tokens.length > 0) request.taker?.giveBack(tokens.length);
  }

  /** Of what is over only the head is kept: a whole state would crowd out those still moving. */
  #end(head: Head): void {
    this.#cache.delete(head.id);
    this.#ended.set(head.id, head);
    if (this.#ended.size <= CACHE_MAX) return;
    // A generation at a time: taking the oldest out one by one makes a map slow to begin with.
    this.#endedBefore = this.#ended;
    this.#ended = new Map();
  }

  #cached(id: InstanceId): Entry | undefined {
    const entry = this.#cache.get(id);
    // Only a cache that may soon be full needs to know who was used last.
    if (entry === undefined || this.#cache.size < CACHE_MAX / 2) return entry;
    this.#cache.delete(id);
    this.#cache.set(id, entry);
    return entry;
  }

  #keep(id: InstanceId, entry: Entry): void {
    if (this.#cache.get(id) === entry) return;
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
    const entry = entryOf(instance);
    this.#keep(id, entry);
    return entry;
  }
}

function entryOf(instance: Instance): Entry {
  return { instance, pending: 0, dead: false, onSettled: [] };
}

function settle(entry: Entry): void {
  entry.pending -= 1;
  if (entry.pending > 0 || entry.onSettled.length === 0) return;
  for (const resolve of entry.onSettled.splice(0)) resolve();
}

const NONE: readonly TokenId[] = [];

function outrun({ instance }: Request): EngineError {
  const message = `gave up after losing the race for ${instance} ${TRIES_MAX} times`;
  return new EngineError('store.unreachable', message, { retryable: true });
}
