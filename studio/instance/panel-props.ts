/** What the panels below the graph are told. */
import type { Commit, Instance, Plan } from '../api/shapes.ts';

export interface PanelProps {
  /** As it is, or as it was at the commit that is looked at. */
  readonly instance: Instance;
  readonly plan: Plan;
  /** All that are loaded, in order; the first ones may be missing. */
  readonly commits: readonly Commit[];
  /** None is missing. */
  readonly isComplete: boolean;
  readonly onOlder: () => void;
  /** The commit that is looked at; null for now. */
  readonly at: number | null;
  readonly onAt: (n: number | null) => void;
  readonly node: string | null;
  readonly onNode: (node: string | null) => void;
  /** Only what is in this scope, or in scopes within it. */
  readonly scope?: number | null;
  readonly now: number;
}
