/** Texts that go into errors and logs, with every secret in them made unreadable. */
import type { Json } from '../../base/json.ts';
import { HIDDEN, textsIn } from '../../nodes/serverless/concealing.ts';

export function hider(secrets: readonly Json[]): (text: string) => string {
  const texts = new Set(secrets.flatMap(textsIn).flatMap(formsOf));
  // The longest first: one may be part of another.
  const all = [...texts].toSorted((a, b) => b.length - a.length);
  return (text) => all.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
}

/** As it is, and as it stands in a URL, in base64 and in JSON. */
function formsOf(secret: string): readonly string[] {
  const base64 = Buffer.from(secret).toString('base64');
  return [secret, encodeURIComponent(secret), base64, JSON.stringify(secret).slice(1, -1)];
}
