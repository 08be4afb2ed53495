/**
 * Unstructured definitions: any graph the kernel accepts.
 *
 * A graph is a list of nodes, some of them inside regions of others, and a list of edges drawn with
 * no regard for what belongs together: forks and joins cross, a join is fed by several forks or by
 * none, loops lead into and out of branches, paths end anywhere. Any such list gives a valid draft:
 * what a kind cannot be (a fork with one way out) becomes a pass, what nobody reaches is left out.
 * So a shrinker may delete whatever it likes.
 *
 * An edge that does not lead forward in the list is a loop. It goes by a set that burns one unit of
 * fuel and a choice that leaves once there is none, so all loops together make at most `fuel`
 * passes, in whatever order tokens come by.
 */
import type { Code } from '../model/definition.ts';
import type { DraftNode } from '../model/draft.ts';
import { kindBlocks } from './random-kinds.ts';
import type { Common, Page } from './random-layout.ts';
import { againOf, isAgain, modeOf } from './random-activities.ts';
import { luck } from './random-luck.ts';
import { itemOf } from './random-maps.ts';
import type { Spot } from './random-spot.ts';
import type { Drawing } from './story.ts';

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly fuel: number;
}

export interface GraphNode {
  readonly id: string;
  readonly kind: string;
  readonly seed: number;
  /** The node whose region it lies in; null at the top. */
  readonly region: string | null;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** Where a loop goes on once it leaves; absent if its token ends there. */
  readonly exit?: string;
}

export function drawGraph(graph: Graph, common: Common): Drawing {
  const { nodes, edges } = reachedOf(graph);
  const page: Page = { common, nodes: [], edges: [], code: {} };
  const regionOf = (id: string): string | null => {
    return placeIn(nodes, nodes.find((node) => node.id === id)?.region ?? null);
  };
  for (const edge of edges) {
    if (isCharted(nodes, edge.from)) leadInChart(page, nodes, edge);
    else if (isLoop(nodes, edge)) drawLoop(page, edge, regionOf(edge.from));
    else lead(page, edge.from, edge.to);
  }
  for (const node of nodes) page.nodes.push(...drawNode(page, node, nodes));
  const [first] = nodes;
  const draft = {
    name: common.name,
    version: 1,
    start: first?.id ?? '',
    vars: { fuel: graph.fuel },
    ...common.failing,
  };
  return { draft: { ...draft, nodes: page.nodes, edges: page.edges }, code: page.code };
}

/** An edge that does not lead forward in the list of nodes. */
export function isLoop(nodes: readonly GraphNode[], { from, to }: GraphEdge): boolean {
  return rankOf(nodes, from) >= rankOf(nodes, to);
}

function rankOf(nodes: readonly GraphNode[], id: string): number {
  return nodes.findIndex((node) => node.id === id);
}

/** The part of a graph that the first node leads to. Edges that leave a region are not there. */
export function reachedOf({ nodes, edges: drawn }: Graph): Pick<Graph, 'nodes' | 'edges'> {
  const edges = drawn.filter(({ from, to }) => isInside(nodes, from, to)).map(withExit(nodes));
  const next = (id: string): string[] => {
    const after = edges.filter(({ from }) => from === id);
    const ways = after.flatMap(({ to, exit }) => (exit === undefined ? [to] : [to, exit]));
    const body = opens(nodes.find((node) => node.id === id)) ? bodyOf(nodes, id) : null;
    return body === null ? ways : [body, ...ways];
  };
  const top = nodes.find((node) => node.region === null);
  const reached = new Set<string>();
  const open = top === undefined ? [] : [top.id];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (reached.has(at)) continue;
    reached.add(at);
    open.push(...next(at));
  }
  return {
    nodes: nodes.filter(({ id }) => reached.has(id)),
    edges: edges.filter(({ from }) => reached.has(from)),
  };
}

function isInside(nodes: readonly GraphNode[], from: string, to: string): boolean {
  const [source, target] = [from, to].map((id) => nodes.find((node) => node.id === id));
  return source !== undefined && target !== undefined && source.region === target.region;
}

/** Only a loop has an exit, and only forward: else leaving could be another way to stay. */
function withExit(nodes: readonly GraphNode[]): (edge: GraphEdge) => GraphEdge {
  return ({ from, to, exit }) => {
    const leaves = exit !== undefined && isInside(nodes, from, exit) && isLoop(nodes, { from, to });
    return leaves && !isLoop(nodes, { from, to: exit }) ? { from, to, exit } : { from, to };
  };
}

const OPENING: ReadonlySet<string> = new Set(['scope', 'repeat', 'try', 'map', 'flowchart']);

export function opens(node: GraphNode | undefined): boolean {
  return node !== undefined && OPENING.has(node.kind);
}

/** A region begins with the first of its nodes. */
export function bodyOf(nodes: readonly GraphNode[], id: string): string | null {
  return nodes.find(({ region }) => region === id)?.id ?? null;
}

/** It lies in a flowchart, where any edge may lead back. */
function isCharted(nodes: readonly GraphNode[], id: string): boolean {
  const region = nodes.find((node) => node.id === id)?.region ?? null;
  return region !== null && nodes.find((node) => node.id === region)?.kind === 'flowchart';
}

/** Whoever always goes on by all ways must not go back. */
function leadInChart(page: Page, nodes: readonly GraphNode[], edge: GraphEdge): void {
  const { from, to, exit } = edge;
  if (exit !== undefined) lead(page, from, exit);
  if (isLoop(nodes, edge) && opens(nodes.find(({ id }) => id === from))) return;
  const id = `${from}->${to}#${page.edges.length + 1}`;
  page.edges.push({ id: isLoop(nodes, edge) ? againOf(id) : id, from, to });
}

/** Two edges may join the same nodes: they are two ways all the same. */
function lead(page: Page, from: string, to: string): string {
  const id = `${from}->${to}#${page.edges.length + 1}`;
  page.edges.push({ id, from, to });
  return id;
}

function drawLoop(page: Page, { from, to, exit }: GraphEdge, region: string | null): void {
  const id = `loop${page.edges.length + 1}`;
  const inside = region === null ? {} : { parent: region };
  lead(page, from, `${id}.burn`);
  lead(page, `${id}.burn`, id);
  const again = lead(page, id, to);
  const otherwise = lead(page, id, exit ?? `${id}.out`);
  const arms = [{ edge: again, slot: 'again' }];
  page.nodes.push({ id: `${id}.burn`, kind: 'set', settings: { in: 'instance' }, ...inside });
  page.nodes.push({ id, kind: 'choose', settings: { arms, otherwise }, ...inside });
  if (exit === undefined)
    page.nodes.push({ id: `${id}.out`, kind: 'pass', settings: {}, ...inside });
  page.code[`${id}.burn`] = { value: (view) => ({ fuel: fuelIn(view) - 1 }) };
  page.code[id] = { again: (view) => fuelIn(view) >= 0 };
}

function fuelIn({ vars }: Parameters<Code>[0]): number {
  return Number(vars['fuel'] ?? 0);
}

/** The items of a map are run by a hidden node inside it, and what they do lies inside that. */
function placeIn(nodes: readonly GraphNode[], region: string | null): string | null {
  const isMap = region !== null && nodes.find(({ id }) => id === region)?.kind === 'map';
  return isMap ? itemOf(region) : region;
}

function drawNode(page: Page, node: GraphNode, nodes: readonly GraphNode[]): DraftNode[] {
  const out = page.edges.filter(({ from }) => from === node.id).map(({ id }) => id);
  const into = page.edges.filter(({ to }) => to === node.id).length;
  const body = bodyOf(nodes, node.id);
  const usual = node.kind === 'try' && body !== null ? 'scope' : 'pass';
  const isActivity = isCharted(nodes, node.id);
  const fitting = isActivity ? activityFor(node, out, body) : node.kind;
  const kind = isActivity || fits(fitting, into, out.length, body) ? fitting : usual;
  const trapped = page.common.isTrapped(node.id);
  const spot = { id: node.id, seed: node.seed, out, body, names: null, trapped };
  const region = placeIn(nodes, node.region);
  const merge = isActivity ? { merge: modeOf(node.seed) } : {};
  const inside = { ...(region === null ? {} : { parent: region }), ...merge };
  if (kind !== 'map' || body === null) return [{ ...fill(page, kind, spot), ...inside }];
  const id = itemOf(node.id);
  const last = luck(2, node.seed, 'last') === 0 ? { last: body } : {};
  const runner = { ...spot, id, out: [], ...last, trapped: page.common.isTrapped(id) };
  const map = { ...fill(page, kind, { ...spot, body: id }), ...inside };
  return [map, { ...fill(page, 'item', runner), parent: node.id, hidden: true }];
}

function fill(page: Page, kind: string, spot: Spot): DraftNode {
  const { settings, code } = kindBlocks[kind]?.fill(spot) ?? { settings: {}, code: {} };
  if (Object.keys(code).length > 0) page.code[spot.id] = code;
  return { id: spot.id, kind, settings };
}

/** What it is in a flowchart. */
function activityFor(node: GraphNode, out: readonly string[], body: string | null): string {
  if (opens(node) && body !== null) return node.kind;
  if (node.kind === 'win' && out.length === 0) return node.kind;
  return node.kind === 'pass' && !out.some(isAgain) ? node.kind : 'activity';
}

/** Whether a node with these wires can be of this kind. */
function fits(kind: string, into: number, out: number, body: string | null): boolean {
  switch (kind) {
    case 'start':
      return into === 0;
    case 'end':
    case 'terminate':
    case 'fail':
    case 'win':
      return out === 0;
    case 'fork':
      return out >= 2;
    case 'join':
    case 'inclusive':
      return into >= 2 && out <= 1;
    case 'choose':
      return out >= 1;
    case 'scope':
    case 'repeat':
    case 'map':
    case 'flowchart':
      return body !== null;
    case 'try':
      return body !== null && out >= 1 && out <= 2;
    default:
      return true;
  }
}

/** Every graph with something left out or simplified, the biggest cuts first. */
export function* smallerGraphs(graph: Graph): Iterable<Graph> {
  const { nodes, edges, fuel } = graph;
  for (const node of nodes) {
    const inside = insideOf(nodes, node.id);
    const kept = nodes.filter(({ id }) => !inside.has(id));
    const left = edges.filter(({ from, to }) => !inside.has(from) && !inside.has(to));
    yield { nodes: kept, edges: left, fuel };
    yield { nodes: kept, edges: [...left, ...bridges(edges, node.id)], fuel };
  }
  for (let i = 0; i < edges.length; i += 1) yield { nodes, edges: edges.toSpliced(i, 1), fuel };
  for (const [i, node] of nodes.entries()) {
    if (node.kind === 'pass' || opens(node)) continue;
    yield { nodes: nodes.with(i, { ...node, kind: 'pass' }), edges, fuel };
  }
  if (fuel > 0) yield { nodes, edges, fuel: fuel - 1 };
}

/** A node with everything in its region. */
function insideOf(nodes: readonly GraphNode[], id: string): ReadonlySet<string> {
  const inside = new Set([id]);
  // Regions come after the node that opens them, so one pass finds all of them.
  for (const node of nodes)
    if (node.region !== null && inside.has(node.region)) inside.add(node.id);
  return inside;
}

/** Edges past a node that goes away, from all before it to all after it. */
function bridges(edges: readonly GraphEdge[], id: string): GraphEdge[] {
  const before = edges.filter(({ from, to }) => to === id && from !== id);
  const after = edges.filter(({ from, to }) => from === id && to !== id);
  return before.flatMap(({ from }) => after.map(({ to }) => ({ from, to })));
}
