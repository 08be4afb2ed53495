/**
 * `flowchart({ id, version, activities, connections })`: a process as people draw it, in plain JSON.
 *
 * Activities are named, and have a type: one of ours (`built-in.ts`), or the name of a handler that
 * is given to the engine. Connections lead from an outcome of one activity to another, wherever one
 * likes, also back. What happens where several meet is said by the mode of the activity they meet
 * at; which connections lead back is found by the compiler.
 *
 * All of it lies in the region of one hidden node, so that a flowchart inside another, and the one
 * that is the whole flow, are the same. A name is unique within its flowchart; in the draft it has
 * those of the flowcharts around it before it (`pack/weigh`).
 *
 * As with flows, nothing here throws: what is wrong is collected in the definition's diagnostics,
 * and whoever takes the flowchart reports all of it.
 */
import type { Json, JsonObject } from '../../base/json.ts';
import { DONE } from '../../model/activity.ts';
import type { Flow } from '../../model/definition.ts';
import type { DraftEdge, DraftNode } from '../../model/draft.ts';
import type { MergeMode } from '../../model/merge.ts';

export interface FlowchartDefinition extends FlowchartBody {
  readonly id: string;
  readonly version: number;
}

/** What a flowchart has, whether it is the whole or lies in another. */
export interface FlowchartBody {
  /** Where it begins; null: nowhere, and nothing runs. See `startOf` if it is not said. */
  readonly start?: string | null;
  readonly activities: readonly ActivityDefinition[];
  readonly connections?: readonly ConnectionDefinition[];
}

export interface ActivityDefinition {
  readonly id: string;
  readonly type: string;
  /** What several inbound connections mean; `converge` if not said. */
  readonly mergeMode?: MergeMode;
  readonly canStart?: boolean;
  readonly config?: JsonObject;
  /** The only outcomes it may end with; any, if not said. */
  readonly outcomes?: readonly string[];
}

export interface ConnectionDefinition {
  readonly from: string;
  /** `Done` if not said. */
  readonly outcome?: string;
  readonly to: string;
}

const WHOLE = ':flowchart';

/** What an instance begins with is `Input`; it ends with the results of its activities by name. */
export function flowchart<Input = unknown>(
  definition: FlowchartDefinition,
): Flow<Input, Readonly<Record<string, Json>>> {
  const { id: name, version } = definition;
  const body = startOf(definition);
  const drawn: Drawn = { nodes: [], edges: [] };
  const settings = { body, whole: true };
  drawn.nodes.push({ id: WHOLE, kind: 'flowchart', settings, hidden: true });
  draw(drawn, definition, { parent: WHOLE, prefix: '' });
  const draft = { name, version, start: WHOLE, saga: 'none' as const, ...drawn };
  return Object.freeze({
    name,
    version,
    definition: Object.freeze({
      draft: Object.freeze(draft),
      code: new Map(),
      handlers: new Map(),
      serves: [],
      diagnostics: [],
    }),
  });
}

interface Drawn {
  readonly nodes: DraftNode[];
  readonly edges: DraftEdge[];
}

/** Where a flowchart lies: in the region of which node, and what goes before its names. */
interface Around {
  readonly parent: string;
  readonly prefix: string;
}

/** E-42: as it says; one of type `start`; one that can start; one nothing leads to; the first. */
function startOf({ start, activities, connections = [] }: FlowchartBody): string | null {
  if (start !== undefined) return start;
  const inbound = new Set(connections.map(({ to }) => to));
  const first =
    activities.find(({ type }) => type === 'start') ??
    activities.find(({ canStart }) => canStart === true) ??
    activities.find(({ id }) => !inbound.has(id)) ??
    activities[0];
  return first?.id ?? null;
}

function draw(drawn: Drawn, body: FlowchartBody, around: Around): void {
  const { activities, connections = [] } = body;
  if (startOf(body) === null) return;
  const leaving = new Map<string, ConnectionDefinition[]>();
  for (const connection of connections) {
    const others = leaving.get(connection.from);
    if (others === undefined) leaving.set(connection.from, [connection]);
    else others.push(connection);
  }
  for (const activity of activities) {
    drawActivity(drawn, activity, leaving.get(activity.id) ?? [], around);
  }
  for (const { from, outcome = DONE, to } of connections) {
    drawn.edges.push(edgeFor(around, from, outcome, to));
  }
}

function edgeFor({ prefix }: Around, from: string, outcome: string, to: string): DraftEdge {
  return {
    id: `${prefix}${from}:${outcome}->${prefix}${to}`,
    from: prefix + from,
    to: prefix + to,
  };
}

function drawActivity(
  drawn: Drawn,
  activity: ActivityDefinition,
  leaving: readonly ConnectionDefinition[],
  around: Around,
): void {
  const { id: local, type, mergeMode = 'converge', config = {}, outcomes } = activity;
  const id = around.prefix + local;
  const place = {
    id,
    parent: around.parent,
    merge: mergeMode,
    ...(id === local ? {} : { local }),
  };
  const inside = config as unknown as FlowchartBody;
  const start = Array.isArray(inside.activities) ? startOf(inside) : null;
  const body = start === null ? null : `${id}/${start}`;
  switch (type) {
    case 'start':
      drawn.nodes.push({ ...place, kind: 'pass', settings: {} });
      return;
    case 'end':
      drawn.nodes.push({ ...place, kind: 'win', settings: {} });
      return;
    case 'flowchart':
      drawn.nodes.push({ ...place, kind: 'flowchart', settings: { body } });
      return draw(drawn, inside, { parent: id, prefix: `${id}/` });
    case 'forEach': {
      const { items, limit } = config as { items?: Json; limit?: number };
      const list = typeof items === 'string' ? { from: items.split('.') } : { over: items ?? [] };
      const runner = `${id}/:item`;
      drawn.nodes.push({ ...place, kind: 'map', settings: { body: runner, ...list } });
      const settings = { body, ...(limit === undefined ? {} : { limit }) };
      drawn.nodes.push({ id: runner, parent: id, kind: 'item', settings, hidden: true });
      return draw(drawn, inside, { parent: runner, prefix: `${id}/` });
    }
    default: {
      const edges = new Map<string, string[]>();
      for (const { outcome = DONE, to } of leaving) {
        const { id: edge } = edgeFor(around, local, outcome, to);
        const others = edges.get(outcome);
        if (others === undefined) edges.set(outcome, [edge]);
        else others.push(edge);
      }
      // Whatever an outcome is called, `constructor` or `toString`.
      const ways = Object.fromEntries(edges);
      const told = Object.keys(config).length === 0 ? {} : { config };
      const known = outcomes === undefined ? {} : { outcomes };
      const settings = { type, ways, ...told, ...known };
      drawn.nodes.push({ ...place, kind: 'activity', settings });
    }
  }
}
