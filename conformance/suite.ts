/** What every suite has in common: where it speaks, and what it comes to. */

export interface Say {
  /** For whoever watches; on stderr. */
  progress(line: string): void;
  /** What the run is for; on stdout. */
  result(lines: string): void;
}

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** Left out on purpose, and listed by name. */
  readonly skipped: number;
  readonly total: number;
}
