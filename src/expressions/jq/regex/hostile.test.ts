/** Patterns and texts that make others look for a very long time. */
import { expect, test } from 'vitest';
import { JQ_BUDGET_DEFAULT, Meter } from '../budget.ts';
import { Exceeded, Raised } from '../faults.ts';
import { matchAll, RegexCache } from './regex.ts';

const LONG = 100_000;
const MS_MAX = 100;
/** Time of the processor; a collection of garbage may fall into one of them. */
const TRIES = 5;

type Row = readonly [pattern: string, text: string, flags: string | null, outcome: string];

const as = 'a'.repeat(LONG);

const HOSTILE: readonly Row[] = [
  ['(a+)+$', `${as}b`, null, '0 matches'],
  ['(a|aa)+$', `${as}b`, null, 'steps'],
  ['(.*a){20}', `${as}b`, null, '1 matches'],
  ['(.*a){20}$', `${as}b`, null, 'steps'],
  ['a?'.repeat(50) + 'a'.repeat(50), as, null, '1 matches'],
  ['(a?){50}a{50}', as, null, '1 matches'],
  ['\\w*\\w*\\w*x', as, null, '0 matches'],
  ['\\d+x', '1'.repeat(LONG), null, '0 matches'],
  ['(a*)*b', as, null, '0 matches'],
  ['(x+x+)+y', 'x'.repeat(LONG), null, '0 matches'],
  ['.*.*.*=', as, null, '0 matches'],
  ['a*?b', as, null, '0 matches'],
  ['(ab|a|b)*c', 'ab'.repeat(LONG / 2), null, '0 matches'],
  ['é+x', 'é'.repeat(LONG), null, '0 matches'],
  ['(\\p{L}|\\d)+x', '日'.repeat(LONG), null, 'steps'],
  ['(?i)[\\x{100}-\\x{2000}]+x', '\u0450'.repeat(LONG), null, 'steps'],
  ['(?>(a+)+b)', as, null, 'steps'],
  ['(?=(a+)+b)a', as, null, 'steps'],
  ['(?<=a+b)c', as + 'c'.repeat(100), null, 'steps'],
  ['(a+)\\1+b', as, null, 'steps'],
  ['(a+)(?i)\\1b', as, null, 'steps'],
  ['(a{1,100}){1,100}b', as, null, 'steps'],
  ['(?:a{0,30}){0,30}b', as, null, 'steps'],
  ['a+', as, 'l', 'steps'],
  ['', as, 'g', 'elements'],
  ['a*b|a', as, 'g', '100000 matches'],
  ['(a)(b)?(c)?(d)?(e)?(f)?', as, 'g', 'elements'],
  ['((a{1000}){1000}){1000}', as, null, '"Regex failure: too big: more than 5000 instructions"'],
];

function outcomeOf(pattern: string, text: string, flags: string | null): string {
  const meter = new Meter();
  meter.begin(JQ_BUDGET_DEFAULT);
  try {
    return `${matchAll(text, pattern, flags, new RegexCache(), meter).length} matches`;
  } catch (thrown) {
    if (thrown instanceof Exceeded) return thrown.limit;
    if (thrown instanceof Raised) return JSON.stringify(thrown.value);
    throw thrown;
  }
}

test.each(HOSTILE)('%s ends soon', (pattern, text, flags, outcome) => {
  let fastestMs = Infinity;
  for (let tries = 0; tries < TRIES && fastestMs > MS_MAX; tries += 1) {
    const before = process.cpuUsage();
    // What is slow may as well be given up: the budget is what it is.
    expect([outcome, 'steps', 'elements']).toContain(outcomeOf(pattern, text, flags));
    const { user, system } = process.cpuUsage(before);
    fastestMs = Math.min(fastestMs, (user + system) / 1_000);
  }
  expect(fastestMs).toBeLessThan(MS_MAX);
});

test.each<Row>([
  ['(a+)+b', `${'a'.repeat(3_000)}b`, null, '0+3001(0+3000)'],
  ['(a|b|ab)*c', `${'ab'.repeat(2_000)}c`, null, '0+4001(3999+1)'],
  ['(a*)*c|b', `${'a'.repeat(3_000)}b`, null, '3000+1(-)'],
  ['((a|aa)+)$|b', `${'a'.repeat(3_000)}b`, null, '3000+1(- -)'],
  ['(?:(\\w*\\w*x)|a{1000})', 'a'.repeat(3_000), 'g', '0+1000(-) 1000+1000(-) 2000+1000(-)'],
  ['(?:a*a*a*x|a{1000}|$)', 'a'.repeat(2_500), 'g', '0+1000 1000+1000 2500+0'],
])('%s is found after a long search as after a short one', (pattern, text, flags, matches) => {
  const meter = new Meter();
  meter.begin(JQ_BUDGET_DEFAULT);
  const found = matchAll(text, pattern, flags, new RegexCache(), meter).map(
    ({ offset, length, captures }) => {
      const groups = captures.map((each) =>
        each.string === null ? '-' : `${each.offset}+${each.length}`,
      );
      return `${offset}+${length}${groups.length === 0 ? '' : `(${groups.join(' ')})`}`;
    },
  );
  expect(found.join(' ')).toBe(matches);
});
