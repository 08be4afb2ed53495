import type { Json } from '../base/json.ts';
import type {
  GroupId,
  InstanceId,
  Instant,
  NodeId,
  PlanHash,
  ScopeId,
  TokenId,
  UndoId,
} from './ids.ts';
import type { ActionName } from './action.ts';
import type { Attribute } from './attribute.ts';
import type {
  Fault,
  InstanceRows,
  ParentRef,
  Scope,
  Stalled,
  Token,
  Undo,
  Wait,
  Wake,
} from './instance.ts';
import type { Letter } from './letter.ts';
import type { Post } from './post.ts';
import type { Task, TaskEntry } from './task.ts';

/**
 * A fact about an instance. The same list is the state transition, the rows a store writes and the
 * history a reader sees, so the three cannot drift apart. What has its usual value is left out:
 * history is kept for ever.
 */
export type Change =
  | { readonly did: 'start-instance'; readonly instance: Birth }
  /** A region begins, and the token that owns it waits for it. */
  | { readonly did: 'open-scope'; readonly scope: NewScope }
  /** A region has emptied: its owner goes on in this stride, with its results if it wants them. */
  | { readonly did: 'return-scope'; readonly scope: ScopeId; readonly promote?: true }
  /** A region ends together with its owner, or the whole instance does. */
  | { readonly did: 'close-scope'; readonly scope: ScopeId }
  /** Nobody wants its tokens any more; those a handler may be at work on stay until it answers. */
  | { readonly did: 'drain-scope'; readonly scope: ScopeId; readonly to: ScopeId }
  /** What it was part of is over, and it is not yet empty: from now on it belongs to its saga. */
  | { readonly did: 'release-scope'; readonly scope: ScopeId }
  | {
      readonly did: 'write';
      readonly scope: ScopeId;
      readonly space: Space;
      readonly name: string;
      readonly value: Json;
    }
  | { readonly did: 'birth-token'; readonly token: NewToken }
  /** A worker had it, as the store tells; `at` is the moment of the claim. */
  | {
      readonly did: 'claim-token';
      readonly token: TokenId;
      readonly worker: string;
      readonly version: number;
      readonly at: Instant;
    }
  /** The step before it in its chain is done. */
  | { readonly did: 'activate-token'; readonly token: TokenId }
  /** The kernel itself goes on with it in this stride. */
  | { readonly did: 'enter-token'; readonly token: TokenId }
  | {
      readonly did: 'park-token';
      readonly token: TokenId;
      readonly wait: Wait;
      readonly wakeAt?: Instant;
      /** What failed, if that is why it waits: an attempt more. */
      readonly error?: Fault;
    }
  | {
      readonly did: 'wake-token';
      readonly token: TokenId;
      readonly wake: Wake;
      readonly handler?: string;
      /** The kernel goes on with it in this stride. */
      readonly enter?: true;
      /** As in rest-token, where a long stride ends between a region and its owner. */
      readonly hops?: number;
      /** Someone has it tried again: so many executions in all, and no worker that died counts. */
      readonly maxAttempts?: number;
      /** Its handler runs again, knowing why. */
      readonly again?: true;
      /** Someone has it entered again: what failed before does not count. */
      readonly anew?: true;
    }
  /** Somebody did something with the task that it waits for; what is left out stays. */
  | {
      readonly did: 'alter-task';
      readonly token: TokenId;
      readonly entry: TaskEntry;
      readonly set?: Partial<Omit<Task, 'kind' | 'trail'>>;
      /** Null: no time wakes it any more. */
      readonly wakeAt?: Instant | null;
    }
  /** The stride is long enough: the token waits for the next one. */
  | {
      readonly did: 'rest-token';
      readonly token: TokenId;
      readonly handler: string | null;
      readonly hops: number;
    }
  | { readonly did: 'recover-token'; readonly token: TokenId; readonly error: Fault }
  /** Its handler failed and will be run again, not before this moment. */
  | {
      readonly did: 'retry-token';
      readonly token: TokenId;
      readonly error: Fault;
      readonly availableAt: Instant;
    }
  | {
      readonly did: 'end-token';
      readonly token: TokenId;
      readonly why: Departure;
      readonly fault?: Fault;
      /** What an activity of a flowchart ended with, for people to read; just done if not said. */
      readonly outcomes?: readonly string[];
    }
  | { readonly did: 'open-latch'; readonly latch: LatchKey }
  | { readonly did: 'fire-latch'; readonly latch: LatchKey }
  | { readonly did: 'drop-latch'; readonly latch: LatchKey }
  /** A step that can be undone is complete, or in doubt. */
  | { readonly did: 'record-undo'; readonly undo: NewUndo }
  | {
      readonly did: 'settle-undo';
      readonly undo: UndoId;
      readonly as: 'completed' | 'failed';
      readonly fault?: Fault;
    }
  /** A region that is over leaves what may have to be undone to the saga around it, or to none. */
  | { readonly did: 'hand-undos'; readonly from: ScopeId; readonly to: ScopeId | null }
  /** From now on nothing goes forward in this scope; without a fault the instance is canceled. */
  | { readonly did: 'start-saga'; readonly scope: ScopeId; readonly fault?: Fault }
  | { readonly did: 'end-saga'; readonly scope: ScopeId }
  /** Something for another instance, carried there after the commit. */
  | { readonly did: 'post'; readonly post: Post }
  /** Something for the world outside, brought there after the commit. */
  | { readonly did: 'send'; readonly letter: Letter }
  | { readonly did: 'set-output'; readonly output: Json }
  /** What it is found by from now on; null: by this name no longer. Nothing else comes of it. */
  | { readonly did: 'tag'; readonly name: string; readonly value: Attribute | null }
  /** Someone did what follows: who, what and why, if they said so. */
  | { readonly did: 'act'; readonly act: Act }
  /** Nothing of the instance is due or can be claimed until it is resumed. */
  | {
      readonly did: 'suspend';
      /** Because its flow is. */
      readonly halt?: true;
    }
  | {
      readonly did: 'resume';
      /** Because its flow goes on. */
      readonly halt?: true;
    }
  /** Its timeout stood still while the instance was suspended, and comes so much later. */
  | { readonly did: 'defer-token'; readonly token: TokenId; readonly wakeAt: Instant }
  /** Its next execution need not wait any longer. */
  | { readonly did: 'hasten-token'; readonly token: TokenId }
  /** It goes on by another plan of its flow; what stands elsewhere there follows. */
  | { readonly did: 'migrate'; readonly plan: PlanHash; readonly flowVersion: number }
  /** What the other plan has otherwise for it; whatever is left out stays. */
  | ({ readonly did: 'place-token'; readonly token: TokenId } & Placing)
  | { readonly did: 'place-scope'; readonly scope: ScopeId; readonly node: NodeId }
  | { readonly did: 'place-undo'; readonly undo: UndoId; readonly node: NodeId }
  /** The other plan has no such step, and its turn in the chain had not come. */
  | { readonly did: 'drop-token'; readonly token: TokenId }
  /** It is open again, as it was at some earlier time: these rows and no others. */
  | { readonly did: 'restore'; readonly as: Restored }
  | { readonly did: 'stall'; readonly stalled: Stalled }
  | { readonly did: 'unstall' }
  | {
      readonly did: 'finish';
      readonly as: Finish;
      readonly fault?: Fault;
      readonly outcome?: 'compensated';
    };

/** What someone did to an instance, for people to read. */
export interface Act {
  readonly verb: ActionName;
  readonly by: string | null;
  readonly why?: string;
  /** The bulk that it was part of. */
  readonly bulk?: string;
}

export type Placing = Partial<
  Pick<
    Token,
    | 'node'
    | 'scope'
    | 'groups'
    | 'via'
    | 'handler'
    | 'maxAttempts'
    | 'priority'
    | 'lanes'
    | 'lastError'
  >
>;

/** An instance as it was; its number, its name and its input stay what they are. */
export interface Restored extends Omit<InstanceRows, 'head'> {
  readonly output: Json;
}

/**
 * Results of nodes by node name, variables by their own name, and what a node keeps of its items:
 * spaces that never mix. The last is the node's own, and is not read up the tree.
 */
export type Space = 'results' | 'vars' | 'items';

/** How a token left its node, and by that the state it ends in (see `kernel/transitions.ts`). */
export type Departure = 'done' | 'joined' | 'failed' | 'cancelled';

/** How an instance ended. */
export type Finish = 'completed' | 'failed' | 'canceled';

export interface Birth {
  readonly id: InstanceId;
  readonly plan: PlanHash;
  readonly flow: string;
  readonly flowVersion: number;
  readonly input: Json;
  readonly key?: string;
  readonly tenant?: string;
  readonly priority?: number;
  readonly parent?: ParentRef;
}

export type NewScope = Pick<Scope, 'id' | 'parent' | 'owner' | 'node'> &
  Partial<Pick<Scope, 'index' | 'item' | 'vars'>>;

/** Born executing, unless it says otherwise: ready for a handler, or waiting at a join. */
export type NewToken = Pick<Token, 'id' | 'scope' | 'node'> &
  Partial<
    Pick<
      Token,
      | 'status'
      | 'via'
      | 'handler'
      | 'seq'
      | 'groups'
      | 'priority'
      | 'lanes'
      | 'maxAttempts'
      | 'availableAt'
      | 'wait'
      | 'mode'
    >
  > & {
    /** What a compensation undoes. */
    readonly undoes?: UndoId;
    /** What its wake says of a trace, if it is part of one. */
    readonly trace?: string;
  };

/** Not in doubt, of no pass and not yet undone, unless it says otherwise. */
export type NewUndo = Pick<Undo, 'id' | 'saga' | 'node' | 'token'> &
  Partial<Pick<Undo, 'visit' | 'result' | 'index' | 'item' | 'inDoubt'>>;

export interface LatchKey {
  readonly scope: ScopeId;
  readonly node: NodeId;
  readonly group: GroupId;
}
