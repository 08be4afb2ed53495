/**
 * What a flow's code is given: closures a view of values, handlers that and the means to act.
 *
 * These are the types users meet in every lambda. The runtime builds the objects; it knows them
 * only by shape, since a handler is called with whatever its flow's types promised.
 */
import type { Json, JsonObject } from '../../base/json.ts';
import type { Wake } from '../../model/instance.ts';
import type { Tx } from '../../model/tx.ts';

/** What a closure sees: values only, frozen, as they are where it stands in the flow. */
export interface FlowView<Input, Results, Vars, Index, Item> {
  readonly input: Input;
  /** Results by name of what has run before on this path. */
  readonly results: Results;
  readonly vars: Vars;
  /** The number of the pass, from 0, inside a repeat, and of the item in a map; null outside. */
  readonly index: Index;
  /** The item of the nearest map around; null outside. */
  readonly item: Item;
}

/** What the handler of a step is given. It may run more than once; its result is kept once. */
export interface HandlerContext<Input, Results, Vars, Index, Item>
  extends FlowView<Input, Results, Vars, Index, Item>,
    HandlerTools {
  /** Writes a variable when the step completes: for the rest of its scope, or of the instance. */
  readonly set: <Name extends (keyof Vars & string) | (string & {})>(
    name: Name,
    // A declared variable keeps its type, any other may be any JSON.
    value: Name extends keyof Vars ? Vars[Name] : Json,
    options?: WriteOptions,
  ) => void;
}

/**
 * What every handler is given, whatever its flow. One that is written apart from its flow asks for
 * this and for the values it needs: `({ signal, input }: HandlerTools & { input: Order }) => …`.
 */
export interface HandlerTools {
  /** The data of the message that woke the step; null if none did. */
  readonly event: Json;
  /** Why the handler runs now. The same again when it is run again after a crash. */
  readonly wake: Wake;
  /** Counts executions from 1. */
  readonly attempt: number;
  /** The same for every execution of this step: hand it to whoever must not act twice. */
  readonly idempotencyKey: string;
  /** Fires when the lease is lost or the step is cancelled: what comes after would be dropped. */
  readonly signal: Signal;
  readonly log: Log;
  /** Renews the lease by hand, for code that keeps the event loop busy. */
  readonly heartbeat: () => void;
  /** The transaction that commits with the result. Only a transactional step has one. */
  readonly tx: Tx;
}

export interface WriteOptions {
  readonly in?: 'scope' | 'instance';
}

export interface Log {
  readonly debug: LogLine;
  readonly info: LogLine;
  readonly warn: LogLine;
  readonly error: LogLine;
}

type LogLine = (message: string, fields?: JsonObject) => void;

/**
 * The platform's AbortSignal where there is one, so that it fits `fetch`. The pure rooms are
 * compiled without a platform, and there it is the little that the language can say.
 */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Platform } }
  ? Platform
  : { readonly aborted: boolean; readonly reason: unknown };
