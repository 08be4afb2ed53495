/** When a workflow is started by the clock: the expression says times. */
import { Cron } from 'croner';
import { show } from '../../builder/checks.ts';
import { type Check, wrong } from './finding.ts';
import { findPart } from './pointer.ts';

/** Expressions longer than this are no expressions. */
export const CRON_CHARS_MAX = 500;

export const checkSchedule: Check = function* ({ document }) {
  const cron = findPart(document, 'schedule', 'cron');
  if (typeof cron !== 'string') return;
  const why = cronProblem(cron);
  if (why === undefined) return;
  const rule = 'a cron expression has five fields (minute, hour, day, month, weekday)';
  const message = `${rule}, or six with seconds first; came ${show(cron)}${why}`;
  yield wrong('serverless.bad-cron', '/schedule/cron', message);
};

function cronProblem(text: string): string | undefined {
  const fields = text.trim().split(/\s+/);
  const fits = text.length <= CRON_CHARS_MAX && (fields.length === 5 || fields.length === 6);
  if (!fits) return '';
  try {
    const cron = new Cron(fields.join(' '), {
      timezone: 'UTC',
      mode: '5-or-6-parts',
      paused: true,
    });
    cron.stop();
    return undefined;
  } catch (thrown) {
    // What it says of the value is counted from 0; which field it was is of use.
    const field = /value for (\w+)/.exec(String(thrown))?.[1];
    return field === undefined ? '' : `, whose ${field} cannot be`;
  }
}
