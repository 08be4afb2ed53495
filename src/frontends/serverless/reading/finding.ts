/** What is wrong with a definition or worth a word, before its line and column are looked up. */
import type { JsonObject } from '../../../base/json.ts';
import type { ServerlessCode } from './codes.ts';
import type { WalkedTask } from './walk.ts';

export interface Finding {
  readonly code: ServerlessCode;
  readonly message: string;
  /** The place in the definition. */
  readonly pointer: string;
  /** What is wrong is the key that leads there, whatever stands under it. */
  readonly atKey?: true;
  /** It is said, and the definition can be run all the same. */
  readonly isWarning?: true;
}

/** What a check looks at: a definition that may have mistakes, and every task in it. */
export interface Checked {
  readonly document: JsonObject;
  readonly tasks: readonly WalkedTask[];
}

/** All that is to be said of one subject. A part that has no shape is passed over in silence. */
export type Check = (checked: Checked) => Iterable<Finding>;

export function wrong(code: ServerlessCode, pointer: string, message: string): Finding {
  return { code, message, pointer };
}

export function doubtful(code: ServerlessCode, pointer: string, message: string): Finding {
  return { code, message, pointer, isWarning: true };
}
