/**
 * Which node of a picture stands for a node of its plan. What is drawn stands for itself. Of what
 * is not, a pass is where it leads to, a branch of one node is that node, and anything else belongs
 * to the nearest that is drawn around it. So whoever is at a node of the plan is shown somewhere.
 */
import type { Picture } from './picture.ts';
import type { Sketch, SketchNode } from './sketch.ts';

export function placesOf(sketch: Sketch, picture: Picture): ReadonlyMap<string, string> {
  const drawn = new Set(picture.nodes.map(({ id }) => id));
  const nodes = new Map(sketch.nodes.map((node) => [node.id, node]));
  const places = new Map<string, string>();
  for (const { id } of sketch.nodes) {
    const place = placeOf(id, { sketch, nodes, drawn });
    if (place !== undefined) places.set(id, place);
  }
  return places;
}

interface Known {
  readonly sketch: Sketch;
  readonly nodes: ReadonlyMap<string, SketchNode>;
  readonly drawn: ReadonlySet<string>;
}

function placeOf(id: string, known: Known): string | undefined {
  const found = findPlace(id, known, new Set());
  // What nothing drawn is around is where everything begins.
  return found ?? known.sketch.nodes.find((node) => known.drawn.has(node.id))?.id;
}

/** The first that is drawn, of those that a node may belong to. */
function findPlace(id: string, known: Known, seen: Set<string>): string | undefined {
  if (known.drawn.has(id)) return id;
  const node = known.nodes.get(id);
  if (node === undefined || seen.has(id)) return undefined;
  seen.add(id);
  for (const next of nextTo(node, known)) {
    const place = findPlace(next, known, seen);
    if (place !== undefined) return place;
  }
  return undefined;
}

/** The best comes first. */
function nextTo(node: SketchNode, { sketch, nodes }: Known): readonly string[] {
  const around = node.parent === null ? [] : [node.parent];
  if (node.kind === 'pass') {
    const after = sketch.edges.filter(({ from }) => from === node.id).map(({ to }) => to);
    return [...after, ...around];
  }
  // The saga around an item of a map is the map's own affair.
  const isBranch = node.kind === 'scope' && node.hidden;
  if (!isBranch || nodes.get(node.parent ?? '')?.kind === 'item') return around;
  const inside = sketch.nodes.filter(({ parent }) => parent === node.id).map(({ id }) => id);
  return [...inside, ...around];
}
