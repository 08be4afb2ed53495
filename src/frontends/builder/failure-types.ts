/** The types of `.try` and `.fail`: what is raised, what is caught, and what is left afterwards. */
import type { JsonObject } from '../../base/json.ts';
import type { Body, Start } from './builder-types.ts';
import type { Frame, Known, Made, Maybe, OwnOf, ViewIn, With } from './frames.ts';
import type { RetryOptions } from './retry-options.ts';

/** An error that was caught: a value, and the result of the `.try` that caught it. */
export interface Caught {
  readonly code: string;
  readonly message: string;
  /** The node that failed; null if none did. */
  readonly node: string | null;
  readonly details?: JsonObject;
  /** Trying again would not help. */
  readonly fatal?: true;
}

/** What `.fail` raises. A text is the message of a `flow.failed`; what was caught fits too. */
export type Failure =
  | string
  | {
      readonly code: string;
      /** The code, if not given. */
      readonly message?: string;
      readonly details?: JsonObject;
    };

export type TryOptions<
  F extends Frame,
  Own,
  Names extends string,
  Name extends string,
  Tried extends Made,
  Mended extends Made,
> = {
  /** Which errors are meant; all of them if not given. */
  readonly catch?: {
    /** Their codes. */
    readonly errors?: readonly string[];
    readonly when?: (error: Caught, view: ViewIn<F, Own>) => boolean;
  };
} & (
  | {
      /** What to do instead. It finds the error under the try's name; `(b) => b` swallows it. */
      readonly do: Body<Start<F, With<Own, Name, Caught>, Names | Known<Name>>, Mended, Tried>;
      /** The whole body is run again, from its beginning, before `do` is. */
      readonly retry?: RetryOptions<Caught>;
    }
  | { readonly do?: never; readonly retry: RetryOptions<Caught> }
);

/** What is there after a try: all of the body's results, if nothing else could be done. */
export type AfterTry<Name extends string, Tried extends Made, Mended extends Made> = [
  Mended,
] extends [never]
  ? OwnOf<Tried>
  : Maybe<OwnOf<Tried>> & Maybe<OwnOf<Mended>> & Maybe<With<unknown, Name, Caught>>;
