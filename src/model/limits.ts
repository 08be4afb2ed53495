/**
 * Every limit a flow can run into, by name (D17). The engine takes overrides; what is exceeded says
 * which name to raise.
 */
export interface Limits {
  /** Moves in one stride; past it the kernel commits and leaves the rest ready. */
  readonly MOVES_PER_COMMIT: number;
  /** Moves of one line of control without a wait or a handler; past it the flow faults. */
  readonly MOVES_WITHOUT_REST_MAX: number;
  /** Passes of one repeat node. */
  readonly REPEAT_PASSES_MAX: number;
  /** Items of one map. */
  readonly MAP_ITEMS_MAX: number;
  /** What was done with one task, comments and attachments among it. */
  readonly TASK_ENTRIES_MAX: number;
  /** Leases of one token that ran out; past it the token fails as LEASE_EXPIRED. */
  readonly CRASHES_MAX: number;
  /** Pauses between two executions; a longer one is cut to it. */
  readonly RETRY_DELAY_MS_MAX: number;
  /** The shortest pause between two tries where a policy does not say how many there are. */
  readonly RETRY_DELAY_MS_MIN: number;
  /** Retries of one visit of a `try`, whatever its policy says. */
  readonly RETRIES_MAX: number;
  /** A type or key of a message, or a business key: they stand in indexes of the database. */
  readonly KEY_CHARS_MAX: number;
  /** JSON text of one result, variable, input or message, in UTF-16 units. */
  readonly VALUE_CHARS_MAX: number;
  /** Missed moments of one schedule that are caught up with, the latest ones. */
  readonly SCHEDULE_CATCH_UP_MAX: number;
  /** How late a moment may be and still fire where missed ones are skipped. */
  readonly SCHEDULE_LATE_MS_MAX: number;
  /** Text of one fault's message; the rest is cut off and said to be. */
  readonly FAULT_CHARS_MAX: number;
}

export const LIMITS: Limits = Object.freeze({
  MOVES_PER_COMMIT: 1_000,
  MOVES_WITHOUT_REST_MAX: 1_000_000,
  REPEAT_PASSES_MAX: 1_000_000,
  MAP_ITEMS_MAX: 10_000,
  TASK_ENTRIES_MAX: 1_000,
  CRASHES_MAX: 10,
  RETRY_DELAY_MS_MAX: 86_400_000,
  RETRY_DELAY_MS_MIN: 1_000,
  RETRIES_MAX: 1_000_000,
  KEY_CHARS_MAX: 500,
  VALUE_CHARS_MAX: 4_194_304,
  SCHEDULE_CATCH_UP_MAX: 1_000,
  SCHEDULE_LATE_MS_MAX: 60_000,
  FAULT_CHARS_MAX: 8_192,
});

/**
 * From this many crashes on a token is lone (D11): it is claimed by itself, so that if it is what
 * kills workers, it takes nobody else's work with it. Not for tuning: it stands in indexes.
 */
export const CRASHES_LONE = 2;

/**
 * How many tokens of one tenant may stand in the queue of what is ready, before the tokens of
 * others; the rest of its own wait behind (ADR 34). Not for tuning: processes must agree on it.
 */
export const TENANT_READY_MAX = 32;
