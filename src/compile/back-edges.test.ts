/** E-44: which connections of a flowchart lead back. */
import { describe, expect, test } from 'vitest';
import { Knots } from '../base/knots.ts';
import { flowchart } from '../frontends/flowchart/flowchart.ts';
import type { Draft } from '../model/draft.ts';
import { kinds } from '../nodes/index.ts';
import { Dice } from '../testing/dice.ts';
import { backEdges } from './back-edges.ts';
import { compile } from './compile.ts';

/** `'a b, b c'`: connections from one to another, all for `Done`; it begins at the first. */
function drawn(lines: string): Draft {
  const pairs = lines.split(', ').map((line) => line.split(' '));
  const connections = pairs.map(([from = '', to = '']) => ({ from, to }));
  const ids = [...new Set(pairs.flat())];
  const activities = ids.map((id) => ({ id, type: 'work' }));
  const chart = flowchart({
    id: 'chart',
    version: 1,
    start: ids[0] ?? null,
    activities,
    connections,
  });
  expect(chart.definition.diagnostics).toEqual([]);
  return chart.definition.draft;
}

function backIn(lines: string): string {
  const back = [...backEdges(drawn(lines))].map((id) => id.replace(':Done->', ' '));
  return back.toSorted().join(', ');
}

describe('E-44: a connection leads forward unless it closes a circle of those that do', () => {
  const table: readonly (readonly [string, string, string])[] = [
    ['a line', 'a b, b c', ''],
    ['a diamond', 'a b, a c, b d, c d', ''],
    ['a short way beside a long one', 'a d, a b, b c, c d', ''],
    ['to itself', 'a b, b b, b c', 'b b'],
    ['a loop of two', 'a b, b a', 'b a'],
    ['a loop with a way out', 'a b, b c, c b, c d', 'c b'],
    ['a loop back to the start', 'a b, b c, c a', 'c a'],
    ['a loop in a loop', 'a b, b c, c b, c d, d a, d e', 'c b, d a'],
    ['two loops to one header', 'a b, b c, c b, b d, d b', 'c b, d b'],
    ['two loops one after the other', 'a b, b a, b c, c d, d c', 'b a, d c'],
    ['a branch that leads back, and one that does not', 'a b, a c, b d, c d, b a', 'b a'],
    ['one that leads back into a branch', 'a b, a c, b d, c d, d b, d e', 'd b'],
    ['a retry', 'a b, b c, c e, c r, r b', 'r b'],
    ['a loop across the diamond', 'a b, a c, b d, c d, d e, e b', 'e b'],
  ];
  test.each(table)('%s', (_, lines, back) => expect(backIn(lines)).toBe(back));

  describe('where a loop has two ways in (irreducible), it is decided by who is met first', () => {
    const odd: readonly (readonly [string, string, string])[] = [
      ['b is met before c', 's b, s c, b c, c b', 'c b'],
      ['and c before b', 's c, s b, b c, c b', 'b c'],
      ['with a header of its own', 's a, a b, a c, b c, c b, c d, d a', 'c b, d a'],
      ['three that lead to each other', 's a, s b, s c, a b, b c, c a', 'c a'],
      ['one way in is longer', 's a, s x, x b, a b, b a', 'b a'],
    ];
    test.each(odd)('%s', (_, lines, back) => expect(backIn(lines)).toBe(back));
  });

  test('each flowchart is looked at by itself', () => {
    const round = {
      activities: [
        { id: 'a', type: 'work' },
        { id: 'b', type: 'work' },
      ],
      connections: [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'a' },
      ],
    };
    const chart = flowchart({
      id: 'chart',
      version: 1,
      activities: [
        { id: 'one', type: 'flowchart', config: round },
        { id: 'each', type: 'forEach', config: { items: [], ...round } },
      ],
      connections: [
        { from: 'one', to: 'each' },
        { from: 'each', to: 'one' },
      ],
    });
    expect([...backEdges(chart.definition.draft)].toSorted()).toEqual([
      'each/b:Done->each/a',
      'each:Done->one',
      'one/b:Done->one/a',
    ]);
  });

  test('what is said of an edge is in the plan, and is part of it', () => {
    const plan = compile(drawn('a b, b a'), kinds);
    const edges = plan.ok ? [...plan.value.edges.values()] : [];
    expect(edges).toEqual([
      { id: 'a:Done->b', from: 'a', to: 'b' },
      { id: 'b:Done->a', from: 'b', to: 'a', back: true },
    ]);
  });
});

test('E-44: what leads forward has no circle, and every one that leads back closes one', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const draft = drawn(randomLines(new Dice(seed)));
    const back = backEdges(draft);
    const forward = draft.edges.filter(({ id }) => !back.has(id));
    const next = (at: string): readonly string[] =>
      forward.filter(({ from }) => from === at).map(({ to }) => to);
    const names = draft.nodes.map(({ id }) => id);
    const leads = names.map((at) => next(at).map((to) => names.indexOf(to)));
    const knots = new Knots(names.length).among([...names.keys()], leads);
    expect(knots.every((knot) => knot.length === 1)).toBe(true);
    for (const { id, from, to } of draft.edges) {
      if (!back.has(id)) continue;
      const met = new Set([to]);
      for (const at of met) for (const on of next(at)) met.add(on);
      expect(met.has(from), `${id} of ${seed}`).toBe(true);
    }
  }
});

/** Every activity is come to from one before it, and some lead anywhere. */
function randomLines(dice: Dice): string {
  const size = 3 + dice.roll(8);
  const lines = new Set<string>();
  for (let at = 1; at < size; at += 1) lines.add(`n${dice.roll(at)} n${at}`);
  for (let more = dice.roll(size); more > 0; more -= 1) {
    lines.add(`n${dice.roll(size)} n${dice.roll(size)}`);
  }
  return [...lines].join(', ');
}

test('a chart that is one knot of two thousand is looked at in no time', () => {
  const size = 2_000;
  const lines = Array.from({ length: size }, (_, at) => `n${at} n${(at + 1) % size}`);
  const more = Array.from({ length: size }, (_, at) => `n${at} n${(at * 7 + 13) % size}`);
  const begun = performance.now();
  expect(backEdges(drawn([...new Set([...lines, ...more])].join(', '))).size).toBeGreaterThan(0);
  expect(performance.now() - begun).toBeLessThan(10_000);
});
