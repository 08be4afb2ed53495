/** What verbs of the session are asked with, where a list of cells would not say it. */
import type { Take } from '../store.ts';

export interface ClaimCells {
  readonly worker: string;
  /** As JSON text. */
  readonly handlers: string;
  readonly limit: number;
  readonly leaseMs: number;
  readonly lone: boolean;
  /** Null: of all. */
  readonly tenant: string | null;
  /** False: they are held outside of this process, and never renewed here. */
  readonly watched: boolean;
}

/** A commit that may have come about, and what it took if it did. */
export interface RecallCells {
  readonly instance: string;
  readonly expected: number;
  readonly commitId: string;
  readonly take: Take | null;
}
