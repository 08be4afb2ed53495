/**
 * A plan as it stands on the screen: where each node is, in pixels, and which way the ways go. The
 * layout is that of `src/drawing`, in cells; here a cell has a size. What a region holds can be
 * left out (it is folded), or be all there is (one has stepped into it).
 */
import { layoutOf, type Point, type Rectangle } from '../../src/drawing/layout.ts';
import { type Picture, type PictureNode, pictureOf } from '../../src/drawing/picture.ts';
import { placesOf } from '../../src/drawing/places.ts';
import { type Sketch, sketchOfPlan } from '../../src/drawing/sketch.ts';
import { workflowPicture } from '../../src/drawing/workflow.ts';
import type { GraphPlan } from './shapes.ts';

const CELL = { width: 8.2, height: 23 } as const;
/** Columns beside the name, for the stripe and the room around it. */
const BESIDE = 4;
/** Columns that the buttons of a region take. */
const BUTTONS = 9;
/** Columns that the frame of a title and the arrow beside it take. */
const FRAME = 6;
/** A region is made wider for its title up to here; more of it is cut off. */
const TITLE_CHARS_MAX = 32;
/** Past this many nodes a region with many inside is folded at first. */
const NODES_SHOWN_MAX = 400;

export interface Drawn {
  readonly width: number;
  readonly height: number;
  /** In the order in which they are read: from above, from the left. */
  readonly nodes: readonly DrawnNode[];
  readonly ways: readonly DrawnWay[];
  readonly words: readonly DrawnWords[];
  /** By node of the plan: what stands for it here. What is elsewhere has none. */
  readonly places: ReadonlyMap<string, string>;
}

export interface DrawnNode {
  readonly id: string;
  readonly kind: string;
  readonly shape: PictureNode['shape'];
  /** The region around it, of those that are seen. */
  readonly parent: string | null;
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly isFolded: boolean;
}

/** A way, or a part of one: words stand between parts, and the last has the arrow. */
export interface DrawnWay {
  /** The edge of the plan, if it is drawn for one. */
  readonly id?: string;
  readonly from: string;
  readonly to: string;
  readonly points: readonly Point[];
  readonly isBack: boolean;
  readonly hasArrow: boolean;
}

export interface DrawnWords {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly text: string;
  /** Whether they stand in a region, which has another ground. */
  readonly isInside: boolean;
}

export interface View {
  /** The region one has stepped into. */
  readonly inside: string | null;
  readonly folded: ReadonlySet<string>;
}

interface Base {
  readonly picture: Picture;
  readonly places: ReadonlyMap<string, string>;
}

export function baseOf(plan: GraphPlan): Base {
  const sketch: Sketch = sketchOfPlan(plan as never);
  const picture = workflowPicture(sketch, new Map()) ?? pictureOf(sketch);
  return { picture, places: placesOf(sketch, picture) };
}

export function drawGraph({ picture, places }: Base, view: View): Drawn {
  const shown = seenIn(picture, view);
  const padded = shown.nodes.map((node) => ({
    ...node,
    lines: node.lines.map((line) => line + '\u00A0'.repeat(roomBeside(node, line))),
  }));
  const layout = layoutOf({ ...shown, nodes: padded });
  const original = new Map(shown.nodes.map((node) => [node.id, node]));
  const nodes = layout.boxes.map(({ node, x, y, width, height }) => ({
    ...{ id: node.id, kind: node.kind, shape: node.shape, parent: node.parent },
    lines: original.get(node.id)?.lines ?? [],
    ...pixels(x, y),
    width: (width - 1) * CELL.width,
    height: (height - 1) * CELL.height,
    depth: depthOf(original, node.id),
    isFolded: view.folded.has(node.id),
  }));
  return {
    width: layout.width * CELL.width,
    height: layout.height * CELL.height,
    nodes: nodes.toSorted((a, b) => a.y - b.y || a.x - b.x),
    ways: layout.lines.map(({ points, isBack, arrow, ...way }) => {
      const last = points.at(-1);
      // A point of the layout is the cell above the border.
      const ends = arrow && last !== undefined ? [...points, { x: last.x, y: last.y + 1 }] : points;
      const placed = ends.map(({ x, y }) => pixels(x, y));
      return { ...way, points: placed, isBack, hasArrow: arrow };
    }),
    words: layout.words.map(({ x, y, text }) => ({
      ...pixels(x, y),
      width: Array.from(text).length * CELL.width,
      text,
      isInside: layout.boxes.some((box) => box.node.shape === 'region' && holds(box, { x, y })),
    })),
    places: placesHere(places, picture, original),
  };
}

function holds(box: Rectangle, { x, y }: Point): boolean {
  return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
}

/** Ways come in the middle of a frame: its title has the left half, and its buttons the right. */
function roomBeside({ shape }: PictureNode, line: string): number {
  if (shape !== 'region') return BESIDE;
  return Math.max(BUTTONS, Math.min(Array.from(line).length + FRAME, TITLE_CHARS_MAX));
}

function pixels(x: number, y: number): Point {
  return { x: (x + 0.5) * CELL.width, y: (y + 0.5) * CELL.height };
}

/** What is left of a picture when some of it is folded, or when one looks at a part. */
function seenIn(picture: Picture, { inside, folded }: View): Picture {
  const parents = new Map(picture.nodes.map(({ id, parent }) => [id, parent]));
  const isSeen = (id: string): boolean => {
    for (let at = parents.get(id) ?? null; at !== inside; at = parents.get(at) ?? null) {
      if (at === null || folded.has(at)) return false;
    }
    return true;
  };
  const nodes = picture.nodes.flatMap((node): PictureNode[] => {
    if (!isSeen(node.id)) return [];
    const parent = node.parent === inside ? null : node.parent;
    if (!folded.has(node.id)) return [{ ...node, parent }];
    const lines = node.lines.length === 0 ? ['…'] : node.lines;
    return [{ ...node, parent, shape: 'box', lines: [...lines, 'folded'] }];
  });
  const ids = new Set(nodes.map(({ id }) => id));
  const edges = picture.edges.filter(({ from, to }) => ids.has(from) && ids.has(to));
  return { ...picture, nodes, edges };
}

function depthOf(nodes: ReadonlyMap<string, PictureNode>, id: string): number {
  let depth = 0;
  for (let at = nodes.get(id)?.parent ?? null; at !== null; at = nodes.get(at)?.parent ?? null) {
    depth += 1;
  }
  return depth;
}

/** What is folded away is where it is folded. */
function placesHere(
  places: ReadonlyMap<string, string>,
  { nodes }: Picture,
  shown: ReadonlyMap<string, PictureNode>,
): ReadonlyMap<string, string> {
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
  const here = new Map<string, string>();
  for (const [node, place] of places) {
    let at: string | null = place;
    while (at !== null && !shown.has(at)) at = parents.get(at) ?? null;
    if (at !== null) here.set(node, at);
  }
  return here;
}

/** What is folded before anybody says so: the largest regions of a plan with very many nodes. */
export function foldedAtFirst({ picture }: Base): ReadonlySet<string> {
  if (picture.nodes.length <= NODES_SHOWN_MAX) return new Set();
  return new Set(
    picture.nodes
      .filter(({ shape, parent }) => shape === 'region' && parent === null)
      .map(({ id }) => id),
  );
}

/** From the whole to the region one is in. */
export function trailTo({ picture }: Base, inside: string | null): readonly PictureNode[] {
  const trail: PictureNode[] = [];
  for (let at = inside; at !== null; ) {
    const node = picture.nodes.find(({ id }) => id === at);
    if (node === undefined) break;
    trail.unshift(node);
    at = node.parent;
  }
  return trail;
}
