/**
 * What must hold of flowcharts whatever they look like, on random ones with free cycles and all
 * modes mixed.
 *
 * Each seed is one chart, played to its end beside an oracle that knows the rules and nothing of
 * how the kernel keeps them (see `testing/chart-oracle.ts`): after every answer both must have the
 * same tokens, at the same places, in the same passes. Then its history is looked at by itself (see
 * `testing/chart-laws.ts`). A failing seed prints its chart and how to play it alone.
 *
 * Some charts must run the same activities in every order of answers: those with converge, merge,
 * stream and cascade whose answers depend on the activity, the rounds of the loops around it and
 * the item alone. Of others it is not so, nor could it be: who loses a race, and what has run when
 * an end is come to, is a matter of who is first; convergeStrict takes whoever is oldest of any
 * pass; and an answer that depends on how often an activity was asked depends on who asked before.
 */
import { expect, test } from 'vitest';
import { type Played, playChart } from '../testing/chart-player.ts';
import { chartBreaches, count, type Tally } from '../testing/chart-laws.ts';
import { reachedBy, type Reading } from '../testing/chart-reading.ts';
import { Dice } from '../testing/dice.ts';
import { ORDERS, type Order } from '../testing/play.ts';
import { type RandomChart, randomChart } from '../testing/random-charts.ts';

const SEEDS = 5_000;
const SEEDS_PER_TEST = 500;
const DETERMINED = 1_000;
const DETERMINED_PER_TEST = 250;
/** One seed in so many has every promise of the kernel's checked after each stride. */
const THOROUGH = 20;
/** A chart that runs too much is cut short. That must be rare: no more than one in fifty. */
const CUT = 50;

/** What so many seeds see at least, or they prove nothing: about half of what most slices do. */
const LEAST = {
  completed: 150,
  stalled: 20,
  'loops entered in the middle': 20,
  'converge ran': 200,
  'merge ran': 20,
  'convergeStrict ran': 5,
  'race ran': 100,
  'stream ran': 100,
  'an activity ran for who came back': 100,
  'an activity ran twice in one pass': 20,
  'several met in a later pass': 20,
  'a block was used or dropped': 50,
  'somebody was cancelled who waited': 5,
};

/** SEED=7 plays one chart alone; DETERMINED=7 one of those that run the same in every order. */
const ONE = Number(process.env['SEED'] ?? 0);
const ONE_DETERMINED = Number(process.env['DETERMINED'] ?? 0);
const isWhole = ONE === 0 && ONE_DETERMINED === 0;

for (const [from, to] of isWhole ? slices(SEEDS, SEEDS_PER_TEST) : ONE > 0 ? [[ONE, ONE]] : []) {
  test(`X-01: charts ${from} to ${to} run as the oracle says, and never hang`, () => {
    const tally: Tally = new Map();
    expect(firstBreach(from, to, tally)).toBe('');
    if (!isWhole) return;
    const lacking = Object.entries(LEAST).filter(([what, least]) => (tally.get(what) ?? 0) < least);
    expect(lacking.map(([what]) => [what, tally.get(what) ?? 0])).toEqual([]);
    expect(tally.get('cut') ?? 0).toBeLessThanOrEqual(SEEDS_PER_TEST / CUT);
  });
}

const DETERMINED_SLICES = isWhole
  ? slices(DETERMINED, DETERMINED_PER_TEST)
  : ONE_DETERMINED > 0
    ? [[ONE_DETERMINED, ONE_DETERMINED]]
    : [];

for (const [from, to] of DETERMINED_SLICES) {
  test(`§8.9: charts ${from} to ${to} run the same in every order of answers`, () => {
    const tally: Tally = new Map();
    expect(firstDifference(from, to, tally)).toBe('');
    expect(tally.get('cut') ?? 0).toBeLessThanOrEqual(DETERMINED_PER_TEST / CUT);
  });
}

function slices(seeds: number, size: number): readonly (readonly [number, number])[] {
  return Array.from({ length: seeds / size }, (_, at) => [at * size + 1, (at + 1) * size] as const);
}

/** The first seed that breaks a law, as a bug report; nothing if none does. */
function firstBreach(from: number, to: number, tally: Tally): string {
  const seeds = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  for (const seed of seeds) {
    const chart = randomChart(seed);
    const dice = new Dice(seed);
    const order = [ORDERS['FIFO'], ORDERS['LIFO']][seed % 3]?.() ?? ((open) => dice.pick(open));
    const [breach] = breachesOf(chart, order, tally);
    if (breach !== undefined) return tell(chart, breach, `SEED=${seed}`);
    if (isEnteredInTheMiddle(chart.reading)) count(tally, 'loops entered in the middle');
  }
  return '';
}

function* breachesOf(chart: RandomChart, order: Order, tally: Tally): Iterable<string> {
  const played = playedOf(chart, order);
  const { breach, isCut, instance } = played;
  if (breach !== null) yield breach;
  yield* chartBreaches(played, chart.reading, tally);
  const { stalled, status } = instance.head;
  if (stalled !== null && chart.class !== 'mixed' && chart.class !== 'determined') {
    yield `it stalls, with nothing but modes that never do`;
  }
  count(tally, isCut ? 'cut' : stalled === null ? status : 'stalled');
}

function playedOf(chart: RandomChart, order: Order): Played {
  const { seed } = chart;
  return playChart(chart, { order, dice: new Dice(seed), isThorough: seed % THOROUGH === 0 });
}

/** The first seed whose executions depend on the order of answers. */
function firstDifference(from: number, to: number, tally: Tally): string {
  for (let seed = from; seed <= to; seed += 1) {
    const chart = randomChart(seed, 'determined');
    const ends = new Map<string, string>();
    let isCut = false;
    for (const [name, order] of Object.entries(ORDERS)) {
      const played = playedOf(chart, order());
      const [breach] = [played.breach, ...chartBreaches(played, chart.reading, tally)];
      if (breach) return tell(chart, `${name}: ${breach}`, `DETERMINED=${seed}`);
      isCut ||= played.isCut;
      if (isCut) break;
      ends.set(`${endOf(played)}\n${played.executions.toSorted().join(' ')}`, name);
    }
    if (isCut) count(tally, 'cut');
    else if (ends.size > 1) {
      const told = [...ends].map(([ran, name]) => `${name}: ${ran}`).join('\n');
      return tell(chart, told, `DETERMINED=${seed}`);
    }
  }
  return '';
}

/** How it ended; where it stalled, who waits and by which ways. */
function endOf({ instance: { head, tokens } }: Played): string {
  if (head.stalled === null) return head.status;
  const here = tokens.values().map(({ node, via }) => `${node} by ${via}`);
  return `stalled: ${here.sort().join()}`;
}

function isEnteredInTheMiddle({ start, ways }: Reading): boolean {
  return ways.some(({ isBack, from, to }) => {
    return (
      isBack &&
      to !== start &&
      reachedBy(
        start,
        ways.filter((way) => way.to !== to),
      ).has(from)
    );
  });
}

function tell({ seed, class: kind, definition }: RandomChart, breach: string, env: string): string {
  const replay = `replay it: ${env} npx vitest run src/kernel/random-charts.test.ts`;
  return [`seed ${seed} (${kind}): ${breach}`, replay, JSON.stringify(definition)].join('\n');
}
