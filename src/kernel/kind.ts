/**
 * The contract between the kernel and a node kind.
 *
 * The kernel knows scopes, tokens and waits, and nothing of gateways or steps. A kind knows what
 * its node means, and nothing of how state is kept: it looks at a read-only view and answers with
 * a Move. Only the kernel turns moves into changes.
 *
 * A kind is run by the kernel (it has `enter`) or by a handler of the user's (it has `offer`): a
 * token born at the latter is ready at once and waits for a worker.
 */
import type { Json, JsonObject } from '../base/json.ts';
import type { Result } from '../base/result.ts';
import type { Change, Space } from '../model/change.ts';
import type { CodeView } from '../model/definition.ts';
import type { Diagnostic, DraftNode, SagaReach } from '../model/draft.ts';
import type { EdgeId, GroupId, InstanceId, Instant, NodeId, ScopeId } from '../model/ids.ts';
import type { Signal } from '../model/input.ts';
import type { Fault, Head, Token, Wait } from '../model/instance.ts';
import type { Limit } from '../model/lane.ts';
import type { Letter } from '../model/letter.ts';
import type { Limits } from '../model/limits.ts';
import type { PlanNode } from '../model/plan.ts';
import type { Told } from '../model/told.ts';
import type { Task, TaskAsk, TaskEntry } from '../model/task.ts';
import type { Instance, OpenScope } from './instance.ts';

export interface NodeKind<Config extends Json = Json> {
  readonly kind: string;
  /** Checks one drafted node and keeps only what running it needs. */
  compile(draft: DraftNode, wires: Wires): Result<Compiled<Config>, readonly Diagnostic[]>;
  /** A token has just arrived. */
  enter?(place: Place<Config>, view: View): Move;
  /** What a worker is offered when a token arrives at a node that a handler runs. */
  offer?(place: Pick<Place<Config>, 'node'>): Offer;
  /** What its handler is called, where that is not the node's own name in its flow's version. */
  handler?(place: Pick<Place<Config>, 'node'>, flow: string): string;
  /** A token that was woken is run by its handler again, instead of being resumed. */
  readonly reenters?: true;
  /** Every child is of one fresh group. */
  readonly forks?: true;
  /** A token that carries a group waits here from the start; `resume` says when it is complete. */
  readonly joins?: true;
  /** A token waits here from the start, until nobody else can still come (D7). */
  readonly inclusive?: true;
  /** What begins here is a chain: its steps are lined up as soon as a token moves here. */
  readonly linesUp?: true;
  /** A token that waited or was claimed has its answer. */
  resume?(place: Place<Config>, view: View, signal: Signal): Move;
  /** Its handler failed: when to run it again. Asked only while executions are left. */
  again?(place: Place<Config>, view: View): Instant | null;
  /**
   * A fault came out of the region of this node. What the node does about it, or null to let it
   * pass; nothing is done before everything inside has ended.
   */
  rescue?(place: Place<Config>, view: View, fault: Fault): Move | null;
  /** It fails after its region was over: what it finds again if someone mends it. */
  leaves?(place: Place<Config>, region: OpenScope): readonly Write[];
  /** How far a fault in the region of this node is undone; as around it if undefined. */
  saga?(place: Pick<Place<Config>, 'node'>): SagaReach | undefined;
  /**
   * A token that came to this node by another version of the plan stands here now. Why it cannot go
   * on from what it has; undefined if it can.
   */
  unfit?(place: Place<Config>, view: View): string | undefined;
  /** Somebody does something with the task that the token waits for. It takes no closure. */
  ask?(place: Place<Config>, view: View, ask: TaskAsk): Answered;
  /** Running it takes what the host of its flow knows: whoever lacks the flow only wakes. */
  readonly asksHost?: true;
  /** It leaves by one of its ways: where there are several, nobody can say by which. */
  readonly picksOne?: true;
  /** Why nobody may have it go on as if it had been done, or somewhere else. */
  readonly unskippable?: string;
  /** Goes on as if it had been done; without this, by the only way there is. */
  skip?(place: Place<Config>, view: View, value: Json): Move;
  /** Of the node that a plan begins with: what the world is told of all that was just done. */
  chronicle?(chronicle: Chronicle): readonly Omit<Letter, 'id'>[];
  /** Why it cannot have been done with this; undefined if it can. */
  unskipped?(place: Pick<Place<Config>, 'node'>, value: Json): string | undefined;
}

/** What has just been done to an instance, before it is committed. */
export interface Chronicle {
  readonly before: Instance;
  readonly after: Instance;
  readonly changes: readonly Change[];
  readonly nodes: ReadonlyMap<NodeId, PlanNode>;
  readonly view: View;
}

/** What comes of what people ask: nothing, for a reason; or something, and perhaps its end. */
export type Answered =
  /** It is so already. */
  | 'same'
  | { readonly refuse: AskRefusal }
  | {
      readonly entry: TaskEntry;
      readonly set?: Partial<Omit<Task, 'kind' | 'trail'>>;
      /** Null: no time wakes it any more. */
      readonly wakeAt?: Instant | null;
      /** Events for the world outside. */
      readonly letters?: readonly Omit<Letter, 'id'>[];
      /** It is done, and the token goes on with this. */
      readonly done?: Json;
    };

export interface AskRefusal {
  readonly code: 'task.forbidden' | 'task.refused';
  readonly message: string;
}

export interface Compiled<Config> {
  readonly config: Config;
  /** Slots of closures that running the node takes (D19). */
  readonly code?: readonly string[];
}

export interface Wires {
  readonly in: readonly EdgeId[];
  readonly out: readonly EdgeId[];
  /** The nodes of the region this node opens; empty for most kinds. */
  readonly body: readonly NodeId[];
}

export interface Offer {
  readonly priority?: number;
  readonly maxAttempts?: number;
  /** What it did can be undone, in so many executions. */
  readonly undoAttempts?: number;
  /** If it fails for good, it waits for someone to mend it. */
  readonly mends?: true;
  /** How long one execution may take, and all of them together, counted from its birth. */
  readonly timeoutMs?: number;
  readonly deadlineMs?: number;
  readonly undoTimeoutMs?: number;
  /** Its effects, and those of its undo, are in the same database and commit with its result. */
  readonly transactional?: true;
  /** How many at a time, and per time. */
  readonly limit?: Limit;
  /** What is limited, where that is not the node alone. */
  readonly limitedAs?: string;
}

/** Where a token stands: its node, itself, and the scope it lives in. */
export interface Place<Config = Json> {
  readonly node: PlanNode<Config>;
  readonly token: Token;
  readonly scope: OpenScope;
}

/** What a kind may know of the rest of the instance. */
export interface View {
  readonly now: Instant;
  /** How much of the time since then the instance was suspended. */
  asleep(since: Instant): number;
  readonly limits: Limits;
  /** Calls a closure of this node on what its scope (or another) sees. A throw is a fault. */
  call(place: Place, slot: string, seen?: Seen): Result<Json, Omit<Fault, 'node'>>;
  /** Everything that code in a scope may look at. */
  sight(scope: ScopeId): CodeView;
  /** Everything a scope sees of the results, its own and those up the tree. */
  resultsOf(scope: ScopeId): JsonObject;
  /** An open scope; a kind asks only for its own and the one it was told of. */
  scopeOf(scope: ScopeId): OpenScope;
  /** Seeds whatever is left to chance. */
  readonly instance: InstanceId;
  /** What is true of the instance as a whole. */
  readonly head: Head;
  /** The node its plan begins with: what is so for all of a definition stands there. */
  readonly start: PlanNode;
  /** What the program around the kernel says of itself. */
  readonly told: Told;
  /** The instance's business key, which messages are matched by unless a node says otherwise. */
  readonly key: string | null;
  /** Tokens parked at the same join in the same scope with the same innermost group. */
  arrivals(place: Place): number;
  /** Live tokens that carry the group anywhere on their stack. */
  members(group: GroupId): number;
}

/** From where a closure looks: another scope than its node's, or as another pass. */
export interface Seen {
  readonly scope?: ScopeId;
  readonly index?: number;
  /** What is to be caught. */
  readonly error?: Fault;
}

export type Move =
  /** Leave by these edges, one new token each. No edges means the token ends here. */
  | ({
      readonly move: 'take';
      readonly edges: readonly EdgeId[];
      /** Put a fresh group on the stack of every child. */
      readonly fork?: boolean;
      readonly writes?: readonly Write[];
      readonly close?: Close;
      /** The instance's output, if this node decides it. */
      readonly output?: Json;
      /** What an activity ended with, where that is not just that it is done. */
      readonly outcomes?: readonly string[];
      /** What was done can be undone, and this is what came of it. */
      readonly undo?: { readonly result: Json };
    } & Said)
  | {
      readonly move: 'park';
      readonly wait: Wait;
      readonly wakeAt?: Instant;
      /** The region failed and is tried again later; its scope closes first. */
      readonly error?: Fault;
      readonly close?: Close;
      readonly writes?: readonly Write[];
      /** Events for the world outside. */
      readonly letters?: readonly Omit<Letter, 'id'>[];
    }
  /** A token for each of these is there from now on; the first is ready, and `next` leads on. */
  | { readonly move: 'line-up'; readonly nodes: readonly NodeId[] }
  /** The next token of the line is ready, if there is one. */
  | { readonly move: 'next' }
  /** Start an instance of another flow and wait for its end. */
  | ({ readonly move: 'call' } & Calling)
  /** End here, and with it everything else in this scope. */
  | ({
      readonly move: 'prevail';
      readonly writes?: readonly Write[];
      readonly close?: Close;
    } & Said)
  /** Open the region of this node and wait for it; the scope of the last pass closes first. */
  | {
      readonly move: 'open';
      readonly start: NodeId;
      readonly index?: number;
      readonly item?: Json;
      /** Variables that the region begins with. */
      readonly vars?: JsonObject;
      readonly close?: Close;
      readonly writes?: readonly Write[];
      /** Another token comes to this node, in the same scope, and enters it after this one. */
      readonly beside?: true;
    }
  /** Take every token that arrived here with the same group, and go on as one. */
  | { readonly move: 'join'; readonly edges: readonly EdgeId[] }
  /** Stay parked. Only the answer to a signal that changed nothing. */
  | { readonly move: 'stay' }
  /** End the whole instance now, whatever else is alive. */
  | { readonly move: 'terminate'; readonly output: Json }
  | { readonly move: 'fault'; readonly fault: Omit<Fault, 'node'> };

/** What others hear of a move, in its own commit. */
export interface Said {
  /** A message for whoever waits for it. */
  readonly emit?: Emission;
  /** Instances of other flows begin, and nobody here waits for them or ends them. */
  readonly starts?: readonly Calling[];
  /** Events for the world outside. */
  readonly letters?: readonly Omit<Letter, 'id'>[];
}

export interface Emission {
  readonly type: string;
  /** Null: for those who do not ask for a key. */
  readonly key: string | null;
  readonly data: Json;
}

export interface Calling {
  readonly flow: string;
  readonly version: number | null;
  readonly input: Json;
  readonly key: string | null;
  /** If no process has brought such a flow yet, the call fails: nobody waits for one that will. */
  readonly known?: true;
  /** It goes on if whoever called it ends before. */
  readonly lasts?: true;
}

export interface Write {
  readonly in: 'scope' | 'instance';
  readonly space: Space;
  readonly name: string;
  readonly value: Json;
}

/** A scope that has emptied and closes with this move; its results may go up to the opener's. */
export interface Close {
  readonly scope: ScopeId;
  readonly promote: boolean;
}

export type Kinds = ReadonlyMap<string, NodeKind>;
