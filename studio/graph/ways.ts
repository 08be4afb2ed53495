/**
 * Ways as paths of SVG, and the way that a token takes from one node to another. Tokens are born at
 * the next node: one that is new has come by its edge, or from where another has just ended.
 */
import type { Point } from '../../src/drawing/layout.ts';
import { stateOf, type TokenState } from './crowds.ts';
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

/** A whole way, from node to node. */
export interface Route {
  readonly id: string | undefined;
  readonly from: string;
  readonly to: string;
  readonly points: readonly Point[];
}

/** The parts of a way follow each other, and the last has the arrow. */
export function routesIn({ ways }: Drawn): readonly Route[] {
  const routes: Route[] = [];
  let points: Point[] = [];
  for (const { id, from, to, points: more, hasArrow } of ways) {
    points.push(...more);
    if (!hasArrow) continue;
    routes.push({ id, from, to, points });
    points = [];
  }
  return routes;
}

export interface Flight {
  readonly token: number;
  readonly state: TokenState;
  readonly points: readonly Point[];
}

/** Who has moved since, and along which way. Who came by none that is drawn is just there. */
export function flightsOf(
  drawn: Drawn,
  plan: GraphPlan,
  before: readonly GraphToken[],
  now: readonly GraphToken[],
): readonly Flight[] {
  const old = new Map(before.map((token) => [token.id, token.node]));
  const alive = new Set(now.map(({ id }) => id));
  const ended = before.filter(({ id }) => !alive.has(id)).map(({ node }) => node);
  const edges = new Map(plan.edges.map((edge) => [edge.id, edge.from]));
  const around = regionsIn(drawn);
  const routes = routesIn(drawn);
  return now.flatMap((token) => {
    const was = old.get(token.id);
    if (was === token.node) return [];
    const direct = routes.find(
      ({ id }) => was === undefined && id !== undefined && id === token.via,
    );
    const source = was ?? edges.get(token.via ?? '');
    const sources = [
      ...(source === undefined ? [] : [source]),
      ...(was === undefined ? ended : []),
    ];
    const placeOf = (node: string): readonly string[] => around(drawn.places.get(node));
    const targets = placeOf(token.node);
    const route =
      direct ?? sources.flatMap((node) => findRoute(routes, placeOf(node), targets) ?? []).at(0);
    return route === undefined
      ? []
      : [{ token: token.id, state: stateOf(token), points: route.points }];
  });
}

/** From a node to all that it lies in, beginning with itself. */
function regionsIn({ nodes }: Drawn): (id: string | undefined) => readonly string[] {
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
  return (id) => {
    const all: string[] = [];
    for (let at = id ?? null; at !== null; at = parents.get(at) ?? null) all.push(at);
    return all;
  };
}

/** Into a region and out of one, the way is that of the region. */
function findRoute(
  routes: readonly Route[],
  sources: readonly string[],
  targets: readonly string[],
): Route | undefined {
  // Who goes about inside a region does not leave it.
  const out = new Set(sources.filter((one) => !targets.includes(one)));
  const into = new Set(targets.filter((one) => !sources.includes(one)));
  return routes.find(({ from, to }) => out.has(from) && into.has(to));
}

/** Where a dot is along a way, so that it is as fast on short pieces as on long ones. */
export function framesAlong(points: readonly Point[]): readonly Keyframe[] {
  const lengths = points.map((point, index) => {
    const before = points[index - 1] ?? point;
    return Math.hypot(point.x - before.x, point.y - before.y);
  });
  const whole = lengths.reduce((sum, length) => sum + length, 0);
  let gone = 0;
  return points.map(({ x, y }, index) => {
    gone += lengths[index] ?? 0;
    const offset = whole === 0 ? index / Math.max(points.length - 1, 1) : gone / whole;
    return { offset: Math.min(offset, 1), transform: `translate(${x}px, ${y}px)` };
  });
}

/** The ways that were taken, of those that are drawn. One for no edge goes by its ends. */
export function takenWays(
  drawn: Drawn,
  plan: GraphPlan,
  taken: ReadonlySet<string>,
): ReadonlySet<DrawnWay> {
  const pairs = new Set<string>();
  for (const { id, from, to } of plan.edges) {
    if (taken.has(id)) pairs.add(`${drawn.places.get(from)} ${drawn.places.get(to)}`);
  }
  return new Set(
    drawn.ways.filter(({ id, from, to }) =>
      id === undefined ? pairs.has(`${from} ${to}`) : taken.has(id),
    ),
  );
}
