/**
 * The port every store implements. Speaks in model values and plain outcomes; nothing of SQL,
 * connections or transactions shows through.
 *
 * It is batch-shaped (D4): what is ready together is handed over together and costs one
 * transaction. A lost race is an outcome, not an error: it happens in every busy deployment, and
 * the caller always knows what to do about it. Errors are left for what a caller cannot foresee,
 * and are `EngineError`s with a `store.` code.
 *
 * What is handed in is the caller's last word on it: nobody alters it afterwards. What is handed
 * out is decoded anew and frozen to the bottom (D20).
 *
 * The store's clock decides leases and due times (D15). `executing`, `version`, `lockedBy`,
 * `lockedAt` and `lockedUntil` are claim columns: the store owns them, and every write of a token
 * row adds one to its version.
 *
 * A claim that this process holds is renewed by the store itself when the process is too busy to
 * (D15), from a thread of its own where the store has one, until it is settled, released or let go.
 */
import type { EngineError } from '../base/engine-error.ts';
import type { Json } from '../base/json.ts';
import type { HistoryRow, Touched } from '../model/commit.ts';
import type { InstanceId, Instant, PlanHash, TokenId } from '../model/ids.ts';
import type { Message } from '../model/input.ts';
import type { InstanceRows } from '../model/instance.ts';
import type { PlanName } from '../model/plan-diff.ts';
import type { Post } from '../model/post.ts';
import type { Tx } from '../model/tx.ts';
import type { Instances } from './instances.ts';
import type { Halts } from './halts.ts';
import type { Servers } from './servers.ts';
import type { Health } from './health.ts';
import type { Lanes } from './lanes.ts';
import type { Letters } from './letters.ts';
import type { Receipts } from './receipts.ts';
import type { Among, Schedules } from './schedules.ts';
import type { Tasks } from './tasks.ts';

export interface Store {
  /** Opens the database and brings its schema up to date. Called once, before anything else. */
  open(): Promise<void>;
  close(): Promise<void>;
  /** Whether `within` and `begin` can be called. */
  readonly hasTransactions: boolean;
  /** The store's clock, as this process knows it. */
  now(): Instant;

  /** Keeps a plan under its hash. Saving the same plan again is a no-op. */
  savePlan(plan: PlanRow): Promise<void>;
  loadPlan(hash: PlanHash): Promise<PlanRow | undefined>;
  /** Every plan that is kept, by name and version; of a version the one saved last comes last. */
  plans(): Promise<readonly PlanName[]>;
  /** The handlers that chains of stored plans call for, by their full names. */
  links(): Promise<readonly string[]>;

  /** Instances in the order asked for; undefined where there is none. Values are deep-frozen. */
  load(ids: readonly InstanceId[]): Promise<readonly (InstanceRows | undefined)[]>;

  /**
   * Commits each in turn, all of them or none of one: guards first, then rows, then history. An
   * outcome for each, in the same order. Nobody is told before it is durable. What builds on a
   * commit of the same call that did not come about is stale, whoever made that version instead.
   *
   * If the answer is lost, and so nobody knows whether it came about, it rejects with
   * `details.unsure`. The same commits may then be handed in again: one that had come about is
   * refused, and `recall` knows it.
   */
  commit(commits: readonly Commit[]): Promise<readonly CommitOutcome[]>;
  /** Of commits whose answer was lost: those that came about, found by their commit id (D3). */
  recall(commits: readonly Commit[]): Promise<readonly (Committed | undefined)[]>;

  /** The same in a transaction of the caller's own, which commits or not as the caller likes. */
  within(tx: Tx): Guest;
  /** A transaction for a handler whose effects are in the same database (P4). */
  begin(): Promise<Transaction>;

  /**
   * Takes ready tokens that are due, highest priority first, then longest due. Lone ones (that have
   * cost CRASHES_LONE workers their lives, D11) only if asked for, and then one and nothing else.
   */
  claim(request: ClaimRequest): Promise<readonly Claim[]>;
  /** The compare-and-set on one token: undefined if it is not ready, not due, or moved on. */
  claimOne(request: ClaimOneRequest): Promise<Claim | undefined>;
  /**
   * Extends claims that are still held, also one whose lease is over if nobody has taken it back
   * yet. Gives back those that are lost.
   */
  renew(held: readonly Held[], leaseMs: number): Promise<readonly Held[]>;
  /** Nobody works on these any more, or will after so long: the store stops renewing them. */
  letGo(held: readonly Held[], afterMs?: number): void;
  /** Gives claims back unrun, so that nobody waits for the lease. Lost ones are left alone. */
  release(held: readonly Held[]): Promise<void>;
  /** Claims whose lease is over, longest first. They stay until a commit recovers them. */
  expired(limit: number): Promise<readonly Claim[]>;

  /** Waiting tokens whose time has come, longest due first. */
  due(limit: number): Promise<readonly TokenRef[]>;
  /** What there is to do and when, of every kind at once: all that an idle worker asks. */
  outlook(request: OutlookRequest): Promise<Outlook>;

  /** Has `ring` called when another process may have left something to do. A hint, often late. */
  listen(ring: (bell: Bell) => void): void;
  /** Tells the other processes. Coalesced, and lost without harm. */
  ring(bell?: Bell): void;

  /**
   * Keeps a message until someone waits for it or its time is over; false if its id is known. For
   * every instance in which someone listens to it, that is written down, too: it hears what was
   * published since it began, each once and in order, whatever becomes of the message otherwise.
   * One of a tenant is for instances of that tenant, and for nobody else.
   */
  publish(message: NewMessage): Promise<boolean>;
  /** Whether a message of this id was ever kept, had or not; not once it was pruned. */
  knows(message: string): Promise<boolean>;
  /**
   * Kept messages (or the one named) with a token that waits for them and has not had them yet, of
   * each instance one. Whoever began to wait only after somebody had a message does not get it, and
   * an instance that is suspended gets it once it goes on. Those of an instance that listen are
   * offered one at a time, the oldest, and none while one of them is busy.
   */
  deliverable(limit: number, message?: string): Promise<readonly Delivery[]>;
  /** The same for waits of these tokens alone: the oldest that each instance may have. */
  deliverableTo(tokens: readonly TokenRef[]): Promise<readonly Delivery[]>;
  /**
   * Marks messages as used up that some instance had, and that nobody who waits may still have.
   * Says which of them some instance had.
   */
  consume(messages: readonly string[]): Promise<readonly string[]>;
  /** Messages that are kept and that nobody has had, newest first. */
  pending(request: PendingRequest): Promise<readonly PendingMessage[]>;

  /**
   * What commits have posted and nobody has marked as carried yet: in order within an instance, the
   * longest waiting instance first. Instances named in `without` are left out.
   */
  posts(limit: number, without?: readonly InstanceId[]): Promise<readonly PostRow[]>;
  /** Marks posts as carried, by their ids. Those that are marked already are left alone. */
  carried(ids: readonly string[]): Promise<void>;
  /** What commits have for the world outside. */
  readonly letters: Letters;
  /** Flows that are started at moments of a clock. */
  readonly schedules: Schedules;
  /** Flows that are suspended as a whole. */
  readonly halts: Halts;
  /** Which handlers the processes at work have. */
  readonly servers: Servers;
  /** Where tokens wait that a limit holds back. */
  readonly lanes: Lanes;
  /** Instances as people look for them, and the end of those that are over. */
  readonly instances: Instances;
  /** What waits for people. */
  readonly tasks: Tasks;
  /** What was asked under a key, and what came of it. */
  readonly receipts: Receipts;
  /** What a doctor asks. */
  readonly health: Health;

  /** Notes a result that came too late, for people to see (D3). */
  drop(note: DroppedNote): Promise<void>;
  dropped(instance: InstanceId): Promise<readonly DroppedNote[]>;

  /** History rows after `after`, oldest first. */
  history(request: HistoryRequest): Promise<readonly HistoryRow[]>;
  /** The newest snapshot at or before commit n. */
  snapshot(instance: InstanceId, n: number): Promise<InstanceRows | undefined>;

  /** The open instance of a flow that has this business key. Each tenant has keys of its own. */
  findByKey(flow: string, key: string, tenant: string | null): Promise<InstanceId | undefined>;
  /** Ids in ascending order, for walking all instances. */
  scan(after: InstanceId | null, limit: number): Promise<readonly InstanceId[]>;
}

/** `all` if it may be about messages, too: they are looked for by looking at all that are kept. */
export type Bell = 'work' | 'all';

export interface PlanRow extends PlanName {
  readonly body: Json;
  /** The handlers its links call for, if it is a chain. */
  readonly links?: readonly string[];
}

export interface Commit {
  /** Found again in the history row: after a lost reply it tells whose commit that was. */
  readonly commitId: string;
  /** The instance version the stride was computed on; 0 starts an instance. */
  readonly expected: number;
  /** The claim this commit uses up; null for what no worker had claimed. */
  readonly fence: Fence | null;
  /** The message this commit delivers: at most once per message and instance. */
  readonly message: string | null;
  /**
   * Those who listen have it by this commit, too, or only they; left out, only the one who waits.
   * Both are counted apart: whoever waits, now or later, has nothing less for those who listen.
   */
  readonly heard?: 'too' | 'only';
  readonly touched: Touched;
  /** The whole state, now and then. */
  readonly snapshot: InstanceRows | null;
  /** Tokens this commit makes ready and the same worker goes on with at once (D5). */
  readonly take: Take | null;
}

/** `expired: true` is the recovery sweep: the lease must be over. Otherwise it must still hold. */
export interface Fence extends Held {
  readonly expired: boolean;
}

export interface Take {
  readonly worker: string;
  readonly leaseMs: number;
  readonly tokens: readonly TokenId[];
}

export interface Committed {
  readonly outcome: 'committed';
  readonly taken: readonly Claim[];
}

export type CommitOutcome =
  | Committed
  /** Another commit came first: load again and repeat the stride. */
  | { readonly outcome: 'stale' }
  /** The claim was lost: forget the result, whoever holds it now will bring another. */
  | { readonly outcome: 'fenced' }
  /** The instance had this message already. */
  | { readonly outcome: 'delivered' }
  /** An open instance of the flow and tenant has this business key, or the id is taken. */
  | { readonly outcome: 'exists'; readonly instance: InstanceId }
  /** The store cannot keep this one (a value that is no JSON, say). Nothing of it is written. */
  | { readonly outcome: 'failed'; readonly error: EngineError };

/** What can be done in a transaction that someone else opened. */
export interface Guest {
  commit(commit: Commit): Promise<CommitOutcome>;
  publish(message: NewMessage): Promise<boolean>;
}

export interface Transaction extends Guest {
  /** What the handler is given. */
  readonly tx: Tx;
  /** Makes all of it durable. Rejects with `details.unsure` if the answer was lost. */
  end(): Promise<void>;
  cancel(): Promise<void>;
}

/** A claim as its holder proves it. */
export interface Held {
  readonly instance: InstanceId;
  readonly token: TokenId;
  /** Grows with every write of the token; an old one can no longer settle. */
  readonly version: number;
  readonly worker: string;
}

export interface Claim extends Held {
  readonly handler: string;
  readonly at: Instant;
  readonly until: Instant;
  /** The instance version at the claim: says whether a cached instance is still the newest. */
  readonly instanceVersion: number;
}

export interface ClaimRequest {
  readonly worker: string;
  readonly handlers: readonly string[];
  readonly limit: number;
  readonly leaseMs: number;
  /** One lone token instead, if there is one. */
  readonly lone?: boolean;
  /** Only tokens of instances of this tenant; left out, of all. */
  readonly tenant?: string;
  /** For somebody outside of this process, who keeps them alive: the store never renews them. */
  readonly elsewhere?: true;
}

export interface ClaimOneRequest {
  readonly worker: string;
  readonly instance: InstanceId;
  readonly token: TokenId;
  readonly version: number;
  readonly leaseMs: number;
}

export interface OutlookRequest {
  readonly handlers: readonly string[];
  readonly schedules: Among;
  /** Types of letters, null for any; left out, letters do not matter. */
  readonly letters?: readonly string[] | null;
  /** Instances whose posts do not matter. */
  readonly withoutPosts?: readonly InstanceId[];
  /** Whether messages matter: to look for them costs the more, the more are kept. */
  readonly messages: boolean;
}

/** For each kind the next moment at which looking for it may find more; undefined for never. */
export interface Outlook {
  /** For `claim`, as usual. Of these moments none is in the past: what was due is due now. */
  readonly work: Instant | undefined;
  readonly timers: Instant | undefined;
  /** For `lanes.letThrough`. */
  readonly lanes: Instant | undefined;
  readonly leases: Instant | undefined;
  /** For `letters.claim`, or `letters.expired`. */
  readonly letters: Instant | undefined;
  readonly schedules: Instant | undefined;
  /** Since when a lone token has been due, or when the first will be. */
  readonly lone: Instant | undefined;
  /** Whether there is something now. */
  readonly posts: boolean;
  /** Whether anything is said of whole flows, or an instance is suspended because it was. */
  readonly halts: boolean;
  readonly messages: boolean;
}

export interface TokenRef {
  readonly instance: InstanceId;
  readonly token: TokenId;
}

export interface NewMessage extends Message {
  readonly ttlMs: number;
}

export interface Delivery extends TokenRef {
  readonly message: Message;
  /** When it was published, if those of the instance that listen may have it, too, or only they. */
  readonly published?: Instant;
  /** Its data is no JSON: someone has edited it by hand. The others are not to suffer for it. */
  readonly isCorrupt?: true;
}

/** What is not said does not matter. */
export interface PendingRequest {
  readonly type?: string;
  readonly key?: string;
  readonly instance?: InstanceId;
  /** Only those of this tenant. */
  readonly tenant?: string;
  /** Only those that were published before this one, by its number. */
  readonly before?: number;
  readonly limit: number;
}

export interface PendingMessage {
  /** In the order of publishing. */
  readonly n: number;
  readonly message: Message;
  readonly isCorrupt?: true;
  readonly publishedAt: Instant;
  readonly expiresAt: Instant;
}

export interface PostRow {
  /** The instance that posted it. */
  readonly instance: InstanceId;
  readonly post: Post;
}

export interface DroppedNote extends Held {
  readonly reason: string;
  readonly at: Instant;
}

export interface HistoryRequest {
  readonly instance: InstanceId;
  readonly after: number;
  readonly limit: number;
}
