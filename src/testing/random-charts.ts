/**
 * Random flowcharts, drawn with no regard for what belongs together, and what their activities
 * answer.
 *
 * Every activity can be reached, and beyond that ways lead anywhere: forward, back, into the middle
 * of loops, to itself, twice to the same place. Answers are a pure function of the seed, the
 * activity and either how often it was asked or how often the loops around it were gone round. An
 * activity soon stops answering what leads back, and so every chart ends.
 */
import type {
  ActivityDefinition,
  ConnectionDefinition,
  FlowchartBody,
  FlowchartDefinition,
} from '../frontends/flowchart/definition.ts';
import type { MergeMode } from '../model/merge.ts';
import { type Reading, readChart } from './chart-reading.ts';
import { Dice } from './dice.ts';
import { luck } from './random-luck.ts';

/** Which modes a chart has, and what its answers depend on. */
export type ChartClass = 'mixed' | 'never stalls' | 'converge' | 'determined';

export interface RandomChart {
  readonly seed: number;
  readonly class: ChartClass;
  readonly definition: FlowchartDefinition;
  readonly reading: Reading;
}

/** Often enough that each happens, and not so often that most charts stall at once. */
const MODES: Readonly<Record<ChartClass, readonly MergeMode[]>> = {
  mixed: [
    ...(['converge', 'converge', 'converge', 'merge', 'merge', 'convergeStrict'] as const),
    ...(['race', 'race', 'stream', 'stream', 'cascade'] as const),
  ],
  'never stalls': ['converge', 'converge', 'race', 'race', 'stream', 'stream', 'cascade'],
  converge: ['converge'],
  determined: ['converge', 'converge', 'converge', 'merge', 'stream', 'stream', 'cascade'],
};
const SIZE = { least: 2, more: 11, inside: 4 };
/** Where answers depend on rounds alone, every round of a loop may have loops of its own. */
const MORE_DETERMINED = 8;
const OUTCOMES = ['Done', 'Done', 'Done', 'Yes', 'No'];
const NAMES = 'a b c d e f g h i j k l'.split(' ');
/** How often an activity answers what leads back, at the most: in all, or in each round. */
const TIMES = 3;
const ROUNDS = 2;

export function randomChart(seed: number, own?: ChartClass): RandomChart {
  const dice = new Dice(seed);
  const drawn = dice.pick(['mixed', 'mixed', 'mixed', 'never stalls', 'converge'] as const);
  const kind = own ?? drawn;
  const more = dice.roll(kind === 'determined' ? MORE_DETERMINED : SIZE.more);
  const body = drawBody(dice, kind, SIZE.least + more, 0);
  const definition = { id: `chart-${seed}`, version: 1, ...body };
  return { seed, class: kind, definition, reading: readChart(definition) };
}

function drawBody(dice: Dice, kind: ChartClass, size: number, depth: number): FlowchartBody {
  // Not in the order of their names: nothing may depend on that.
  const names = shuffled(dice, NAMES.slice(0, size));
  const passing = new Set(names.filter(() => dice.roll(6) === 0));
  const connections = drawConnections(dice, names, passing);
  const start = names[0] as string;
  const bare = { start, activities: names.map((id) => ({ id, type: 'work' })), connections };
  // Whoever always goes on by all ways must not go back: it would never stop.
  for (const { from, isBack } of readChart(bare).ways) if (isBack) passing.delete(from);
  const activities = names.map((id) => {
    const isLast = !connections.some(({ from }) => from === id);
    const mergeMode = dice.pick(MODES[kind]);
    const what = passing.has(id) ? drawPassing(dice, kind, depth) : drawPlain(dice, kind, isLast);
    return { id, mergeMode, ...what };
  });
  return { start, activities, connections };
}

function drawConnections(
  dice: Dice,
  names: readonly string[],
  passing: ReadonlySet<string>,
): readonly ConnectionDefinition[] {
  const found = new Map<string, ConnectionDefinition>();
  const add = (from: number, to: number): void => {
    const [a, b] = [names[from] as string, names[to] as string];
    const outcome = passing.has(a) ? 'Done' : dice.pick(OUTCOMES);
    found.set(`${a} ${outcome} ${b}`, { from: a, outcome, to: b });
  };
  for (let to = 1; to < names.length; to += 1) {
    const near = dice.roll(3) > 0 ? Math.min(to, 3) : to;
    add(to - 1 - dice.roll(near), to);
  }
  for (let more = 2 + dice.roll(names.length); more > 0; more -= 1) {
    const [one, other] = [dice.roll(names.length), dice.roll(names.length)];
    const [low, high] = [Math.min(one, other), Math.max(one, other)];
    if (low === high ? dice.roll(3) === 0 : dice.roll(5) < 2) add(high, low);
    else if (low !== high) add(low, high);
  }
  return shuffled(dice, [...found.values()]);
}

function shuffled<Item>(dice: Dice, items: Item[]): Item[] {
  for (let left = items.length; left > 1; left -= 1) {
    const [item] = items.splice(dice.roll(left), 1);
    items.push(item as Item);
  }
  return items;
}

type What = Pick<ActivityDefinition, 'type' | 'config'>;

/** What needs no answer. */
function drawPassing(dice: Dice, kind: ChartClass, depth: number): What {
  const what = depth < 2 ? dice.pick(['start', 'flowchart', 'flowchart', 'forEach']) : 'start';
  if (what === 'start') return { type: what };
  const body = drawBody(dice, kind, 1 + dice.roll(SIZE.inside), depth + 1);
  if (what === 'flowchart') return { type: what, config: body };
  const items = Array.from({ length: dice.roll(4) }, (_, item) => item);
  const limit = dice.roll(2) === 0 ? {} : { limit: 1 + dice.roll(2) };
  return { type: what, config: { items, ...limit, ...body } };
}

function drawPlain(dice: Dice, kind: ChartClass, isLast: boolean): What {
  // What else has run when it comes to an end depends on the order of answers.
  const ends = isLast && kind !== 'determined' && dice.roll(6) === 0;
  return { type: ends ? 'end' : 'work' };
}

/** Who is asked: how often it was before, and how often each loop around it was gone round. */
export interface Asked {
  readonly at: string;
  readonly chart: Reading;
  readonly visit: number;
  readonly depths: readonly number[];
  /** Where it is, in words that no order of answers changes. */
  readonly place: string;
}

export function answerOf({ seed, class: kind }: RandomChart, asked: Asked): readonly string[] {
  const { at, chart, visit, depths, place } = asked;
  const isDetermined = kind === 'determined';
  const word = isDetermined ? place : visit;
  const own = chart.ways.filter(({ from }) => from === at);
  const outcomes = [...new Set(own.map(({ outcome }) => outcome))].filter((outcome) =>
    own.every((way) => {
      if (way.outcome !== outcome || !way.isBack) return true;
      const rounds = 1 + luck(isDetermined ? ROUNDS : TIMES, seed, 'rounds', at);
      return (isDetermined ? (depths[way.level] ?? 0) : visit) < rounds;
    }),
  );
  switch (luck(12, seed, 'how many', at, word)) {
    case 0:
      return [];
    case 1:
    case 2:
    case 3:
    case 4:
      return outcomes;
    case 5:
    case 6:
      return outcomes.filter((outcome) => luck(2, seed, outcome, at, word) === 0);
    default:
      return outcomes.length === 0 ? [] : [outcomes[luck(outcomes.length, seed, at, word)] ?? ''];
  }
}

/** Whether an activity waits for a message before it answers. */
export function isPatient({ seed }: RandomChart, at: string): boolean {
  return luck(6, seed, 'patient', at) === 0;
}
