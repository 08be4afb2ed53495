/** Log lines without what nobody is to read in them. */
import type { Logger } from '../index.ts';

/** Fields by these names hold a credential, whoever wrote them. */
const SECRET = /authorization|cookie|password|passwd|secret|token$|api-?key|credential|private/i;
/** Credentials by their looks, wherever they stand: our keys, bearers, JWTs, secrets of webhooks. */
const LOOKS =
  /pdr_[\w.-]+_[\w-]{20,}|\b(Bearer|Basic)\s+[\w.~+/=-]{8,}|\beyJ[\w-]+\.[\w-]+\.[\w-]*|\bwhsec_[\w+/=-]+/g;
const HIDDEN = '[redacted]';
/** What is deeper is not looked at, and so not written. */
const DEPTH_MAX = 6;

/** Whatever goes to the logger goes through here. */
export function redacting(logger: Logger): Logger {
  const line =
    (level: keyof Logger) =>
    (details: object, message: string): void =>
      logger[level](redact(details, 0) as object, hide(message));
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}

function hide(text: string): string {
  return text.replaceAll(LOOKS, HIDDEN);
}

function redact(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return hide(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH_MAX) return HIDDEN;
  if (value instanceof Error) return hide(String(value));
  if (Array.isArray(value)) return value.map((each) => redact(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const isSecret = SECRET.test(name) && typeof each === 'string';
      return [name, isSecret ? HIDDEN : redact(each, depth + 1)];
    }),
  );
}
