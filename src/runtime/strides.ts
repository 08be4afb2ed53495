/**
 * From an input to a committed stride: load or cache, advance, commit, and again if someone else
 * was first. Everything that moves an instance comes through here (⑧⑨ in ARCHITECTURE §4).
 *
 * A cached instance runs ahead of the store: the next input builds on a stride whose commit is
 * still under way, and both go out in one batch. If the earlier commit fails, the committer turns
 * the later one away, the cache falls back to what is known, and both are worked out again from
 * what the store holds. Nobody outside is told anything, and no handler is given anything, before
 * the commit it rests on is durable. Of a commit whose answer was lost it is found out first
 * whether it came about (`unsure.ts`).
 */
import { EngineError } from '../base/engine-error.ts';
import { assert } from '../base/assert.ts';
import type { Outcome } from '../kernel/advance.ts';
import type { Refusal } from '../kernel/stride.ts';
import { assemble, emptyInstance, type Instance } from '../kernel/instance.ts';
import { touchedBy } from '../kernel/touched.ts';
import type { Machine } from '../kernel/machine.ts';
import type { Hint } from '../model/hint.ts';
import type { InstanceId, Instant, TokenId } from '../model/ids.ts';
import type { Head } from '../model/instance.ts';
import type { Claim, Commit, CommitOutcome, Fence } from '../stores/store.ts';
import { Cache, type Entry, entryOf, settle } from './cache.ts';
import { commitOf } from './commit-of.ts';
import { type CommitWatch, watchCommit, type WatchHouse } from './commit-watch.ts';
import { Committer } from './committer.ts';
import { type Work, workOf } from './handlers.ts';
import type { Library } from './library.ts';
import { type Happening, strideBy } from './migrating.ts';
import { isRetryable, unsureOf } from './move.ts';
import { Readings } from './readings.ts';
import { type Doubt, Unsure, type UnsureHouse } from './unsure.ts';
import type { Written } from './within.ts';
import { worksFor } from './works.ts';

/** Losing the race for one instance this often in a row means that something is wrong. */
const TRIES_MAX = 1_000;

/** Which of the tokens a stride makes ready the caller goes on with itself (D5). */
export interface Taker {
  readonly worker: string;
  readonly leaseMs: number;
  accept(hints: readonly Hint[], after: Instance): readonly TokenId[];
  /** Of so many that were accepted only so many came: most often none, the commit failed. */
  giveBack(accepted: number, came: number): void;
  /** Whether it is at work here already, or one of the same token that came after it. */
  holds(claim: Claim): boolean;
}

/**
 * Told after each commit; `taken` are tokens nobody needs to be called for. `isLate`: it came about
 * a while ago, and something else may have since.
 */
export type OnHints = (
  hints: readonly Hint[],
  head: Head,
  taken: readonly TokenId[],
  isLate: boolean,
) => void;

export interface StridesHouse extends UnsureHouse, WatchHouse {
  readonly library: Library;
  readonly onHints: OnHints;
  /** The store did not answer a commit. */
  readonly onAway: () => void;
}

export interface Request {
  readonly instance: InstanceId;
  readonly input: (at: Instant) => Happening;
  readonly fence?: Fence;
  readonly message?: string;
  readonly taker?: Taker;
  /** What its commit is shown as part of, where that is not for the tokens to say. */
  readonly trace?: string;
  /** Where whoever asks may ask again: the same for the same, and found in history (D3). */
  readonly commitId?: string;
}

export type Applied =
  | { readonly outcome: 'committed'; readonly head: Head; readonly works: readonly Work[] }
  /** The input came late or twice: there is nothing to commit. */
  | { readonly outcome: 'nothing'; readonly refused?: Refusal }
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'fenced' }
  | { readonly outcome: 'delivered' }
  | { readonly outcome: 'exists'; readonly instance: InstanceId };

/** A stride that nobody takes. */
export interface Previewed extends Outcome {
  readonly before: Instance;
}

/** Who is told what came of a request: one of the two, once. Neither throws. */
export interface Reply {
  done(applied: Applied): void;
  failed(error: unknown): void;
  /** True if nobody wants to know any more. */
  readonly dead?: boolean;
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
  lineage: Entry;
  readonly after: Instance;
  readonly hints: readonly Hint[];
  /** What the taker accepted. */
  readonly tokens: readonly TokenId[];
  /** Null if nobody looks. */
  readonly watch: CommitWatch | null;
  /** Its answer was lost at least once. */
  doubt: Doubt | null;
}

export class Strides {
  readonly #house: StridesHouse;
  readonly #committer: Committer<Attempt>;
  readonly #unsure: Unsure<Attempt>;
  readonly cache: Cache;
  readonly #readings: Readings;

  constructor(house: StridesHouse) {
    this.#house = house;
    this.cache = new Cache(house.store);
    this.#readings = new Readings(house.store);
    this.#committer = new Committer(house, {
      done: (attempt, outcome) => this.#done(attempt, outcome),
      lost: (attempt, error) => this.#lost(attempt, error),
    });
    this.#unsure = new Unsure(house, {
      again: (attempts) => this.#again(attempts),
      done: (attempt, outcome) => this.#conclude(attempt, outcome),
      lost: (attempt, error) => this.#fail(attempt, error),
    });
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

  /** What an input would do to what the store holds now. Nothing is written. */
  async preview({ instance, input }: Request, machine?: Machine): Promise<Previewed | undefined> {
    const [rows] = machine === undefined ? await this.#house.store.load([instance]) : [];
    if (rows === undefined && machine === undefined) return undefined;
    const { library, store } = this.#house;
    const before = rows === undefined ? emptyInstance(instance) : assemble(rows);
    const runs =
      machine ?? library.find(before.head.plan) ?? (await library.load(before.head.plan, store));
    return { before, ...strideBy(runs, before, input(store.now())) };
  }

  /** What the handlers of these claims will see. */
  worksFor(
    claims: readonly Claim[],
    onBroken: (claim: Claim, error: unknown) => void,
  ): Promise<readonly Work[]> {
    return worksFor(this.#house.store, this.cache, claims, onBroken);
  }

  /** What was written in a transaction of its own is durable by now. */
  absorb({ after, hints, watch }: Written): Applied {
    watch?.end('committed');
    const { head } = after;
    if (head.endedAt !== null) this.cache.end(head);
    else this.cache.learn(after);
    this.#house.onHints(hints, head, NONE, false);
    return { outcome: 'committed', head, works: [] };
  }

  /** Waits for what is in doubt, but not for ever; afterwards nothing is tried again. */
  close(timeoutMs: number): Promise<void> {
    return this.#unsure.close(timeoutMs);
  }

  #attempt(job: Job): void {
    const { instance } = job.request;
    job.tries += 1;
    if (job.tries > TRIES_MAX) return job.reply.failed(outrun(job.request));
    if (job.machine !== null) {
      return this.#stride(job, job.machine, entryOf(emptyInstance(instance)));
    }
    const entry = this.cache.find(instance);
    const machine = entry && this.#house.library.find(entry.instance.head.plan);
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
    const { library, store } = this.#house;
    const machine = library.find(plan) ?? (await library.load(plan, store));
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
    const happening = request.input(this.#house.store.now());
    const stride = strideBy(machine, before, happening);
    const { after, hints } = stride;
    if (stride.changes.length === 0) return this.#doubt(job, entry, stride.refused);

    const touched = touchedBy(before, stride);
    const tokens = request.taker?.accept(hints, after) ?? NONE;
    const commit = commitOf(request, before, { after, touched }, tokens);
    entry.instance = after;
    entry.pending += 1;
    this.cache.keep(request.instance, entry);
    const watch = watchCommit(this.#house, request, { happening, before, stride });
    const doubt = null;
    this.#committer.commit({ job, commit, lineage: entry, after, hints, tokens, watch, doubt });
  }

  #done(attempt: Attempt, outcome: CommitOutcome): void {
    const { doubt } = attempt;
    // What it needs is held, and perhaps by its own original, which is not through yet.
    const isHeld = outcome.outcome === 'failed' && isRetryable(outcome.error);
    if (doubt !== null && isHeld) return this.#lost(attempt, outcome.error);
    settle(attempt.lineage);
    // What was in doubt and is refused now may have come about before.
    if (doubt === null || outcome.outcome === 'committed') this.#conclude(attempt, outcome);
    else this.#unsure.refused(attempt, doubt, outcome);
  }

  #lost(attempt: Attempt, error: unknown): void {
    settle(attempt.lineage);
    this.cache.fallBack(attempt.job.request.instance, attempt.lineage);
    if (isRetryable(error)) this.#house.onAway();
    if (!this.#unsure.keep(attempt, error)) this.#fail(attempt, error);
  }

  /** Apart from the cache, which may know by now what others made: this is about the old ones. */
  #again(attempts: readonly Attempt[]): void {
    const [first] = attempts;
    if (first === undefined) return;
    const lineage = entryOf(first.lineage.known);
    for (const attempt of attempts) {
      // What builds on something that nobody hands in again is not to come about either.
      if (attempt.job.reply.dead === true) {
        lineage.dead = true;
        this.#unsure.over();
        continue;
      }
      attempt.lineage = lineage;
      lineage.pending += 1;
      this.#committer.commit(attempt);
    }
  }

  /** It is known what came of it. */
  #conclude(attempt: Attempt, outcome: CommitOutcome): void {
    if (attempt.doubt !== null) this.#unsure.over();
    attempt.watch?.end(outcome.outcome);
    try {
      if (outcome.outcome === 'committed')
        this.#committed(attempt, this.#ours(attempt, outcome.taken));
      else this.#refused(attempt, outcome);
    } catch (thrown) {
      // It must not spoil those that were committed together with it (P12).
      if (outcome.outcome === 'committed') {
        this.#house.store.letGo(outcome.taken);
        giveBack(attempt);
      }
      attempt.job.reply.failed(thrown);
    }
  }

  #committed(attempt: Attempt, taken: readonly Claim[]): void {
    const { job, after, hints, tokens, doubt } = attempt;
    const { head } = after;
    attempt.lineage.known = after;
    // A start, too: one of that id may have ended here before, and been removed.
    const isOpened = head.version === 1 || attempt.commit.touched.restoring;
    if (head.endedAt === null && isOpened) this.cache.reopen(head.id);
    // One that ended a while ago may have been run again since.
    if (head.endedAt !== null && doubt === null) this.cache.end(head);
    if (doubt === null) {
      this.#house.onHints(hints, head, tokens, false);
      assert(taken.length === tokens.length, 'a store takes what the commit asks it to take');
    } else {
      // Until it was known that it came about, somebody else may have had what it took.
      if (taken.length < tokens.length) job.request.taker?.giveBack(tokens.length, taken.length);
      this.cache.learn(after);
      const ours = taken.map(({ token }) => token);
      this.#house.onHints(hints, head, ours, true);
    }
    const works = taken.map((claim) => workOf(after, claim));
    job.reply.done({ outcome: 'committed', head, works });
  }

  /** What was taken long ago may have been lost and claimed again, by this very worker. */
  #ours({ job, doubt }: Attempt, taken: readonly Claim[]): readonly Claim[] {
    const { taker } = job.request;
    return doubt === null || taker === undefined
      ? taken
      : taken.filter((claim) => !taker.holds(claim));
  }

  #refused(attempt: Attempt, outcome: Exclude<CommitOutcome, { outcome: 'committed' }>): void {
    const { job, lineage } = attempt;
    this.cache.fallBack(job.request.instance, lineage);
    giveBack(attempt);
    if (outcome.outcome === 'stale') this.#attempt(job);
    else if (outcome.outcome === 'failed') job.reply.failed(outcome.error);
    else job.reply.done(outcome);
  }

  #fail(attempt: Attempt, error: unknown): void {
    if (attempt.doubt !== null) this.#unsure.over();
    attempt.watch?.end('lost');
    giveBack(attempt);
    attempt.job.reply.failed(attempt.doubt === null ? error : unsureOf(error));
  }

  /**
   * Nothing to do, it seems. But a cached state may be behind the store, or ahead of it by a guess
   * that turns out wrong, and no commit will tell: only what the store holds is believed.
   */
  #doubt(job: Job, entry: Entry, refused?: Refusal): void {
    // A new instance has nothing else to ask.
    if (job.asked === entry || job.machine !== null)
      job.reply.done({ outcome: 'nothing', ...(refused === undefined ? {} : { refused }) });
    else this.#ask(job).catch((thrown: unknown) => job.reply.failed(thrown));
  }

  async #ask(job: Job): Promise<void> {
    const found = await this.#readings.read(job.request.instance);
    if (found === undefined) return job.reply.done({ outcome: 'missing' });
    const { library, store } = this.#house;
    const machine = library.find(found.head.plan) ?? (await library.load(found.head.plan, store));
    job.asked = entryOf(found);
    this.#stride(job, machine, job.asked);
  }
}

/** Nothing of what the taker accepted comes. */
function giveBack({ job, tokens }: Attempt): void {
  if (tokens.length > 0) job.request.taker?.giveBack(tokens.length, 0);
}

const NONE: readonly TokenId[] = [];

function outrun({ instance }: Request): EngineError {
  const message = `gave up after losing the race for ${instance} ${TRIES_MAX} times`;
  return new EngineError('store.unreachable', message, { retryable: true });
}
