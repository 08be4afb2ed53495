/**
 * Where a moment lies on the timeline. Most instances wait for most of their lives, so stretches in
 * which nothing happened are cut to a notch that says how long it was, and the rest has the room.
 */
import type { Visit } from './visit.ts';

export interface Piece {
  readonly from: number;
  readonly to: number;
  /** Where it is drawn: 0 is the left edge, 1 the right one. */
  readonly left: number;
  readonly right: number;
  /** Nothing ran in it, and it is drawn as a notch. */
  readonly isIdle: boolean;
}

export interface Scale {
  readonly from: number;
  readonly to: number;
  readonly pieces: readonly Piece[];
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A stretch is cut if it takes more than this of what is drawn, and is longer than a second. */
const IDLE_SHARE = 0.12;
const IDLE_MS_MIN = 1_000;
/** A notch takes so much of the width, and all of them not more than half of it. */
const NOTCH = 0.05;
const NOTCHES_MAX = 0.5;

/** Handlers at work and tokens that wait for one: whatever somebody may have to be patient for. */
const BUSY: ReadonlySet<string> = new Set(['running', 'queued']);

/** When something was going on: handlers at work, and the moments of commits. */
export function busySpans(
  visits: readonly Visit[],
  moments: readonly number[],
  now: number,
): readonly Span[] {
  const spans: Span[] = moments.map((at) => ({ from: at, to: at }));
  for (const { segments } of visits) {
    for (const { kind, from, to } of segments) {
      if (BUSY.has(kind) && from <= now) spans.push({ from, to: Math.min(to ?? now, now) });
    }
  }
  return joined(spans);
}

function joined(spans: readonly Span[]): readonly Span[] {
  const found: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = found.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else found.push({ from, to });
  }
  return found;
}

/** The longest stretch is cut first: it may be why the next one looked short. */
export function idleSpans({ from, to }: Span, busy: readonly Span[]): readonly Span[] {
  const gaps: Span[] = [];
  let end = from;
  for (const span of busy) {
    if (span.from > end) gaps.push({ from: end, to: Math.min(span.from, to) });
    end = Math.max(end, span.to);
  }
  if (end < to) gaps.push({ from: end, to });
  let drawn = to - from;
  const idle: Span[] = [];
  for (const gap of gaps.toSorted((a, b) => b.to - b.from - (a.to - a.from))) {
    const length = gap.to - gap.from;
    if (length < IDLE_MS_MIN || length <= drawn * IDLE_SHARE) break;
    idle.push(gap);
    drawn -= length;
  }
  return idle.sort((a, b) => a.from - b.from);
}

export function scaleOf({ from, to }: Span, idle: readonly Span[]): Scale {
  const spans = piecesOf({ from, to }, idle);
  const notch = Math.min(NOTCH, NOTCHES_MAX / Math.max(1, idle.length));
  const busy = spans.filter(({ isIdle }) => !isIdle);
  const drawn = busy.reduce((sum, span) => sum + span.to - span.from, 0);
  const room = 1 - notch * idle.length;
  // Where no time passed at all, moments share what room there is.
  const shareOf = (span: Span): number =>
    drawn === 0 ? room / busy.length : (room * (span.to - span.from)) / drawn;
  let left = 0;
  const pieces = spans.map((span): Piece => {
    const start = left;
    left += span.isIdle ? notch : shareOf(span);
    return { ...span, left: start, right: left };
  });
  return { from, to, pieces };
}

function piecesOf({ from, to }: Span, idle: readonly Span[]): (Span & { isIdle: boolean })[] {
  const found: (Span & { isIdle: boolean })[] = [];
  let end = from;
  for (const gap of idle) {
    found.push({ from: end, to: gap.from, isIdle: false }, { ...gap, isIdle: true });
    end = gap.to;
  }
  found.push({ from: end, to, isIdle: false });
  return found;
}

/** What lies outside is at the edge. */
export function placeOf({ from, to, pieces }: Scale, at: number): number {
  const moment = Math.min(Math.max(at, from), to);
  const piece = pieces.find((one) => moment <= one.to);
  if (piece === undefined) return 1;
  const length = piece.to - piece.from;
  const share = length === 0 ? 0 : (moment - piece.from) / length;
  return piece.left + share * (piece.right - piece.left);
}

export function momentAt({ pieces, to }: Scale, place: number): number {
  const piece = pieces.find((one) => place <= one.right) ?? pieces.at(-1);
  if (piece === undefined) return to;
  const width = piece.right - piece.left;
  const share = width === 0 ? 0 : Math.max(0, place - piece.left) / width;
  return piece.from + Math.min(1, share) * (piece.to - piece.from);
}

export interface Tick {
  readonly at: number;
  readonly place: number;
}

/** Steps that people count in, in milliseconds. */
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000],
  ...[60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000, 7_200_000, 21_600_000],
  ...[43_200_000, 86_400_000, 172_800_000, 604_800_000, 2_592_000_000],
] as const;

/** Moments that lie at least so far apart, as round as they can be; each piece has its first. */
export function ticksOf({ pieces, to }: Scale, apart: number): readonly Tick[] {
  const ticks: Tick[] = [];
  for (const piece of pieces) {
    if (piece.isIdle) continue;
    const isFree = (place: number): boolean =>
      place - (ticks.at(-1)?.place ?? -apart) >= apart && place <= 1 - apart / 2;
    if (isFree(piece.left)) ticks.push({ at: piece.from, place: piece.left });
    const width = piece.right - piece.left;
    const length = piece.to - piece.from;
    if (width === 0 || length === 0) continue;
    const step = STEPS.find((one) => (one / length) * width >= apart);
    if (step === undefined) continue;
    for (let at = Math.ceil(piece.from / step) * step; at < Math.min(piece.to, to); at += step) {
      const place = piece.left + ((at - piece.from) / length) * width;
      if (isFree(place)) ticks.push({ at, place });
    }
  }
  return ticks;
}
