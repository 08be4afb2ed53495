/** The generator's fillings for maps: what they go over, and what is made of each item. */
import type { Json } from '../base/json.ts';
import type { Code, NodeCode } from '../model/definition.ts';
import { luck, lucky, seenBy, varOf } from './random-luck.ts';
import { type Filled, slot, type Spot } from './random-spot.ts';

/** From here on a list is a long one: it is always as long as that. */
const LONG = 100;
/** Items of one map, where nothing else is said. */
export const ITEMS_MOST = 3;

/** The node that runs the items of a map. */
export function itemOf(map: string): string {
  return `${map}/:item`;
}

/** The same things may come twice, and so may nothing. */
function listOf(length: number, seed: number): Json[] {
  return Array.from({ length }, (_, n): Json => {
    const value = luck(5, seed, 'item', n);
    return lucky<Json>([value, `i${n}`, { n, value }, null, [value]], seed, 'shape', n);
  });
}

/** A scope that is a saga lies around what each item does. */
export function sagaIn(map: string): string {
  return `${map}/:saga`;
}

export function sagaOf(seed: number): string | null {
  return lucky([null, null, null, 'scope', 'scope', 'instance', 'none'], seed, 'saga of items');
}

export function fillMap(spot: Spot): Filled {
  const { seed, body, names, size = ITEMS_MOST } = spot;
  const lengthFor = (word: string): number => {
    return size >= LONG ? size : luck(size + 1, seed, 'length', word);
  };
  if (!spot.trapped && luck(2, seed, 'fixed') === 0) {
    return { settings: { body, over: listOf(lengthFor(''), seed) }, code: {} };
  }
  const over: Code = (view) => {
    const seen = seenBy(view, names);
    return listOf(lengthFor(seen), luck(1_000, seed, seen));
  };
  return { settings: { body }, code: slot(spot, 'over', 'maybe', over) };
}

export function fillItem(spot: Spot): Filled {
  const { id, seed, body, names, last } = spot;
  const limit = lucky([1, 1, 1, null, null, 2, 3], seed, 'limit');
  const collects = luck(3, seed, 'collects') === 0;
  const asks = luck(4, seed, 'asks') === 0;
  const collect: Code = (view) => ({ saw: luck(1_000, seed, seenBy(view, names)) });
  const until: Code = (view) => luck(4, seed, 'until', seenBy(view, names)) === 0;
  const code: NodeCode = {
    ...(collects ? slot(spot, 'collect', null, collect) : {}),
    ...(asks ? slot(spot, 'until', 'maybe', until) : {}),
  };
  const settings = {
    body,
    ...(limit === null ? {} : { limit }),
    ...(luck(2, seed, 'as') === 0 ? { as: varOf(id) } : {}),
    ...(last === undefined ? {} : { last }),
    ...(collects ? { collects } : {}),
    ...(asks ? { asks } : {}),
    ...(luck(3, seed, 'settles') === 0 ? { settles: true } : {}),
  };
  return { settings, code };
}
