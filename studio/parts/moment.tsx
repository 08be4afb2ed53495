/** Times as people say them, with the exact moment behind it. */
import { type ReactNode, useEffect, useState } from 'react';

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** `2 h 5 m`, `340 ms`: the two greatest parts. */
export function spanText(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  if (whole < 1_000) return `${whole} ms`;
  if (whole < 10_000) return `${(whole / 1_000).toFixed(1)} s`;
  const parts: string[] = [];
  let left = whole;
  for (const [name, size] of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count} ${name}`);
    else if (parts.length > 0) break;
  }
  return parts.slice(0, 2).join(' ');
}

/** Seconds of somebody who looks are too many. */
export function agoText(at: number, now: number): string {
  const ms = now - at;
  if (Math.abs(ms) < 2_000) return 'now';
  const [most = ''] = spanText(Math.abs(ms)).match(/^[\d.]+ \w+/) ?? [];
  const text = most.replace(/\.\d+/, '');
  return ms < 0 ? `in ${text}` : `${text} ago`;
}

export function clockText(at: number): string {
  const date = new Date(at);
  const day =
    date.toDateString() === new Date().toDateString() ? '' : `${date.toLocaleDateString()} `;
  const ms = String(date.getMilliseconds()).padStart(3, '0');
  return `${day}${date.toLocaleTimeString([], { hour12: false })}.${ms}`;
}

const BEAT_MS = 5_000;

export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), BEAT_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

export function Ago({ at }: { readonly at: number | null }): ReactNode {
  const now = useNow();
  if (at === null) return <span className="dim">–</span>;
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      {agoText(at, now)}
    </time>
  );
}
