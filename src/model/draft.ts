import type { JsonObject } from '../base/json.ts';
import type { Limit } from './lane.ts';
import type { MergeMode } from './merge.ts';

/** What every frontend produces: names and raw settings, nothing checked yet. */
export interface Draft {
  readonly name: string;
  readonly version: number;
  readonly start: string;
  readonly nodes: readonly DraftNode[];
  readonly edges: readonly DraftEdge[];
  /** The variables an instance begins with. */
  readonly vars?: JsonObject;
  /** What is undone when something fails for good; the whole instance if not said. */
  readonly saga?: SagaReach;
  /** What cannot be undone is recorded and the rest go on, unless this says to stop there. */
  readonly onUndoFailure?: 'halt';
  /** What fails for good waits for someone to mend it, instead of failing the instance. */
  readonly onFailure?: 'incident';
  /** How many of its steps may be at work at a time, and begin per time. */
  readonly limit?: Limit;
  /** What instances are found by: fields of the input, and variables of the instance. */
  readonly search?: readonly string[];
}

/** Nothing; the innermost scope in which it failed; or everything the instance did. */
export type SagaReach = 'none' | 'scope' | 'instance';

export interface DraftNode {
  readonly id: string;
  readonly kind: string;
  readonly settings: JsonObject;
  /** The node whose region this one lies in; absent at the top. Edges never leave a region. */
  readonly parent?: string;
  /** The author did not write this node; a path shown to people leaves it out. */
  readonly hidden?: boolean;
  /** What it is called within its flowchart, if that is not its id: its result is kept so. */
  readonly local?: string;
  /** It is an activity of a flowchart; all nodes of a region are, or none. */
  readonly merge?: MergeMode;
  readonly span?: Span;
}

export interface DraftEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** Where in the source file something was written, so a diagnostic can point at it. */
export interface Span {
  readonly line: number;
  readonly column: number;
}

/** A mistake in a definition. Compiling reports all of them; it never throws at the first. */
export interface Diagnostic {
  readonly code: string;
  readonly message: string;
  readonly node?: string;
  readonly span?: Span;
}
