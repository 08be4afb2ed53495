/**
 * Chance as a pure function: the same words always give the same number.
 *
 * Whatever is drawn for a node depends on the node's own words alone and never on what was drawn
 * before it. So a part of a random definition can be cut away without changing the luck of the
 * rest, and that is what makes a failing seed shrinkable.
 */
import { canonicalJson, isJsonObject, type Json } from '../base/json.ts';
import type { CodeView } from '../model/definition.ts';

type Word = string | number;

/** A whole number from 0 up to, not including, `sides`. */
export function luck(sides: number, ...words: readonly Word[]): number {
  let hash = 0x811c9dc5;
  for (const letter of words.join('\u0001')) {
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  }
  // FNV leaves the low bits of short words alike; the last mix of mulberry32 spreads them.
  hash = Math.imul(hash ^ (hash >>> 15), hash | 1);
  hash ^= hash + Math.imul(hash ^ (hash >>> 7), hash | 61);
  return ((hash ^ (hash >>> 14)) >>> 0) % sides;
}

export function lucky<Item>(items: readonly Item[], ...words: readonly Word[]): Item {
  const item = items[luck(items.length, ...words)];
  if (item === undefined) throw new Error('luck picks from a list that is not empty');
  return item;
}

/**
 * What a closure looks at, as text. `names` are the nodes that have certainly run before it; null
 * lets it look at everything, also at what depends on the order of answers.
 */
export function seenBy(view: CodeView, names: readonly string[] | null): string {
  const { input, results, vars, index, item } = view;
  if (names === null) return timeless(canonicalJson({ input, results, vars, index, item }));
  const picked: Record<string, Json> = {};
  const keys = names.flatMap((name) => [name, varOf(name), handlerVarOf(name)]);
  for (const key of [SHARED_VAR, ...keys]) {
    const value = results[key] ?? vars[key];
    if (value !== undefined) picked[key] = value;
  }
  return timeless(canonicalJson({ input, index, item, picked }));
}

/**
 * JSON without what depends on when people did something, and on who did: of what came of an
 * approval only the decision is left.
 */
export function timeless(json: string): string {
  if (!json.includes('"votes":')) return json;
  const decided = JSON.parse(json, (_, value: Json) => {
    const isResult = isJsonObject(value) && 'votes' in value && 'submission' in value;
    return isResult ? { decision: value['decision'] ?? null } : value;
  }) as Json;
  return canonicalJson(decided).replaceAll(/ was (rejected|recalled) by [a-z:-]+/g, ' was $1');
}

/** A variable that several set nodes write, each in its own scope. */
export const SHARED_VAR = 'shared';

/** The variable a set node of this name writes, where names must not collide. */
export function varOf(node: string): string {
  return `v.${node}`;
}

/** The variable the handler of a step of this name sets. */
export function handlerVarOf(node: string): string {
  return `h.${node}`;
}
