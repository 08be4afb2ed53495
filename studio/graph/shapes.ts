/** What a graph is told: a plan as the API has it, and what is going on in it. */
export interface GraphPlan {
  readonly name: string;
  readonly version: number;
  readonly hash: string;
  readonly nodes: readonly {
    readonly id: string;
    readonly kind: string;
    readonly parent: string | null;
    readonly hidden: boolean;
    readonly config?: unknown;
    /** Of an activity of a flowchart: what it is called there, and when it runs. */
    readonly local?: string;
    readonly merge?: string;
  }[];
  readonly edges: readonly {
    readonly id: string;
    readonly from: string;
    readonly to: string;
    /** It begins a new pass of a loop. */
    readonly back?: true;
  }[];
}

export interface GraphToken {
  readonly id: number;
  readonly node: string;
  readonly status: string;
  readonly wait?: { readonly on: string } | null;
  readonly mode?: 'forward' | 'compensation';
  /** The edge by which it came: it is seen to come that way. */
  readonly via?: string | null;
  readonly scope?: number;
}

/** How often something happened at a node. */
export interface NodeTally {
  readonly done: number;
  readonly failed: number;
  readonly open: number;
}

export type Mark = 'added' | 'removed' | 'changed' | 'problem';
