/**
 * What the types of the builder remember.
 *
 * A frame is what stays the same along one path: the input, the variables, and the results and
 * names that were there when the path began. What the path itself adds is kept apart from it
 * (`Own`, `Names`, `Out`), because that is what goes up when a region closes.
 *
 * Results are added by intersection. TypeScript keeps an intersection as a flat list in which a
 * name is looked up at once; a mapped type around the last one would be a chain as deep as the flow
 * is long, and at a hundred steps in a row the compiler gives up on it (TS2589).
 */
import type { Jsonify } from '../../base/jsonify.ts';
import type { FlowView, HandlerContext } from './views.ts';

export interface Frame {
  /** What starting an instance takes. */
  readonly start: unknown;
  /** What code in the flow sees of it: checked by the schema, stored and frozen. */
  readonly input: unknown;
  readonly vars: unknown;
  readonly index: number | null;
  readonly item: unknown;
  readonly results: object;
  readonly names: string;
  readonly level: 'flow' | 'body';
}

declare const nothing: unique symbol;

/** Nothing has run yet. */
export interface NoResults {
  readonly [nothing]?: never;
}

/** `flow<Input>(…)` states no variables: say `flow<Input, Vars>(…)`, or give the input a schema. */
export interface NoVars {
  readonly [nothing]?: never;
}

/** The frame at the top of a flow. */
export interface Top<Start, Input, Vars extends object> extends Frame {
  readonly start: Start;
  readonly input: Jsonify<Input>;
  readonly vars: Jsonify<Vars>;
  readonly index: null;
  readonly item: null;
  readonly results: NoResults;
  readonly names: never;
  readonly level: 'flow';
}

/** The frame of a region that begins where a path has made `Own` and `Names`. */
export interface Inside<F extends Frame, Own, Names extends string, Index = F['index']>
  extends Frame {
  readonly start: F['start'];
  readonly input: F['input'];
  readonly vars: F['vars'];
  readonly index: Index & (number | null);
  readonly item: F['item'];
  readonly results: F['results'] & Own;
  readonly names: F['names'] | Names;
  readonly level: 'body';
}

export type ViewIn<F extends Frame, Own> = FlowView<
  F['input'],
  F['results'] & Own,
  F['vars'],
  F['index'],
  F['item']
>;

export type ContextIn<F extends Frame, Own> = HandlerContext<
  F['input'],
  F['results'] & Own,
  F['vars'],
  F['index'],
  F['item']
>;

declare const made: unique symbol;

/** What a path has made since it began. Only the compiler sees this property. */
export interface Made<
  Own = unknown,
  Names extends string = string,
  Out = unknown,
  Last extends LastResult = LastResult,
> {
  readonly [made]: {
    readonly own: Own;
    readonly names: Names;
    readonly out: Out;
    readonly last: Last;
  };
}

/** The result of the last node of a path, in a box; the box is empty if that node has none. */
export type LastResult = readonly [unknown] | NoResult;
export type NoResult = readonly [];

export type OwnOf<M extends Made> = M[typeof made]['own'];
export type NamesOf<M extends Made> = M[typeof made]['names'];
export type OutOf<M extends Made> = M[typeof made]['out'];
export type LastOf<M extends Made> = M[typeof made]['last'];

/** A result more. A name that is only known to be a string adds nothing. */
export type With<Own, Name extends string, Value> = string extends Name
  ? Own
  : Own & { readonly [Key in Name]: Value };

/** What a path has made with one more node, which has a result of its own. */
export interface Grow<Own, Name extends string, Value> {
  readonly [grown]: { readonly own: With<Own, Name, Value>; readonly last: readonly [Value] };
}

declare const grown: unique symbol;

/** A path that goes on after what a node made of it: with a result of the node's own, or not. */
export type OwnIn<Own> =
  Own extends Grow<infer _Own, infer _Name, infer _Value> ? Own[typeof grown]['own'] : Own;
export type LastIn<Own> =
  Own extends Grow<infer _Own, infer _Name, infer _Value> ? Own[typeof grown]['last'] : NoResult;

/** The names to remember of a node. */
export type Known<Name extends string> = string extends Name ? never : Name;

/** The parameter type of a name: itself if it is new, else a sentence nobody can pass. */
export type Fresh<Name extends string, Taken extends string> = Name extends Taken
  ? DuplicateName<Name>
  : Name;

export type DuplicateName<Name extends string> =
  `the name "${Name}" is used twice; names are unique in a flow`;

/** Several bodies by name, as the type arguments of a method hold them. */
export type Bodies = Readonly<Record<string, Made>>;

/**
 * What a body must be besides itself: anything, or the sentence if one of its names is used by
 * `Others` too. It stands where the body returns, because anywhere else it would have to be decided
 * before TypeScript has looked into the bodies.
 */
export type Apart<Mine extends Made, Others extends Made> =
  string extends NamesOf<Mine | Others>
    ? unknown
    : [Extract<NamesOf<Mine>, NamesOf<Others>>] extends [never]
      ? unknown
      : DuplicateName<Extract<NamesOf<Mine>, NamesOf<Others>>>;

/** The bodies beside this one. */
export type Beside<B extends Bodies, Key extends keyof B> = B[Exclude<keyof B, Key>];

/** The results of all bodies together: they all ran. */
export type AllOwn<B extends Bodies> = UnionToIntersection<
  { [Key in keyof B]: readonly [OwnOf<B[Key]>] }[keyof B]
>;

/** Turned around a function's parameter, a union of boxes becomes the intersection of contents. */
type UnionToIntersection<Boxes extends readonly [unknown]> = (
  Boxes extends readonly [infer Item]
    ? (item: Item) => void
    : never
) extends (item: infer All) => void
  ? All
  : never;

/** The results of what may not have run. */
export type Maybe<Own> = unknown extends Own
  ? unknown
  : { readonly [Name in keyof Own]?: Own[Name] };
