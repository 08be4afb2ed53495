/** What a store is made with, checked as what the engine is made with is. */
import { EngineError } from '../base/engine-error.ts';
import { meant } from '../base/nearest.ts';

/** What is misspelt must not be taken for what was left out: it may be the durability. */
export function checkStoreOptions(what: string, given: object, known: readonly string[]): void {
  if (typeof given !== 'object' || given === null) {
    throw badOption(`${what} is an object such as { ${known[0]}: … }`, what);
  }
  const field = Object.keys(given).find((name) => !known.includes(name));
  if (field !== undefined)
    throw badOption(`${what} has no "${field}"; ${meant(field, known)}`, field);
}

export function checkDurability(durability: unknown): void {
  if (durability === undefined || durability === 'full' || durability === 'relaxed') return;
  throw badOption(`durability is 'full' or 'relaxed'`, 'durability');
}

export function badOption(message: string, field: string): EngineError {
  return new EngineError('engine.option-invalid', message, { details: { field } });
}
