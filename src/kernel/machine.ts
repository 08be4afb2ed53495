/** A plan with what is needed to run it. */
import type { NodeCode } from '../model/definition.ts';
import type { NodeId } from '../model/ids.ts';
import type { Limits } from '../model/limits.ts';
import type { Plan, PlanNode } from '../model/plan.ts';
import { flowHandler } from './instance.ts';
import type { Kinds, NodeKind } from './kind.ts';

export interface Machine {
  readonly plan: Plan;
  /** Of every node whose kind this program knows; a plan may come from a newer one. */
  readonly spots: ReadonlyMap<NodeId, Spot>;
  /** The flow's closures by node; null in a process that does not have them (D19). */
  readonly code: ReadonlyMap<string, NodeCode> | null;
  readonly limits: Limits;
  /** What a worker must have to let the kernel go on in this flow. */
  readonly handler: string;
}

/** A node with its kind and the name its handler would have, looked up once for all tokens. */
export interface Spot {
  readonly node: PlanNode;
  readonly kind: NodeKind;
  readonly handler: string;
}

export function machineFor(
  plan: Plan,
  kinds: Kinds,
  { code, limits }: Pick<Machine, 'code' | 'limits'>,
): Machine {
  const handler = flowHandler(plan.name, plan.version);
  const spots = new Map<NodeId, Spot>();
  for (const node of plan.nodes.values()) {
    const kind = kinds.get(node.kind);
    if (kind !== undefined) spots.set(node.id, { node, kind, handler: handler + node.id });
  }
  return { plan, spots, code, limits, handler };
}
