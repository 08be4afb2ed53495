/**
 * A definition as it is drawn from: the same whether it was read from a file, where it is a draft,
 * or from a store, where it is a plan.
 */
import type { Json, JsonObject } from '../base/json.ts';
import type { Flow } from '../model/definition.ts';

export interface Sketch {
  readonly name: string;
  readonly version: number;
  readonly nodes: readonly SketchNode[];
  readonly edges: readonly SketchEdge[];
}

export interface SketchNode {
  readonly id: string;
  readonly kind: string;
  readonly settings: JsonObject;
  /** The node whose region it lies in; null at the top. */
  readonly parent: string | null;
  /** Nobody wrote it: it is drawn without its name, or not at all. */
  readonly hidden: boolean;
  /** Of an activity of a flowchart: when it runs, and what it is called there. */
  readonly merge?: string;
  readonly local?: string;
}

export interface SketchEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** In a flowchart: it begins a new pass of a loop. */
  readonly isBack?: true;
}

/** Of a flowchart the plan says more: which of its connections lead back. */
export function sketchOfFlow({ name, version, definition }: Flow): Sketch {
  const { nodes, edges } = definition.draft;
  const sketched = nodes.map(({ id, kind, settings, parent = null, hidden = false, ...more }) => {
    return { id, kind, settings, parent, hidden, ...activityIn(more) };
  });
  return { name, version, nodes: sketched, edges };
}

function activityIn({ merge, local }: { merge?: unknown; local?: unknown }): {
  merge?: string;
  local?: string;
} {
  return {
    ...(typeof merge === 'string' ? { merge } : {}),
    ...(typeof local === 'string' ? { local } : {}),
  };
}

/** What a store keeps of a plan, whoever wrote it there: anything that is missing is left out. */
export function sketchOfPlan(body: Json): Sketch {
  const { name, version, nodes, edges } = recordOf(body);
  return {
    name: textOf(name),
    version: Number(version ?? 1),
    nodes: recordsOf(nodes).map((node) => {
      const { id, kind, config, parent, hidden } = node;
      const settings = recordOf(config ?? {});
      const region = typeof parent === 'string' ? parent : null;
      return {
        id: textOf(id),
        kind: textOf(kind),
        settings,
        parent: region,
        hidden: hidden === true,
        ...activityIn(node),
      };
    }),
    edges: recordsOf(edges).map(({ id, from, to, back }) => {
      const ends = { id: textOf(id), from: textOf(from), to: textOf(to) };
      return back === true ? { ...ends, isBack: true } : ends;
    }),
  };
}

function recordsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.map((one: Json) => recordOf(one)) : [];
}

function recordOf(value: Json): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
