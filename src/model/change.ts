import type { Json } from '../base/json.ts';
import type { GroupId, InstanceId, Instant, NodeId, PlanHash, ScopeId, TokenId } from './ids.ts';
import type { Fault, Scope, Stalled, Token, Wait, Wake } from './instance.ts';

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
  /** The kernel itself goes on with it in this stride. */
  | { readonly did: 'enter-token'; readonly token: TokenId }
  | {
      readonly did: 'park-token';
      readonly token: TokenId;
      readonly wait: Wait;
      readonly wakeAt?: Instant;
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
    }
  /** The stride is long enough: the token waits for the next one. */
  | {
      readonly did: 'rest-token';
      readonly token: TokenId;
      readonly handler: string | null;
      readonly hops: number;
    }
  | { readonly did: 'recover-token'; readonly token: TokenId; readonly error: Fault }
  | {
      readonly did: 'end-token';
      readonly token: TokenId;
      readonly why: Departure;
      readonly fault?: Fault;
    }
  | { readonly did: 'open-latch'; readonly latch: LatchKey }
  | { readonly did: 'fire-latch'; readonly latch: LatchKey }
  | { readonly did: 'drop-latch'; readonly latch: LatchKey }
  | { readonly did: 'set-output'; readonly output: Json }
  | { readonly did: 'stall'; readonly stalled: Stalled }
  | { readonly did: 'unstall' }
  | { readonly did: 'finish'; readonly as: Finish; readonly fault?: Fault };

/** Results of nodes by node name, and variables by their own name: two spaces that never mix. */
export type Space = 'results' | 'vars';

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
      | 'maxAttempts'
      | 'availableAt'
      | 'wait'
    >
  >;

export interface LatchKey {
  readonly scope: ScopeId;
  readonly node: NodeId;
  readonly group: GroupId;
}
