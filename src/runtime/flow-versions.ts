/**
 * Flows side by side in their versions: which the store keeps, which of them this process can start
 * and go on with, and how many instances run by each. And two plans beside each other.
 */
import { EngineError } from '../base/engine-error.ts';
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { planFrom } from '../compile/compile.ts';
import { diffPlans as diff } from '../compile/diff.ts';
import type { PlanHash } from '../model/ids.ts';
import type { Plan } from '../model/plan.ts';
import type { PlanDiff } from '../model/plan-diff.ts';
import { type Halt, haltFor } from '../stores/halts.ts';
import type { FindRequest } from '../stores/instances.ts';
import type { Store } from '../stores/store.ts';
import { inputSchemaOf } from './input-schema.ts';
import type { Library } from './library.ts';

export interface FlowVersion {
  readonly name: string;
  readonly version: number;
  /** Of the plan that is registered here, else of the one that was stored last. */
  readonly hash: PlanHash;
  /** Instances that run by this version, by whichever plan of it. */
  readonly open: number;
  /** It can be started here. */
  readonly registered: boolean;
  /** The version whose code goes on with its instances here; null if none does. */
  readonly servedBy: number | null;
  /** Its instances are suspended, and so are those that begin. */
  readonly suspended: boolean;
  /** What it is started with, as JSON Schema; null if that is not known here. */
  readonly inputSchema: JsonObject | null;
}

interface VersionsHouse {
  readonly store: Store;
  readonly library: Library;
}

export async function listFlows(
  { store, library }: VersionsHouse,
  name?: string,
): Promise<readonly FlowVersion[]> {
  const plans = (await store.plans()).filter((plan) => name === undefined || plan.name === name);
  if (plans.length === 0) return [];
  const halts: readonly Halt[] = await store.halts.list();
  const counts = await countOpen(store, name);
  // Of one version the plan that was stored last comes last.
  const newest = new Map(plans.map((plan) => [nameOf(plan.name, plan.version), plan]));
  return Array.from(newest, ([key, { name: flow, version, hash }]) => {
    const here = library.registered(flow, version);
    return Object.freeze({
      ...{ name: flow, version, hash: here?.plan.hash ?? hash },
      open: counts.get(key) ?? 0,
      registered: here !== undefined,
      servedBy: library.servedBy(flow, version),
      suspended: haltFor(halts, flow, version)?.suspended ?? false,
      inputSchema: here === undefined ? null : inputSchemaOf(here),
    });
  });
}

function nameOf(flow: string, version: number): string {
  return `${flow}@${version}`;
}

/** Instances are walked a page at a time, so that none of it takes the database long. */
const PAGE = 1_000;
const WALK = 10_000;

const OPEN: Omit<FindRequest, 'flow' | 'before'> = {
  version: null,
  statuses: ['running', 'waiting', 'suspended', 'compensating'],
  ...{ stalled: false, key: null, tenant: null, parent: null, fault: null, attributes: [] },
  created: { from: null, to: null },
  ended: { from: null, to: null },
  limit: PAGE,
  walk: WALK,
};

async function countOpen(
  store: Store,
  flow: string | undefined,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (let before: string | null = null; ; ) {
    const found = await store.instances.find({ ...OPEN, flow: flow ?? null, before });
    for (const { flow: name, flowVersion } of found.instances) {
      const key = nameOf(name, flowVersion);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    if (found.next === null) return counts;
    before = found.next;
  }
}

/** What is otherwise in one stored plan than in another: the bodies as a store keeps them. */
export function diffPlans(from: Json, to: Json): PlanDiff {
  return diff(readBody(from), readBody(to));
}

function readBody(body: Json): Plan {
  const problem = isJsonObject(body) ? problemIn(body) : 'it is no object';
  if (problem === undefined) return planFrom(body as JsonObject);
  const message = `a plan is an object with nodes and edges, as a store keeps it: ${problem}`;
  throw new EngineError('definition.invalid', message, { details: { diagnostics: [] } });
}

/** Only what comparing relies on: a file may come from anywhere. */
function problemIn({ nodes, edges }: JsonObject): string | undefined {
  if (!isList(nodes) || !isList(edges)) return 'one of the two is no list';
  const nodeIds = new Set(nodes.map((node) => (isJsonObject(node) ? node['id'] : null)));
  const edgeIds = new Set(edges.map((edge) => (isJsonObject(edge) ? edge['id'] : null)));
  const oddNode = nodes.findIndex((node) => !isNode(node, edgeIds));
  if (oddNode >= 0) return `nodes[${oddNode}] is no node`;
  const oddEdge = edges.findIndex((edge) => {
    const isEdge = isJsonObject(edge) && typeof edge['id'] === 'string';
    return !(isEdge && nodeIds.has(edge['from'] ?? null) && nodeIds.has(edge['to'] ?? null));
  });
  return oddEdge < 0 ? undefined : `edges[${oddEdge}] is no edge from one of them to another`;
}

function isNode(node: Json, edges: ReadonlySet<Json | undefined>): boolean {
  if (!isJsonObject(node) || typeof node['id'] !== 'string') return false;
  const { kind, parent, in: inward, out } = node;
  const isPlace = parent === null || typeof parent === 'string';
  if (typeof kind !== 'string' || !isPlace || !isList(node['code'])) return false;
  return [inward, out].every((ways) => isList(ways) && ways.every((edge) => edges.has(edge)));
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
