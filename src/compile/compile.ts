/**
 * Draft in, plan out: the last point at which a definition can be wrong.
 *
 * All that is wrong is reported at once, each with a code, the node and a sentence. The plan is
 * data: it goes into the store under the hash of its canonical JSON and comes back as the same
 * plan.
 */
import { admitJson, canonicalJson, EMPTY, type Json, type JsonObject } from '../base/json.ts';
import { sha256 } from '../base/hash.ts';
import { meant } from '../base/nearest.ts';
import { no, ok, type Result } from '../base/result.ts';
import type { Kinds, Wires } from '../kernel/kind.ts';
import { searchProblem } from '../model/attribute.ts';
import type { Diagnostic, Draft, DraftNode } from '../model/draft.ts';
import type { EdgeId, NodeId, PlanHash } from '../model/ids.ts';
import { limitProblem } from '../model/lane.ts';
import type { Edge, Plan, PlanNode } from '../model/plan.ts';
import { backEdges } from './back-edges.ts';
import { inlineLoneSteps } from './lone-steps.ts';
import { checkShape } from './shape.ts';

export function compile(written: Draft, kinds: Kinds): Result<Plan, readonly Diagnostic[]> {
  const problems: Diagnostic[] = checkShape(written);
  // What is wrong is said of what was written.
  const draft = problems.length > 0 ? written : inlineLoneSteps(written);
  const wires = wiresOf(draft);
  const nodes: PlanNode[] = [];
  for (const node of draft.nodes) {
    const compiled = compileNode(node, wires.get(node.id) ?? UNWIRED, kinds);
    if (compiled.ok) nodes.push(compiled.value);
    else problems.push(...compiled.problem);
  }
  problems.push(...findRings(draft, kinds));
  // A copy of our own: whatever the author does with theirs, the plan stays as it was hashed.
  const admitted = admitJson(draft.vars ?? EMPTY);
  if (!admitted.ok) {
    const message = `the variables a flow begins with are JSON: ${admitted.problem}`;
    problems.push({ code: 'flow.bad-vars', message });
  }
  const { limit } = draft;
  const badly = limit === undefined ? undefined : limitProblem(limit);
  if (badly !== undefined) {
    problems.push({ code: 'flow.bad-limit', message: `the limit of a flow ${badly}` });
  }
  const unfound = draft.search === undefined ? undefined : searchProblem(draft.search);
  if (unfound !== undefined) {
    problems.push({ code: 'flow.bad-search', message: `the search of a flow ${unfound}` });
  }
  if (!admitted.ok || problems.length > 0) return no(problems);

  const { name, version, start } = draft;
  const vars = admitted.value;
  const back = backEdges(draft);
  const edges = draft.edges.map(({ id, from, to }) => {
    return back.has(id) ? { id, from, to, back: true } : { id, from, to };
  });
  const body = { name, version, start, vars, nodes: nodes as never, edges, ...failureOf(draft) };
  return ok(planFrom({ ...body, ...extrasOf(draft) }));
}

/** Inclusive joins one after the other in a circle would fire for ever without anything moving. */
function findRings({ nodes, edges }: Draft, kinds: Kinds): readonly Diagnostic[] {
  const joins = new Set(
    nodes.flatMap(({ id, kind }) => (kinds.get(kind)?.inclusive === true ? [id] : [])),
  );
  const between = edges.filter(({ from, to }) => joins.has(from) && joins.has(to));
  const reaches = (from: string, to: string): boolean => {
    const found = new Set([from]);
    // What is added while it is walked is walked, too.
    for (const at of found) for (const edge of between) if (edge.from === at) found.add(edge.to);
    return between.some((edge) => found.has(edge.from) && edge.to === to);
  };
  const rings = [...joins].filter((join) => reaches(join, join));
  if (rings.length === 0) return [];
  const names = rings.map((join) => `"${join}"`).join(', ');
  const message = `${names} lead to each other in a circle with nothing between them`;
  return [{ code: 'inclusive.ring', message, ...(rings[0] && { node: rings[0] }) }];
}

/** What it says about failures, unless that is the usual: a plan is named by its content. */
function failureOf({ saga, onUndoFailure, onFailure }: Partial<Failure>): JsonObject {
  return {
    ...(saga === undefined || saga === 'instance' ? {} : { saga }),
    ...(onUndoFailure === 'halt' ? { onUndoFailure } : {}),
    ...(onFailure === 'incident' ? { onFailure } : {}),
  };
}

type Failure = Pick<Plan, 'saga' | 'onUndoFailure' | 'onFailure'>;

/** What most flows do not have. */
function extrasOf({ limit, search = [] }: Pick<Draft, 'search'> & Partial<Pick<Plan, 'limit'>>): {
  readonly [name: string]: Json;
} {
  return {
    ...(limit === undefined || limit === null ? {} : { limit }),
    ...(search.length === 0 ? {} : { search }),
  };
}

/** A plan as JSON: what is hashed and what the store keeps. */
export function planBody(plan: Plan): JsonObject {
  const { name, version, start, vars } = plan;
  const nodes = [...plan.nodes.values()] as unknown as Json;
  const edges = [...plan.edges.values()] as unknown as Json;
  const body = { name, version, start, vars, nodes, edges, ...failureOf(plan) };
  return { ...body, ...extrasOf(plan) };
}

/** The plan a store kept. It was checked when it was compiled; the hash says it is the same. */
export function planFrom(body: JsonObject): Plan {
  const { name, version, start, vars } = body;
  const nodes = body['nodes'] as unknown as readonly PlanNode[];
  const edges = body['edges'] as unknown as readonly Edge[];
  return Object.freeze({
    hash: sha256(canonicalJson(body)) as PlanHash,
    name: name as string,
    version: version as number,
    start: start as NodeId,
    vars: Object.freeze(vars) as JsonObject,
    nodes: new Map(nodes.map((node) => [node.id, Object.freeze(node)])),
    edges: new Map(edges.map((edge) => [edge.id, Object.freeze(edge)])),
    saga: (body['saga'] ?? 'instance') as Plan['saga'],
    onUndoFailure: (body['onUndoFailure'] ?? 'continue') as Plan['onUndoFailure'],
    onFailure: (body['onFailure'] ?? 'fail') as Plan['onFailure'],
    limit: (body['limit'] ?? null) as Plan['limit'],
    search: Object.freeze(body['search'] ?? []) as Plan['search'],
  });
}

const UNWIRED: Wires = { in: [], out: [], body: [] };

function wiresOf(draft: Draft): ReadonlyMap<string, Wires> {
  const wires = new Map<string, { in: EdgeId[]; out: EdgeId[]; body: NodeId[] }>();
  for (const { id } of draft.nodes) wires.set(id, { in: [], out: [], body: [] });
  for (const { id, from, to } of draft.edges) {
    wires.get(from)?.out.push(id as EdgeId);
    wires.get(to)?.in.push(id as EdgeId);
  }
  for (const { id, parent } of draft.nodes) {
    if (parent !== undefined) wires.get(parent)?.body.push(id as NodeId);
  }
  return wires;
}

function compileNode(
  draft: DraftNode,
  wires: Wires,
  kinds: Kinds,
): Result<PlanNode, readonly Diagnostic[]> {
  const kind = kinds.get(draft.kind);
  if (kind === undefined) {
    const rule = `"${draft.id}" is of kind "${draft.kind}", which nobody has registered`;
    const message = `${rule}; ${meant(draft.kind, [...kinds.keys()])}`;
    return no([{ code: 'node.unknown-kind', message, node: draft.id }]);
  }
  const compiled = kind.compile(draft, wires);
  if (!compiled.ok) return compiled;
  const { config, code = [] } = compiled.value;
  return ok({
    id: draft.id as NodeId,
    kind: draft.kind,
    config,
    code,
    parent: (draft.parent ?? null) as NodeId | null,
    hidden: draft.hidden ?? false,
    ...(draft.local === undefined ? {} : { local: draft.local }),
    ...(draft.merge === undefined ? {} : { merge: draft.merge }),
    in: wires.in,
    out: wires.out,
  });
}
