/**
 * What instances are found by beside what every one of them has: fields of their input and
 * variables that the flow names. They stand in an index, so they are short and plain: whatever else
 * a field holds is not found by.
 */
import type { Json } from '../base/json.ts';

export type Attribute = string | number | boolean;

/** Half a surrogate pair is no character: no database keeps it. */
const HALF_A_PAIR = /\p{Cs}/gu;

/** As it is looked for: long text is cut. Null: by this nothing is found. */
export function attributeOf(value: Json | undefined, charsMax: number): Attribute | null {
  if (typeof value === 'string') return value.slice(0, charsMax).replaceAll(HALF_A_PAIR, '\ufffd');
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** Each is a row for every instance, and two entries of an index. */
export const SEARCH_ATTRIBUTES_MAX = 20;
/** It stands in an index together with what it is the name of. */
export const SEARCH_NAME_CHARS_MAX = 100;

/** What is wrong with the names, as a sentence that goes on after them; undefined if nothing. */
export function searchProblem(names: unknown): string | undefined {
  if (!Array.isArray(names)) return "is a list of names such as ['customer', 'total']";
  const list: readonly unknown[] = names;
  if (list.length > SEARCH_ATTRIBUTES_MAX) {
    return `has ${list.length} names, and SEARCH_ATTRIBUTES_MAX is ${SEARCH_ATTRIBUTES_MAX}`;
  }
  const bad = list.findIndex((name) => !isName(name));
  if (bad >= 0) {
    const rule = `each a text of 1 to ${SEARCH_NAME_CHARS_MAX} characters`;
    return `has names, ${rule}; the one at ${bad} is none`;
  }
  const twice = list.findIndex((name, index) => list.indexOf(name) !== index);
  return twice < 0 ? undefined : `names ${JSON.stringify(list[twice])} twice`;
}

function isName(name: unknown): boolean {
  if (typeof name !== 'string' || name === '' || name.length > SEARCH_NAME_CHARS_MAX) return false;
  return name.search(HALF_A_PAIR) < 0;
}
