/**
 * How much there is to do in a store, and since when: what a screen or a metric shows. Every number
 * is read off an index and none is greater than COUNTED_MAX (`health.ts`), so that asking costs the
 * same whether ten thousand things wait or ten million.
 */
import type { Instant } from '../model/ids.ts';
import { integer, integerOrNull } from './cells.ts';
import { COUNTED_MAX } from './health.ts';
import type { Row } from './rows.ts';

export interface Backlog {
  /** By the store's clock. */
  readonly now: Instant;
  /** Steps that could be begun now, and since when the first of them could. */
  readonly ready: { readonly count: number; readonly since: Instant | null };
  /** Steps that somebody is at, and those of them whose lease is over. */
  readonly executing: { readonly count: number; readonly expired: number };
  /** Since when the first of those has been due that wait for a time. */
  readonly timers: { readonly since: Instant | null };
  /** Letters that could be sent now, since when the first of them could, and the dead ones. */
  readonly letters: {
    readonly ready: number;
    readonly dead: number;
    readonly since: Instant | null;
  };
  /** Messages that are kept, and that somebody may have yet. */
  readonly messages: number;
}

/** The same as a store finds it: not yet cut off, and with moments that may not have come. */
interface Counted {
  readonly now: Instant;
  readonly ready: number;
  readonly readySince: readonly (number | null)[];
  readonly executing: number;
  readonly expired: number;
  readonly timersSince: number | null;
  readonly letters: number;
  readonly dead: number;
  readonly lettersSince: number | null;
  readonly messages: number;
}

export function readBacklog(row: Row, now: Instant): Backlog {
  return backlogOf({
    now,
    ready: integer(row, 'work') + integer(row, 'lone'),
    readySince: [integerOrNull(row, 'work_since'), integerOrNull(row, 'lone_since')],
    executing: integer(row, 'executing'),
    expired: integer(row, 'expired'),
    timersSince: integerOrNull(row, 'timers_since'),
    letters: integer(row, 'letters'),
    dead: integer(row, 'dead'),
    lettersSince: integerOrNull(row, 'letters_since'),
    messages: integer(row, 'messages'),
  });
}

export function backlogOf(counted: Counted): Backlog {
  const { now } = counted;
  const since = (...moments: readonly (number | null)[]): Instant | null => {
    const past = moments.filter((at) => at !== null).filter((at) => at <= now);
    return past.length === 0 ? null : (Math.min(...past) as Instant);
  };
  const capped = (count: number): number => Math.min(count, COUNTED_MAX);
  return Object.freeze({
    now,
    ready: { count: capped(counted.ready), since: since(...counted.readySince) },
    executing: { count: capped(counted.executing), expired: capped(counted.expired) },
    timers: { since: since(counted.timersSince) },
    letters: {
      ready: capped(counted.letters),
      dead: capped(counted.dead),
      since: since(counted.lettersSince),
    },
    messages: capped(counted.messages),
  });
}
