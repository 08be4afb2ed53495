/** Secrets made unreadable in what is told to others. */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';

/** Shorter ones would hide half of every sentence, and are no secrets. */
const SECRET_CHARS_MIN = 4;
export const HIDDEN = '***';

/** Puts something else in the place of every text of these, wherever it stands. */
export function concealing(
  secrets: readonly (Json | undefined)[],
): (data: JsonObject) => JsonObject {
  const texts = [...new Set(secrets.flatMap((each) => textsIn(each ?? null)))];
  if (texts.length === 0) return (data) => data;
  // The longest first: one may be part of another.
  texts.sort((a, b) => b.length - a.length);
  return (data) => conceal(data, texts) as JsonObject;
}

function conceal(value: Json, texts: readonly string[]): Json {
  if (typeof value === 'string') {
    return texts.reduce((shown, text) => shown.replaceAll(text, HIDDEN), value);
  }
  if (Array.isArray(value)) return value.map((each: Json) => conceal(each, texts));
  if (!isJsonObject(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => {
    return [conceal(name, texts) as string, conceal(part, texts)] as const;
  });
  return Object.fromEntries(parts);
}

/** Every text in a secret that is long enough to be one. */
export function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return value.length >= SECRET_CHARS_MIN ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value as Record<string, Json>).flatMap(textsIn);
}
