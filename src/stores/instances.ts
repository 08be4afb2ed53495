/**
 * The part of the port that is about instances as people look for them, and about removing those
 * that are over.
 *
 * Instances are found newest first, by their ids. What no index answers is found by walking, and a
 * walk has an end: a page may be short, or even empty, and still say where the next one begins. So
 * no question reads a whole table at once, however large it is. Removing walks the other way and
 * in the same manner: each call is one short transaction.
 */
import type { Attribute } from '../model/attribute.ts';
import type { InstanceId, Instant } from '../model/ids.ts';
import type { Head, InstanceStatus } from '../model/instance.ts';

export interface Instances {
  /** Those that are as asked for, newest first, from behind `before` on. */
  find(request: FindRequest): Promise<Found>;
  /** How many there are of each kind, and why something is wrong, among the newest. */
  tally(request: TallyRequest): Promise<Tally>;
  /**
   * Removes instances that are over, and all that was theirs, in one transaction. Those that
   * somebody still has a use for are kept and counted: something they have for others is on its
   * way, or the instance that called them is open. Letters stay, whoever wrote them. Ids that
   * somebody chose are remembered in the same transaction.
   */
  prune(request: PruneRequest): Promise<Pruned>;
  /** Whether it was the id of an instance that was removed, as far as somebody chose it. */
  wasPruned(id: InstanceId): Promise<boolean>;
  /**
   * Removes messages that nobody can have any more and that nobody had lately, and who had them:
   * for as long as a message is kept, whoever had it is what keeps others from it (D13).
   */
  pruneMessages(request: PruneMessagesRequest): Promise<PrunedMessages>;
}

/** As people are shown it: `waiting` is running with nothing ready. */
export type ShownStatus = InstanceStatus | 'waiting';

/** Null: it does not matter. */
export interface FindRequest {
  readonly flow: string | null;
  readonly version: number | null;
  readonly statuses: readonly ShownStatus[] | null;
  /** Only those that are. */
  readonly stalled: boolean;
  readonly key: string | null;
  readonly tenant: string | null;
  readonly parent: string | null;
  readonly created: Period;
  readonly ended: Period;
  readonly fault: FaultSought | null;
  readonly attributes: readonly Sought[];
  readonly before: string | null;
  readonly limit: number;
  /** How many are looked at, at most. */
  readonly walk: number;
}

/** From a moment on and up to another, which is no longer in it. */
export interface Period {
  readonly from: Instant | null;
  readonly to: Instant | null;
}

/**
 * All of what is given, in one: a code, how a code begins, what a message contains, where it
 * happened. It is the fault of the instance, or why one of its tokens waits to be mended.
 */
export interface FaultSought {
  readonly code: string | null;
  readonly prefix: string | null;
  readonly text: string | null;
  readonly node: string | null;
}

/** An attribute that is this, or a number between two, which are both in it. */
export type Sought =
  | { readonly name: string; readonly is: Attribute }
  | { readonly name: string; readonly low: number | null; readonly high: number | null };

export interface Found {
  readonly instances: readonly FoundInstance[];
  /** Where the next page begins; null if there is none. */
  readonly next: InstanceId | null;
}

export interface FoundInstance
  extends Omit<Head, 'status' | 'plan' | 'version' | 'counter' | 'input' | 'output' | 'pauses'> {
  readonly status: ShownStatus;
  readonly attributes: Attributes;
}

export type Attributes = Readonly<Record<string, Attribute>>;

/** Null: it does not matter. */
export interface TallyRequest {
  readonly flow: string | null;
  readonly tenant: string | null;
  /** How many are looked at, at most: the newest. */
  readonly walk: number;
}

export interface Tally {
  /** How many instances the groups are made of. */
  readonly counted: number;
  /** Whether those are all there are; else they are the newest. */
  readonly isAll: boolean;
  readonly groups: readonly TallyGroup[];
  /** Those with the most first. */
  readonly causes: readonly TallyCause[];
}

export interface TallyGroup {
  readonly flow: string;
  readonly version: number;
  readonly status: ShownStatus;
  readonly count: number;
}

/** What went wrong in the same way at the same place. */
export interface TallyCause {
  readonly flow: string;
  /** Null: nowhere in particular. */
  readonly node: string | null;
  readonly code: string;
  /** Instances that failed, or tokens that wait to be mended. */
  readonly kind: 'failed' | 'incident';
  /** Of those. */
  readonly count: number;
  readonly newest: InstanceId;
  /** What it said, cut to some length: what it said most often comes first. */
  readonly messages: readonly { readonly message: string; readonly count: number }[];
}

/** How an instance can be over. */
export type EndedStatus = Extract<InstanceStatus, 'completed' | 'failed' | 'canceled'>;

export interface PruneRequest {
  readonly statuses: readonly EndedStatus[];
  readonly flow: string | null;
  readonly tenant: string | null;
  /** Those that were over by then. */
  readonly before: Instant;
  /** What the call before ended with. */
  readonly after: string | null;
  /** How many are removed, and how many are looked at for that, at most. */
  readonly limit: number;
  readonly walk: number;
  /** Nothing is removed: what would be is counted. */
  readonly dryRun: boolean;
}

export interface Pruned {
  readonly pruned: number;
  readonly kept: number;
  /** Where the next call begins; null if this was the last. */
  readonly next: string | null;
}

export interface PruneMessagesRequest {
  readonly before: Instant;
  readonly after: string | null;
  readonly walk: number;
  readonly dryRun: boolean;
}

export interface PrunedMessages {
  readonly pruned: number;
  readonly next: string | null;
}
