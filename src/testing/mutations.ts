/**
 * The next version of a random definition: the same with one thing or two done to it, as an author
 * would. What is drawn for a block depends on its own seed alone, so all the rest stays as it is.
 */
import type { Block, Row } from './random-blocks.ts';
import type { Case, Shape } from './random-case.ts';
import type { Graph, GraphEdge, GraphNode } from './random-graph.ts';
import { luck, lucky } from './random-luck.ts';

export const MUTATIONS = [
  'nothing',
  'add a step',
  'remove a step',
  'rename a node',
  'change the settings of a step',
  'change the settings of a wait',
  'change the settings of a map',
  'change what people are asked',
  'wrap steps in a scope',
  'do it for every item',
  'swap two neighbours',
  'add a branch',
  'remove a branch',
  'turn two arms',
  'insert a step before a join',
  'dissolve a block',
  'do two things at once',
  'say otherwise what is undone',
] as const;

export type Mutation = (typeof MUTATIONS)[number];

/** The same case with a definition that was worked on; what was done is named, if it could be. */
export function mutated(
  one: Case,
  mutation: Mutation,
  word: number,
): { readonly case: Case; readonly did: boolean } {
  const { shape, failing, seed } = one;
  if (mutation === 'say otherwise what is undone') {
    const reaches = (['none', 'scope', 'instance'] as const).filter((it) => it !== failing.saga);
    const saga = lucky(reaches, seed, word, 'reach');
    return { case: { ...one, failing: { ...failing, saga } }, did: true };
  }
  const next: Shape =
    shape.family === 'structured'
      ? { family: 'structured', row: mutatedRow(shape.row, mutation, [one.seed, word]) }
      : { family: 'unstructured', graph: mutatedGraph(shape.graph, mutation, [one.seed, word]) };
  const did = JSON.stringify(next) !== JSON.stringify(shape);
  return { case: { ...one, shape: next }, did };
}

type Words = readonly (string | number)[];

/** Alters one row of the tree, or one block of it, at a place that luck picks of those that fit. */
function mutatedRow(row: Row, mutation: Mutation, words: Words): Row {
  const all = [...rowsIn(row)].map((one) => alteredRow(one, mutation, words));
  const fitting = [...rowsIn(row)].filter((one, at) => all[at] !== one);
  if (fitting.length === 0) return row;
  const chosen = lucky(fitting, 'row', mutation, ...words);
  return replacedRow(row, chosen, alteredRow(chosen, mutation, words));
}

function* rowsIn(row: Row): Iterable<Row> {
  yield row;
  for (const block of row) for (const inner of block.rows) yield* rowsIn(inner);
}

function replacedRow(row: Row, old: Row, now: Row): Row {
  if (row === old) return now;
  return row.map((block) => ({
    ...block,
    rows: block.rows.map((inner) => replacedRow(inner, old, now)),
  }));
}

function alteredRow(row: Row, mutation: Mutation, words: Words): Row {
  const pick = <Item>(items: readonly Item[]): Item => lucky(items, mutation, ...words, row.length);
  const places = (fits: (block: Block) => boolean): readonly number[] =>
    row.flatMap((block, at) => (fits(block) ? [at] : []));
  const alter = (fits: (block: Block) => boolean, change: (block: Block) => Block): Row => {
    const at = places(fits);
    if (at.length === 0) return row;
    const chosen = pick(at);
    return row.with(chosen, change(row[chosen] as Block));
  };
  switch (mutation) {
    case 'nothing':
    case 'say otherwise what is undone':
      return row;
    case 'add a step':
      return row.toSpliced(luck(lastPlace(row) + 1, 'place', ...words), 0, newStep(words));
    case 'remove a step': {
      const at = places(({ kind }) => kind === 'step');
      return at.length === 0 ? row : row.toSpliced(pick(at), 1);
    }
    case 'rename a node':
      return alter(
        ({ kind }) => kind !== 'end',
        (block) => ({ ...block, id: `${block.id}.new` }),
      );
    case 'change the settings of a step':
      return alter(({ kind }) => kind === 'step', reseeded);
    case 'change the settings of a wait':
      return alter(({ kind }) => WAITS.has(kind), reseeded);
    case 'change the settings of a map':
      return alter(({ kind }) => kind === 'map', reseeded);
    case 'change what people are asked':
      return alter(({ kind }) => PEOPLE.has(kind), reseeded);
    case 'wrap steps in a scope':
      return wrapped(row, 'scope', words);
    case 'do it for every item':
      return wrapped(row, 'map', words);
    case 'swap two neighbours': {
      if (lastPlace(row) < 2) return row;
      const at = luck(lastPlace(row) - 1, 'swap', ...words);
      const [first, second] = [row[at] as Block, row[at + 1] as Block];
      return row.with(at, second).with(at + 1, first);
    }
    case 'add a branch':
      return alter(isWide, (block) => ({ ...block, rows: [[newStep(words)], ...block.rows] }));
    case 'remove a branch':
      return alter(
        (block) => isWide(block) && block.rows.length > 2,
        (block) => ({ ...block, rows: block.rows.slice(1) }),
      );
    case 'turn two arms':
      return alter(isWide, (block) => ({ ...block, rows: block.rows.toReversed() }));
    case 'insert a step before a join':
      return alter(isWide, (block) => withLonger(block, words));
    case 'dissolve a block': {
      const at = places(({ rows, kind }) => rows.length > 0 && kind !== 'repeat');
      return at.length === 0 ? row : dissolved(row, pick(at));
    }
    case 'do two things at once':
      return forked(row, words);
  }
}

/** What was in it comes one after the other in its place. */
function dissolved(row: Row, at: number): Row {
  const inner = (row[at]?.rows ?? []).flatMap((one) => one.slice(0, lastPlace(one)));
  return row.toSpliced(at, 1, ...inner);
}

/** Two neighbours become branches. */
function forked(row: Row, words: Words): Row {
  if (lastPlace(row) < 2) return row;
  const at = luck(lastPlace(row) - 1, 'fork', ...words);
  const { id, seed } = newStep(words);
  const rows = row.slice(at, at + 2).map((block) => [block]);
  return row.toSpliced(at, 2, { kind: 'fork', id, seed, rows });
}

const WAITS: ReadonlySet<string> = new Set(['sleep', 'wait', 'first', 'repeat', 'try', 'call']);

const PEOPLE: ReadonlySet<string> = new Set(['task', 'approve']);

/** Nothing follows what ends a row. */
function lastPlace(row: Row): number {
  const last = row.at(-1);
  return last !== undefined && LAST.has(last.kind) ? row.length - 1 : row.length;
}

const LAST: ReadonlySet<string> = new Set(['end', 'terminate', 'fail']);

function isWide({ kind }: Block): boolean {
  return kind === 'fork' || kind === 'choose' || kind === 'many' || kind === 'race';
}

function newStep(words: Words): Block {
  return {
    kind: 'step',
    id: `new${words.join('.')}`,
    seed: luck(2 ** 31, 'new', ...words),
    rows: [],
  };
}

function reseeded(block: Block): Block {
  return { ...block, seed: luck(2 ** 31, block.seed, 'again') };
}

function wrapped(row: Row, kind: string, words: Words): Row {
  const most = lastPlace(row);
  if (most === 0) return row;
  const from = luck(most, 'wrap', ...words);
  const count = 1 + luck(Math.min(2, most - from), 'wraps', ...words);
  const { id, seed } = newStep(words);
  const inner = row.slice(from, from + count);
  return row.toSpliced(from, count, { kind, id, seed, rows: [inner] });
}

function withLonger(block: Block, words: Words): Block {
  const at = luck(block.rows.length, 'longer', ...words);
  const inner = block.rows[at] ?? [];
  const longer = inner.toSpliced(lastPlace(inner), 0, newStep(words));
  return { ...block, rows: block.rows.with(at, longer) };
}

/** What makes sense of these where anything may lead anywhere. */
function mutatedGraph(graph: Graph, mutation: Mutation, words: Words): Graph {
  const { nodes, edges } = graph;
  const steps = nodes.filter(({ kind }) => kind === 'step');
  switch (mutation) {
    case 'add a step':
    case 'insert a step before a join': {
      const isJoin = (id: string): boolean =>
        nodes.some((node) => node.id === id && MEETING.has(node.kind));
      const fits = mutation === 'add a step' ? edges : edges.filter(({ to }) => isJoin(to));
      return fits.length === 0 ? graph : split(graph, lucky(fits, 'edge', ...words), words);
    }
    case 'remove a step':
      return steps.length === 0 ? graph : without(graph, lucky(steps, 'step', ...words).id);
    case 'rename a node': {
      const { id } = lucky(nodes, 'node', ...words);
      return renamed(graph, id, `${id}.new`);
    }
    case 'change the settings of a step':
    case 'change the settings of a wait':
    case 'change the settings of a map':
    case 'change what people are asked': {
      const isMeant = MEANT[mutation];
      const fits = nodes.filter(({ kind }) => isMeant(kind));
      if (fits.length === 0) return graph;
      const chosen = lucky(fits, 'node', ...words);
      const seed = luck(2 ** 31, chosen.seed, 'again');
      return { ...graph, nodes: nodes.map((node) => (node === chosen ? { ...node, seed } : node)) };
    }
    case 'add a branch': {
      const [from, to] = [lucky(nodes, 'from', ...words), lucky(nodes, 'to', ...words)];
      return { ...graph, edges: [...edges, { from: from.id, to: to.id }] };
    }
    case 'remove a branch':
    case 'turn two arms':
      return edges.length < 2
        ? graph
        : { ...graph, edges: edges.toSpliced(luck(edges.length, ...words), 1) };
    default:
      return graph;
  }
}

const MEANT = {
  'change the settings of a step': (kind: string) => kind === 'step',
  'change the settings of a wait': (kind: string) => WAITS.has(kind),
  'change the settings of a map': (kind: string) => kind === 'map',
  'change what people are asked': (kind: string) => PEOPLE.has(kind),
} as const;

const MEETING: ReadonlySet<string> = new Set(['join', 'inclusive']);

/** A step in the middle of an edge; right before where that leads in the list, so nothing loops. */
function split(graph: Graph, edge: GraphEdge, words: Words): Graph {
  const { nodes, edges } = graph;
  const at = nodes.findIndex(({ id }) => id === edge.to);
  const from = nodes.findIndex(({ id }) => id === edge.from);
  if (at < 0 || from < 0) return graph;
  const { id, seed } = newStep(words);
  const node: GraphNode = { id, kind: 'step', seed, region: nodes[at]?.region ?? null };
  const place = from < at ? at : from + 1;
  const others = edges.filter((one) => one !== edge);
  const halves = [
    { from: edge.from, to: id },
    { ...edge, from: id },
  ];
  return { ...graph, nodes: nodes.toSpliced(place, 0, node), edges: [...others, ...halves] };
}

function without(graph: Graph, id: string): Graph {
  const { nodes, edges } = graph;
  const before = edges.filter(({ from, to }) => to === id && from !== id);
  const after = edges.filter(({ from, to }) => from === id && to !== id);
  const past = before.flatMap(({ from }) => after.map(({ to }) => ({ from, to })));
  const left = edges.filter(({ from, to }) => from !== id && to !== id);
  return { ...graph, nodes: nodes.filter((node) => node.id !== id), edges: [...left, ...past] };
}

function renamed({ nodes, edges, fuel }: Graph, old: string, name: string): Graph {
  const say = (id: string): string => (id === old ? name : id);
  return {
    fuel,
    nodes: nodes.map((node) => ({
      ...node,
      id: say(node.id),
      region: node.region === null ? null : say(node.region),
    })),
    edges: edges.map(({ from, to, exit }) => ({
      from: say(from),
      to: say(to),
      ...(exit === undefined ? {} : { exit: say(exit) }),
    })),
  };
}
