/** Lengths of time as people read them. */

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
