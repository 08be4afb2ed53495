/** Ways as paths of SVG, and the way that a token takes from one node to another. */
import type { Point } from '../../src/drawing/layout.ts';
import type { Drawn, DrawnWay } from './drawing.ts';
import type { GraphPlan, GraphToken } from './shapes.ts';

const CORNER = 7;

/** A line of several pieces with round corners. */
export function pathOf(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return '';
  const parts = [`M${first.x},${first.y}`];
  rest.forEach((point, index) => {
    const before = points[index] ?? first;
    const next = rest[index + 1];
    if (next === undefined) {
      parts.push(`L${point.x},${point.y}`);
      return;
    }
    const start = towards(point, before);
    const end = towards(point, next);
    parts.push(`L${start.x},${start.y}`, `Q${point.x},${point.y} ${end.x},${end.y}`);
  });
  return parts.join(' ');
}

/** A point on the way from one to another, as far off as a corner is round. */
function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const share = length === 0 ? 0 : Math.min(CORNER, length / 2) / length;
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

/** The points from one drawn node to another along the ways that are drawn; null if none are. */
export function wayBetween(drawn: Drawn, from: string, to: string): readonly Point[] | null {
  const parts = drawn.ways.filter((way) => way.from === from && way.to === to);
  const forward = parts.toSorted((a, b) => (a.points[0]?.y ?? 0) - (b.points[0]?.y ?? 0));
  const points = (parts.some(({ isBack }) => isBack) ? parts : forward).flatMap(
    (way) => way.points,
  );
  return points.length < 2 ? null : points;
}

export interface Flight {
  readonly token: number;
  readonly points: readonly Point[];
}

/** Who has moved since: tokens that were born by an edge, and those that are elsewhere now. */
export function flightsOf(
  drawn: Drawn,
  plan: GraphPlan,
  before: readonly GraphToken[],
  now: readonly GraphToken[],
): readonly Flight[] {
  const old = new Map(before.map((token) => [token.id, token]));
  const edges = new Map(plan.edges.map((edge) => [edge.id, edge]));
  return now.flatMap(({ id, node, via }) => {
    const was = old.get(id);
    const from = was === undefined ? edges.get(via ?? '')?.from : was.node;
    if (from === undefined || from === node) return [];
    const [start, end] = [drawn.places.get(from), drawn.places.get(node)];
    if (start === undefined || end === undefined || start === end) return [];
    const points = wayBetween(drawn, start, end);
    return points === null ? [] : [{ token: id, points }];
  });
}

/** The ways that were taken, of those that are drawn: by their places in the list. */
export function takenWays(
  drawn: Drawn,
  plan: GraphPlan,
  taken: ReadonlySet<string>,
): ReadonlySet<DrawnWay> {
  const pairs = new Set<string>();
  for (const { id, from, to } of plan.edges) {
    if (taken.has(id)) pairs.add(`${drawn.places.get(from)} ${drawn.places.get(to)}`);
  }
  return new Set(drawn.ways.filter(({ from, to }) => pairs.has(`${from} ${to}`)));
}
