/** Texts that go into errors and logs, with every secret in them made unreadable. */
import type { Json } from '../../base/json.ts';

/** Shorter ones would hide half of every sentence, and are no secrets. */
const SECRET_CHARS_MIN = 4;
const HIDDEN = '***';

export function hider(secrets: readonly Json[]): (text: string) => string {
  const texts = new Set(secrets.flatMap(textsIn).flatMap(formsOf));
  // The longest first: one may be part of another.
  const all = [...texts].toSorted((a, b) => b.length - a.length);
  return (text) => all.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return value.length >= SECRET_CHARS_MIN ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value as Record<string, Json>).flatMap(textsIn);
}

/** As it is, and as it stands in a URL, in base64 and in JSON. */
function formsOf(secret: string): readonly string[] {
  const base64 = Buffer.from(secret).toString('base64');
  return [secret, encodeURIComponent(secret), base64, JSON.stringify(secret).slice(1, -1)];
}
