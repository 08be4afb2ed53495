/** What links of chains and activities of flowcharts say alike of how their handler is run. */
import { parseDuration } from '../base/duration.ts';
import type { Mutable } from '../base/mutable.ts';
import type { Offer } from '../kernel/kind.ts';
import type { Diagnostic, DraftNode } from '../model/draft.ts';
import { problem, readLimit } from './settings.ts';

type RunSettings = Pick<Offer, 'timeoutMs' | 'priority' | 'limit'>;

export function readRunSettings(draft: DraftNode, problems: Diagnostic[]): RunSettings {
  const { timeoutMs, priority, limit } = draft.settings;
  const settings: Mutable<RunSettings> = {};
  const isTime = typeof timeoutMs === 'number' && timeoutMs > 0 && parseDuration(timeoutMs).ok;
  if (isTime) settings.timeoutMs = timeoutMs;
  else if (timeoutMs !== undefined) {
    const message = `"timeoutMs" of "${draft.id}" is a number of ms, more than 0`;
    problems.push(problem(draft, 'bad-time', message));
  }
  if (Number.isSafeInteger(priority)) settings.priority = priority as number;
  else if (priority !== undefined) {
    const message = `the priority of "${draft.id}" is a whole number`;
    problems.push(problem(draft, 'bad-priority', message));
  }
  if (limit !== undefined) Object.assign(settings, readLimit(draft, limit, problems));
  return settings;
}

/** What a handler is called that is given to the engine by its type, for every flow. */
export function sharedHandler(flow: string, type: string): string {
  return `${flow}/${type}`;
}
