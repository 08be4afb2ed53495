import { describe, expect, test } from 'vitest';
import { Knots } from './knots.ts';

type Graph = Readonly<Record<string, string>>;

/** Each knot as its points in order, and the knots in order. */
function knotsOf(graph: Graph): readonly string[] {
  const names = Object.keys(graph);
  const next = names.map((at) => Array.from(graph[at] ?? '', (to) => names.indexOf(to)));
  const knots = new Knots(names.length).among([...names.keys()], next);
  const told = (knot: readonly number[]): string =>
    names
      .filter((_, at) => knot.includes(at))
      .toSorted()
      .join('');
  return knots.map(told).toSorted();
}

describe('points that lead to each other are one knot, and no others', () => {
  const table: readonly (readonly [string, Graph, readonly string[]])[] = [
    ['nothing', {}, []],
    ['one point', { a: '' }, ['a']],
    ['one that leads to itself', { a: 'a' }, ['a']],
    ['a line', { a: 'b', b: 'c', c: '' }, ['a', 'b', 'c']],
    ['a circle', { a: 'b', b: 'c', c: 'a' }, ['abc']],
    ['a diamond', { a: 'bc', b: 'd', c: 'd', d: '' }, ['a', 'b', 'c', 'd']],
    ['a diamond that leads back', { a: 'bc', b: 'd', c: 'd', d: 'a' }, ['abcd']],
    ['two circles with a way between them', { a: 'b', b: 'ac', c: 'd', d: 'c' }, ['ab', 'cd']],
    ['a circle in a circle', { a: 'b', b: 'c', c: 'bd', d: 'a' }, ['abcd']],
    ['a way in and a way out', { a: 'b', b: 'c', c: 'bd', d: '' }, ['a', 'bc', 'd']],
    ['two that can be come to first (irreducible)', { s: 'ab', a: 'b', b: 'a' }, ['ab', 's']],
  ];
  test.each(table)('%s', (_, graph, knots) => expect(knotsOf(graph)).toEqual(knots));
});

test('they are what walking from each to each says, in random graphs', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const graph = randomGraph(seed);
    const names = Object.keys(graph);
    const reach = (from: string): ReadonlySet<string> => {
      const met = new Set(graph[from] ?? '');
      // What is added while it is walked is walked, too.
      for (const at of met) for (const to of graph[at] ?? '') met.add(to);
      return met;
    };
    const isWith = (a: string, b: string): boolean =>
      a === b || (reach(a).has(b) && reach(b).has(a));
    const told = new Set(names.map((a) => names.filter((b) => isWith(a, b)).join('')));
    expect(knotsOf(graph)).toEqual([...told].toSorted());
  }
});

function randomGraph(seed: number): Graph {
  let state = seed;
  const draw = (sides: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
  const names = Array.from('abcdefgh').slice(0, 2 + draw(7));
  const edges = names.map((name) => [name, names.filter(() => draw(names.length) === 0).join('')]);
  return Object.fromEntries(edges) as Graph;
}

test('a line of a hundred thousand points is no trouble, and neither is a circle of them', () => {
  const size = 100_000;
  const points = Array.from({ length: size }, (_, at) => at);
  const line = points.map((at) => (at + 1 < size ? [at + 1] : []));
  const knots = new Knots(size);
  expect(knots.among(points, line)).toHaveLength(size);
  const circle = points.map((at) => [(at + 1) % size]);
  expect(knots.among(points, circle)).toHaveLength(1);
  // Whoever asks again is answered the same.
  expect(knots.among(points, line)).toHaveLength(size);
});
