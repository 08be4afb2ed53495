/**
 * Log lines, and what spans say of errors, without what nobody is to read in them. What an engine
 * knows as a secret it hides by itself; this is for all that it cannot know: fields that are called
 * like a credential, and texts that look like one, whoever wrote them and wherever they stand.
 */
import { contained, type Logger, stderrLogger } from './logger.ts';

/** Fields by these names hold a credential. */
const SECRET = /authorization|cookie|passw|secret|token$|api-?key|credential|private-?key/i;
/** Credentials by their looks: our own keys, bearers, JWTs, secrets of webhooks, URLs with one. */
const LOOKS: readonly RegExp[] = [
  /\bpdr_[\w.-]+_[\w-]{20,}/g,
  /\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}/g,
  /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g,
  /\bwhsec_[\w+/=-]+/g,
  /(?<=:\/\/[^\s:@/]{0,100}:)[^\s@/]{1,200}(?=@)/g,
];
const HIDDEN = '[redacted]';
const UNREADABLE = '(details that cannot be read)';
/** What is deeper is not looked at, and so not written. */
const DEPTH_MAX = 6;

/** What an engine writes to: the user's logger, or stderr. */
export function loggerOf(given: Logger | undefined): Logger {
  return redacting(given === undefined ? stderrLogger : contained(given));
}

/** Whatever goes to the logger goes through here. */
export function redacting(logger: Logger): Logger {
  const line =
    (level: keyof Logger) =>
    (details: object, message: string): void =>
      logger[level](safely(details), hideLooks(message));
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}

export function hideLooks(text: string): string {
  return LOOKS.reduce((left, looks) => left.replaceAll(looks, HIDDEN), text);
}

/** A getter of the stranger's may throw, and no line is worth a step. */
function safely(details: object): object {
  try {
    return redact(details, 0) as object;
  } catch {
    return { details: UNREADABLE };
  }
}

function redact(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return hideLooks(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH_MAX) return HIDDEN;
  // A logger writes errors in its own way, stack and cause and all: that is left to it no more.
  if (value instanceof Error) return hideLooks(String(value));
  if (Array.isArray(value)) return value.map((each) => redact(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const isSecret = SECRET.test(name) && typeof each === 'string';
      return [name, isSecret ? HIDDEN : redact(each, depth + 1)];
    }),
  );
}
