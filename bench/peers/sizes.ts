/** How much is measured: enough for a first impression, or all that is asked for. */
export interface Sizes {
  readonly rounds: number;
  /** Of what is shown beside the main figures. */
  readonly roundsFew: number;
  readonly lapMs: number;
  /** A lap that only finds out how many lanes do best; without any, nothing is tried. */
  readonly trialMs: number;
  /** A lap that only warms up. */
  readonly warmMs: number;
  /** What is timed one by one, in a round; and of peers that take a second for each. */
  readonly times: number;
  readonly timesSlow: number;
  readonly drained: number;
  /** Of peers that would take minutes for as many. */
  readonly drainedSlow: number;
  /** In several processes, and beside full tables. */
  readonly drainedFew: number;
  readonly finished: number;
  readonly sleeping: number;
  readonly waiting: number;
  readonly idleMs: number;
}

export const FULL: Sizes = {
  rounds: 5,
  roundsFew: 3,
  lapMs: 1_500,
  trialMs: 700,
  warmMs: 4_000,
  times: 60,
  timesSlow: 6,
  drained: 100_000,
  drainedSlow: 1_500,
  drainedFew: 60_000,
  finished: 1_000_000,
  sleeping: 100_000,
  waiting: 100_000,
  idleMs: 10_000,
};

export const QUICK: Sizes = {
  rounds: 2,
  roundsFew: 1,
  lapMs: 1_000,
  trialMs: 0,
  warmMs: 4_000,
  times: 20,
  timesSlow: 2,
  drained: 30_000,
  drainedSlow: 200,
  drainedFew: 20_000,
  finished: 50_000,
  sleeping: 5_000,
  waiting: 5_000,
  idleMs: 4_000,
};
