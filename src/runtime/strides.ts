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
import { Cache, type Entry, entryOf, settle } from './cache.ts';
import { Committer } from './committer.ts';
import { type Work, workOf } from './handlers.ts';
import { newId } from './ids.ts';
import type { Library } from './library.ts';

/** A snapshot this often makes any commit quick to show (D14). */
const SNAPSHOT_EVERY = 1_000;
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

/** Who is told what came of a request: one of the two, once. Neither throws. */
export interface Reply {
  done(applied: Applied): void;
  failed(error: unknown): void;
}

/** One request under way. */
interface Job {
  readonly request: Request;
  /** A start has its machine; anything else finds it by the plan of its instance. */
  readonly machine: Machine | null;
  /** What the store held when this job asked it, bypassing the cache. */
  asked: Entry | null;
  readonly reply: Reply;
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

export class Strides {
  readonly #store: Store;
  readonly #library: Library;
  readonly #committer: Committer<Attempt>;
  readonly #onHints: OnHints;
  readonly cache: Cache;

  constructor(store: Store, library: Library, onHints: OnHints) {
    this.#store = store;
    this.#library = library;
    this.cache = new Cache(store);
    this.#committer = new Committer(store, {
      done: (attempt, outcome) => {
        try {
          this.#done(attempt, outcome);
        } catch (thrown) {
          // It must not spoil those that were committed together with it (P12).
          attempt.job.reply.failed(thrown);
        }
      },
      lost: (attempt, error) => this.#lost(attempt, error),
    });
    this.#onHints = onHints;
  }

  apply(request: Request): Promise<Applied> {
    return new Promise((done, failed) => this.submit(request, { done, failed }));
  }

  /** The same for whoever is called back rather than waiting. */
  submit(request: Request, reply: Reply): void {
    this.#attempt({ request, machine: null, asked: null, reply, tries: 0 });
  }

  /** The first stride of an instance, on a machine the caller chose. */
  start(request: Request, machine: Machine): Promise<Applied> {
    return new Promise((done, failed) => {
      this.#attempt({ request, machine, asked: null, reply: { done, failed }, tries: 0 });
    });
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
      const settling = this.cache.settling(instance);
      if (settling !== undefined) await settling;
    }
    // What is cached and committed is the claim's version or a later one that still has the token.
    const unknown = claims.filter(
      (claim) => (this.cache.settled(claim.instance)?.head.version ?? 0) < claim.instanceVersion,
    );
    const ids = [...new Set(unknown.map((claim) => claim.instance))];
    const rows = ids.length === 0 ? [] : await this.#store.load(ids);
    const loaded = new Map(
      rows.flatMap((row) => (row === undefined ? [] : [[row.head.id, row] as const])),
    );
    const assembled = new Map<InstanceId, Instance>();
    const instanceOf = (id: InstanceId): Instance | undefined => {
      const row = loaded.get(id);
      if (row === undefined || assembled.has(id))
        return assembled.get(id) ?? this.cache.settled(id);
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

  #attempt(job: Job): void {
    const { instance } = job.request;
    job.tries += 1;
    if (job.tries > TRIES_MAX) return job.reply.failed(outrun(job.request));
    if (job.machine !== null) {
      return this.#stride(job, job.machine, entryOf(emptyInstance(instance)));
    }
    const entry = this.cache.find(instance);
    const machine = entry && this.#library.find(entry.instance.head.plan);
    if (entry !== undefined && machine !== undefined) return this.#stride(job, machine, entry);
    this.#fetch(instance).then(
      (found) => {
        if (found === undefined) job.reply.done({ outcome: 'missing' });
        else this.#stride(job, found.machine, found.entry);
      },
      (thrown: unknown) => job.reply.failed(thrown),
    );
  }

  async #fetch(id: InstanceId): Promise<{ entry: Entry; machine: Machine } | undefined> {
    const entry = this.cache.find(id) ?? (await this.cache.load(id));
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
      job.reply.failed(thrown);
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
    this.cache.keep(request.instance, entry);
    this.#committer.commit({ job, commit, chain: entry, after, hints, tokens });
  }

  #done(attempt: Attempt, result: CommitOutcome): void {
    const { job, after, hints, tokens } = attempt;
    settle(attempt.chain);
    if (result.outcome === 'committed') {
      const { head } = after;
      if (head.endedAt !== null) this.cache.end(head);
      this.#onHints(hints, head, tokens);
      const isWhole = result.taken.length === tokens.length;
      assert(isWhole, 'a store takes what the commit asks it to take');
      const works = result.taken.map((claim) => workOf(after, claim));
      return job.reply.done({ outcome: 'committed', head, works });
    }
    this.#discard(attempt);
    if (result.outcome === 'stale') this.#attempt(job);
    else if (result.outcome === 'failed') job.reply.failed(result.error);
    else job.reply.done(result);
  }

  #lost(attempt: Attempt, error: unknown): void {
    settle(attempt.chain);
    this.#discard(attempt);
    attempt.job.reply.failed(error);
  }

  /**
   * Nothing to do, it seems. But a cached state may be behind the store, or ahead of it by a guess
   * that turns out wrong, and no commit will tell: only what the store holds is believed.
   */
  #doubt(job: Job, entry: Entry): void {
    if (job.asked === entry) job.reply.done({ outcome: 'nothing' });
    else this.#ask(job).catch((thrown: unknown) => job.reply.failed(thrown));
  }

  async #ask(job: Job): Promise<void> {
    const [rows] = await this.#store.load([job.request.instance]);
    if (rows === undefined) return job.reply.done({ outcome: 'missing' });
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

  #discard({ job: { request }, chain, tokens }: Attempt): void {
    this.cache.discard(request.instance, chain);
    if (tokens.length > 0) request.taker?.giveBack(tokens.length);
  }
}

const NONE: readonly TokenId[] = [];

function outrun({ instance }: Request): EngineError {
  const message = `gave up after losing the race for ${instance} ${TRIES_MAX} times`;
  return new EngineError('store.unreachable', message, { retryable: true });
}
