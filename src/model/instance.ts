import type { Json, JsonObject } from '../base/json.ts';
import type {
  EdgeId,
  GroupId,
  InstanceId,
  Instant,
  NodeId,
  PlanHash,
  ScopeId,
  TokenId,
  UndoId,
} from './ids.ts';
import type { LeaveReason } from './custom-kind.ts';
import type { Lane } from './lane.ts';
import type { Letter } from './letter.ts';
import type { Task } from './task.ts';

/** `waiting` is not stored: it is `running` with nothing ready (see `Run.status`). */
export type InstanceStatus =
  | 'running'
  | 'suspended'
  | 'compensating'
  | 'completed'
  | 'failed'
  | 'canceled';

/** What is true of an instance as a whole; one row. */
export interface Head {
  readonly id: InstanceId;
  readonly plan: PlanHash;
  readonly flow: string;
  readonly flowVersion: number;
  readonly status: InstanceStatus;
  /** The number of commits so far, and the number of the newest history row. */
  readonly version: number;
  /** The last scope, token or group id handed out. */
  readonly counter: number;
  readonly key: string | null;
  readonly tenant: string | null;
  readonly priority: number;
  readonly input: Json;
  readonly output: Json;
  readonly fault: Fault | null;
  readonly stalled: Stalled | null;
  /** What became of the work done before it failed or was canceled; null if nothing was undone. */
  readonly outcome: 'compensated' | null;
  /** When it was suspended, oldest first; the last one goes on while it has no end. */
  readonly pauses: readonly Pause[];
  /** The token of another instance that called this one and waits for its end. */
  readonly parent: ParentRef | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly endedAt: Instant | null;
}

/** A time in which an instance was suspended: nothing of it was due, and no timeout ran. */
export interface Pause {
  readonly from: Instant;
  readonly to: Instant | null;
  /** What it goes on as: what is suspended may still fail by what was at work. */
  readonly as: 'running' | 'compensating';
  /** Because its flow was halted, and not by its own name. */
  readonly halt?: true;
  /** It ended because someone resumed the instance by its own name. */
  readonly freed?: true;
}

export interface ParentRef {
  readonly instance: InstanceId;
  readonly token: TokenId;
}

/** A set of tokens with shared variables that ends when empty. Values are read up the tree. */
export interface Scope {
  readonly id: ScopeId;
  readonly parent: ScopeId | null;
  /** The token that opened this scope and waits for it; null for the root, and once let go of. */
  readonly owner: TokenId | null;
  /** The node whose region this is; null for the root. */
  readonly node: NodeId | null;
  /** Which pass or item this is; null where there is only one. */
  readonly index: number | null;
  readonly item: Json;
  /**
   * Nobody wants what its tokens bring, but a handler may be at work and its step can be undone:
   * this is the scope whose saga must hear how it ended. Null for every ordinary scope.
   */
  readonly drains: ScopeId | null;
  readonly results: JsonObject;
  readonly vars: JsonObject;
  /** What a node keeps of its items while they are at work; nobody inside sees it. */
  readonly items?: JsonObject;
}

export type TokenStatus =
  | 'created'
  | 'ready'
  | 'executing'
  | 'waiting'
  | 'completed'
  | 'failed'
  | 'terminated';

/**
 * A point of control in a scope, at a node. The claim columns (version, lockedBy, lockedUntil)
 * belong to the store and are not here: the kernel sees a claimed token as ready (D2).
 */
export interface Token {
  readonly id: TokenId;
  readonly scope: ScopeId;
  readonly node: NodeId;
  /** The edge the token arrived by; joins tell their arrivals apart with it. */
  readonly via: EdgeId | null;
  /** What a worker must have to take it while it is ready; null if no worker may. */
  readonly handler: string | null;
  /** Its place in a chain. Tokens with one stay as rows when they end. */
  readonly seq: number | null;
  readonly status: TokenStatus;
  readonly mode: 'forward' | 'compensation';
  /**
   * The forks it came through and has not joined yet, outermost first. In a flowchart: the pass it
   * is in of each loop around its node, 0 for the first one, without zeros at the end.
   */
  readonly groups: readonly GroupId[];
  /** How often this token entered its node: 1, and more where a wake re-enters. */
  readonly visit: number;
  /** Executions that failed, lease expiries among them. */
  readonly attempts: number;
  readonly crashes: number;
  readonly maxAttempts: number;
  readonly priority: number;
  /** The limits it is under while it is ready; empty for most. */
  readonly lanes: readonly Lane[];
  readonly availableAt: Instant;
  readonly wait: Wait | null;
  /** When time wakes it: the end of a sleep or the timeout of another wait. */
  readonly wakeAt: Instant | null;
  readonly wake: Wake | null;
  readonly lastError: Fault | null;
  /** Moves since the last wait or handler; only tokens that rested in mid-stride have any. */
  readonly hops: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** Why a token rests. Sleeping is `time`: the moment itself is the token's `wakeAt`. */
export type Wait =
  | ({ readonly on: 'time' } & Partial<KindWait>)
  | ({
      readonly on: 'message';
      readonly type: string;
      readonly key: string;
      /** When it should have come, where nothing happens if it has not: a chain may want that. */
      readonly until?: Instant;
    } & Partial<KindWait>)
  /** For the first of several messages, or for `wakeAt`. */
  | {
      readonly on: 'first';
      readonly any: readonly Awaited[];
      /** What the moment is called. */
      readonly timer?: string;
      /** Since when it counts as waiting; since it parks if not given. */
      readonly since?: Instant;
      /**
       * It listens: to what is published from then on, be it had by others or not, and is told the
       * whole event. All of an instance that listen to a message are told in one commit.
       */
      readonly live?: true;
    }
  | { readonly on: 'join' }
  /** At an inclusive join. */
  | { readonly on: 'inclusive' }
  /** Before an activity of a flowchart, for others or for its turn to be consumed. */
  | {
      readonly on: 'merge';
      /** Nobody came by its edge yet; whoever does is consumed together with it. */
      readonly block?: true;
    }
  | { readonly on: 'scope'; readonly scope: ScopeId }
  /** Its region failed and is being undone; then it fails with this fault itself. */
  | { readonly on: 'saga'; readonly scope: ScopeId; readonly fault: Fault }
  /** Another instance, which it called. */
  | {
      readonly on: 'child';
      readonly instance: InstanceId;
      /** It goes on if nobody waits for it any more. */
      readonly lasts?: true;
    }
  /** People. */
  | { readonly on: 'task'; readonly task: Task }
  /** For someone to wake it by its number; what for, its kind says. */
  | ({ readonly on: 'signal' } & KindWait)
  /** For someone to mend it; `lastError` says what failed, `can` what can be done. */
  | {
      readonly on: 'incident';
      readonly can: readonly Remedy[];
      /** It failed while the instance was suspended, and fails for good when that goes on. */
      readonly held?: Passage;
    };

/** What an application's kind keeps of a wait of its own. */
export interface KindWait {
  readonly name: string;
  readonly data?: Json;
  /** Not for everyone to wake: for whoever has its kind. */
  readonly gated?: true;
  /** What is sent when it is over. It stands here so that any process can, whatever it has. */
  readonly leave?: Readonly<Partial<Record<LeaveReason, readonly Omit<Letter, 'id'>[]>>>;
}

/** What a fault has passed on its way to the token it is at. */
export interface Passage {
  /** Out of a region that was a saga of its own. */
  readonly past?: true;
  /** Something was undone on its way. */
  readonly undone?: true;
}

/** One of the messages that answer a wait; of any key, or of any type and key (`ANY`). */
export interface Awaited {
  readonly arm: string;
  readonly type: string;
  readonly key: string;
}

/** What a token listens to, and since when. */
export interface Listening {
  readonly any: readonly Awaited[];
  readonly since: Instant;
}

export type Remedy = 'retry' | 'skip' | 'cancel';

export type WakeReason = 'first' | 'retry' | 'event' | 'timeout' | 'resume' | 'lease-recovery';

/** What woke a token, kept on it so that a second run after a crash is woken the same way (D10). */
export interface Wake {
  readonly reason: WakeReason;
  readonly payload: Json;
  /** Which of several it was. */
  readonly arm?: string;
  /** When someone had it tried again: all its time counts from then. */
  readonly since?: Instant;
  /** What it waited for, where that was a kind's own: it is over when the node has gone on. */
  readonly waited?: Wait & KindWait;
  /** What it listens to: it has heard something, and is to be told before it hears more. */
  readonly listens?: Listening;
  /** The trace it is part of, as a W3C `traceparent`: handed on to whatever comes of it. */
  readonly trace?: string;
  /** The one it was part of before, where what woke it brought another. */
  readonly left?: string;
}

/** The row that makes a join fire once (D7): who is expected and who came, the tokens tell. */
export interface Latch {
  readonly scope: ScopeId;
  readonly node: NodeId;
  readonly group: GroupId;
  readonly fired: boolean;
}

/** Something went wrong inside the instance. A value, stored and shown; never thrown. */
export interface Fault {
  readonly code: string;
  readonly message: string;
  readonly node: NodeId | null;
  readonly details?: JsonObject;
  /** Trying again would not help: no retry policy does. */
  readonly fatal?: true;
  /** No answer came, so whether anything was done is not known. */
  readonly unanswered?: true;
  /** The definition is wrong, and not what it was given: nobody catches it. */
  readonly guard?: true;
}

/**
 * A completed step that can be undone, and whether it was. Written in the commit that completes the
 * step, and never altered but for what became of it; the newest is undone first.
 */
export interface Undo {
  readonly id: UndoId;
  /** The scope whose saga it belongs to. */
  readonly saga: ScopeId;
  readonly node: NodeId;
  /** The token that ran the step, and its visit: by these the step was known to the outside. */
  readonly token: TokenId;
  readonly visit: number;
  readonly result: Json;
  readonly index: number | null;
  readonly item: Json;
  /** No answer came: whether the step did anything is not known. */
  readonly inDoubt: boolean;
  readonly status: 'pending' | 'completed' | 'failed';
  /** The token that undoes it, while it does. */
  readonly by: TokenId | null;
  /** Why it could not be undone. */
  readonly fault: Fault | null;
}

/** Nothing runs and nothing is waited for: which joins hold tokens and lack which edges. */
export interface Stalled {
  readonly reason: 'join';
  readonly joins: readonly StalledJoin[];
}

export interface StalledJoin {
  readonly node: NodeId;
  readonly scope: ScopeId;
  /** Null where none is asked for: at an inclusive join, and at an activity in no loop. */
  readonly group: GroupId | null;
  readonly arrived: readonly TokenId[];
  readonly missing: readonly EdgeId[];
}

/** Everything a store keeps of an open instance, and what a snapshot holds. */
export interface InstanceRows {
  readonly head: Head;
  readonly tokens: readonly Token[];
  readonly scopes: readonly Scope[];
  readonly latches: readonly Latch[];
  readonly undos: readonly Undo[];
}
