/**
 * The knots of a graph: sets of points each of which can be reached from each other, as large as
 * can be (its strongly connected components). A point in no circle is a knot by itself.
 *
 * Two walks without recursion, so that a line of a hundred thousand points is no trouble: the first
 * puts down each point after all it leads to, the second goes backwards from the last of those.
 */
export function knotsIn<Point>(
  points: readonly Point[],
  next: (point: Point) => readonly Point[],
): readonly (readonly Point[])[] {
  const before = new Map<Point, Point[]>(points.map((point) => [point, []]));
  for (const point of points) for (const to of next(point)) before.get(to)?.push(point);
  const knots: Point[][] = [];
  const placed = new Set<Point>();
  for (const point of afterAllItLeadsTo(points, next, before).reverse()) {
    if (placed.has(point)) continue;
    placed.add(point);
    const knot = [point];
    // What is added while it is walked is walked, too.
    for (const at of knot) {
      for (const from of before.get(at) ?? []) {
        if (placed.has(from)) continue;
        placed.add(from);
        knot.push(from);
      }
    }
    knots.push(knot);
  }
  return knots;
}

function afterAllItLeadsTo<Point>(
  points: readonly Point[],
  next: (point: Point) => readonly Point[],
  known: ReadonlyMap<Point, unknown>,
): Point[] {
  const done: Point[] = [];
  const met = new Set<Point>();
  for (const point of points) {
    if (met.has(point)) continue;
    met.add(point);
    const way = [{ at: point, left: [...next(point)] }];
    for (let top = way.at(-1); top !== undefined; top = way.at(-1)) {
      const to = top.left.pop();
      if (to === undefined) {
        done.push(top.at);
        way.pop();
      } else if (known.has(to) && !met.has(to)) {
        met.add(to);
        way.push({ at: to, left: [...next(to)] });
      }
    }
  }
  return done;
}
