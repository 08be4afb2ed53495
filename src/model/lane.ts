/**
 * Limits as they are written, and lanes, which is what they become for a token: a name, and how
 * much room there is under it. Whoever has the plan and the head of an instance can tell the lanes
 * of a token; it takes no code of the flow's.
 */

/** How many at a time, how many per time, for each value of what. Types, since plans are JSON. */
export type Limit = {
  readonly concurrency?: number;
  readonly rate?: Rate;
  /** `'key'`, `'tenant'` or `'input.…'`: each value has room of its own. Absent: all share it. */
  readonly by?: string;
};

/** No more than `max` begin within any time of this length. */
export type Rate = {
  readonly max: number;
  readonly perMs: number;
};

/** Where a token waits until there is room. */
export type Lane = {
  /** `flow:import=acme`, `step:import/call`, `tenant:acme`. */
  readonly name: string;
  readonly concurrency: number | null;
  readonly rate: Rate | null;
};

/** Most tokens are in none. Not frozen: a frozen list is slow to walk. */
export const NO_LANES: readonly Lane[] = [];

const PATH = /^input(\.[^.]+)+$/;

/** What is wrong with a limit, as a sentence that goes on after its name; undefined if nothing. */
export function limitProblem(limit: unknown): string | undefined {
  if (!isObject(limit)) return 'is an object with a concurrency, a rate, or both';
  const { concurrency, rate, by } = limit;
  if (concurrency === undefined && rate === undefined) return 'has a concurrency, a rate, or both';
  if (concurrency !== undefined && !isCount(concurrency)) {
    return 'has a concurrency that is a whole number, 1 or more';
  }
  if (rate !== undefined && !(isObject(rate) && isCount(rate['max']) && isCount(rate['perMs']))) {
    return 'has a rate of a max, a whole number of 1 or more, per a time longer than 0';
  }
  if (by === undefined || by === 'key' || by === 'tenant') return undefined;
  if (typeof by === 'string' && PATH.test(by)) return undefined;
  return "goes by 'key', 'tenant' or a path such as 'input.customer'";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}
