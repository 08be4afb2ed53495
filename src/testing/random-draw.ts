/**
 * Draws a random graph: nodes by weight, a tree of edges that reaches all of them, what forks and
 * joins need to be forks and joins, and then edges anywhere, forward and back.
 *
 * How much a graph can do is bounded before it runs: `visitsOf` counts every way a token can go. So
 * a run that takes longer than its bound has gone astray, and the player may say so.
 */
import {
  bodyOf,
  type Graph,
  type GraphEdge,
  type GraphNode,
  isLoop,
  opens,
  reachedOf,
} from './random-graph.ts';
import { ATTEMPTS_MOST } from './random-failures.ts';
import { kindBlocks, REPEAT_PASSES } from './random-kinds.ts';
import { luck, lucky } from './random-luck.ts';
import { ITEMS_MOST } from './random-maps.ts';

/** Visits of nodes in one run, at the most. */
export const VISITS_MAX = 240;

const NODES_TOP = { least: 4, more: 10 };
const NODES_INSIDE = { least: 1, more: 5 };
const NODES_CHARTED = { least: 2, more: 7 };
const DEPTH_MAX = 2;
const FUEL_MAX = 3;

export function randomGraph(seed: number): Graph {
  const draw: Draw = { seed, nodes: [], ways: [], extras: [] };
  drawRegion(draw, null, 0);
  const { nodes, ways, extras } = draw;
  const fuel = luck(FUEL_MAX + 1, seed, 'fuel');
  return fitted({ nodes, edges: [...ways, ...extras], fuel });
}

interface Draw {
  readonly seed: number;
  readonly nodes: GraphNode[];
  /** Edges that make every node reachable. */
  readonly ways: GraphEdge[];
  /** Edges beyond those. */
  readonly extras: GraphEdge[];
}

function drawRegion(draw: Draw, region: string | null, depth: number): void {
  const isChart = draw.nodes.find(({ id }) => id === region)?.kind === 'flowchart';
  const { least, more } = isChart ? NODES_CHARTED : region === null ? NODES_TOP : NODES_INSIDE;
  const size = least + luck(more, draw.seed, 'size', region ?? '');
  const nodes: GraphNode[] = [];
  for (let i = 0; i < size; i += 1) {
    const node = drawNode(draw, region, { rank: i, size });
    nodes.push(node);
    if (opens(node) && depth < DEPTH_MAX) drawRegion(draw, node.id, depth + 1);
  }
  drawWays(draw, nodes);
  drawMeetings(draw, nodes);
  drawExtras(draw, nodes, region ?? 'top');
  // Where any may be where ways meet, more of them do.
  if (isChart) for (const word of ['more', 'most']) drawExtras(draw, nodes, `${region} ${word}`);
}

function drawNode(
  draw: Draw,
  region: string | null,
  at: { rank: number; size: number },
): GraphNode {
  const { seed } = draw;
  const word = draw.nodes.length;
  const begins = region === null && at.rank === 0 && luck(4, seed, 'begins') > 0;
  const themed = luck(2, seed, 'theme', region ?? '') === 0 && luck(4, seed, 'theme', word) > 0;
  // Forks near the beginning and joins near the end meet more often than not.
  const late = luck(at.size, seed, 'late', word) <= at.rank;
  const free = lucky(late ? LATE : EARLY, seed, 'kind', word);
  const theme = lucky(THEMES, seed, 'which theme', region ?? '');
  const isCharted = draw.nodes.find(({ id }) => id === region)?.kind === 'flowchart';
  const plain = (themed ? theme[at.rank % theme.length] : undefined) ?? free;
  const drawn = isCharted ? lucky(CHARTED, seed, 'charted', word) : plain;
  // What a region begins with must lead on, by as many ways as the rest needs.
  const narrow = isDead(drawn) || MEETING.has(drawn);
  const kind = begins ? 'start' : at.rank === 0 && narrow ? 'pass' : drawn;
  const id = `${kind}${word}`;
  const node = { id, kind, seed: luck(2 ** 31, seed, id), region };
  draw.nodes.push(node);
  return node;
}

/** Every kind as often as its weight says. */
const BAG: readonly string[] = Object.entries(kindBlocks).flatMap(([kind, { weight }]) =>
  Array.from({ length: weight }, () => kind),
);
/** By one way they lead on. */
const MEETING: ReadonlySet<string> = new Set(['join', 'inclusive']);
const EARLY: readonly string[] = BAG.filter((kind) => !MEETING.has(kind) && !isDead(kind));
/** Half of the regions keep mostly to one of these, so that forks and joins cross on the way. */
const THEMES: readonly (readonly string[])[] = [
  ['pass', 'fork', 'step', 'fork', 'step', 'wait', 'join', 'step', 'join', 'join'],
  ['pass', 'choose', 'step', 'choose', 'step', 'inclusive', 'wait', 'inclusive', 'step'],
  ['pass', 'fork', 'step', 'try', 'scope', 'step', 'call', 'join', 'win', 'step'],
  ['pass', 'fork', 'task', 'map', 'approve', 'step', 'join', 'map'],
  ['pass', 'flowchart', 'fork', 'flowchart', 'step', 'join'],
];
/** What stands in a flowchart. */
const CHARTED: readonly string[] = [
  ...['activity', 'activity', 'activity', 'activity', 'activity', 'activity', 'activity'],
  ...['activity', 'activity', 'pass', 'win', 'map', 'flowchart'],
];
const LATE: readonly string[] = BAG.filter((kind) => kind !== 'fork');

/** Some kinds lead nowhere, and a join only one way. */
function canLead({ ways, extras }: Draw, { id, kind }: GraphNode): boolean {
  if (!MEETING.has(kind)) return !isDead(kind);
  return ![...ways, ...extras].some(({ from }) => from === id);
}

function isDead(kind: string): boolean {
  return kindBlocks[kind]?.leavesBy === 'none';
}

/** Every node is led to, mostly from nearby; and most lead on, so that paths meet again. */
function drawWays(draw: Draw, nodes: readonly GraphNode[]): void {
  const { seed, ways, extras } = draw;
  for (const [rank, { id }] of nodes.entries()) {
    if (rank === 0) continue;
    const alive = nodes.slice(0, rank).filter((node) => canLead(draw, node));
    const near = luck(3, seed, 'near', id) > 0 ? alive.slice(-3) : alive;
    ways.push({ from: lucky(near, seed, 'way', id).id, to: id });
  }
  for (const [rank, { id, kind }] of nodes.entries()) {
    const after = nodes.slice(rank + 1);
    const leads = isDead(kind) || ways.some(({ from }) => from === id);
    if (leads || after.length === 0 || luck(6, seed, 'ends', id) === 0) continue;
    extras.push({ from: id, to: lucky(after, seed, 'on', id).id });
  }
}

/** A fork needs a second way out and a join a second way in, often from one to the other. */
function drawMeetings(draw: Draw, nodes: readonly GraphNode[]): void {
  const { seed, extras } = draw;
  for (const [rank, { id, kind }] of nodes.entries()) {
    const after = nodes.slice(rank + 1);
    const before = nodes.slice(0, rank).filter((node) => canLead(draw, node));
    const pick = (among: readonly GraphNode[], best: string, word: string): string => {
      const fitting = among.filter((node) => node.kind === best);
      const from = fitting.length > 0 && luck(2, seed, 'best', word) === 0 ? fitting : among;
      return lucky(from, seed, word).id;
    };
    for (let i = luck(2, seed, 'meet', id); i < 2; i += 1) {
      const word = `meet ${id} ${i}`;
      if (kind === 'fork' && after.length > 0)
        extras.push({ from: id, to: pick(after, 'join', word) });
      if (MEETING.has(kind) && before.length > 0) {
        const best = kind === 'join' ? 'fork' : 'choose';
        extras.push({ from: pick(before, best, word), to: id });
      }
    }
  }
}

function drawExtras(draw: Draw, nodes: readonly GraphNode[], word: string): void {
  const alive = nodes.filter((node) => canLead(draw, node));
  for (let i = luck(3, draw.seed, 'extras', word); i > 0; i -= 1) {
    const from = lucky(alive, draw.seed, 'from', word, i).id;
    const to = lucky(nodes, draw.seed, 'to', word, i).id;
    const exit = lucky(nodes, draw.seed, 'exit', word, i).id;
    draw.extras.push(
      luck(3, draw.seed, 'leaves', word, i) === 0 ? { from, to } : { from, to, exit },
    );
  }
}

/** Cuts what was drawn last until the graph can do no more than it may. */
function fitted(graph: Graph): Graph {
  let { nodes, edges, fuel } = graph;
  while (visitsOf({ nodes, edges, fuel }) > VISITS_MAX) {
    if (fuel > 1) fuel -= 1;
    else if (edges.length > nodes.length) edges = edges.slice(0, -1);
    else nodes = nodes.slice(0, -1);
  }
  return { nodes, edges, fuel };
}

/** How often nodes can be visited, were every way taken and every loop used up. */
export function visitsOf(graph: Graph): number {
  const { nodes, edges } = reachedOf(graph);
  const inRegion = (region: string | null): number => {
    const tokens = new Map<string, number>();
    const begin = region === null ? nodes[0]?.id : bodyOf(nodes, region);
    let sum = 0;
    for (const node of nodes) {
      if (node.region !== region) continue;
      const into = edges.flatMap((edge) => waysInto(nodes, edge, node.id));
      const came = into.reduce((count, from) => count + (tokens.get(from) ?? 0), 0);
      const here = came + (node.id === begin ? 1 : 0);
      tokens.set(node.id, here);
      const passes = PASSES[node.kind] ?? 1;
      sum += here * (opens(node) ? 1 + passes * inRegion(node.id) : 1);
    }
    return sum;
  };
  // Each pass of a loop puts one more token somewhere, which does no more than the first could.
  return inRegion(null) * (1 + graph.fuel);
}

/** How often a region is run for each token that comes to it. */
const PASSES: Readonly<Record<string, number>> = {
  ...{ repeat: REPEAT_PASSES, try: ATTEMPTS_MOST },
  map: ITEMS_MOST,
};

function waysInto(nodes: readonly GraphNode[], edge: GraphEdge, to: string): string[] {
  if (!isLoop(nodes, edge)) return edge.to === to ? [edge.from] : [];
  return edge.exit === to ? [edge.from] : [];
}
