/**
 * What can end the evaluation of an expression early, as things that are thrown inside this room
 * and never leave it: `run` turns them into values.
 *
 * None of them is an Error: nobody reads their stack, and recording it would cost more than all the
 * rest of a `try`.
 */
import type { Json } from '../../base/json.ts';
import type { JqLimit, Meter } from './budget.ts';
import { describe } from './values/describe.ts';

/** An error of jq's own, with any value; what `try` catches. */
export class Raised {
  readonly value: Json;

  constructor(value: Json) {
    this.value = value;
  }
}

/** A limit of the budget was reached. No `try` catches it. */
export class Exceeded {
  readonly limit: JqLimit;
  readonly most: number;

  constructor(limit: JqLimit, most: number) {
    this.limit = limit;
    this.most = most;
  }
}

/** `break $label`, on its way to the label. */
export class Broken {}

export function raise(meter: Meter, value: Json): never {
  meter.raising();
  // oxlint-disable-next-line typescript/only-throw-error -- see above
  throw new Raised(value);
}

export function exceed(limit: JqLimit, most: number): never {
  // oxlint-disable-next-line typescript/only-throw-error -- see above
  throw new Exceeded(limit, most);
}

/** For messages that begin with what the value is: `number (1) cannot be …`. */
export function raiseAbout(meter: Meter, value: Json, what: string): never {
  return raise(meter, `${describe(value, meter)} ${what}`);
}
