/** Names with values, as queries, forms and headers have them: a list is several, null is none. */
import type { Json, JsonObject } from '../base/json.ts';
import { WorkflowError } from '../model/workflow-error.ts';
import { percentEncode } from './uri-template.ts';

export type Pair = readonly [name: string, value: string];

/** `what` says in an error whose values these are. */
export function pairsOf(what: string, map: JsonObject): Pair[] {
  return Object.entries(map).flatMap(([name, value]) =>
    textsOf(`${what} "${name}"`, value).map((text): Pair => [name, text]),
  );
}

/** The value as texts: one of it, those of a list, none of null. */
export function textsOf(what: string, value: Json): string[] {
  const items = Array.isArray(value) ? (value as readonly Json[]) : [value];
  return items.flatMap((item) => {
    if (item === null) return [];
    if (typeof item !== 'object') return String(item);
    const found = Array.isArray(item) ? 'a list in a list' : 'an object';
    throw new WorkflowError('configuration', {
      detail: `${what} takes a text, a number, a boolean or a list of them; came ${found}`,
    });
  });
}

/** As in `a=1&b=2`. */
export function writePairs(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join('&');
}
