/**
 * What the nodes of a Serverless Workflow are told: written by the frontend, read by the kinds in
 * `nodes/serverless` and by whoever makes their calls. Plain JSON, and part of the plan.
 *
 * Which texts are expressions is decided once, where the definition is read: here an expression and
 * a text that looks like one can never be taken for each other.
 */
import type { Json, JsonObject } from '../base/json.ts';
import type { EdgeId, NodeId } from './ids.ts';

/** A value in which expressions stand: evaluated, it is that value with theirs in their places. */
export type Template =
  /** Just this. */
  | { readonly lit: Json }
  /** What a jq program yields: nothing is null, and several are a list. */
  | { readonly jq: string }
  /** Tried as a jq program, and if that fails, the text itself (`evaluate.mode: loose`). */
  | { readonly loose: string }
  | { readonly list: readonly Template[] }
  | { readonly map: readonly (readonly [string, Template])[] };

/** A stage of the data flow: what is made of the data, and what must then be true of it. */
export interface Stage {
  readonly as?: Template;
  /** A JSON Schema. */
  readonly schema?: Json;
}

/** What every task may have, whatever it does. */
export interface Envelope {
  readonly name: string;
  /** Where it stands in the definition, if that is not the node's id. */
  readonly at?: string;
  /** The task that `$task` tells of, if it is another: the one that is extended. */
  readonly of?: string;
  readonly if?: string;
  readonly input?: Stage;
  readonly output?: Stage;
  readonly export?: Stage;
  /** By which edge it goes on when done; null: its list is over. */
  readonly next: EdgeId | null;
  /** By which edge if it is skipped, where that is another. */
  readonly skip?: EdgeId | null;
  /** Where its output goes, if not into the data of its list: a branch of a fork keeps its own. */
  readonly into?: string;
  /** Done, it ends everything else in its scope: the others have lost. */
  readonly prevails?: true;
  /** Its input was made by the node around it, which has the raw one. */
  readonly inner?: true;
}

/** A node that has a task's envelope. */
export interface Tasked {
  readonly task: Envelope;
}

/** Where a region begins; null if there is nothing in it. */
export interface Regional {
  readonly body: NodeId | null;
}

export interface WorkflowConfig extends Regional {
  /** The whole definition, as it was written. */
  readonly definition: JsonObject;
  /** Functions that stand elsewhere, by how they are called. */
  readonly fetched?: JsonObject;
  /** What its expressions may ask for. */
  readonly secrets: readonly string[];
  /** The family of URIs its standard errors are named by. */
  readonly errors: string;
  readonly input?: Stage;
  readonly output?: Stage;
}

/** Where a task goes on that says so itself. */
export interface Picked {
  readonly next: EdgeId | null;
  /** It lies inside the node of its task, which knows the way under this number. */
  readonly pick?: number;
}

/** A node around the one that does what the task is for. */
export interface Picking {
  /** Where the task goes on, by the number that the inner one has picked. */
  readonly picks?: readonly (EdgeId | null)[];
}

export interface DoConfig extends Tasked, Regional, Picking {
  /** What its region begins with, if not with its input: the arguments of a function. */
  readonly args?: Template;
}

export interface SetConfig extends Tasked {
  readonly set: Template;
}

export interface SwitchConfig extends Tasked {
  readonly cases: readonly SwitchCase[];
  /** The case without a condition. */
  readonly otherwise?: Picked;
}

export interface SwitchCase extends Picked {
  readonly when: string;
}

export interface ForConfig extends Tasked, Regional {
  readonly in: Template;
}

/** What runs the passes of a `for`, one after the other. */
export interface PassConfig extends Regional {
  readonly at: string;
  readonly each: string;
  readonly index: string;
  readonly while?: string;
}

export interface ForkConfig extends Tasked, Regional, Picking {
  /** Where each branch keeps its output; null if the first to complete is the output. */
  readonly branches: readonly string[] | null;
}

export interface TryConfig extends Tasked, Regional {
  readonly catch: CatchConfig;
  /** Where `catch.do` begins. */
  readonly handler: NodeId | null;
  /** Whether there is a `catch.do`, empty or not. */
  readonly handles: boolean;
  /** Where it goes on after an error was caught, if not where the try goes on. */
  readonly caught?: Picked;
}

export interface CatchConfig {
  /** Members an error must have; a standard type stands for all its families. */
  readonly errors?: JsonObject;
  readonly as: string;
  readonly when?: string;
  readonly exceptWhen?: string;
  readonly retry?: RetryPolicy;
}

export interface RetryPolicy {
  readonly when?: string;
  readonly exceptWhen?: string;
  readonly delay?: Template;
  readonly backoff?: 'constant' | 'linear' | 'exponential';
  /** How many retries, the first try not counted. */
  readonly count?: number;
  /** How long all attempts together. */
  readonly within?: Template;
  readonly jitter?: { readonly from: Template; readonly to: Template };
}

export interface RaiseConfig extends Tasked {
  readonly error: Template;
}

export interface WaitConfig extends Tasked {
  readonly wait: Template;
}

/** The time a task may take: a token beside it that faults when it is over. */
export interface DeadlineConfig {
  readonly at: string;
  readonly after: Template;
  /** Of the whole workflow: nobody inside catches it. */
  readonly whole?: true;
}

export interface EmitConfig extends Tasked {
  readonly event: Template;
}

/** Tasks of an extension, before or after the one that is extended. */
export interface AsideConfig extends Regional {
  readonly at: string;
  /** The task that is extended. */
  readonly of: string;
  /** It has been done. */
  readonly after?: true;
  /** Its input was made anew, and the raw one is kept around it. */
  readonly shaped?: true;
  /** Its input and its output are asked for here. */
  readonly tells?: true;
  readonly when?: string;
  readonly next: EdgeId | null;
}

/** A call or a run that a handler makes. */
export interface CallConfig extends Tasked {
  readonly call: CallKind;
  /** What it is called with. */
  readonly with: Template;
  /** Policies that the definition names, of those this call may come to. */
  readonly authentications?: Readonly<Record<string, Template>>;
  /** Of a process: whether its end is waited for, and what of it is the output. */
  readonly wanted?: { readonly await: boolean; readonly return?: string };
}

/** What consumes the messages of a subscription. */
export interface FetchConfig extends CallConfig {
  readonly consume: ConsumeConfig;
  /** Back to itself, for the next round. */
  readonly again: EdgeId | null;
  /** To what does something for each message; then that leads back. */
  readonly feeds?: EdgeId;
}

export interface ConsumeConfig {
  readonly filter?: string;
  readonly while?: string;
  readonly until?: string;
  readonly amount?: Template;
  readonly for?: Template;
}

export type CallKind =
  | 'http'
  | 'openapi'
  | 'grpc'
  | 'asyncapi'
  | 'mcp'
  | 'a2a'
  | 'shell'
  | 'script'
  | 'container';

export const CALL_KINDS: readonly CallKind[] = Object.freeze([
  ...(['http', 'openapi', 'grpc', 'asyncapi', 'mcp', 'a2a'] as const),
  ...(['shell', 'script', 'container'] as const),
]);

export interface RunConfig extends Tasked {
  readonly flow: string;
  /** Null: the newest there is. */
  readonly version: number | null;
  /** What the other begins with, if not with the task's input. */
  readonly input?: Template;
  /** Nobody waits for it. */
  readonly detached?: true;
  /** It goes on if the one that runs it is cancelled. */
  readonly lasts?: true;
}

export interface ListenConfig extends Tasked, Regional {}

/** What hears the events of a `listen`. */
export interface EarConfig {
  readonly at: string;
  /**
   * How many events: one, one of any filter, or one of each. `each` and `gather` never end: they
   * hear events one by one, or those that belong together, and each time that is a list.
   */
  readonly mode: 'one' | 'any' | 'all' | 'each' | 'gather';
  readonly filters: readonly EventFilter[];
  readonly until?:
    | { readonly when: string }
    | { readonly isAll: boolean; readonly filters: readonly EventFilter[] };
  readonly read: 'data' | 'envelope' | 'raw';
  /** Back to itself, for the next event. */
  readonly again: EdgeId | null;
  /** To what runs the tasks for each event; absent if nothing is done for each. */
  readonly feeds?: EdgeId;
}

export interface EventFilter {
  /** Attributes, each as what it must be; a template is asked with the attribute as its input. */
  readonly with: readonly (readonly [string, Template])[];
  readonly correlate: readonly Correlation[];
  /** The type it can have, where no other fits: what it subscribes to. */
  readonly type?: string;
}

/** Whether a text is more than itself when it is read as a pattern. */
export function isPattern(text: string): boolean {
  return /[\\^$*+?()[\]{}|]/.test(text);
}

export interface Correlation {
  readonly key: string;
  readonly from: string;
  readonly expect?: Template;
}

/** What runs the tasks of a `foreach` for one event after the other. */
export interface EachConfig extends Regional {
  readonly at: string;
  readonly item: string;
  readonly index: string;
  readonly output?: Stage;
  readonly export?: Stage;
  /** When something was done for all there are: for more of them. */
  readonly back?: EdgeId;
  /** Events are heard for ever, and what was done for one is not kept. */
  readonly keeps?: true;
}

/** Names of what regions keep; no definition and no caller can write what begins with a `$`. */
export const DATA = '$data';
export const INPUT = '$input';
/** The raw input of a task, where the node around what it is for has made another of it. */
export const RAW = '$raw';
export const CONTEXT = '$context';
export const LIST = '$list';
/** What an extension is told of the task that it extends. */
export const EXTENDED = '$extended';
/** Its list was left by `exit`. */
export const LEFT = '$left';
/** Where the task goes on, as what lies inside it has picked. */
export const PICK = '$pick';
/** What runs now is what was to be done about an error. */
export const CAUGHT = '$caught';
/** Of a listener: since when it hears, how many it has heard, and for how many all was done. */
export const SINCE = '$since';
export const HEARD = 'heard';
export const DONE = 'done';
/** Before the number of an event: what was made of it. */
export const MADE = 'made ';
/** Of what gathers events that belong together: those that are not complete. */
export const GROUPS = '$groups';
/** Whether something is being done for one of its events. */
export const BUSY = '$busy';
/** Of a subscription: how many messages there were, what the next round must know, and its end. */
export const COUNT = '$count';
export const STATE = '$state';
export const OVER = '$over';
/** Correlation keys that are fixed, and filters that have had their event. */
export const KEYS = '$keys';
export const MET = '$met';
