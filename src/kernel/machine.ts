/** A plan with what is needed to run it. */
import { isCustom } from '../model/custom-kind.ts';
import type { NodeCode } from '../model/definition.ts';
import type { NodeId } from '../model/ids.ts';
import type { Limits } from '../model/limits.ts';
import type { Plan, PlanNode } from '../model/plan.ts';
import { NOTHING_TOLD, type Told } from '../model/told.ts';
import { flowHandler } from './instance.ts';
import { Chart } from './chart.ts';
import type { Kinds, NodeKind, Offer } from './kind.ts';
import { limitsAt, type NamedLimit } from './lanes.ts';
import type { Meeting } from './reach.ts';

export interface Machine {
  readonly plan: Plan;
  /** Of every node whose kind this program knows; a plan may come from a newer one. */
  readonly spots: Spots;
  /** The flow's closures by node; null in a process that does not have them (D19). */
  readonly code: ReadonlyMap<string, NodeCode> | null;
  readonly limits: Limits;
  /** What the program around the kernel says of itself. */
  readonly told: Told;
  /** What a worker must have to let the kernel go on in this flow. */
  readonly handler: string;
  /** Whether tokens of it are in lanes, some of them. */
  readonly hasLanes: boolean;
  /** Whether some of its kinds are an application's, known here or not. */
  readonly isExtended: boolean;
  /** What the plan tells of its flowcharts; null if it has none. */
  readonly chart: Chart | null;
  /** What the plan tells of its inclusive joins; filled as it is asked. */
  readonly meetings: Map<NodeId, Meeting>;
}

export type Spots = ReadonlyMap<NodeId, Spot>;

/** A node with its kind and the name its handler would have, looked up once for all tokens. */
export interface Spot {
  readonly node: PlanNode;
  readonly kind: NodeKind;
  readonly handler: string;
  /** What a worker is offered there; undefined if the kernel runs it. */
  readonly offer: Offer | undefined;
  /** What a token is under there. */
  readonly limits: readonly NamedLimit[];
}

/** Whether it can be told where a token goes on that has done nothing at this node. */
export function isClear({ plan, spots }: Machine, at: NodeId): boolean {
  const { kind, offer } = spots.get(at) ?? {};
  const ways = plan.nodes.get(at)?.out.length ?? 0;
  if (ways <= 1 || offer !== undefined) return true;
  return kind?.skip !== undefined && kind.picksOne !== true;
}

export function machineFor(
  plan: Plan,
  kinds: Kinds,
  { code, limits, told = NOTHING_TOLD }: Pick<Machine, 'code' | 'limits'> & { told?: Told },
): Machine {
  const handler = flowHandler(plan.name, plan.version);
  const isCharted = Array.from(plan.nodes.values()).some(({ merge }) => merge !== undefined);
  const chart = isCharted ? new Chart(plan) : null;
  const spots = new Map<NodeId, Spot>();
  for (const node of plan.nodes.values()) {
    const kind = kinds.get(node.kind);
    if (kind === undefined) continue;
    const name = kind.handler?.({ node }, plan.name) ?? handler + node.id;
    const offer = kind.offer?.({ node });
    spots.set(node.id, { node, kind, handler: name, offer, limits: limitsAt(plan, node, offer) });
  }
  const hasLanes = Array.from(spots.values()).some((spot) => spot.limits.length > 0);
  const isExtended = Array.from(plan.nodes.values()).some(({ kind }) => isCustom(kind));
  return {
    plan,
    spots,
    code,
    limits,
    told,
    handler,
    hasLanes,
    isExtended,
    chart,
    meetings: new Map(),
  };
}
