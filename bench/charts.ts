/**
 * Flowcharts of every size in the shapes that could cost more the larger they are, and how many
 * activities a run of each completes. An activity of type `turn` leads back until it has been run
 * three times.
 */
import {
  type ActivityDefinition,
  type ConnectionDefinition,
  flowchart,
  type FlowchartBody,
  type MergeMode,
} from '../src/flowchart.ts';
import type { Flow } from '../src/index.ts';

/** How often a loop is gone round. */
export const ROUNDS = 3;

export interface Chart {
  readonly flow: Flow<null>;
  readonly activities: number;
  /** Activities that a run completes; in a race those count too that it cancels. */
  readonly completions: number;
  readonly handlers: readonly string[];
}

export interface Shape {
  readonly title: string;
  /** A chart of about so many activities, or one whose runs complete about so many. */
  of(size: number): Chart;
}

export const SHAPES: Readonly<Record<string, Shape>> = {
  line: { title: 'a line', of: (size) => once('line', lineOf(size)) },
  braid: {
    title: 'a braid, 4 wide: each activity waits for 3 before it',
    of: (size) => once('braid', braidOf(size, 4)),
  },
  wideBraid: {
    title: 'a braid as wide as it is long',
    of: (size) => once('wide-braid', braidOf(size, Math.round(Math.sqrt(size)))),
  },
  star: star('converge', 'a fork into all, that converge in one'),
  starStream: star('stream', 'the same, stream'),
  starRace: star('race', 'the same, race'),
  ladder: {
    title: 'a line, each of which feeds one that waits for its end, too',
    of: (size) => once('ladder', ladderOf(size)),
  },
  pairs: {
    title: 'a fork into pairs, each of which converges in one of its own',
    of: (size) => once('pairs', pairsOf(size)),
  },
  loops: {
    title: `loops of 2 in a row, each gone round ${ROUNDS} times`,
    of: (size) => again('loops', loopsOf(size)),
  },
  bigLoop: {
    title: `a braid in a loop, gone round ${ROUNDS} times`,
    of: (size) => again('big-loop', bigLoopOf(size)),
  },
  nested: { title: 'flowcharts of 20 in a row', of: nestedOf },
  forEach: { title: 'forEach, of a fork and two that converge', of: forEachOf },
};

function once(name: string, body: FlowchartBody): Chart {
  const { length } = body.activities;
  return { flow: named(name, body), activities: length, completions: length, handlers: ['work'] };
}

function again(name: string, body: FlowchartBody): Chart {
  const { length } = body.activities;
  const handlers = ['work', 'turn'];
  return { flow: named(name, body), activities: length, completions: ROUNDS * length, handlers };
}

function named(name: string, body: FlowchartBody): Flow<null> {
  return flowchart<null>({ id: `${name}-${body.activities.length}`, version: 1, ...body });
}

function work(id: string, mergeMode?: MergeMode): ActivityDefinition {
  return { id, type: 'work', ...(mergeMode === undefined ? {} : { mergeMode }) };
}

function all(count: number, letter = 'a'): ActivityDefinition[] {
  return Array.from({ length: count }, (_, at) => work(`${letter}${at}`));
}

export function lineOf(size: number): FlowchartBody {
  const activities = all(size);
  return { activities, connections: inRow(activities) };
}

function inRow(activities: readonly ActivityDefinition[]): ConnectionDefinition[] {
  return activities.slice(1).map(({ id }, at) => ({ from: activities[at]?.id ?? '', to: id }));
}

/** One that all of the first layer follow, then layers, each activity of which follows three. */
function braidOf(size: number, width: number): FlowchartBody {
  const activities = all(size);
  const connections = activities.slice(1).flatMap(({ id: to }, at): ConnectionDefinition[] => {
    const layer = Math.floor(at / width);
    if (layer === 0) return [{ from: 'a0', to }];
    const first = 1 + (layer - 1) * width;
    const before = [at, at + 1, at + 2].map((way) => first + (way % width));
    return before.map((from) => ({ from: `a${from}`, to }));
  });
  return { activities, connections };
}

function star(mode: MergeMode, title: string): Shape {
  return { title, of: (size) => once(`star-${mode}`, starOf(size, mode)) };
}

function starOf(size: number, mode: MergeMode): FlowchartBody {
  const branches = all(size - 2);
  const connections = branches.flatMap(({ id }) => [
    { from: 'fork', to: id },
    { from: id, to: 'end' },
  ]);
  return { activities: [work('fork'), ...branches, work('end', mode)], connections };
}

function ladderOf(size: number): FlowchartBody {
  const line = all(size / 2);
  const end = line.at(-1)?.id ?? '';
  const waiting = line.slice(0, -1).map((_, at) => work(`w${at}`));
  const rungs = waiting.flatMap(({ id: to }, at) => [
    { from: `a${at}`, to },
    { from: end, to },
  ]);
  return { activities: [...line, ...waiting], connections: [...inRow(line), ...rungs] };
}

/** All first ones are done before the second ones: so all of the last ones wait at once. */
function pairsOf(size: number): FlowchartBody {
  const ends = all(Math.floor((size - 1) / 3), 'e');
  const pairs = ['a', 'b'].flatMap((letter) => all(ends.length, letter));
  const connections = [
    ...pairs.map(({ id: to }) => ({ from: 'fork', to })),
    ...pairs.map(({ id: from }) => ({ from, to: `e${from.slice(1)}` })),
  ];
  return { activities: [work('fork'), ...pairs, ...ends], connections };
}

function loopsOf(size: number): FlowchartBody {
  const activities = all(size / 2, 'a').flatMap((first, at) => [first, turn(`t${at}`)]);
  const back = all(size / 2).map((_, at) => ({ from: `t${at}`, outcome: 'Again', to: `a${at}` }));
  return { activities, connections: [...inRow(activities), ...back] };
}

function turn(id: string): ActivityDefinition {
  return { id, type: 'turn' };
}

function bigLoopOf(size: number): FlowchartBody {
  const { activities, connections = [] } = braidOf(size - 1, 4);
  const leads = new Set(connections.map(({ from }) => from));
  const last = activities.filter(({ id }) => !leads.has(id));
  const out = last.map(({ id }) => ({ from: id, to: 'turn' }));
  const back = { from: 'turn', outcome: 'Again', to: 'a0' };
  return {
    activities: [...activities, turn('turn')],
    connections: [...connections, ...out, back],
  };
}

const INSIDE = 20;

function nestedOf(size: number): Chart {
  const boxes = Array.from({ length: size / INSIDE }, (_, at): ActivityDefinition => {
    const config = braidOf(INSIDE, 4) as unknown as NonNullable<ActivityDefinition['config']>;
    return { id: `box${at}`, type: 'flowchart', config };
  });
  const flow = named('nested', { activities: boxes, connections: inRow(boxes) });
  return { flow, activities: size, completions: size, handlers: ['work'] };
}

function forEachOf(size: number): Chart {
  const body = starOf(4, 'converge');
  const items = Array.from({ length: size / body.activities.length }, (_, at) => at);
  const config = { items, ...body } as unknown as NonNullable<ActivityDefinition['config']>;
  const each = { id: 'each', type: 'forEach', config };
  const flow = flowchart<null>({ id: `for-each-${size}`, version: 1, activities: [each] });
  return { flow, activities: 5, completions: size, handlers: ['work'] };
}

/** One knot without any order: random connections, and a circle through all of them. */
export function knotOf(size: number, connections: number): FlowchartBody {
  // The same numbers every time.
  let seed = 1;
  const next = (): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % size;
  };
  const circle = Array.from({ length: size }, (_, at) => [at, (at + 1) % size]);
  const ways = new Map(circle.map(([from = 0, to = 0]) => [`${from} ${to}`, { from, to }]));
  while (ways.size < connections) {
    const [from, to] = [next(), next()];
    ways.set(`${from} ${to}`, { from, to });
  }
  const drawn = [...ways.values()].map(({ from, to }) => ({ from: `a${from}`, to: `a${to}` }));
  return { start: 'a0', activities: all(size), connections: drawn };
}
