/**
 * Names that are the engine's own. Whoever wakes a token may bring a result and variables, and may
 * be anyone: what begins with a $ is not theirs to write, whichever way they try it.
 */
import type { Json } from '../base/json.ts';
import type { Stride } from './stride.ts';

/** `$x`, and `x.$y` as well: whoever writes by paths would reach it so. */
export function isReserved(name: string): boolean {
  return name.split('.').some((part) => part.startsWith('$'));
}

/** The first name in an object that is reserved. */
export function reservedIn(value: Json | undefined): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.keys(value).find(isReserved);
}

export function refuseReserved(stride: Stride, name: string): void {
  const message = `"${name}" is a name of the engine's own, and nobody else's to write`;
  stride.refuse('variable.reserved', message, { name });
}
