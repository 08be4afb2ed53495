/**
 * Where in the text a part of the definition stands, by its pointer.
 *
 * Looked up when asked for and not kept: most definitions have no mistakes. A plain value stands
 * where it is written; a list or an object where the key is that it belongs to, since that is what
 * people look for; an item of a list where it begins.
 */
import { type Alias, isAlias, isMap, isScalar, isSeq, type LineCounter, type Node } from 'yaml';
import type { Pair, Scalar, YAMLMap } from 'yaml';
import type { Span } from '../../../model/draft.ts';
import { stepsOf } from './pointer.ts';

export interface Places {
  /** Undefined if nothing stands there. */
  readonly spanOf: (pointer: string) => Span | undefined;
  /** The key that leads there; for an item of a list the same as `spanOf`. */
  readonly keySpanOf: (pointer: string) => Span | undefined;
  /** The place of a character, lines and columns counted from 1. */
  readonly at: (offset: number) => Span;
}

/** What stands somewhere, and the key it stands under; null is a value left empty. */
interface Spot {
  readonly node: Node | null;
  readonly key: Scalar | undefined;
}

export function placesIn(
  whole: Node | null,
  aliases: ReadonlyMap<Alias, Node>,
  lines: LineCounter,
): Places {
  const at = (offset: number): Span => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const resolve = (node: Node | null): Node | null =>
    isAlias(node) ? (aliases.get(node) ?? node) : node;
  const find = (pointer: string): Spot | undefined =>
    stepsOf(pointer).reduce<Spot | undefined>(
      (spot, step) => spot && stepInto(resolve(spot.node), step, resolve),
      { node: whole, key: undefined },
    );
  const placeOf = (node: Node | null | undefined): Span | undefined =>
    node?.range ? at(node.range[0]) : undefined;
  return {
    at,
    keySpanOf: (pointer) => {
      const spot = find(pointer);
      return placeOf(spot?.key) ?? placeOf(spot?.node);
    },
    spanOf: (pointer) => {
      const spot = find(pointer);
      if (spot === undefined) return undefined;
      if (pointer === '') return placeOf(whole) ?? at(0);
      const { node, key } = spot;
      const written = isScalar(resolve(node)) && !isEmpty(node);
      return (written ? placeOf(node) : placeOf(key)) ?? placeOf(node);
    },
  };
}

/** `key:` with nothing behind it. */
function isEmpty(node: Node | null): boolean {
  return isScalar(node) && node.value === null && node.source === '';
}

function stepInto(
  node: Node | null,
  step: string,
  resolve: (node: Node | null) => Node | null,
): Spot | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(step)];
    return item === undefined ? undefined : { node: item as Node | null, key: undefined };
  }
  return isMap(node) ? stepIntoMap(node, step, resolve) : undefined;
}

function stepIntoMap(
  map: YAMLMap,
  step: string,
  resolve: (node: Node | null) => Node | null,
): Spot | undefined {
  const pairs = map.items as readonly Pair<Scalar, Node | null>[];
  const pair = pairs.find(({ key }) => key.value === step && !isMerge(key));
  if (pair !== undefined) return { node: pair.value, key: pair.key };
  for (const { key, value } of pairs) {
    if (!isMerge(key)) continue;
    const source = resolve(value);
    for (const one of isSeq(source) ? (source.items as Node[]) : [source]) {
      const found = stepInto(resolve(one), step, resolve);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The key `<<`, which takes in what stands elsewhere; in quotes it is a key like any other. */
export function isMerge(key: unknown): key is Scalar {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
}
