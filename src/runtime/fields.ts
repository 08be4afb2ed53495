/**
 * Objects that callers hand in, checked by what they name: from a program without types, or from
 * the network, one may be anything, and a field that is misspelt must not be taken for one that
 * was left out.
 */
import { EngineError } from '../base/engine-error.ts';
import { meant } from '../base/nearest.ts';

/** What is misspelt is not obeyed: a filter would leave out nobody, an option would do nothing. */
export function checkFields(what: string, given: unknown, known: readonly string[]): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw wrong(`${what} is an object such as { ${known[0]}: … }; came ${told(given)}`);
  }
  const field = Object.keys(given).find((name) => !known.includes(name));
  if (field !== undefined) throw wrong(`${what} has no "${field}"; ${meant(field, known)}`, field);
}

/** Where leaving something out means more, a value that got lost on its way is not left out. */
export function checkGiven(what: string, given: object, names: readonly string[]): void {
  const found = Object.entries(given).find(([name, value]) => {
    return value === undefined && names.includes(name);
  });
  if (found === undefined) return;
  const [field] = found;
  const advice = 'leave it out if it does not matter';
  throw wrong(`${what} names "${field}" and does not say which: it is undefined; ${advice}`, field);
}

/** Who is told how far it is. */
export function checkListener(onProgress: unknown): void {
  if (onProgress === undefined || typeof onProgress === 'function') return;
  throw wrong(`onProgress is a function; came ${told(onProgress)}`, 'onProgress');
}

export function wrong(message: string, field?: string): EngineError {
  const details = field === undefined ? {} : { field };
  return new EngineError('engine.option-invalid', message, { details });
}

const TOLD_CHARS_MAX = 60;

/** What came instead, in a sentence. */
export function told(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, TOLD_CHARS_MAX));
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`;
  if (value === null || value === undefined) return `${value}`;
  return Array.isArray(value) ? 'a list' : value instanceof Date ? 'no date at all' : typeof value;
}
