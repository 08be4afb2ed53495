import type { Json, JsonObject } from '../base/json.ts';
import type { CustomKind } from './custom-kind.ts';
import type { Diagnostic, Draft } from './draft.ts';
import type { Fault } from './instance.ts';
import type { Template } from './serverless.ts';

/**
 * What a frontend hands to the engine: the draft, which is data, and beside it the code that the
 * draft's nodes name (D19). Compiling turns the draft into a plan; the code is never stored.
 */
export interface Definition {
  readonly draft: Draft;
  /** Closures by node. */
  readonly code: ReadonlyMap<string, NodeCode>;
  /** Handlers by node. The runtime alone calls them, so their context is its business. */
  readonly handlers: ReadonlyMap<string, (context: never) => unknown>;
  /** Flows that its nodes call: whoever has this one has them too. */
  readonly calls?: readonly Flow[];
  /** Kinds of its nodes that an application brought: whoever has this one has them too. */
  readonly kinds?: readonly CustomKind[];
  /** Older versions whose stored plans this definition's code may run. */
  readonly serves: readonly number[];
  /** A Standard Schema for the input, checked at start; absent if the author gave none. */
  readonly schema?: unknown;
  /** What the frontend itself found wrong. */
  readonly diagnostics: readonly Diagnostic[];
  /** What it is made of stands elsewhere, in part: that is fetched before it can be run. */
  readonly linking?: Linking;
  /** When it starts by itself. */
  readonly schedule?: FlowSchedule;
}

/** What is to be fetched, and what becomes of the flow then: one that may want more. */
export interface Linking {
  readonly wants: readonly Wanted[];
  link(fetched: ReadonlyMap<string, string>): Flow;
}

export interface Wanted {
  readonly kind: 'function' | 'schema';
  /** What it is called in the definition. */
  readonly name: string;
  /** Where it may be, as a URL; null where only the host knows. */
  readonly url: string | null;
  /** Of what the host knows: the way from there. */
  readonly path?: string;
  /** An authentication policy. */
  readonly authentication?: Template;
}

/** Moments of a clock, and flows that start this one whenever it is time. */
export interface FlowSchedule {
  readonly cron?: string;
  readonly everyMs?: number;
  readonly keepers: readonly Flow[];
}

/** What a closure of a flow may look at: values only, frozen, read up the scope tree. */
export interface CodeView {
  readonly input: Json;
  readonly results: JsonObject;
  readonly vars: JsonObject;
  readonly item: Json;
  readonly index: number | null;
  /** What is to be caught, where that is the question. */
  readonly error?: Fault;
}

/** A pure, synchronous function of a flow. A throw is a fault, and so is a promise. */
export type Code = (view: CodeView) => unknown;

/** The closures of one node by slot (`when.vip`, `while`, `output`). */
export type NodeCode = Readonly<Record<string, Code>>;

declare const takes: unique symbol;
declare const gives: unique symbol;

/**
 * A finished definition as people hold it. `Input` is what starting it takes and `Output` what its
 * result is; `Flow` alone is any flow at all.
 */
export interface Flow<Input = never, Output = unknown> {
  readonly name: string;
  readonly version: number;
  readonly definition: Definition;
  /** Only the compiler sees these two. */
  readonly [takes]?: (input: Input) => void;
  readonly [gives]?: Output;
}
