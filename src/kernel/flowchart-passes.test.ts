/**
 * Passes of loops that overlap, loops in loops, and what is cancelled with everything in it: each
 * under FIFO, LIFO and 100 random schedules.
 */
import { describe, expect, test } from 'vitest';
import type { FlowchartBody } from '../frontends/flowchart/definition.ts';
import type { MergeMode } from '../model/merge.ts';
import { chart, endings, forEach, nested } from '../testing/chart-play.ts';

const WAITS = { waits: 'Done' };

describe('a loser of pass 1 is still alive in passes 2 and 3', () => {
  const again = { T: ['Again', 'Again'], L: WAITS };

  test('stream: it is consumed in its own pass', () => {
    const graph = chart(['S -> H -> F, L -> T', 'T:Again -> H', 'T -> Z'], { T: 'stream' });
    expect(endings(graph, again)).toEqual(['completed: F*3 H*3 L*3 S T*3 Z']);
  });

  test('race: one that is not cancelled, since it leads elsewhere, too', () => {
    const graph = chart(['S -> H -> F, L -> T', 'L -> Q', 'T:Again -> H', 'T -> Z'], {
      T: 'race',
    });
    expect(endings(graph, again, 'S H L Q T Z')).toEqual(['completed: H*3 L*3 Q*3 S T*3 Z']);
  });

  test('race: only losers of the same pass are cancelled', () => {
    // In one of the passes P is all there is: whoever cancels it takes the pass away.
    const graph = chart(
      ['S -> H -> D, C', 'D:Both -> A -> R', 'D:Both, D:One -> P -> R', 'C:Again, R:Never -> H'],
      { R: 'race' },
    );
    const answers = { C: ['Again', 'Again'], D: ['Both', 'One', 'Both'], P: WAITS };
    expect(endings(graph, answers, 'S C D H R')).toEqual(['completed: C*3 D*3 H*3 R*3 S']);
  });

  const forked = ['S -> H -> A, B, C', 'A, B -> J', 'C:Again, J:Never -> H'];

  test.each(['converge', 'merge', 'stream'] as const)(
    '%s: each pass meets with itself, while the next ones are under way',
    (mode) => {
      const answers = { C: ['Again', 'Again'], B: WAITS };
      expect(endings(chart(forked, { J: mode }), answers)).toEqual([
        'completed: A*3 B*3 C*3 H*3 J*3 S',
      ]);
    },
  );

  test('cascade: for every arrival of every pass', () => {
    expect(endings(chart(forked, { J: 'cascade' }), { C: ['Again', 'Again'] })).toEqual([
      'completed: A*3 B*3 C*3 H*3 J*6 S',
    ]);
  });

  const either = [
    'S -> H -> D, C',
    'D:Left -> A -> J',
    'D:Right -> B -> J',
    'C:Again, J:Never -> H',
  ];
  const turns = { C: ['Again', 'Again'], D: ['Left', 'Right', 'Left'] };

  test.each(['converge', 'race', 'stream'] as const)(
    '%s: who came by one way in one pass never meets who came by the other in another',
    (mode) => {
      expect(endings(chart(either, { J: mode }), turns)).toEqual([
        'completed: A*2 B C*3 D*3 H*3 J*3 S',
      ]);
    },
  );

  test('merge: they never meet, and each pass is told', () => {
    expect(endings(chart(either, { J: 'merge' }), turns)).toEqual([
      `stalled: A*2 B C*3 D*3 H*3 S | ${[
        'J lacks A:Done->J',
        'J lacks B:Done->J',
        'J lacks B:Done->J',
      ].join('; ')}`,
    ]);
  });

  test('behind the loop they are no passes any more: as often as the busier way', () => {
    const outside = chart([
      'S -> H -> D, C',
      'D:Left -> A',
      'D:Right -> B',
      'A, B -> J',
      'C:Again -> H',
    ]);
    expect(endings(outside, turns)).toEqual(['completed: A*2 B C*3 D*3 H*3 J*2 S']);
  });

  test('behind the loop merge takes as many as the lazier way, and says what is left', () => {
    const outside = ['S -> H -> D, C', 'D:Left -> A', 'D:Right -> B', 'A, B -> J', 'C:Again -> H'];
    expect(endings(chart(outside, { J: 'merge' }), turns)).toEqual([
      'stalled: A*2 B C*3 D*3 H*3 J S | J lacks B:Done->J',
    ]);
  });
});

describe('loops in loops', () => {
  const lines = [
    'S -> O -> I -> A, B -> J',
    'J:Again -> I',
    'J -> P, Q -> K',
    'K:Again -> O',
    'K -> Z',
  ];
  const graph = (mode: MergeMode): FlowchartBody => chart(lines, { J: mode, K: mode });
  const answers = { J: ['Again', 'Done', 'Again', 'Again', 'Done'], K: ['Again'] };

  test.each(['converge', 'merge', 'convergeStrict', 'stream'] as const)(
    '%s: a join in each',
    (mode) => {
      const ran = ['completed: A*5 B*5 I*5 J*5 K*2 O*2 P*2 Q*2 S Z'];
      expect(endings(graph(mode), { ...answers, B: WAITS })).toEqual(ran);
    },
  );

  test('race: a join in each', () => {
    const slow = { ...answers, B: WAITS, Q: WAITS };
    expect(endings(graph('race'), slow, 'S I J K O Z')).toEqual(['completed: I*5 J*5 K*2 O*2 S Z']);
  });

  test.each(['converge', 'stream'] as const)(
    '%s: exits of the inner one into the outer',
    (mode) => {
      const exits = chart(['S -> O -> I -> A, B -> X', 'X:Inner -> I', 'X:Outer -> O', 'X -> Z'], {
        X: mode,
      });
      const ways = { X: ['Inner', 'Outer', 'Inner', 'Inner', 'Outer'], B: WAITS };
      expect(endings(exits, ways)).toEqual(['completed: A*6 B*6 I*6 O*3 S X*6 Z']);
    },
  );

  test('a branch that loops inside the pass of a loop is waited for', () => {
    const inner = chart([
      'S -> H -> A, B',
      'A:More -> P -> A',
      'A, B -> J',
      'J:Again -> H',
      'J -> Z',
    ]);
    const turn = { A: ['More', 'More', 'Done', 'More'], J: ['Again'], P: WAITS };
    expect(endings(inner, turn)).toEqual(['completed: A*5 B*2 H*2 J*2 P*3 S Z']);
  });

  test.each([
    ['L', 'A*3 B*3 S Z'],
    ['R', 'A*2 B*3 S Z'],
    ['L, R', 'A*3 B*3 S Z'],
  ])('E-44: a loop with two entries, by %s', (S, ran) => {
    const two = chart(['S:L -> A', 'S:R -> B', 'A -> B', 'B:Again -> A', 'B -> Z']);
    expect(endings(two, { S, B: ['Again', 'Again'] })).toEqual([`completed: ${ran}`]);
  });

  test.each(['converge', 'merge', 'race', 'stream', 'cascade'] as const)(
    'an activity that leads to itself: %s',
    (mode) => {
      const self = chart(['S -> A', 'A:Again -> A', 'A -> Z'], { A: mode });
      expect(endings(self, { A: ['Again', 'Again', 'Again'] })).toEqual(['completed: A*4 S Z']);
    },
  );

  test('an activity that leads to itself waits for itself with convergeStrict', () => {
    const self = chart(['S -> A', 'A:Again -> A', 'A -> Z'], { A: 'convergeStrict' });
    expect(endings(self)).toEqual(['stalled: S | A lacks A:Again->A']);
  });
});

describe('cascade sends two through what comes after it', () => {
  const graph = (mode: MergeMode): FlowchartBody =>
    chart(['S -> A, B -> C -> D, E -> J -> Z'], { C: 'cascade', J: mode });

  test.each(['converge', 'merge', 'convergeStrict', 'stream'] as const)(
    '%s fires for each of them',
    (mode) => {
      const ran = ['completed: A B C*2 D*2 E*2 J*2 S Z*2'];
      expect(endings(graph(mode))).toEqual(ran);
      expect(endings(graph(mode), { B: WAITS, D: WAITS })).toEqual(ran);
    },
  );

  const uneven = (mode: MergeMode): FlowchartBody =>
    chart(['S -> A, B -> C -> E -> J -> Z', 'S -> D -> J'], { C: 'cascade', J: mode });

  test.each(['converge', 'stream'] as const)('%s fires as often as the busier way', (mode) => {
    const ran = ['completed: A B C*2 D E*2 J*2 S Z*2'];
    expect(endings(uneven(mode))).toEqual(ran);
    expect(endings(uneven(mode), { D: WAITS })).toEqual(ran);
  });

  test('merge fires as often as the lazier way, and says what is left', () => {
    expect(endings(uneven('merge'))).toEqual(['stalled: A B C*2 D E*2 J S Z | J lacks D:Done->J']);
  });

  test('cascade in a row', () => {
    expect(endings(graph('cascade'))).toEqual(['completed: A B C*2 D*2 E*2 J*4 S Z*4']);
  });
});

describe('a loser is cancelled with all there is in it', () => {
  const inside = ['B -> C, D -> E -> F', 'F:Again -> B'];
  const waits = { 'N/C': WAITS, 'N/D': WAITS, A: WAITS };

  test.each([
    ['a flowchart', nested(inside, { E: 'stream' })],
    ['a for-each', forEach([1, 2, 3], inside, { E: 'merge' })],
    ['a flowchart in a for-each', forEach([1, 2], ['M'], { M: nested(inside) })],
  ])('%s', (_, N) => {
    const graph = chart(['S -> A, N -> R -> Z'], { N, R: 'race' });
    const deep = { ...waits, 'N/M/C': WAITS };
    expect(endings(graph, deep, 'S R Z')).toEqual(['completed: R S Z']);
  });

  test('in a loop, again and again', () => {
    const N = nested(inside, { E: 'race' });
    const graph = chart(['S -> H -> A, N -> R', 'R:Again -> H', 'R -> Z'], { N, R: 'race' });
    expect(endings(graph, { ...waits, R: ['Again', 'Again'] }, 'S H R Z')).toEqual([
      'completed: H*3 R*3 S Z',
    ]);
  });

  test('end with a flowchart and a for-each alive', () => {
    const graph = chart(['S -> A -> X', 'S -> N, L -> J'], {
      N: nested(inside),
      L: forEach([1, 2], inside),
      X: { type: 'end' },
      J: 'merge',
    });
    expect(endings(graph, { ...waits, 'L/C': WAITS, 'L/D': WAITS }, 'S A X')).toEqual([
      'completed: A S X',
    ]);
  });
});
