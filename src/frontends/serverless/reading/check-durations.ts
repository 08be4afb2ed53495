/**
 * Durations that are written out are no longer than the engine waits. How long a year or a month is
 * depends on when it begins; here they are as long as they can be.
 */
import { DURATION_MS_MAX } from '../../../base/duration.ts';
import { type Check, type Checked, wrong } from './finding.ts';
import { entriesOf, findPart, pointerTo } from './pointer.ts';
import { retriesOf } from './retries.ts';

const DAY_MS = 86_400_000;
const PART_MS: Readonly<Record<string, number>> = {
  days: DAY_MS,
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1_000,
  milliseconds: 1,
};
const DATE_MS: Readonly<Record<string, number>> = {
  Y: 365 * DAY_MS,
  M: 31 * DAY_MS,
  W: 7 * DAY_MS,
  D: DAY_MS,
};
const TIME_MS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000 };

type Steps = readonly string[];

const OF_TASK: readonly Steps[] = [
  ['timeout', 'after'],
  ['wait'],
  ['with', 'timeout'],
  ['with', 'subscription', 'consume', 'for'],
  ['run', 'container', 'lifetime', 'after'],
];
const OF_RETRY: readonly Steps[] = [
  ['delay'],
  ['limit', 'attempt', 'duration'],
  ['limit', 'duration'],
  ['jitter', 'from'],
  ['jitter', 'to'],
];
const OF_WORKFLOW: readonly Steps[] = [
  ['timeout', 'after'],
  ['schedule', 'every'],
  ['schedule', 'after'],
];

export const checkDurations: Check = function* (checked) {
  for (const { pointer, duration } of durationsOf(checked)) {
    if (roughlyMs(duration) <= DURATION_MS_MAX) continue;
    const message = 'a duration is at most 100 years; look at the unit';
    yield wrong('serverless.duration-too-long', pointer, message);
  }
};

interface WalkedDuration {
  readonly pointer: string;
  readonly duration: unknown;
}

function* durationsOf(checked: Checked): Generator<WalkedDuration> {
  const { document, tasks } = checked;
  yield* durationsAt(document, '', OF_WORKFLOW);
  for (const [name, timeout] of entriesOf(findPart(document, 'use', 'timeouts'))) {
    yield* durationsAt(timeout, pointerTo('/use/timeouts', name), [['after']]);
  }
  for (const { pointer, policy } of retriesOf(checked)) {
    yield* durationsAt(policy, pointer, OF_RETRY);
  }
  for (const { pointer, task } of tasks) yield* durationsAt(task, pointer, OF_TASK);
}

function* durationsAt(
  whole: unknown,
  at: string,
  places: readonly Steps[],
): Generator<WalkedDuration> {
  for (const steps of places) {
    yield { pointer: pointerTo(at, ...steps), duration: findPart(whole, ...steps) };
  }
}

/** Of what is no duration, or is not known yet, nothing. */
function roughlyMs(duration: unknown): number {
  if (typeof duration === 'string') {
    const [date = '', time = ''] = duration.startsWith('P') ? duration.slice(1).split('T') : [];
    return sumOf(date, DATE_MS) + sumOf(time, TIME_MS);
  }
  return entriesOf(duration).reduce(
    (sum, [unit, count]) => sum + (typeof count === 'number' ? count * (PART_MS[unit] ?? 0) : 0),
    0,
  );
}

function sumOf(text: string, unitsMs: Readonly<Record<string, number>>): number {
  return [...text.matchAll(/(\d+(?:\.\d+)?)([A-Z])/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (unitsMs[unit] ?? 0),
    0,
  );
}
