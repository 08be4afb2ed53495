/** Times as people read them. */

const UNITS: readonly (readonly [number, string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1_000, 's'],
];

/** A length of time in its two largest units: `1d2h`, `3m`, `1.25s`, `12ms`. */
export function spanText(ms: number): string {
  if (ms < 0) return `-${spanText(-ms)}`;
  if (ms < 1_000) return `${Math.round(ms)}ms`;
  if (ms < 60_000) return `${Number((ms / 1_000).toFixed(2))}s`;
  const at = UNITS.findIndex(([size]) => ms >= size);
  const [size, name] = UNITS[at] ?? [1_000, 's'];
  const [next, small] = UNITS[at + 1] ?? [1_000, 's'];
  const rest = Math.floor((ms % size) / next);
  return `${Math.floor(ms / size)}${name}${rest === 0 ? '' : `${rest}${small}`}`;
}

/** A moment, to the second. */
export function momentText(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The time of day of a moment, to the second. */
export function clockText(at: number): string {
  return momentText(at).slice(11);
}

/** The day of a moment. */
export function dayText(at: number): string {
  return momentText(at).slice(0, 10);
}

/** How long ago or until then. */
export function agoText(at: number, now: number): string {
  return at <= now ? `${spanText(now - at)} ago` : `in ${spanText(at - now)}`;
}
