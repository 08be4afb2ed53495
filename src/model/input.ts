import type { Json, JsonObject } from '../base/json.ts';
import type { Act, Birth, Restored } from './change.ts';
import type { InstanceId, Instant, NodeId, PlanHash, ScopeId, TokenId } from './ids.ts';
import type { Fault, Passage, Undo } from './instance.ts';
import type { Letter } from './letter.ts';
import type { ChildAnswer } from './post.ts';
import type { TaskAsk } from './task.ts';

/** Everything that can happen to an instance. Time comes in here and nowhere else. */
export type Input =
  | {
      readonly type: 'start';
      readonly at: Instant;
      readonly birth: Omit<Birth, 'plan'>;
      /** Its flow is halted: it begins suspended. */
      readonly halted?: true;
      /** The `traceparent` of whoever started it. */
      readonly trace?: string;
    }
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
      /** When it was published: then all that listen to it are told, too. */
      readonly published?: Instant;
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
  | ({
      readonly type: 'cancel';
      readonly at: Instant;
      readonly saga: boolean;
      /** Only this activity of a flowchart. */
      readonly activity?: NodeId;
    } & Acted)
  | ({
      readonly type: 'suspend';
      readonly at: Instant;
      /** Its flow was halted then: whoever was resumed since, by name, goes on. */
      readonly haltedAt?: Instant;
    } & Acted)
  | ({
      readonly type: 'resume';
      readonly at: Instant;
      /** Its flow goes on: whoever was suspended by name stays so. */
      readonly halt?: true;
    } & Acted)
  /** What parked as an incident is tried again, or what waits to be; all of it if null. */
  | ({ readonly type: 'retry'; readonly at: Instant; readonly token: TokenId | null } & Acted)
  /** A token goes on as if this were its result. */
  | ({
      readonly type: 'skip';
      readonly at: Instant;
      readonly token: TokenId;
      readonly value: Json;
    } & Acted)
  | ({
      readonly type: 'wake';
      readonly at: Instant;
      /** Null: the only one that waits for something from outside. */
      readonly token: TokenId | null;
      readonly data: Json;
      /** Written in its scope before it goes on. */
      readonly vars?: JsonObject;
      readonly arm: string | null;
      /** Whoever wakes it has this kind of node, and so may wake what is gated. */
      readonly as?: string;
    } & Acted)
  /** Somebody does something with the task that a token waits for. */
  | {
      readonly type: 'task';
      readonly at: Instant;
      readonly token: TokenId;
      readonly ask: TaskAsk;
    }
  /** A variable of a scope, or of the whole instance if that is null. */
  | ({
      readonly type: 'set';
      readonly at: Instant;
      readonly scope: ScopeId | null;
      readonly name: string;
      readonly value: Json;
    } & Acted)
  | ({
      readonly type: 'move';
      readonly at: Instant;
      readonly token: TokenId;
      readonly to: NodeId;
    } & Acted)
  /** Open again as it was: `seen` is the version from whose history that was made. */
  | ({
      readonly type: 'restore';
      readonly at: Instant;
      readonly seen: number;
      readonly past: Past;
      /** Its flow is halted: if it was over, it is open and suspended. */
      readonly halted?: true;
    } & Acted)
  /** Someone did something that is no input of its own: they sent it a message. */
  | { readonly type: 'note'; readonly at: Instant; readonly act: Act }
  /** A new instance that begins as another one once was. */
  | ({
      readonly type: 'copy';
      readonly at: Instant;
      readonly birth: Omit<Birth, 'plan'>;
      readonly past: Past;
      /** Its flow is halted: it begins suspended. */
      readonly halted?: true;
    } & Acted);

/**
 * The instance goes on by another plan. Not an input like the others: it takes two plans, and the
 * kernel has a function of its own for it.
 */
export interface Migration extends Acted {
  readonly at: Instant;
  /** The plan that it leaves: `nodes` names nodes of that one, and of no other. */
  readonly from: PlanHash;
  /** Nodes that are called otherwise in the other plan; the rest keep their names. */
  readonly nodes: Readonly<Record<string, string>>;
}

/** What people do says who did it; what happens by itself does not. */
export interface Acted {
  readonly act?: Act;
}

/** A state out of the history of an instance, in the middle of a stride. */
export interface Past {
  readonly rows: Restored;
  /** When that was: no timeout has run since. */
  readonly at: Instant;
  /** The one that failed: it has all its executions anew. */
  readonly failed: TokenId | null;
  /** What has been at work since then, and is not part of it. */
  readonly doubts: readonly Doubt[];
}

/** A step that may have been done, and that can be undone. */
export type Doubt = Omit<Undo, 'id'>;

/** What the store knows of a claim, told so that history shows the run. */
export interface ClaimFact {
  readonly worker: string;
  readonly version: number;
  readonly at: Instant;
}

export interface Message {
  readonly id: string;
  readonly type: string;
  /** Empty if it has none, or is for one instance. */
  readonly key: string;
  /** For this one alone, and for any wait of it for the type, whatever the key of that. */
  readonly instance?: InstanceId;
  /** Only instances of this tenant may have it; left out, all may. */
  readonly tenant?: string;
  /** The `traceparent` of whoever published it (W3C Trace Context): kept, and handed on. */
  readonly trace?: string;
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
      /** How an activity of a flowchart ended; `Done` if it said nothing. */
      readonly outcomes?: readonly string[];
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
  | {
      readonly on: 'result';
      readonly value: Json;
      readonly sets: readonly VarWrite[];
      readonly outcomes?: readonly string[];
    }
  | ({ readonly on: 'waiting' } & Awaiting)
  | { readonly on: 'time'; readonly arm?: string }
  | { readonly on: 'message'; readonly data: Json; readonly arm?: string }
  /** Those who were woken by an older program do not know from whom it is. */
  | { readonly on: 'child'; readonly answer: ChildAnswer; readonly from?: InstanceId }
  /** People are done with it, and this is what came of it. */
  | { readonly on: 'task'; readonly value: Json }
  /** Somebody woke it by its number. */
  | { readonly on: 'signal'; readonly data: Json }
  /** Someone decided that it goes on as if this were its result. */
  | { readonly on: 'skip'; readonly value: Json }
  /** It failed while the instance was suspended, and that goes on. */
  | ({ readonly on: 'fault'; readonly fault: Fault } & Passage)
  | { readonly on: 'scope'; readonly scope: ScopeId }
  | { readonly on: 'join' };
