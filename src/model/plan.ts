import type { Json, JsonObject } from '../base/json.ts';
import type { SagaReach } from './draft.ts';
import type { EdgeId, NodeId, PlanHash } from './ids.ts';
import type { Limit } from './lane.ts';
import type { MergeMode } from './merge.ts';

/** A compiled definition. Frozen, content-addressed, and the only form the kernel ever reads. */
export interface Plan {
  readonly hash: PlanHash;
  readonly name: string;
  readonly version: number;
  readonly start: NodeId;
  readonly nodes: ReadonlyMap<NodeId, PlanNode>;
  readonly edges: ReadonlyMap<EdgeId, Edge>;
  readonly vars: JsonObject;
  readonly saga: SagaReach;
  readonly onUndoFailure: 'halt' | 'continue';
  readonly onFailure: 'incident' | 'fail';
  /** How many of its steps at a time, and per time. */
  readonly limit: Limit | null;
  /** What instances are found by: fields of the input, and variables of the instance. */
  readonly search: readonly string[];
}

export interface PlanNode<Config = Json> {
  readonly id: NodeId;
  readonly kind: string;
  /** Whatever the node's kind made of its draft; JSON, and opaque to everyone else. */
  readonly config: Config;
  /** The closures the node cannot run without, by slot (D19). */
  readonly code: readonly string[];
  readonly parent: NodeId | null;
  readonly hidden: boolean;
  /** What it is called within its flowchart, where another may have an activity of that name. */
  readonly local?: string;
  /** An activity of a flowchart: when tokens that come by its edges have it run. */
  readonly merge?: MergeMode;
  readonly in: readonly EdgeId[];
  readonly out: readonly EdgeId[];
}

export interface Edge {
  readonly id: EdgeId;
  readonly from: NodeId;
  readonly to: NodeId;
  /** In a flowchart: it leads back, and whoever takes it begins a new pass of a loop. */
  readonly back?: true;
}
