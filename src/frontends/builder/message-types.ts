/** The types of `.waitFor`, `.firstOf`, `.emit` and `.call`: what is sent, and what comes back. */
import type { Duration } from '../../base/duration.ts';
import type { Json } from '../../base/json.ts';
import type { Jsonify } from '../../base/jsonify.ts';
import type { EventType, NoEventType } from './event-type.ts';

/** What something is matched by, or a closure that says it. */
type Key<View> = string | ((view: View) => string);

export interface WaitOptions<View, Data, Timeout extends Duration> {
  /** A type of message, as text or as made by `event<Data>(…)`. */
  readonly event: string | EventType<Data>;
  /** What the message is matched by; the instance's business key if not given. */
  readonly key?: Key<View>;
  readonly timeout?: Timeout;
}

/** One way to end a `.firstOf`: a message that comes, or a time that is over. */
export type FirstArm<View> =
  | {
      readonly event: string | EventType<unknown>;
      /** What the message is matched by; the instance's business key if not given. */
      readonly key?: Key<View>;
      readonly after?: never;
    }
  | {
      readonly after: Duration | ((view: View) => Duration);
      readonly event?: never;
      readonly key?: never;
    };

/** What else an arm has is a mistake. */
export type OnlyArms<Arms> = {
  readonly [Arm in keyof Arms]: {
    readonly [Option in Exclude<keyof Arms[Arm], 'event' | 'key' | 'after'>]: never;
  };
};

/** Which arm it was, and the data of its message. */
export type FirstResult<Arms> = {
  [Arm in keyof Arms & string]: { readonly arm: Arm; readonly data: ArmData<Arms[Arm]> };
}[keyof Arms & string];

type ArmData<Arm> = Arm extends { readonly after: unknown }
  ? null
  : Arm extends { readonly event: EventType<infer Data> }
    ? Jsonify<Data>
    : Json;

/** What is handed on. Values of a flow are readonly, and who takes them may not have said so. */
type Sent<Data> = Data | Jsonify<Data>;

type SentBy<View, Data> = Sent<Data> | ((view: View) => Sent<Data>);

/** What `.emit` sends: a type of message, alone or with key and data, or what a closure says. */
export type Emitted<View, Data> =
  | string
  | (null extends Jsonify<Data> ? EventType<Data> : never)
  | EmittedParts<Data, Key<View>, SentBy<View, NoInfer<Data>>>
  | ((view: View) => EmittedParts<Data, string, Sent<NoInfer<Data>>>);

/** Data may be left out where it may be null. */
type EmittedParts<Data, Key, Value> = NoEventType & {
  readonly type: string | EventType<Data>;
  /** What the message is matched by; the instance's business key if not given. */
  readonly key?: Key;
} & (null extends Jsonify<NoInfer<Data>> ? { readonly data?: Value } : { readonly data: Value });

export interface EmitOptions {
  /** It also goes to the outbox of the engine, and so to the world outside. */
  readonly outbox?: boolean;
}

/** What `.call` takes after the flow. The input may be left out where it may be null. */
export type CallRest<View, Input> =
  null extends Jsonify<Input>
    ? [input?: SentBy<View, Input>, options?: CallOptions<View>]
    : [input: SentBy<View, Input>, options?: CallOptions<View>];

export interface CallOptions<View> {
  /** The business key of the instance that is started. */
  readonly key?: Key<View>;
}
