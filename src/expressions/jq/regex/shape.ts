/** What can be told about the matches of a pattern from its tree alone. */
import { unreachable } from '../../../base/assert.ts';
import { ASCII_SIZE, OTHERS_NONE } from './sets.ts';
import type { RegexNode } from './tree.ts';

interface Shape {
  /** How many characters it takes at least and at most. */
  readonly min: number;
  readonly max: number;
  /** How deep it is nested. */
  readonly height: number;
}

/** Kept with the node, since a body is asked for it by everything around it. */
const shapes = new WeakMap<RegexNode, Shape>();

export function shapeOf(node: RegexNode): Shape {
  let shape = shapes.get(node);
  if (shape === undefined) {
    shape = computeShape(node);
    shapes.set(node, shape);
  }
  return shape;
}

function computeShape(node: RegexNode): Shape {
  switch (node.is) {
    case 'char':
    case 'set':
      return { min: 1, max: 1, height: 1 };
    case 'sequence':
      return node.parts.map(shapeOf).reduce(joined, { min: 0, max: 0, height: 1 });
    case 'choice':
      return node.ways.map(shapeOf).reduce(either);
    case 'repeat': {
      const { min, max, height } = shapeOf(node.body);
      const most = max === 0 || node.max === 0 ? 0 : max * node.max;
      return { min: min * node.min, max: most, height: height + 1 };
    }
    case 'group':
    case 'atomic':
    case 'options': {
      const { min, max, height } = shapeOf(node.body);
      return { min, max, height: height + 1 };
    }
    case 'look':
      return { min: 0, max: 0, height: shapeOf(node.body).height + 1 };
    case 'back':
      return { min: 0, max: Infinity, height: 1 };
    case 'place':
    case 'keep':
      return { min: 0, max: 0, height: 1 };
    default:
      return unreachable(node);
  }
}

function joined(one: Shape, next: Shape): Shape {
  const height = Math.max(one.height, next.height + 1);
  return { min: one.min + next.min, max: one.max + next.max, height };
}

function either(one: Shape, other: Shape): Shape {
  return {
    min: Math.min(one.min, other.min),
    max: Math.max(one.max, other.max),
    height: Math.max(one.height, other.height + 1),
  };
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
