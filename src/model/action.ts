/**
 * What people do to an instance. One word for it everywhere: `run.cancel()` is an action, and so is
 * what is previewed, what is done to many at once, and what the command line sends.
 */
import type { Json, JsonObject } from '../base/json.ts';
import type { CustomKind } from './custom-kind.ts';

export type Action =
  /** Ends it, and the instances it called; with `saga`, what was done is undone first. */
  | {
      readonly do: 'cancel';
      readonly saga?: boolean;
      /** Only this activity of a flowchart, which goes on without it. */
      readonly activity?: string;
    }
  /** Nothing of it is due until it is resumed; what is at work goes on to the end of its step. */
  | { readonly do: 'suspend' }
  | { readonly do: 'resume' }
  /** What failed is run again, or at once if it would be later; without a token all that did. */
  | { readonly do: 'retry'; readonly token?: number }
  /** A token goes on as if this were its result. */
  | { readonly do: 'skip'; readonly token: number; readonly result?: Json }
  /** A failed instance goes on where it failed. */
  | { readonly do: 'revive' }
  /** A waiting token has what it waits for: a message with this data, or its moment. */
  | {
      readonly do: 'wake';
      /** The only one that waits for something from outside, if not said. */
      readonly token?: number;
      readonly data?: Json;
      /** Variables of its scope. */
      readonly vars?: JsonObject;
      /** Of several it waits for, this one. */
      readonly arm?: string;
      /** The kind of its node, where only whoever has that may wake it: the object itself. */
      readonly as?: CustomKind;
    }
  /** A variable has another value, in a scope or for the whole instance. */
  | {
      readonly do: 'set';
      readonly name: string;
      readonly value: Json;
      readonly scope?: number;
    }
  /** A token leaves what it does and goes on at another node of its region. */
  | { readonly do: 'move'; readonly token: number; readonly to: string }
  /** A message for it alone, as `run.send`. */
  | {
      readonly do: 'send';
      readonly type: string;
      readonly data?: Json;
      readonly id?: string;
    }
  /** The instance is once more as it was when it last came to a node, and goes on from there. */
  | {
      readonly do: 'rerun';
      readonly from: string;
      /** A new instance does that, and this one stays what it is. */
      readonly copy?: boolean;
      /** Of the copy; it has no business key unless this names one. */
      readonly id?: string;
      readonly key?: string;
    }
  /** It goes on by the plan of another version; nodes that have other names there are mapped. */
  | {
      readonly do: 'migrate';
      readonly version: number;
      /** What runs another version than this one is left as it is: the names are not its own. */
      readonly from?: number;
      readonly nodes?: Readonly<Record<string, string>>;
    };

export type ActionName = Action['do'];

/** Who acts, and why: both stand in the history of the instance. */
export interface Acting {
  readonly actor?: string;
  readonly reason?: string;
  /**
   * A name for doing it: within a day the same is done to an instance once under a name, however
   * often it is asked for. Letters, digits, _ and -, 40 at most.
   */
  readonly once?: string;
}
