/** Nothing of a drawing lies on anything else, and every way ends at a box. */
import { describe, expect, test } from 'vitest';
import { shipment } from '../../examples/shipment.ts';
import { returns } from '../../examples/returns.ts';
import { caseOf, drawingOf } from '../testing/random-case.ts';
import { type Box, type Layout, layoutOf, type Rectangle } from './layout.ts';
import { type Picture, type PictureEdge, pictureOf } from './picture.ts';
import { type Sketch, sketchOfFlow } from './sketch.ts';

const RANDOM = Array.from({ length: 60 }, (_, seed) => seed + 1);

function randomSketch(seed: number): Sketch {
  const { draft } = drawingOf(caseOf(seed), `random-${seed}`);
  const nodes = draft.nodes.map(({ parent = null, hidden = false, ...node }) => {
    return { ...node, parent, hidden };
  });
  return { name: draft.name, version: 1, nodes, edges: draft.edges };
}

const sketches: readonly (readonly [string, Sketch])[] = [
  ['shipment', sketchOfFlow(shipment)],
  ['returns', sketchOfFlow(returns)],
  ...RANDOM.map((seed) => [`random flow ${seed}`, randomSketch(seed)] as const),
];

describe.each(sketches)('%s', (_, sketch) => {
  const picture = pictureOf(sketch);
  const layout = layoutOf(picture);

  test('every node is drawn once, inside the drawing', () => {
    const ids = layout.boxes.map(({ node }) => node.id);
    expect(ids.toSorted()).toEqual(picture.nodes.map(({ id }) => id).toSorted());
    const whole = { x: 0, y: 0, width: layout.width, height: layout.height };
    for (const box of layout.boxes) expect(isInside(box, whole), box.node.id).toBe(true);
  });

  test('boxes overlap only where one is the region of the other', () => {
    for (const [index, one] of layout.boxes.entries()) {
      for (const other of layout.boxes.slice(index + 1)) checkApart(picture, one, other);
    }
  });

  test('words lie on no box but their region', () => {
    for (const { x, y, text } of layout.words) {
      const words = { x, y, width: Array.from(text).length, height: 1 };
      const hit = layout.boxes.filter((box) => touches(box, words));
      for (const box of hit) expect(isWithin(words, box), `${text} and ${box.node.id}`).toBe(true);
    }
  });

  test('every edge leads from the border of its one box to just above its other', () => {
    for (const edge of picture.edges) checkEdge(layout, edge);
  });

  test('no way crosses a box', () => {
    for (const { points, from, to } of layout.lines) {
      for (const [index, point] of points.entries()) {
        const next = points[index + 1] ?? point;
        for (const box of leaves(picture, layout)) {
          if (box.node.id === from && index === 0) continue;
          const hit = touches(box, spanOf(point, next));
          expect(hit, `${from} -> ${to} crosses ${box.node.id}`).toBe(false);
        }
      }
    }
  });
});

interface At {
  readonly x: number;
  readonly y: number;
}

function spanOf(a: At, b: At): Rectangle {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return { x, y, width: Math.abs(a.x - b.x) + 1, height: Math.abs(a.y - b.y) + 1 };
}

function leaves(picture: Picture, layout: Layout): readonly Box[] {
  const regions = new Set(picture.nodes.map(({ parent }) => parent));
  return layout.boxes.filter(({ node }) => !regions.has(node.id));
}

function checkApart(picture: Picture, one: Box, other: Box): void {
  const around = (box: Box): readonly (string | null)[] => {
    const ids: (string | null)[] = [];
    for (let at = box.node.parent; at !== null; ) {
      ids.push(at);
      at = picture.nodes.find(({ id }) => id === at)?.parent ?? null;
    }
    return ids;
  };
  const what = `${one.node.id} and ${other.node.id}`;
  const isFine = around(one).includes(other.node.id)
    ? isWithin(one, other)
    : around(other).includes(one.node.id)
      ? isWithin(other, one)
      : !touches(one, other);
  expect(isFine, what).toBe(true);
}

/** The parts of a way, put together again by where they meet. */
function checkEdge(layout: Layout, { from, to }: PictureEdge): void {
  const source = layout.boxes.find(({ node }) => node.id === from);
  const target = layout.boxes.find(({ node }) => node.id === to);
  const parts = layout.lines.filter((line) => line.from === from && line.to === to);
  const starts = parts.flatMap(({ points }) => points.slice(0, 1));
  const ends = parts.flatMap(({ points, arrow }) => (arrow ? points.slice(-1) : []));
  const what = `${from} -> ${to}`;
  if (source === undefined || target === undefined) throw new Error(`${what} lacks a box`);
  const leavesIt = starts.some(({ x, y }) => {
    return y === source.y + source.height - 1 && x > source.x && x < source.x + source.width - 1;
  });
  const meetsIt = ends.some(({ x, y }) => {
    return y === target.y - 1 && x > target.x && x < target.x + target.width - 1;
  });
  expect({ what, leavesIt, meetsIt }).toEqual({ what, leavesIt: true, meetsIt: true });
  for (const { points } of parts) {
    for (const [index, { x, y }] of points.slice(1).entries()) {
      const before = points[index];
      expect(x === before?.x || y === before?.y, what).toBe(true);
    }
  }
}

function touches(a: Rectangle, b: Rectangle): boolean {
  const beside = a.x + a.width <= b.x || b.x + b.width <= a.x;
  return !(beside || a.y + a.height <= b.y || b.y + b.height <= a.y);
}

function isInside(a: Rectangle, b: Rectangle): boolean {
  const wide = a.x >= b.x && a.x + a.width <= b.x + b.width;
  return wide && a.y >= b.y && a.y + a.height <= b.y + b.height;
}

/** With its border around it. */
function isWithin(a: Rectangle, b: Rectangle): boolean {
  const inner = { x: b.x + 1, y: b.y + 1, width: b.width - 2, height: b.height - 2 };
  return isInside(a, inner);
}
