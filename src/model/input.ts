import type { Json } from '../base/json.ts';
import type { Birth } from './change.ts';
import type { InstanceId, Instant, ScopeId, TokenId } from './ids.ts';
import type { Fault } from './instance.ts';
import type { Letter } from './letter.ts';
import type { ChildAnswer } from './post.ts';

/** Everything that can happen to an instance. Time comes in here and nowhere else. */
export type Input =
  | { readonly type: 'start'; readonly at: Instant; readonly birth: Omit<Birth, 'plan'> }
  /** A handler answered for a token this worker had claimed. */
  | {
      readonly type: 'result';
      readonly at: Instant;
      readonly token: TokenId;
      readonly claim: ClaimFact;
      readonly outcome: Outcome;
    }
  /** A worker claimed a ready token that needs no handler: let the kernel go on. */
  | {
      readonly type: 'continue';
      readonly at: Instant;
      readonly token: TokenId;
      readonly claim: ClaimFact;
    }
  /** The token's `wakeAt` has come. */
  | { readonly type: 'time'; readonly at: Instant; readonly token: TokenId }
  | {
      readonly type: 'message';
      readonly at: Instant;
      readonly token: TokenId;
      readonly message: Message;
    }
  /** A lease ran out without a result. */
  | {
      readonly type: 'expire';
      readonly at: Instant;
      readonly token: TokenId;
      readonly claim: ClaimFact;
    }
  /** An instance that this one called is over. */
  | {
      readonly type: 'child';
      readonly at: Instant;
      readonly token: TokenId;
      readonly from: InstanceId;
      readonly answer: ChildAnswer;
    }
  /** Ends the instance from outside; with `saga`, what was done is undone first. */
  | { readonly type: 'cancel'; readonly at: Instant; readonly saga: boolean }
  /** A token that parked as an incident is tried again, or goes on as if this were its result. */
  | { readonly type: 'retry'; readonly at: Instant; readonly token: TokenId }
  | {
      readonly type: 'skip';
      readonly at: Instant;
      readonly token: TokenId;
      readonly value: Json;
    };

/** What the store knows of a claim, told so that history shows the run. */
export interface ClaimFact {
  readonly worker: string;
  readonly version: number;
  readonly at: Instant;
}

export interface Message {
  readonly id: string;
  readonly type: string;
  /** Empty if it is for one instance. */
  readonly key: string;
  /** For this one alone, and for any wait of it for the type, whatever the key of that. */
  readonly instance?: InstanceId;
  readonly data: Json;
}

/** What a step of a chain waits for, and what it has to tell the world outside before it does. */
export interface Awaiting {
  readonly type: string;
  /** Null: it waits for as long as it takes. */
  readonly timeoutMs: number | null;
  readonly letters: readonly Omit<Letter, 'id'>[];
}

/** What came of one execution of a handler; `output` is what the instance's is from now on. */
export type Outcome =
  | {
      readonly outcome: 'done';
      readonly value: Json;
      readonly sets?: readonly VarWrite[];
      readonly output?: Json;
    }
  /** A step of a chain waits for a message, and is run again when it comes or its time is over. */
  | ({ readonly outcome: 'waiting'; readonly output?: Json } & Awaiting)
  | {
      readonly outcome: 'failed';
      readonly fault: Omit<Fault, 'node'>;
      /** When to try again, if it is tried again; by its policy if not said. */
      readonly afterMs?: number;
      readonly output?: Json;
      /** Its own policy sees no use in another try. */
      readonly final?: true;
      /** It was given up on, not answered: whether it did anything is not known. */
      readonly inDoubt?: true;
    }
  /** Nobody wants it any more, so it was not run. */
  | { readonly outcome: 'unrun' };

/** A variable set by a handler, in its own scope or for the whole instance. */
export interface VarWrite {
  readonly name: string;
  readonly value: Json;
  readonly in: 'scope' | 'instance';
}

/** What a parked or claimed token is told when its turn comes. */
export type Signal =
  | { readonly on: 'result'; readonly value: Json; readonly sets: readonly VarWrite[] }
  | ({ readonly on: 'waiting' } & Awaiting)
  | { readonly on: 'time'; readonly arm?: string }
  | { readonly on: 'message'; readonly data: Json; readonly arm?: string }
  | { readonly on: 'child'; readonly answer: ChildAnswer }
  /** Someone decided that it goes on as if this were its result. */
  | { readonly on: 'skip'; readonly value: Json }
  | { readonly on: 'scope'; readonly scope: ScopeId }
  | { readonly on: 'join' };
