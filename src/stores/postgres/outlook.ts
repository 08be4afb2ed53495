/** What there is to do and when, in one statement. Every answer also tells the time. */
import { assert } from '../../base/assert.ts';
import { readOutlook } from '../outlooks.ts';
import type { Row } from '../rows.ts';
import type { Outlook, OutlookRequest } from '../store.ts';
import type { StoreClock } from './clock.ts';
import { type Ask, column } from './driver.ts';
import * as queries from './queries.ts';
import { ALL_SHARDS } from './shard.ts';

const ALL = column(ALL_SHARDS);

export async function askOutlook(
  clock: StoreClock,
  request: OutlookRequest,
  ask: (...ask: Ask) => Promise<readonly Row[]>,
): Promise<Outlook> {
  const { handlers, schedules, letters, withoutPosts = [], messages } = request;
  const among = [column(schedules.flows), column(schedules.without ?? [])];
  const types = letters === undefined || letters === null ? null : column(letters);
  const [row] = await ask(
    queries.outlook,
    ...[ALL, column(handlers), ...among, letters !== undefined, types],
    ...[column(withoutPosts), messages, clock.told],
  );
  assert(row !== undefined, 'an outlook is always a row');
  clock.note(Number(row['now']));
  return readOutlook(row, clock.now());
}
