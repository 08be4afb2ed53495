/** What a value is, in the words of jq's error messages: `string ("abc")`, `array ([1,2])`. */
import type { Json } from '../../../base/json.ts';
import type { Meter } from '../budget.ts';
import { printStart } from './json-print.ts';

export type JqType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

export function typeOf(value: Json): JqType {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'boolean':
      return 'boolean';
    case 'number':
      return 'number';
    case 'string':
      return 'string';
    default:
      return Array.isArray(value) ? 'array' : 'object';
  }
}

export function describe(value: Json, meter: Meter): string {
  return `${typeOf(value)} (${brief(value, meter)})`;
}

/** jq writes values into messages up to this many bytes; a longer one ends in three dots. */
const BRIEF_BYTES_MAX = 29;

export function brief(value: Json, meter: Meter): string {
  return printStart(value, BRIEF_BYTES_MAX, meter);
}
