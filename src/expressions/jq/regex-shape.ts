/** What can be told about the matches of a pattern from its tree alone. */
import { unreachable } from '../../base/assert.ts';
import { ASCII_SIZE, OTHERS_NONE } from './regex-sets.ts';
import type { RegexNode } from './regex-tree.ts';

/** How many characters a node takes at least and at most. */
export interface Width {
  readonly min: number;
  readonly max: number;
}

/** Kept with the node, since a body is asked for it by every loop around it. */
const widths = new WeakMap<RegexNode, Width>();

export function widthOf(node: RegexNode): Width {
  let width = widths.get(node);
  if (width === undefined) {
    width = computeWidth(node);
    widths.set(node, width);
  }
  return width;
}

function computeWidth(node: RegexNode): Width {
  switch (node.is) {
    case 'char':
    case 'set':
      return { min: 1, max: 1 };
    case 'sequence':
      return {
        min: node.parts.reduce((sum, part) => sum + widthOf(part).min, 0),
        max: node.parts.reduce((sum, part) => sum + widthOf(part).max, 0),
      };
    case 'choice':
      return {
        min: Math.min(...node.ways.map((way) => widthOf(way).min)),
        max: Math.max(...node.ways.map((way) => widthOf(way).max)),
      };
    case 'repeat': {
      const { min, max } = widthOf(node.body);
      return { min: min * node.min, max: max === 0 || node.max === 0 ? 0 : max * node.max };
    }
    case 'group':
    case 'atomic':
    case 'options':
      return widthOf(node.body);
    case 'back':
      return { min: 0, max: Infinity };
    case 'look':
    case 'place':
    case 'keep':
      return { min: 0, max: 0 };
    default:
      return unreachable(node);
  }
}

/** Whether it can only match where the text begins. */
export function isAnchored(node: RegexNode): boolean {
  switch (node.is) {
    case 'place':
      return node.where === 'text-start';
    case 'sequence':
      return node.parts[0] !== undefined && isAnchored(node.parts[0]);
    case 'choice':
      return node.ways.every(isAnchored);
    case 'group':
    case 'atomic':
    case 'options':
      return isAnchored(node.body);
    default:
      return false;
  }
}

/**
 * With which characters a match can begin: 1 for each of ASCII, and one more for all the others.
 * Null: with any, or it may be empty.
 */
export function firstOf(root: RegexNode): Uint8Array | null {
  const first = new Uint8Array(ASCII_SIZE + 1);
  return collectFirst(root, first) ? null : first;
}

/** Adds what a node can begin with; whether it may also take nothing, or anything at all. */
function collectFirst(node: RegexNode, first: Uint8Array): boolean {
  switch (node.is) {
    case 'char':
      first[Math.min(node.code, ASCII_SIZE)] = 1;
      return false;
    case 'set':
      for (let code = 0; code < ASCII_SIZE; code += 1)
        if (node.set.ascii[code] === 1) first[code] = 1;
      if (node.set.others !== OTHERS_NONE) first[ASCII_SIZE] = 1;
      return false;
    case 'sequence':
      return node.parts.every((part) => collectFirst(part, first));
    case 'choice':
      return node.ways.map((way) => collectFirst(way, first)).includes(true);
    case 'repeat':
      if (node.max === 0) return true;
      return collectFirst(node.body, first) || node.min === 0;
    case 'group':
    case 'atomic':
    case 'options':
      return collectFirst(node.body, first);
    case 'back':
      // What a look around has captured can be taken without anything before it.
      first.fill(1);
      return true;
    case 'look':
    case 'place':
    case 'keep':
      return true;
    default:
      return unreachable(node);
  }
}
