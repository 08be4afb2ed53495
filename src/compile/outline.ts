/**
 * A plan as its author sees it. Nodes that no author wrote (the scope of a branch, the join behind
 * a fork) are folded into the one they were made for, by their names: `pay/:join` belongs to `pay`.
 * Ways lead from one of the author's nodes to the next, whatever lies between.
 */
import type { Json, JsonObject } from '../base/json.ts';
import type { NodeId } from '../model/ids.ts';
import type { Plan, PlanNode } from '../model/plan.ts';

/** Settings that name a node: where a region begins, and whose result an item has. */
const NAMED: ReadonlySet<string> = new Set(['body', 'last']);

/** What a way leads to where no node of the author's follows. */
const THE_END = 'the end';
export const THE_START = 'the start';

export class Outline {
  readonly plan: Plan;
  /** Those that an author wrote, in the order of the plan. */
  readonly nodes: ReadonlyMap<string, PlanNode>;
  /** From each of them: where it leads. */
  readonly ways: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #inside = new Map<string, ReadonlySet<string>>();

  constructor(plan: Plan) {
    this.plan = plan;
    const written = [...plan.nodes.values()].filter(({ hidden }) => !hidden);
    this.nodes = new Map(written.map((node) => [node.id, node]));
    const ways = new Map<string, ReadonlySet<string>>([[THE_START, this.#entries([plan.start])]]);
    for (const node of written) ways.set(node.id, this.#after(node));
    this.ways = ways;
  }

  /** The author's node that a hidden one was made for; null for what belongs to the whole flow. */
  ownerOf({ id, hidden }: PlanNode): string | null {
    if (!hidden) return id;
    for (let end = id.lastIndexOf('/'); end > 0; end = id.lastIndexOf('/', end - 1)) {
      const owner = id.slice(0, end);
      if (this.nodes.has(owner)) return owner;
    }
    return null;
  }

  /** What runs the items of a map has settings that the author gave the map. */
  asSaid(node: PlanNode): PlanNode {
    const map = node.kind === 'item' ? this.ownerOf(node) : null;
    if (map === null) return node;
    const { body: _, ...config } = node.config as JsonObject;
    return { ...node, id: map as NodeId, config };
  }

  hidden(): readonly PlanNode[] {
    return [...this.plan.nodes.values()].filter(({ hidden }) => hidden);
  }

  /** The regions around a node, innermost first. */
  around({ parent }: PlanNode): readonly NodeId[] {
    const regions: NodeId[] = [];
    for (let at = parent; at !== null; at = this.plan.nodes.get(at)?.parent ?? null) {
      regions.push(at);
    }
    return regions;
  }

  /** The region a node lies in, as people call it. */
  regionOf({ parent }: PlanNode): string {
    const region = parent === null ? undefined : this.plan.nodes.get(parent);
    if (region === undefined) return 'no region';
    // What runs the items of a map, and the saga around each, have no name of the author's.
    const around = region.hidden && region.parent !== null && this.plan.nodes.get(region.parent);
    const isOfMap = region.kind === 'item' || (around && around.kind === 'item');
    return `the region of "${isOfMap ? this.ownerOf(region) : region.id}"`;
  }

  /** The author's nodes that lie in a region, or in the arms and branches of a node. */
  inside(id: string): ReadonlySet<string> {
    const known = this.#inside.get(id) ?? this.#lookInside(id);
    this.#inside.set(id, known);
    return known;
  }

  #lookInside(id: string): ReadonlySet<string> {
    const written = [...this.nodes.values()].filter((node) =>
      this.around(node).some((region) => region === id || region.startsWith(`${id}/`)),
    );
    return new Set(written.map((node) => node.id));
  }

  /** Where a node's ways and regions lead said by the author's names, and not by ids of edges. */
  settingsOf({ config: own, out, merge: mergeMode }: PlanNode): Json {
    const config = mergeMode === undefined ? own : { ...(own as JsonObject), mergeMode };
    const edges = new Set<string>(out);
    const read = (value: Json, key: string): Json => {
      if (typeof value === 'string') {
        if (edges.has(value)) return this.#wayBy(value);
        return NAMED.has(key) ? this.#said(this.#entries([value as NodeId])) : value;
      }
      // Nodes in a row, as those of a chain: the ways tell.
      if (Array.isArray(value) && value.every((item) => this.#isNode(item))) return [];
      if (Array.isArray(value)) return value.map((item) => read(item, ''));
      if (typeof value !== 'object' || value === null) return value;
      const entries = Object.entries(value).filter(([name]) => name !== 'alone');
      return Object.fromEntries(entries.map(([name, inner]) => [name, read(inner, name)]));
    };
    return read(config, '');
  }

  #isNode(value: Json): boolean {
    return typeof value === 'string' && this.plan.nodes.has(value as NodeId);
  }

  #wayBy(edge: string): string {
    const to = this.plan.edges.get(edge as never)?.to;
    return this.#said(this.#entries(to === undefined ? [] : [to]));
  }

  #said(names: ReadonlySet<string>): string {
    return `-> ${[...names].sort().join(', ')}`;
  }

  /** The first of the author's nodes from each of these on. */
  #entries(from: readonly NodeId[]): ReadonlySet<string> {
    const found = new Set<string>();
    const seen = new Set<NodeId>(from);
    // What is added while it is walked is walked, too.
    for (const id of seen) {
      const node = this.plan.nodes.get(id);
      if (node === undefined) continue;
      if (!node.hidden) found.add(node.id);
      else {
        const next = this.#nextOf(node);
        for (const to of next) seen.add(to);
        if (next.length === 0) found.add(THE_END);
      }
    }
    return found;
  }

  /** What a hidden node leads to: into its region, or on, or out of the region it is in. */
  #nextOf(node: PlanNode): readonly NodeId[] {
    const body = bodyOf(node);
    return body !== undefined && this.plan.nodes.has(body) ? [body] : this.#onFrom(node);
  }

  /** Whoever comes to the end of a hidden region goes on behind it. */
  #onFrom(node: PlanNode): readonly NodeId[] {
    if (node.out.length > 0) {
      return node.out.flatMap((edge) => this.plan.edges.get(edge)?.to ?? []);
    }
    const region = node.parent === null ? undefined : this.plan.nodes.get(node.parent);
    return region?.hidden === true ? this.#onFrom(region) : [];
  }

  #after(node: PlanNode): ReadonlySet<string> {
    const body = bodyOf(node);
    const inner = body !== undefined && this.plan.nodes.has(body) ? [body] : [];
    const next = this.#onFrom(node);
    const ways = new Set(this.#entries([...inner, ...next]));
    if (next.length === 0) ways.add(THE_END);
    return ways;
  }
}

function bodyOf({ config }: PlanNode): NodeId | undefined {
  if (typeof config !== 'object' || config === null || !('body' in config)) return undefined;
  return typeof config.body === 'string' ? (config.body as NodeId) : undefined;
}
