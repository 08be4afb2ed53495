/** Names as they stand in sentences. */
import { nearest } from '../../../base/nearest.ts';

/** `"a"`, `"a" and "b"`, `"a", "b" and "c"`. */
export function both(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} and ${last}`;
}

/** All there are. */
export function these(names: readonly string[]): string {
  const [only, ...others] = new Set(names);
  if (only === undefined) return 'there are none';
  return others.length === 0
    ? `there is only "${only}"`
    : `there are ${[only, ...others].join(', ')}`;
}

/** The end of a sentence about a name that is not known: the one that was meant, or all. */
export function known(name: string, names: readonly string[]): string {
  // Of one letter nothing is left once it is changed.
  const word = name.length > 1 ? nearest(name, names) : undefined;
  return word === undefined ? these(names) : `did you mean "${word}"?`;
}
