/**
 * The graphs of the flowchart rows, each under FIFO, LIFO and 100 random schedules: the same runs
 * each time, and nothing is left. What a race's losers do depends on who was first, so of a race
 * only the target and what must run anyway are told.
 */
import { describe, expect, test } from 'vitest';
import { type Answers, chart, endings, forEach, nested } from '../testing/chart-play.ts';

const MODES = ['converge', 'merge', 'convergeStrict', 'race', 'stream', 'cascade'] as const;
const WAITS = { waits: 'Done' };

describe('outcomes', () => {
  const many = chart(['A:Yes -> B, C', 'A:No -> D']);

  test.each([
    ['Yes', 'A B C'],
    ['No', 'A D'],
    ['Yes, No', 'A B C D'],
    ['Maybe', 'A'],
    ['', 'A'],
  ])('E-01, E-02: "%s" goes by every connection that is for it', (outcome, ran) => {
    expect(endings(many, { A: outcome })).toEqual([`completed: ${ran}`]);
  });

  test('E-43: without a start it completes at once', () => {
    expect(endings({ ...many, start: null })).toEqual(['completed: ']);
  });

  test('E-09: one that failed keeps the flowchart open, and completes it when it is mended', () => {
    const two = chart(['S -> A, B -> C -> Z']);
    expect(endings(two, { B: { breaks: 'Done' } })).toEqual(['completed: A B C S Z']);
    expect(endings(two, { A: { fails: 'Done' }, B: WAITS })).toEqual(['completed: A B C S Z']);
  });
});

describe('end', () => {
  test('E-10: ends the flowchart at once, whoever else is alive', () => {
    const two = chart(['S -> A -> X', 'S -> B, C -> J'], { X: { type: 'end' } });
    expect(endings(two, { B: WAITS }, 'S A X')).toEqual(['completed: A S X']);
  });

  test('E-10: with tokens that wait before an activity, and blocks', () => {
    const held = chart(['S -> A, M -> J', 'S -> B, W -> T', 'T:No -> J', 'T -> X'], {
      X: { type: 'end' },
      J: 'merge',
      T: 'stream',
    });
    expect(endings(held, { W: WAITS }, 'S T X')).toEqual(['completed: S T X']);
  });

  test('X-16: a nested one ends its own flowchart, and no other', () => {
    const inside = nested(['A -> X', 'A -> W -> Y'], { X: { type: 'end' } });
    expect(endings(chart(['S -> N, B -> M'], { N: inside }), { 'N/W': WAITS })).toEqual([
      'completed: B M N N/A N/X S',
    ]);
  });

  test('X-16: an end in an item ends that item', () => {
    const inside = forEach([1, 2, 3], ['A:Last -> X', 'A -> B', 'A -> C'], { X: { type: 'end' } });
    const answers = { 'L/A': ['Done', 'Last'] };
    expect(endings(chart(['S -> L -> Z'], { L: inside }), answers)).toEqual([
      'completed: L L/A*3 L/B*2 L/C*2 L/X S Z',
    ]);
  });
});

describe('the modes on a fork of two', () => {
  const two = (mode: (typeof MODES)[number]): ReturnType<typeof chart> =>
    chart(['S -> A, B -> C -> Z'], { C: mode });

  test.each(MODES)('E-24: %s with one inbound connection fires on arrival', (mode) => {
    expect(endings(chart(['A -> B'], { B: mode }))).toEqual(['completed: A B']);
  });

  test('E-20: without a mode it is converge', () => {
    expect(endings(chart(['S -> A, B -> C -> Z']))).toEqual(['completed: A B C S Z']);
  });

  test.each(['converge', 'merge', 'convergeStrict'] as const)(
    'E-23, E-25: %s fires once, after both',
    (mode) => {
      expect(endings(two(mode))).toEqual(['completed: A B C S Z']);
      expect(endings(two(mode), { A: WAITS, B: WAITS })).toEqual(['completed: A B C S Z']);
    },
  );

  test('E-21, E-27: race fires once, and a branch that waits is gone', () => {
    expect(endings(two('race'), {}, 'S C Z')).toEqual(['completed: C S Z']);
    expect(endings(two('race'), { B: WAITS }, 'S C Z')).toEqual(['completed: C S Z']);
    expect(endings(two('race'), { A: WAITS, B: WAITS }, 'S C Z')).toEqual(['completed: C S Z']);
  });

  test('E-22: stream fires once, and both branches run', () => {
    expect(endings(two('stream'))).toEqual(['completed: A B C S Z']);
    expect(endings(two('stream'), { B: WAITS })).toEqual(['completed: A B C S Z']);
  });

  test('E-34: cascade runs for every arrival', () => {
    expect(endings(two('cascade'))).toEqual(['completed: A B C*2 S Z*2']);
    expect(endings(two('cascade'), { B: WAITS })).toEqual(['completed: A B C*2 S Z*2']);
  });

  test.each(['converge', 'merge', 'convergeStrict', 'stream'] as const)(
    'E-26: two in series with %s both fire once',
    (mode) => {
      const series = chart(['S -> A, B -> C -> D, E -> F -> Z'], { C: mode, F: mode });
      expect(endings(series)).toEqual(['completed: A B C D E F S Z']);
      expect(endings(series, { A: WAITS, E: WAITS })).toEqual(['completed: A B C D E F S Z']);
    },
  );

  test('E-26: two races in series', () => {
    const series = chart(['S -> A, B -> C -> D, E -> F -> Z'], { C: 'race', F: 'race' });
    expect(endings(series, { A: WAITS, E: WAITS }, 'S C F Z')).toEqual(['completed: C F S Z']);
  });
});

describe('connections back', () => {
  const header = (mode: (typeof MODES)[number]): ReturnType<typeof chart> =>
    chart(['S -> H -> A', 'A:Again -> H', 'A -> Z'], { H: mode });
  const answers = { A: ['Again', 'Again'] };

  test.each(['converge', 'merge', 'race', 'stream', 'cascade'] as const)(
    'E-32: %s does not wait for them',
    (mode) => {
      expect(endings(header(mode), answers)).toEqual(['completed: A*3 H*3 S Z']);
    },
  );

  const forked = (mode: (typeof MODES)[number]): ReturnType<typeof chart> =>
    chart(['S -> A, B -> H -> K', 'K:Again -> H', 'K -> Z'], { H: mode });

  test.each(['converge', 'merge', 'stream'] as const)(
    'X-01: who comes by one has %s fire alone, however many lead forward',
    (mode) => {
      const turns = { K: ['Again', 'Again'], B: WAITS };
      expect(endings(forked(mode), turns)).toEqual(['completed: A B H*3 K*3 S Z']);
    },
  );

  test('X-01: and a race', () => {
    const turns = { K: ['Again', 'Again'], B: WAITS };
    expect(endings(forked('race'), turns, 'S H K Z')).toEqual(['completed: H*3 K*3 S Z']);
  });

  test('E-33: convergeStrict does, and says so', () => {
    expect(endings(header('convergeStrict'), answers)).toEqual(['stalled: S | H lacks A:Again->H']);
  });
});

describe('E-35: a branch that a decision did not take', () => {
  const graph = (mode: (typeof MODES)[number]): ReturnType<typeof chart> =>
    chart(['S -> A, D', 'D:True -> B', 'A, B -> C'], { C: mode });
  const no: Answers = { D: 'False' };

  test.each(['converge', 'stream', 'cascade'] as const)('%s goes on without it', (mode) => {
    expect(endings(graph(mode), no)).toEqual(['completed: A C D S']);
    expect(endings(graph(mode), { D: 'False', A: WAITS })).toEqual(['completed: A C D S']);
  });

  test('race goes on without it, and may not even ask', () => {
    expect(endings(graph('race'), no, 'A C S')).toEqual(['completed: A C S']);
  });

  test.each(['merge', 'convergeStrict'] as const)('%s stalls and says what is missing', (mode) => {
    expect(endings(graph(mode), no)).toEqual(['stalled: A D S | C lacks B:Done->C']);
  });
});

describe('E-36: both outcomes of a decision lead to one activity', () => {
  test.each([
    ['an activity', {}],
    ['an end', { E: { type: 'end' } }],
  ])('which is %s', (_, said) => {
    const graph = chart(['S -> D', 'D:True, D:False -> E'], said);
    for (const D of ['True', 'False', 'True, False']) {
      expect(endings(graph, { D })).toEqual(['completed: D E S']);
    }
  });
});

describe('E-37: a braid', () => {
  const braid = ['1 -> 2, 3', '2 -> 4, 5', '3 -> 5, 6', '4, 5, 6 -> 7'];

  test.each(['converge', 'merge', 'convergeStrict', 'stream'] as const)(
    'with %s each runs once',
    (mode) => {
      const graph = chart(braid, { 5: mode, 7: mode });
      expect(endings(graph)).toEqual(['completed: 1 2 3 4 5 6 7']);
      expect(endings(graph, { 3: WAITS, 4: WAITS })).toEqual(['completed: 1 2 3 4 5 6 7']);
    },
  );

  test('with race the last runs once', () => {
    const graph = chart(braid, { 5: 'race', 7: 'race' });
    expect(endings(graph, { 3: WAITS }, '1 7')).toEqual(['completed: 1 7']);
  });

  test('with a race in the middle everything else runs', () => {
    const graph = chart(braid, { 5: 'race' });
    expect(endings(graph)).toEqual(['completed: 1 2 3 4 5 6 7']);
  });
});

test('E-38: an implicit loop', () => {
  const graph = chart(['Start -> Count -> Try', 'Try:Retry -> Tell -> Count', 'Try -> End']);
  expect(endings(graph, { Try: ['Retry'] })).toEqual(['completed: Count*2 End Start Tell Try*2']);
});

describe('E-39: a join that is come to three times in a loop', () => {
  const graph = (mode: (typeof MODES)[number]): ReturnType<typeof chart> =>
    chart(['S -> A -> B, C -> D', 'D:Again -> A', 'D -> Z'], { D: mode });
  const again = { D: ['Again', 'Again'] };

  test.each(['converge', 'merge', 'convergeStrict', 'stream'] as const)('%s', (mode) => {
    const ran = ['completed: A*3 B*3 C*3 D*3 S Z'];
    expect(endings(graph(mode), again)).toEqual(ran);
    expect(endings(graph(mode), { ...again, C: WAITS })).toEqual(ran);
  });

  test('race', () => {
    const ran = ['completed: A*3 D*3 S Z'];
    expect(endings(graph('race'), again, 'A D S Z')).toEqual(ran);
    expect(endings(graph('race'), { ...again, C: WAITS }, 'A D S Z')).toEqual(ran);
  });
});

describe('E-28, E-40: a diamond with a decision and a join', () => {
  const lines = ['A -> B, C', 'B -> E', 'C:True -> E', 'C:False -> D', 'D, E -> F'];

  test('not taken: merge (WaitAll) does not run E, and says what is missing', () => {
    const both = 'E lacks C:True->E; F lacks E:Done->F';
    expect(endings(chart(lines, { E: 'merge' }), { C: 'False' })).toEqual([
      `stalled: A B C D | ${both}`,
    ]);
    expect(endings(chart(lines, { E: 'merge', F: 'stream' }), { C: 'False' })).toEqual([
      'stalled: A B C D F | E lacks C:True->E',
    ]);
  });

  test('not taken: converge (WaitAllActive) and race (WaitAny) run E once', () => {
    for (const E of ['converge', 'race'] as const) {
      expect(endings(chart(lines, { E }), { C: 'False' })).toEqual(['completed: A B C D E F']);
    }
  });

  test('taken: all three run E once', () => {
    for (const E of ['merge', 'converge'] as const) {
      expect(endings(chart(lines, { E }), { C: 'True' })).toEqual(['completed: A B C E F']);
    }
    expect(endings(chart(lines, { E: 'race' }), { C: 'True' }, 'A C D E F')).toEqual([
      'completed: A C E F',
    ]);
  });
});

describe('E-41: a for-each whose body has a join', () => {
  const graph = (mode: (typeof MODES)[number]): ReturnType<typeof chart> =>
    chart(['S -> L -> Z'], { L: forEach([1, 2, 3], ['A -> B, C -> D'], { D: mode }) });

  test.each(['converge', 'merge', 'convergeStrict', 'stream'] as const)('%s', (mode) => {
    expect(endings(graph(mode), { 'L/C': WAITS })).toEqual([
      'completed: L L/A*3 L/B*3 L/C*3 L/D*3 S Z',
    ]);
  });

  test('a race in one item cancels nothing of the others', () => {
    expect(endings(graph('race'), { 'L/B': WAITS, 'L/C': WAITS }, 'S L L/A L/D Z')).toEqual([
      'completed: L L/A*3 L/D*3 S Z',
    ]);
  });
});

describe('E-11: flowcharts in flowcharts', () => {
  test('two that are the same never see the tokens of the other', () => {
    const inside = nested(['A -> B, C -> D']);
    const both = chart(['S -> N, M -> J'], { N: inside, M: inside });
    expect(endings(both, { 'N/B': WAITS, 'M/C': WAITS })).toEqual([
      'completed: J M M/A M/B M/C M/D N N/A N/B N/C N/D S',
    ]);
  });

  test('one in a loop has its own each time, blocks too', () => {
    const inside = nested(['A -> B, C -> D'], { D: 'stream' });
    const loop = chart(['S -> N -> K', 'K:Again -> N', 'K -> Z'], { N: inside });
    expect(endings(loop, { K: ['Again', 'Again'], 'N/C': WAITS })).toEqual([
      'completed: K*3 N*3 N/A*3 N/B*3 N/C*3 N/D*3 S Z',
    ]);
  });

  test('X-01: one that stalls inside says where', () => {
    const inside = nested(['A -> B, D', 'D:Yes -> E', 'B, E -> C'], { C: 'merge' });
    expect(endings(chart(['S -> N -> Z'], { N: inside }))).toEqual([
      'stalled: N/A N/B N/D S | N/C lacks N/E:Done->N/C',
    ]);
  });
});
