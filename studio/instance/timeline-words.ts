/** What the timeline says of a visit: exact times, for those who hover, focus or listen. */
import { clockText, spanText } from '../parts/moment.tsx';
import type { Row } from './timeline-rows.ts';
import { type Segment, type SegmentKind, statusOf, tookMs, type Visit } from './visit.ts';

export const KIND_WORDS: Readonly<Record<SegmentKind, string>> = {
  queued: 'queued',
  running: 'running',
  waiting: 'waiting',
  retry: 'waiting to try again',
  paused: 'suspended',
};

export function visitName({ node, index, mode }: Visit): string {
  const undo = mode === 'compensation' ? ' (undo)' : '';
  return `${node}${index === null ? '' : ` #${index + 1}`}${undo}`;
}

export function segmentText({ kind, from, to, why }: Segment, now: number): string {
  const end = to ?? now;
  const times = `${clockText(from)} – ${to === null ? 'now' : clockText(to)}`;
  return `${KIND_WORDS[kind]} ${why}, ${spanText(end - from)}: ${times}`;
}

export function rowText(row: Row, now: number): string {
  if (row.is === 'rest') {
    return `${row.count} more of ${row.node}, ${clockText(row.from)} – ${clockText(row.to)}`;
  }
  const { visit } = row;
  return `${visitName(visit)}, ${spanText(tookMs(visit, now))}, ${visitText(visit, now)}`;
}

/** What is not written beside its line. */
export function visitText(visit: Visit, now: number): string {
  const { startedAt, endedAt } = visit;
  const times = `${clockText(startedAt ?? 0)} – ${endedAt === null ? 'now' : clockText(endedAt)}`;
  const sums = sumsOf(visit, now).map(([kind, ms]) => `${KIND_WORDS[kind]} ${spanText(ms)}`);
  return [statusOf(visit), times, ...sums].join(', ');
}

/** How long it was queued, running and so on, in all. */
export function sumsOf(
  { segments }: Visit,
  now: number,
): readonly (readonly [SegmentKind, number])[] {
  const sums = new Map<SegmentKind, number>();
  for (const { kind, from, to } of segments) {
    const length = Math.max(0, Math.min(to ?? now, Math.max(now, from)) - from);
    sums.set(kind, (sums.get(kind) ?? 0) + length);
  }
  return [...sums];
}

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/** As much of a time as tells it from the one before. */
export function tickText(at: number, before: number | null, span: number): string {
  const date = new Date(at);
  const isOtherDay = before === null ? span > DAY_MS : dayOf(before) !== dayOf(at);
  const day = isOtherDay
    ? `${date.toLocaleDateString([], { month: 'short', day: 'numeric' })} `
    : '';
  const time = date.toLocaleTimeString([], { hour12: false });
  const ms = span < 10 * SECOND_MS ? `.${String(date.getMilliseconds()).padStart(3, '0')}` : '';
  return day + time + ms;
}

function dayOf(at: number): string {
  return new Date(at).toDateString();
}
