/** Moments as a field of the browser has them: in the time of the machine, to the minute. */
const MINUTE_MS = 60_000;

export function momentText(at: number | null): string {
  if (at === null) return '';
  const offset = new Date(at).getTimezoneOffset() * MINUTE_MS;
  return new Date(at - offset).toISOString().slice(0, 16);
}

/** Null: none. */
export function momentIn(text: string): number | null {
  const at = new Date(text).getTime();
  return Number.isNaN(at) ? null : at;
}
