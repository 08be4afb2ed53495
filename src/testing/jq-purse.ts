/** For tests of what jq is made of: a purse, what was raised, and matches in short. */
import type { Json } from '../base/json.ts';
import { JQ_BUDGET_DEFAULT, type JqBudget, Meter } from '../expressions/jq/budget.ts';
import { Raised } from '../expressions/jq/faults.ts';
import { matchAll, RegexCache } from '../expressions/jq/regex/regex.ts';

export function meterOf(budget: Partial<JqBudget> = {}): Meter {
  const meter = new Meter();
  meter.begin({ ...JQ_BUDGET_DEFAULT, ...budget });
  return meter;
}

/** What is found, or the error that is raised instead. */
export function outcomeOf(find: (meter: Meter) => Json): Json {
  try {
    return find(meterOf());
  } catch (thrown) {
    if (thrown instanceof Raised) return { error: thrown.value };
    throw thrown;
  }
}

/** Each match as offset+length, with its captures in parentheses; `-` for one that took no part. */
export function showMatches(text: string, pattern: string, flags: string | null): string {
  return matchAll(text, pattern, flags, new RegexCache(), meterOf())
    .map(({ offset, length, captures }) => {
      const groups = captures.map(
        (each) =>
          (each.name === null ? '' : `${each.name}:`) +
          (each.string === null ? '-' : `${each.offset}+${each.length}`),
      );
      return `${offset}+${length}${groups.length === 0 ? '' : `(${groups.join(' ')})`}`;
    })
    .join(' ');
}
