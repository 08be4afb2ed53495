/**
 * Which node of a picture stands for a node of its plan. What is drawn stands for itself. Of what
 * is not, a pass is where it leads to, a branch of one node is that node, and anything else belongs to
 * the nearest that is drawn around it. So whoever is at a node of the plan can be shown somewhere.
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
  const { sketch, nodes, drawn } = known;
  const seen = new Set<string>();
  let at: SketchNode | undefined = nodes.get(id);
  while (at !== undefined && !seen.has(at.id)) {
    if (drawn.has(at.id)) return at.id;
    seen.add(at.id);
    at = nodes.get(nextTo(at, sketch, seen) ?? '');
  }
  // What nothing drawn is around is where everything begins.
  return sketch.nodes.find((node) => drawn.has(node.id))?.id;
}

function nextTo(node: SketchNode, { nodes, edges }: Sketch, seen: Set<string>): string | null {
  if (node.kind === 'pass') {
    const next = edges.find(({ from, to }) => from === node.id && !seen.has(to));
    if (next !== undefined) return next.to;
  }
  if (node.kind === 'scope' && node.hidden) {
    const inside = nodes.filter(({ parent }) => parent === node.id);
    const [only] = inside;
    if (inside.length === 1 && only !== undefined && !seen.has(only.id)) return only.id;
  }
  return node.parent;
}
