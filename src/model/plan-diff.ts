import type { PlanHash } from './ids.ts';

/** What is otherwise in one plan of a flow than in another, in the words of its author. */
export interface PlanDiff {
  readonly from: PlanName;
  readonly to: PlanName;
  /** In a fixed order: the flow itself, then node by node as the newer plan has them. */
  readonly differences: readonly Difference[];
  /** Nodes that are probably the same under another name. */
  readonly renames: readonly Rename[];
  /** The same for a migration: also of regions that no author wrote. */
  readonly mapping: Readonly<Record<string, string>>;
}

export interface PlanName {
  readonly name: string;
  readonly version: number;
  readonly hash: PlanHash;
}

export interface Difference {
  readonly code: DifferenceCode;
  /** What it is about, as its author calls it; null for the flow as a whole. */
  readonly node: string | null;
  readonly message: string;
  readonly impact: Impact;
  /** Of a setting: which one, and its values. */
  readonly path?: string;
  readonly was?: unknown;
  readonly is?: unknown;
}

export type DifferenceCode =
  | 'flow.setting'
  | 'flow.start'
  | 'node.added'
  | 'node.removed'
  | 'node.renamed'
  | 'node.kind'
  | 'node.setting'
  | 'node.code'
  | 'node.moved'
  | 'node.region'
  | 'way.changed'
  | 'plan.layout';

/**
 * What it means for instances that run: nothing; that what comes after where they stand goes
 * otherwise; or that one which stands there has no place unless it is mapped to one.
 */
export type Impact = 'safe' | 'later' | 'mapping';

export interface Rename {
  readonly from: string;
  readonly to: string;
  readonly why: string;
}
