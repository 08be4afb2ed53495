/**
 * The builder as TypeScript sees it: one method per node kind.
 *
 * `F` is the frame of the path, `Own` the results it has made, `Names` the names it has used and
 * `Out` what the instance may end with besides the flow's own end. To add a method, add it here and
 * to `writer.ts`; nothing else knows the list.
 */
import type { Duration } from '../../base/duration.ts';
import type { Json } from '../../base/json.ts';
import type { Jsonify } from '../../base/jsonify.ts';
import type { CustomKind } from '../../model/custom-kind.ts';
import type { Flow } from '../../model/definition.ts';
import type { SagaReach } from '../../model/draft.ts';
import type { ApprovalResult } from '../../model/task.ts';
import type { AfterTry, Failure, TryOptions } from './failure-types.ts';
import type {
  AllOwn,
  Apart,
  Beside,
  Bodies,
  ContextIn,
  Frame,
  Fresh,
  Grow,
  Inside,
  Known,
  LastIn,
  LastOf,
  LastResult,
  Made,
  Maybe,
  NamesOf,
  NoResult,
  OutOf,
  OwnIn,
  OwnOf,
  ViewIn,
  With,
} from './frames.ts';
import type { Each, Given, Mapped, MapOptions } from './map-types.ts';
import type {
  CallRest,
  EmitOptions,
  Emitted,
  FirstArm,
  FirstResult,
  OnlyArms,
  WaitOptions,
} from './message-types.ts';
import type { ApproveOptions, TaskOptions } from './people-types.ts';
import type { Last, LooseResults, Meeting, RepeatCheck } from './repeat-types.ts';
import type { StepOptions } from './step-types.ts';
import type { WriteOptions } from './views.ts';

export interface Builder<F extends Frame, Own, Names extends string, Out, End extends LastResult>
  extends Made<Own, Names, Out, End> {
  /** Runs a handler and keeps what it returns as the result of that name. */
  step<Name extends string, Value>(
    name: Fresh<Name, F['names'] | Names>,
    handler: (context: ContextIn<F, Own>) => Value,
    options?: StepOptions<F, Own, Name, Value>,
  ): Next<F, Grow<Own, Name, Jsonify<Awaited<Value>>>, Names | Known<Name>, Out>;

  /** Computes a value; the fields of an object are written as variables too. */
  set<Name extends string, Value>(
    name: Fresh<Name, F['names'] | Names>,
    value: (view: ViewIn<F, Own>) => Value & NoInfer<Fitting<Value, F['vars']>>,
    options?: WriteOptions,
  ): Next<F, Grow<Own, Name, Jsonify<Value>>, Names | Known<Name>, Out>;

  /**
   * Takes the first arm whose condition holds, in the order written, else `otherwise`. With `many`
   * it takes all whose condition holds, at the same time, and goes on when they have ended.
   */
  choose<Name extends string, Arms extends Bodies, Other extends Made>(
    name: Fresh<Name, F['names'] | Names>,
    arms: {
      readonly [Arm in keyof Arms]: {
        readonly when: (view: ViewIn<F, Own>) => boolean;
        readonly do: Body<Start<F, Own, Names | Known<Name>>, Arms[Arm], Beside<Arms, Arm>>;
      };
    },
    options: {
      readonly otherwise: Body<Start<F, Own, Names | Known<Name>>, Other, Arms[keyof Arms]>;
      readonly many?: boolean;
    },
  ): Next<
    F,
    Own & Maybe<AllOwn<Arms>> & Maybe<OwnOf<Other>>,
    Names | Known<Name> | NamesOf<Arms[keyof Arms]> | NamesOf<Other>,
    Out | OutOf<Arms[keyof Arms]> | OutOf<Other>
  >;

  /** Runs every branch at the same time and goes on when all have ended. */
  parallel<Name extends string, Branches extends Bodies>(
    name: Fresh<Name, F['names'] | Names>,
    branches: AsBodies<Start<F, Own, Names | Known<Name>>, Branches>,
  ): Next<
    F,
    Own & AllOwn<Branches>,
    Names | Known<Name> | NamesOf<Branches[keyof Branches]>,
    Out | OutOf<Branches[keyof Branches]>
  >;

  /** Runs every branch at the same time; the first to end wins, and the others are cancelled. */
  race<Name extends string, Branches extends Bodies>(
    name: Fresh<Name, F['names'] | Names>,
    branches: AsBodies<Start<F, Own, Names | Known<Name>>, Branches>,
  ): NextOfOne<F, Own, Names | Known<Name>, Out, Branches>;

  /** Runs the body again and again; the results of the last pass are kept. */
  repeat<
    Name extends string,
    Pass extends Made,
    Needs = LooseResults,
    While extends boolean = never,
    Asked extends number = never,
  >(
    name: Fresh<Name, F['names'] | Names>,
    check: RepeatCheck<F, Own, Needs, While, Asked>,
    body: (
      b: Start<F, Own, Names | Known<Name>, number>,
    ) => Pass & NoInfer<Meeting<Needs, F['results'] & Own & Last<Pass, While>>>,
  ): Next<
    F,
    Own & Last<Pass, While | Asked>,
    Names | Known<Name> | NamesOf<Pass>,
    Out | OutOf<Pass>
  >;

  /** Does the same for every item of a list; what comes of each is kept, in the list's order. */
  map<
    Name extends string,
    Item,
    Done extends Made,
    As extends string = never,
    Collected = never,
    OnError extends 'fail' | 'collect' = 'fail',
    Needs = LooseResults,
    Asks = LooseResults,
  >(
    name: Fresh<Name, F['names'] | Names>,
    options: MapOptions<F, Own, Item, As, Collected, OnError, Needs, Asks>,
    body: (
      b: Each<F, Own, Names | Known<Name>, Item, As>,
    ) => Done & NoInfer<Given<Needs, Asks, F['results'] & Own & OwnOf<Done>>>,
  ): Next<
    F,
    Grow<Own, Name, Mapped<LastOf<Done>, OwnOf<Done>, Collected, OnError>>,
    Names | Known<Name> | NamesOf<Done>,
    Out | OutOf<Done>
  >;

  /** Rests for a while: `'30s'`, `'7d'`, ISO 8601 or milliseconds. */
  sleep<Name extends string>(
    name: Fresh<Name, F['names'] | Names>,
    duration: Duration | ((view: ViewIn<F, Own>) => Duration),
  ): Next<F, Own, Names | Known<Name>, Out>;

  /** Rests until a message comes; its data is the result, or null after the timeout. */
  waitFor<Name extends string, Data = Json, Timeout extends Duration = never>(
    name: Fresh<Name, F['names'] | Names>,
    options: WaitOptions<ViewIn<F, Own>, Data, Timeout>,
  ): Next<
    F,
    Grow<Own, Name, Jsonify<Data> | ([Timeout] extends [never] ? never : null)>,
    Names | Known<Name>,
    Out
  >;

  /** Rests until the first of several messages comes, or a time is over; says which it was. */
  firstOf<
    Name extends string,
    const Arms extends Readonly<Record<string, FirstArm<ViewIn<F, Own>>>>,
  >(
    name: Fresh<Name, F['names'] | Names>,
    arms: Arms & NoInfer<OnlyArms<Arms>>,
  ): Next<F, Grow<Own, Name, FirstResult<Arms>>, Names | Known<Name>, Out>;

  /** Rests until somebody has done it; what they hand in is the result. */
  task<Name extends string, Output = Json>(
    name: Fresh<Name, F['names'] | Names>,
    options?: TaskOptions<ViewIn<F, Own>, Output>,
  ): Next<F, Grow<Own, Name, Jsonify<Output>>, Names | Known<Name>, Out>;

  /**
   * Rests until people have decided; how they did is the result. It goes on after a reject as well,
   * unless `onReject` is `'fail'`: look at the decision.
   */
  approve<Name extends string>(
    name: Fresh<Name, F['names'] | Names>,
    options: ApproveOptions<ViewIn<F, Own>>,
  ): Next<F, Grow<Own, Name, ApprovalResult>, Names | Known<Name>, Out>;

  /** Runs the body, and what `retry` and `do` say if it fails. The error is its result then. */
  try<Name extends string, Tried extends Made, Mended extends Made = never>(
    name: Fresh<Name, F['names'] | Names>,
    body: Body<Start<F, Own, Names | Known<Name>>, Tried>,
    options: TryOptions<F, Own, Names, Name, Tried, Mended>,
  ): Next<
    F,
    Own & AfterTry<Name, Tried, Mended>,
    Names | Known<Name> | NamesOf<Tried> | NamesOf<Mended>,
    Out | OutOf<Tried> | OutOf<Mended>
  >;

  /** Runs the body in a scope of its own: its variables are gone afterwards, its results stay. */
  scope<Name extends string, Inner extends Made>(
    name: Fresh<Name, F['names'] | Names>,
    body: Body<Start<F, Own, Names | Known<Name>>, Inner>,
    options?: ScopeOptions,
  ): Next<F, Own & OwnOf<Inner>, Names | Known<Name> | NamesOf<Inner>, Out | OutOf<Inner>>;

  /** Sends a message to whoever waits for it, and goes on. */
  emit<Name extends string, Data = Json>(
    name: Fresh<Name, F['names'] | Names>,
    event: Emitted<ViewIn<F, Own>, Data>,
    options?: EmitOptions,
  ): Next<F, Own, Names | Known<Name>, Out>;

  /** Starts an instance of another flow and rests until it has ended; its output is the result. */
  call<Name extends string, Input = Json, Output = Json>(
    name: Fresh<Name, F['names'] | Names>,
    flow: string | Flow<Input, Output>,
    ...rest: CallRest<ViewIn<F, Own>, NoInfer<Input>>
  ): Next<F, Grow<Own, Name, Output>, Names | Known<Name>, Out>;

  /** A node of a kind that the application brought, or of the name of one. */
  node<Name extends string, Given = Json, Value = Json>(
    name: Fresh<Name, F['names'] | Names>,
    kind: CustomKind<Given, Value> | string,
    ...config: ConfigRest<NoInfer<Given>>
  ): Next<F, Grow<Own, Name, Value>, Names | Known<Name>, Out>;
  /** Where its kind has several ways: what is done on each; by one not written it goes on. */
  node<Name extends string, Branches extends Bodies, Given = Json, Value = Json>(
    name: Fresh<Name, F['names'] | Names>,
    kind: CustomKind<Given, Value> | string,
    config: NoInfer<Given>,
    ways: AsBodies<Start<F, With<Own, Name, Value>, Names | Known<Name>>, Branches>,
  ): NextOfOne<F, With<Own, Name, Value>, Names | Known<Name>, Out, Branches>;

  /** Raises an error, for a `.try` around it or else for the instance. Nothing can follow. */
  fail<Name extends string>(
    name: Fresh<Name, F['names'] | Names>,
    error: Failure | ((view: ViewIn<F, Own>) => Failure),
  ): Ended<F, Own, Names | Known<Name>, Out>;

  /** Ends the whole instance at once, whatever else is alive. Nothing can follow. */
  terminate<Name extends string, Value = null>(
    name: Fresh<Name, F['names'] | Names>,
    output?: (view: ViewIn<F, Own>) => Value,
  ): Ended<F, Own, Names | Known<Name>, Out | Jsonify<Value>>;
}

/** At the top of a flow, where `.end` makes the flow. */
export interface FlowBuilder<F extends Frame, Own, Names extends string, Out>
  extends Builder<F, Own, Names, Out, LastResult> {
  /** Ends the flow; what the closure returns is its output, or else all its results. */
  end(): Flow<F['start'], AsOutput<F['results'] & Own> | Out>;
  end<Value>(output: (view: ViewIn<F, Own>) => Value): Flow<F['start'], Jsonify<Value> | Out>;
}

/** After `.terminate` or `.fail` at the top: nothing can follow, and the flow is made. */
export interface EndedFlow<F extends Frame, Own, Names extends string, Out>
  extends Made<Own, Names, Out> {
  end(): Flow<F['start'], Out>;
}

/** The builder after one more node, at the same level. */
export type Next<F extends Frame, Own, Names extends string, Out> = F['level'] extends 'flow'
  ? FlowBuilder<F, OwnIn<Own>, Names, Out>
  : Builder<F, OwnIn<Own>, Names, Out, LastIn<Own>>;

/** After several bodies of which one was done. */
type NextOfOne<F extends Frame, Own, Names extends string, Out, Done extends Bodies> = Next<
  F,
  Own & Maybe<AllOwn<Done>>,
  Names | NamesOf<Done[keyof Done]>,
  Out | OutOf<Done[keyof Done]>
>;

type Ended<F extends Frame, Own, Names extends string, Out> = F['level'] extends 'flow'
  ? EndedFlow<F, Own, Names, Out>
  : Made<Own, Names, Out, NoResult>;

/** The builder a region begins with. */
export type Start<F extends Frame, Own, Names extends string, Index = F['index']> = Builder<
  Inside<F, Own, Names, Index>,
  unknown,
  never,
  never,
  NoResult
>;

/** Writes a region: is handed a builder and returns it with nodes added, or as it is. */
export type Body<B, Done extends Made, Others extends Made = never> = (
  b: B,
) => Done & NoInfer<Apart<Done, Others>>;

/** Several of them by name. They share no names. */
type AsBodies<B, Done extends Bodies> = {
  readonly [Key in keyof Done]: Body<B, Done[Key], Beside<Done, Key>>;
};

/** A kind that takes anything need not be given anything. */
type ConfigRest<Given> = null extends Given ? readonly [config?: Given] : readonly [config: Given];

export interface ScopeOptions {
  /** Where undoing stops when something in this scope fails; as the flow says, if not given. */
  readonly saga?: SagaReach;
}

/** The fields of a value that are declared variables have the type they were declared with. */
type Fitting<Value, Vars> = [Misfit<Value, Vars>] extends [never]
  ? unknown
  : `the variable "${Misfit<Value, Vars>}" was declared with another type`;

type Misfit<Value, Vars> = Value extends object
  ? {
      [Name in keyof Value & keyof Vars & string]: Value[Name] extends Vars[Name] | undefined
        ? never
        : Name;
    }[keyof Value & keyof Vars & string]
  : never;

/** All results as one object, for reading. */
type AsOutput<Results> = {
  readonly [Name in keyof Results as Extract<Name, string>]: Results[Name];
};
