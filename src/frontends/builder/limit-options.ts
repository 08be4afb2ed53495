/** How many steps may be at work at a time and begin per time, as it is written and as kept. */
import type { Duration } from '../../base/duration.ts';
import { type Limit, limitProblem } from '../../model/lane.ts';
import { complain, type Findings, isRecord, readOptions } from './checks.ts';
import { readTimeLimit, type Rule } from './readers.ts';

export interface LimitOptions {
  /** How many may be at work at a time, in all processes. */
  readonly concurrency?: number;
  /** How many may begin within any time of this length. */
  readonly rate?: { readonly max: number; readonly per: Duration };
  /** What each value of has room of its own: the business key, the tenant, a field of the input. */
  readonly by?: 'key' | 'tenant' | `input.${string}`;
}

const OPTIONS = ['concurrency', 'rate', 'by'];

/** Undefined if none was given, or a wrong one. */
export function readLimit(found: Findings, rule: Rule, value: unknown): Limit | undefined {
  if (value === undefined) return undefined;
  const before = found.list.length;
  const options = readOptions(found, rule.what, OPTIONS, value);
  if (!isRecord(value)) return undefined;
  const { concurrency, rate, by } = options;
  const limit = {
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(rate === undefined ? {} : { rate: readRate(found, rule, rate) }),
    ...(by === undefined ? {} : { by }),
  };
  const badly = found.list.length > before ? undefined : limitProblem(limit);
  if (badly !== undefined) complain(found, rule.code, `${rule.what} ${badly}`);
  return found.list.length > before ? undefined : (limit as Limit);
}

function readRate(found: Findings, { code, what }: Rule, rate: unknown): unknown {
  const { max, per } = readOptions(found, `the rate of ${what}`, ['max', 'per'], rate);
  const perMs = readTimeLimit(found, { code, what: `the rate.per of ${what}` }, per);
  return perMs === undefined ? { max } : { max, perMs };
}
