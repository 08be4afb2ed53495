/**
 * What a run of a jq program may cost. A program is somebody's text and may be wrong or hostile, so
 * everything it does is paid for out of a purse that is full when the run begins: steps for time,
 * depth for the stack, elements and bytes for memory. Whoever loops over something pays for each
 * round; whoever makes something pays for its size. When one of them is used up the run ends with
 * an error that names the limit and that no `try` of the program can catch.
 *
 * Steps are counted and no clock is read, so the same program with the same input ends at the same
 * place on every machine.
 */
import { EngineError } from '../../base/engine-error.ts';
import { meant } from '../../base/nearest.ts';
import { exceed } from './faults.ts';

export interface JqBudget {
  /** About one for each node that is evaluated, and for each part of a value that is seen. */
  readonly steps: number;
  /** How deep calls of functions and the parts of the program around them may be nested. */
  readonly depth: number;
  /** How many outputs a run may have. */
  readonly outputs: number;
  /** Array elements and object members that may be made, all together. */
  readonly elements: number;
  /** Text that may be made, all together; one for each UTF-16 unit, which is mostly a byte. */
  readonly stringBytes: number;
  /** How deep arrays and objects of an output may be nested. */
  readonly valueDepth: number;
}

export type JqLimit = keyof JqBudget;

/**
 * Chosen so that whatever is tried ends within 100 ms on a slow machine and leaves less than 100 MB
 * behind (hostile.test.ts), and that maps over tens of thousands of items still fit.
 */
export const JQ_BUDGET_DEFAULT: JqBudget = Object.freeze({
  steps: 600_000,
  depth: 3_000,
  outputs: 100_000,
  elements: 600_000,
  stringBytes: 8_388_608,
  valueDepth: 1_000,
});

/** A whole budget of what is given of one. A limit that is no number would be none. */
export function budgetOf(given: Partial<JqBudget>): JqBudget {
  const budget: Record<string, number> = { ...JQ_BUDGET_DEFAULT };
  for (const [name, most] of Object.entries(given)) {
    if (most === undefined) continue;
    if (!Object.hasOwn(JQ_BUDGET_DEFAULT, name)) {
      const hint = meant(name, Object.keys(JQ_BUDGET_DEFAULT));
      throw new EngineError('engine.option-invalid', `"${name}" is no limit of jq; ${hint}`);
    }
    if (typeof most !== 'number' || !(most >= 0)) {
      const message = `the limit "${name}" of jq is a number, 0 or more; came ${String(most)}`;
      throw new EngineError('engine.option-invalid', message);
    }
    budget[name] = most;
  }
  return budget as unknown as JqBudget;
}

/** What raising an error costs in steps: unwinding the stack is much slower than a step. */
const RAISE_STEPS = 60;
/** What an object or an array itself takes beside its elements. */
const CONTAINER_ELEMENTS = 6;
/** Text is looked through and copied many characters at a time. */
const CHARS_PER_STEP = 16;
/** And so are lists. */
const COPIES_PER_STEP = 8;
/** Keys of this length are hashed in no time; a longer one is put together and looked through. */
const SHORT_KEY_CHARS = 64;
/** An object of more members than this is a hash table, whose keys are sorted when listed. */
const FEW_KEYS = 32;
/** What listing a key of such a table costs in steps. */
const KEY_STEPS = 4;

/** The purse of one run. What is left is public, so that hot loops can pay without a call. */
export class Meter {
  budget: JqBudget = JQ_BUDGET_DEFAULT;
  steps = 0;
  depth = 0;
  elements = 0;
  bytes = 0;
  /** Whether a number may have come up that JSON cannot write (nan, infinite). */
  odd = false;

  begin(budget: JqBudget): void {
    this.budget = budget;
    this.steps = budget.steps;
    this.depth = budget.depth;
    this.elements = budget.elements;
    this.bytes = budget.stringBytes;
    this.odd = false;
  }

  /** So many steps more. */
  pay(steps: number): void {
    this.steps -= steps;
    if (this.steps < 0) exceed('steps', this.budget.steps);
  }

  /** An array or an object of so many elements is made. */
  make(elements: number): void {
    this.elements -= elements + CONTAINER_ELEMENTS;
    if (this.elements < 0) exceed('elements', this.budget.elements);
    this.pay(1 + elements / COPIES_PER_STEP);
  }

  /** One that exists already gets so many more. */
  grow(elements: number): void {
    this.elements -= elements;
    if (this.elements < 0) exceed('elements', this.budget.elements);
  }

  /** A text of so many characters is made. */
  write(chars: number): void {
    this.bytes -= chars;
    if (this.bytes < 0) exceed('stringBytes', this.budget.stringBytes);
    this.pay(1 + chars / CHARS_PER_STEP);
  }

  /** A text of so many characters is looked through. */
  scan(chars: number): void {
    this.pay(1 + chars / CHARS_PER_STEP);
  }

  /** So much deeper; whoever does this rises again, or is risen by whoever catches an error. */
  sink(cost: number): void {
    this.depth -= cost;
    if (this.depth < 0) exceed('depth', this.budget.depth);
    this.pay(cost);
  }

  rise(cost: number): void {
    this.depth += cost;
  }

  /** A text is used as a key. */
  key(text: string): void {
    if (text.length > SHORT_KEY_CHARS) this.pay(text.length / CHARS_PER_STEP);
  }

  /** The keys of an object are listed. */
  keys(count: number): void {
    this.pay(count > FEW_KEYS ? count * KEY_STEPS : 1 + count / 4);
  }

  raising(): void {
    this.pay(RAISE_STEPS);
  }
}
