/** What the numbers of a store mean: calm, worth a look, or bad. */
import { spanText } from '../parts/moment.tsx';

export type Tone = 'ok' | 'warn' | 'bad';

/** As GET /api/backlog tells it. Counts are no greater than COUNTED_MAX. */
export interface Backlog {
  readonly now: number;
  readonly ready: { readonly count: number; readonly since: number | null };
  readonly executing: { readonly count: number; readonly expired: number };
  readonly timers: { readonly since: number | null };
  readonly letters: {
    readonly ready: number;
    readonly dead: number;
    readonly since: number | null;
  };
  readonly messages: number;
}

export interface Reading {
  readonly label: string;
  readonly value: string;
  /** What it means, in a few words. */
  readonly below: string;
  readonly tone: Tone;
}

/** Work that waits longer than this is late, and then very late. */
const READY_WARN_MS = 10_000;
const READY_BAD_MS = 60_000;
const TIMER_WARN_MS = 5_000;
const TIMER_BAD_MS = 60_000;
const LETTER_WARN_MS = 60_000;
const LETTER_BAD_MS = 600_000;
/** The store counts no further. */
const COUNTED_MAX = 10_000;

export function lateness(ms: number, warnMs: number, badMs: number): Tone {
  return ms > badMs ? 'bad' : ms > warnMs ? 'warn' : 'ok';
}

export function readingsOf(backlog: Backlog, workers: number): readonly Reading[] {
  const { now, ready, executing, timers, letters, messages } = backlog;
  const late = (since: number | null): number => (since === null ? 0 : Math.max(0, now - since));
  const readyMs = late(ready.since);
  const timerMs = late(timers.since);
  const letterMs = late(letters.since);
  return [
    {
      label: 'Workers',
      value: String(workers),
      below: workers === 0 ? 'nobody is at work' : 'have said that they are there',
      tone: workers === 0 ? 'bad' : 'ok',
    },
    {
      label: 'Ready work',
      value: countText(ready.count),
      below: ready.count === 0 ? 'nothing waits' : `the oldest for ${spanText(readyMs)}`,
      tone: lateness(readyMs, READY_WARN_MS, READY_BAD_MS),
    },
    {
      label: 'At work',
      value: countText(executing.count),
      below: leaseText(executing.expired),
      tone: executing.expired > 0 ? 'warn' : 'ok',
    },
    {
      label: 'Timer lag',
      value: timers.since === null ? 'none' : spanText(timerMs),
      below: timers.since === null ? 'nothing is due' : 'the first that is due',
      tone: lateness(timerMs, TIMER_WARN_MS, TIMER_BAD_MS),
    },
    {
      label: 'Outbox',
      value: countText(letters.ready),
      below: letters.ready === 0 ? 'nothing to send' : `the oldest for ${spanText(letterMs)}`,
      tone: lateness(letterMs, LETTER_WARN_MS, LETTER_BAD_MS),
    },
    {
      label: 'Dead letters',
      value: countText(letters.dead),
      below: letters.dead === 0 ? 'none was given up' : 'were given up',
      tone: letters.dead > 0 ? 'bad' : 'ok',
    },
    {
      label: 'Kept messages',
      value: countText(messages),
      below: 'that somebody may wait for yet',
      tone: 'ok',
    },
  ];
}

function leaseText(expired: number): string {
  if (expired === 0) return 'all leases hold';
  return expired === 1 ? 'one lease is over' : `${countText(expired)} leases are over`;
}

export function countText(count: number): string {
  return count >= COUNTED_MAX ? `${COUNTED_MAX.toLocaleString('en')}+` : count.toLocaleString('en');
}

/** What it all comes to: the worst of them. */
export function worst(tones: readonly Tone[]): Tone {
  return tones.includes('bad') ? 'bad' : tones.includes('warn') ? 'warn' : 'ok';
}
