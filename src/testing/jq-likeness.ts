/** Whether two answers to a question about jq are the same. */
import { isJsonObject, type Json } from '../base/json.ts';
import type { Answer } from './jq-asking.ts';

/** A limit of ours was reached, or what came out is too big to compare. */
export type OwnAnswer = Answer | { readonly end: 'limit' };

/** Whether two numbers or two texts will do for one another. */
export type Likeness = (one: number | string, other: number | string) => boolean;

export const EXACTLY: Likeness = (one, other) => Object.is(one, other);

export function isSameAnswer(one: OwnAnswer, other: OwnAnswer, alike: Likeness): boolean {
  if (one.end === 'done' && other.end === 'done') {
    return isSame(one.outputs, other.outputs, alike);
  }
  if (one.end === 'error' && other.end === 'error') {
    return isSame([one.error, ...one.outputs], [other.error, ...other.outputs], alike);
  }
  return one.end === other.end;
}

/** The order of keys counts: a program can ask for it. */
function isSame(one: Json, other: Json, alike: Likeness): boolean {
  if (typeof one === 'number' || typeof one === 'string') {
    return typeof other === typeof one && alike(one, other as number | string);
  }
  if (typeof one !== 'object' || one === null) return one === other;
  if (typeof other !== 'object' || other === null) return false;
  if (isJsonObject(one) !== isJsonObject(other)) return false;
  const mine = Object.entries(one);
  const theirs = Object.entries(other);
  return (
    mine.length === theirs.length &&
    mine.every(([key, item], at) => {
      const [otherKey, otherItem] = theirs[at] ?? [];
      return key === otherKey && otherItem !== undefined && isSame(item, otherItem, alike);
    })
  );
}
