/** The types of `.map`: what an item is in the body, and what comes of it. */
import type { Jsonify } from '../../base/jsonify.ts';
import type { SagaReach } from '../../model/draft.ts';
import type { Builder } from './builder-types.ts';
import type { Caught } from './failure-types.ts';
import type { Frame, LastResult, NoResult, ViewIn } from './frames.ts';
import type { Meeting } from './repeat-types.ts';
import type { FlowView } from './views.ts';

/**
 * `collect` and `until` are read before the body, as the condition of a repeat is, and so know its
 * results loosely unless they say what they need of them.
 */
export type MapOptions<
  F extends Frame,
  Own,
  Item,
  As extends string,
  Collected,
  OnError,
  Needs,
  Asks,
> = {
  /** The list, or a closure that makes it when the map begins. */
  readonly over: readonly Item[] | ((view: ViewIn<F, Own>) => readonly Item[]);
  /** A variable of each item's scope that has the item, also where `item` is another's. */
  readonly as?: As;
  /** Asked after each item that is done; true ends what is at work, and the rest never begins. */
  readonly until?: (view: ItemView<F, Own, Item, As, Asks>) => boolean;
  /** What comes of an item that fails: the map fails (`'fail'`), or the error is kept. */
  readonly onError?: OnError;
  /** What comes of an item; the result of its last node, or else all of its results. */
  readonly collect?: (view: ItemView<F, Own, Item, As, Needs>) => Collected;
  /** Each item is undone by itself (`'scope'`), before its error is kept or fails the map. */
  readonly saga?: SagaReach;
} & (
  | {
      readonly mode?: 'parallel';
      /** How many at a time; all of them if not given. */
      readonly limit?: number;
    }
  | { readonly mode: 'sequential'; readonly limit?: never }
);

type ItemView<F extends Frame, Own, Item, As extends string, Needs> = FlowView<
  F['input'],
  F['results'] & Own & Needs,
  VarsWith<F['vars'], As, Item>,
  number,
  Jsonify<Item>
>;

/** The variables of an item's scope. A name that is only known to be a string adds nothing. */
type VarsWith<Vars, As extends string, Item> = [As] extends [never]
  ? Vars
  : string extends As
    ? Vars
    : Omit<Vars, As> & { readonly [Name in As]: Jsonify<Item> };

/** The builder that the body of a map begins with. */
export type Each<F extends Frame, Own, Names extends string, Item, As extends string> = Builder<
  InItem<F, Own, Names, Item, As>,
  unknown,
  never,
  never,
  NoResult
>;

interface InItem<F extends Frame, Own, Names extends string, Item, As extends string>
  extends Frame {
  readonly start: F['start'];
  readonly input: F['input'];
  readonly vars: VarsWith<F['vars'], As, Item>;
  readonly index: number;
  readonly item: Jsonify<Item>;
  readonly results: F['results'] & Own;
  readonly names: F['names'] | Names;
  readonly level: 'body';
}

/** What a body must be besides itself, so that `collect` and `until` find what they need. */
export type Given<Needs, Asks, Results> = Meeting<Needs, Results> & Meeting<Asks, Results>;

/**
 * What comes of all items. The body itself is no parameter: the compiler would carry it, and with
 * it all that was there when the map began, wherever the result goes.
 */
export type Mapped<Last extends LastResult, Own, Collected, OnError> = readonly Kept<
  [Collected] extends [never] ? ResultOf<Last, Own> : Jsonify<Collected>,
  OnError
>[];

type ResultOf<Last extends LastResult, Own> = Last extends readonly [infer Value]
  ? Value
  : { readonly [Name in keyof Own as Extract<Name, string>]: Own[Name] };

type Kept<Value, OnError> = OnError extends 'collect' ? Settled<Value> : Value;

/** What came of an item whose error is kept, as `Promise.allSettled` tells it. */
export type Settled<Value> =
  | { readonly status: 'fulfilled'; readonly value: Value }
  | { readonly status: 'rejected'; readonly reason: Caught };
