/**
 * Where everything of a picture stands, in cells: a column is as wide as a letter and a row as high
 * as a line. What is drawn as text is drawn cell by cell, and as SVG with cells of some pixels.
 *
 * A region is laid out by itself and is then a thing like any other. Nothing overlaps: things of a
 * row have columns of their own, rows are below each other, and between them is room for the ways.
 * Ways that lead back go down into the room below, along it to a lane at the right edge, up, and
 * into the room above where they lead.
 */
import { EngineError } from '../base/engine-error.ts';
import { type Passage, type Routed, routeOf } from './channels.ts';
import { backLinks, columnsOf, groupBy, type Item, leftOf, orderOf, rowsOf } from './layers.ts';
import type { Picture, PictureEdge, PictureNode } from './picture.ts';

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly words: readonly Words[];
  readonly lines: readonly Line[];
}

export interface Box extends Rectangle {
  readonly node: PictureNode;
}

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What stands on a way. */
export interface Words {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** A way, from the border of one box to the cell above the border of another. */
export interface Line {
  /** The edge of the plan, if it is drawn for one. Parts of a way have the same. */
  readonly id?: string;
  readonly from: string;
  readonly to: string;
  readonly points: readonly Point[];
  readonly isBack: boolean;
  /** A part of a way that ends at words or passes a row has none. */
  readonly arrow: boolean;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export function layoutOf(picture: Picture): Layout {
  return layRegion(picture, null);
}

/** Columns that a border and the room inside it take at each side. */
const PADDING = 2;

interface Thing extends Item {
  readonly node?: PictureNode;
  readonly words?: string;
  readonly inside?: Layout;
}

/** One part of a way: between neighbouring rows, or back. */
interface Part {
  readonly from: string;
  readonly to: string;
  readonly edge: PictureEdge;
  readonly isBack: boolean;
  readonly arrow: boolean;
}

interface Grid {
  readonly things: ReadonlyMap<string, Thing>;
  readonly rows: readonly (readonly Thing[])[];
  readonly parts: readonly Part[];
  /** By room: the parts that come through it. */
  readonly rooms: readonly (readonly Part[])[];
  readonly columns: ReadonlyMap<string, number>;
}

function layRegion(picture: Picture, region: string | null): Layout {
  const nodes = picture.nodes.filter(({ parent }) => parent === region);
  if (nodes.length === 0) return { width: 0, height: 0, boxes: [], words: [], lines: [] };
  const keys = new Set(nodes.map(({ id }) => id));
  const edges = picture.edges.filter(({ from, to }) => keys.has(from) && keys.has(to));
  const things = nodes.map((node) => thingOf(picture, node));
  return drawGrid(gridOf(things, edges));
}

function thingOf(picture: Picture, node: PictureNode): Thing {
  const texts = node.mark === undefined ? node.lines : [...node.lines, node.mark];
  const longest = Math.max(0, ...texts.map((text) => Array.from(text).length));
  if (node.shape !== 'region') {
    return { key: node.id, node, width: longest + 2 * PADDING, height: texts.length + 2 };
  }
  const inside = layRegion(picture, node.id);
  // All that is said of a region stands in its border, in one line.
  const title = Array.from(texts.join(' ')).length;
  const width = Math.max(inside.width, title + 2) + 2 * PADDING;
  return { key: node.id, node, inside, width, height: inside.height + 2 };
}

function gridOf(nodes: readonly Thing[], edges: readonly PictureEdge[]): Grid {
  const forward = edges.filter(({ isBack }) => isBack !== true);
  const back = backLinks(
    nodes.map(({ key }) => key),
    forward,
  );
  const { things, links } = withWords(nodes, edges, back);
  const keys = [...things.keys()];
  const level = rowsOf(
    keys,
    links.filter(({ isBack }) => !isBack),
  );
  const passing = links.map((link, index) => withPlaces(link, index, level));
  for (const { place } of passing) for (const [key, thing] of place) things.set(key, thing);
  if (things.size > THINGS_MAX) throw tooLarge(things.size);
  const parts = passing.flatMap((one) => one.parts);
  const down = parts.filter(({ isBack }) => !isBack);
  const levels = new Map([...level, ...passing.flatMap(({ place, rows }) => zip(place, rows))]);
  const plain: string[][] = [];
  for (const key of things.keys()) {
    const row = levels.get(key) ?? 0;
    while (plain.length <= row) plain.push([]);
    plain[row]?.push(key);
  }
  const rows = orderOf(plain, down).map((row) => row.flatMap((key) => things.get(key) ?? []));
  return { things, rows, parts, rooms: roomsOf(rows, parts), columns: columnsOf(rows, down) };
}

/** Nobody can read so large a drawing, and it would take minutes. */
const THINGS_MAX = 50_000;

function tooLarge(things: number): EngineError {
  const most = `more than ${THINGS_MAX} are not drawn`;
  const message = `the drawing would have ${things} parts, and ${most}`;
  const advice = '--format mermaid leaves it to others';
  return new EngineError('command.invalid', `${message}: ${advice}`, { details: { things } });
}

function zip(
  place: readonly (readonly [string, Thing])[],
  rows: readonly number[],
): (readonly [string, number])[] {
  return place.map(([key], index) => [key, rows[index] ?? 0] as const);
}

/** Words on a way take a place like a node does, so that nothing is written over. */
function withWords(
  nodes: readonly Thing[],
  edges: readonly PictureEdge[],
  back: ReadonlySet<PictureEdge>,
): { things: Map<string, Thing>; links: readonly Part[] } {
  const things = new Map(nodes.map((thing) => [thing.key, thing]));
  const links = edges.flatMap((edge, index): readonly Part[] => {
    const isBack = edge.isBack === true || back.has(edge);
    const { from, to, label } = edge;
    if (label === undefined) return [{ from, to, edge, isBack, arrow: true }];
    const key = ` words ${index}`;
    // A column at each side is room to come down beside the middle.
    const width = Math.max(Array.from(label).length, 3);
    things.set(key, { key, words: label, width, height: 1 });
    return [
      { from, to: key, edge, isBack: false, arrow: false },
      { from: key, to, edge, isBack, arrow: true },
    ];
  });
  return { things, links };
}

/** A way that passes rows takes a place in each of them. */
function withPlaces(
  link: Part,
  index: number,
  level: ReadonlyMap<string, number>,
): { place: (readonly [string, Thing])[]; rows: number[]; parts: readonly Part[] } {
  const first = (level.get(link.from) ?? 0) + 1;
  const last = level.get(link.to) ?? 0;
  if (link.isBack || last <= first) return { place: [], rows: [], parts: [link] };
  const rows = Array.from({ length: last - first }, (_, below) => first + below);
  const place = rows.map((row) => {
    const key = ` way ${index} ${row}`;
    return [key, { key, width: 3, height: 1 }] as const;
  });
  const stops = [link.from, ...place.map(([key]) => key), link.to];
  const parts = stops.slice(1).map((to, before) => {
    const from = stops[before] ?? link.from;
    return { ...link, from, to, arrow: link.arrow && to === link.to };
  });
  return { place, rows, parts };
}

/** The room between rows: above row n is room n, and below the last is one more. */
interface Room {
  readonly parts: readonly Part[];
  readonly passages: readonly Passage[];
  readonly routed: Routed;
  readonly y: number;
  readonly height: number;
}

function drawGrid(grid: Grid): Layout {
  const { things, rows, columns } = grid;
  const right = rows.flat().reduce((most, item) => Math.max(most, edgeOf(item, columns)), 0);
  const lanes = lanesOf(grid, right);
  const width = Math.max(right, ...lanes.values()) + 1;
  const tops = new Map<string, number>();
  const rooms: Room[] = [];
  let y = 0;
  for (let row = 0; row <= rows.length; row += 1) {
    const room = roomAt(grid, lanes, row, y);
    rooms.push(room);
    y += room.height;
    for (const { key } of rows[row] ?? []) tops.set(key, y);
    y += Math.max(0, ...(rows[row] ?? []).map(({ height }) => height));
  }
  const placed = [...things.values()].map((thing) => ({
    thing,
    x: (columns.get(thing.key) ?? 0) - leftOf(thing),
    y: tops.get(thing.key) ?? 0,
  }));
  const inner = placed.map(({ thing, x, y: top }) => innerOf(thing, x, top));
  return {
    width,
    height: y,
    boxes: [
      ...placed.flatMap(({ thing, x, y: top }) => {
        const { node, width: wide, height: high } = thing;
        return node === undefined ? [] : [{ node, x, y: top, width: wide, height: high }];
      }),
      ...inner.flatMap(({ boxes }) => boxes),
    ],
    words: [
      ...placed.flatMap(({ thing, x, y: top }) => {
        if (thing.words === undefined) return [];
        const room = thing.width - Array.from(thing.words).length;
        return [{ x: x + Math.floor(room / 2), y: top, text: thing.words }];
      }),
      ...inner.flatMap(({ words }) => words),
    ],
    lines: [...linesOf(grid, rooms, tops, lanes), ...inner.flatMap(({ lines }) => lines)],
  };
}

function edgeOf(item: Item, columns: ReadonlyMap<string, number>): number {
  return (columns.get(item.key) ?? 0) - leftOf(item) + item.width - 1;
}

/** Every way back has a lane of its own at the right edge. */
function lanesOf({ parts }: Grid, right: number): ReadonlyMap<Part, number> {
  const back = parts.filter(({ isBack }) => isBack);
  return new Map(back.map((part, index) => [part, right + 2 + 2 * index]));
}

/** One that leads back leaves by one room and comes by another. */
function roomsOf(rows: Grid['rows'], parts: readonly Part[]): Grid['rooms'] {
  const rowOf = new Map(rows.flatMap((row, at) => row.map(({ key }) => [key, at] as const)));
  const rooms: Part[][] = Array.from({ length: rows.length + 1 }, () => []);
  for (const part of parts) {
    const comes = rowOf.get(part.to) ?? 0;
    const leaves = (rowOf.get(part.from) ?? 0) + 1;
    rooms[comes]?.push(part);
    if (part.isBack && leaves !== comes) rooms[leaves]?.push(part);
  }
  return rooms;
}

function roomAt(grid: Grid, lanes: ReadonlyMap<Part, number>, row: number, y: number): Room {
  const { rows, rooms, columns } = grid;
  const here = rooms[row] ?? [];
  const above = new Set((rows[row - 1] ?? []).map(({ key }) => key));
  const below = new Set((rows[row] ?? []).map(({ key }) => key));
  // A way from a row to itself or to the row above comes by twice: down first, and up again.
  const twice = here.flatMap((part): readonly [Part, Passage][] => {
    const { from, to, isBack } = part;
    const top = columns.get(from) ?? 0;
    const bottom = columns.get(to) ?? 0;
    if (!isBack) return [[part, { from, to, top, bottom, isBack }]];
    const lane = lanes.get(part) ?? 0;
    const leaves: [Part, Passage] = [part, { from, to: LANE, top, bottom: lane, isBack }];
    const comes: [Part, Passage] = [part, { from: LANE, to, top: lane, bottom, isBack }];
    return [...(above.has(from) ? [leaves] : []), ...(below.has(to) ? [comes] : [])];
  });
  const passages = twice.map(([, passage]) => passage);
  const routed = routeOf(passages);
  // The last row of a room is for the points of arrows.
  const hasArrows = twice.some(([{ arrow, to }]) => arrow && below.has(to));
  const height = routed.count + (hasArrows || (here.length > 0 && routed.count === 0) ? 1 : 0);
  return { parts: twice.map(([part]) => part), passages, routed, y, height };
}

const LANE = ' lane';

function linesOf(
  grid: Grid,
  rooms: readonly Room[],
  tops: ReadonlyMap<string, number>,
  lanes: ReadonlyMap<Part, number>,
): readonly Line[] {
  const numbers = new Map(grid.parts.map((part, index) => [part, String(index)]));
  const ends = groupBy(
    rooms.flatMap((room) =>
      room.parts.map((part, index) => {
        const track = room.routed.tracks[index] ?? null;
        const y = track === null ? null : room.y + track;
        const bottom = room.routed.bottoms[index] ?? 0;
        return { part, y, bottom, passage: room.passages[index], end: room.y + room.height };
      }),
    ),
    ({ part }) => numbers.get(part) ?? '',
  );
  return grid.parts.map((part, index) => {
    const { from, to, edge, isBack, arrow } = part;
    const thing = grid.things.get(from);
    const start = {
      x: grid.columns.get(from) ?? 0,
      y: (tops.get(from) ?? 0) + (thing?.height ?? 1) - 1,
    };
    const found = ends.get(String(index)) ?? [];
    const leaves = found.find(({ passage }) => passage?.from !== LANE);
    const comes = found.find(({ passage }) => passage?.from === LANE) ?? leaves;
    const lane = lanes.get(part) ?? start.x;
    const last = (comes?.end ?? 0) - 1;
    const x = comes?.bottom ?? 0;
    const middle = isBack
      ? [
          { x: start.x, y: leaves?.y ?? 0 },
          { x: lane, y: leaves?.y ?? 0 },
          { x: lane, y: comes?.y ?? 0 },
          { x, y: comes?.y ?? 0 },
        ]
      : [
          { x: start.x, y: leaves?.y ?? last },
          { x, y: leaves?.y ?? last },
        ];
    // What is no box is met in its own row and column.
    const passes = grid.things.get(to)?.node === undefined;
    const target = { x: grid.columns.get(to) ?? 0, y: tops.get(to) ?? 0 };
    const end = passes ? [{ x, y: target.y }, target] : [{ x, y: last }];
    const points = straightened([start, ...middle, ...end]);
    const way = edge.id === undefined ? {} : { id: edge.id };
    const isDashed = isBack || edge.isBack === true;
    return { ...way, from: edge.from, to: edge.to, points, isBack: isDashed, arrow };
  });
}

/** Without points that are on the way anyway. */
function straightened(all: readonly Point[]): readonly Point[] {
  const points = all.filter(({ x, y }, index) => {
    return x !== all[index - 1]?.x || y !== all[index - 1]?.y;
  });
  return points.filter((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]];
    if (before === undefined || after === undefined) return true;
    const upright = before.x === point.x && point.x === after.x;
    return !(upright || (before.y === point.y && point.y === after.y));
  });
}

/** What lies inside a region, where the region is. */
function innerOf({ inside, width }: Thing, x: number, y: number): Layout {
  const empty = { width: 0, height: 0, boxes: [], words: [], lines: [] };
  if (inside === undefined) return empty;
  const by = { x: x + Math.floor((width - inside.width) / 2), y: y + 1 };
  const move = <At extends Point>(at: At): At => ({ ...at, x: at.x + by.x, y: at.y + by.y });
  return {
    ...inside,
    boxes: inside.boxes.map(move),
    words: inside.words.map(move),
    lines: inside.lines.map((line) => ({ ...line, points: line.points.map(move) })),
  };
}
