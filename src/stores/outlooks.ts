/** What the databases answer to `outlook`, as the port promises it. */
import type { Instant } from '../model/ids.ts';
import type { Row } from './rows.ts';
import type { Outlook } from './store.ts';

/** What was due before this moment is due now. */
export function readOutlook(row: Row, now: number): Outlook {
  const next = (name: string): Instant | undefined => {
    const at = momentIn(row, name);
    return at === undefined ? undefined : (Math.max(at, now) as Instant);
  };
  return {
    work: next('work'),
    timers: next('timers'),
    lanes: next('lanes'),
    leases: next('leases'),
    letters: next('letters'),
    schedules: next('schedules'),
    lone: momentIn(row, 'lone'),
    posts: row['posts'] === 1,
    halts: row['halts'] === 1,
    messages: row['messages'] === 1,
  };
}

function momentIn(row: Row, name: string): Instant | undefined {
  const at = row[name];
  return typeof at === 'number' ? (at as Instant) : undefined;
}
