/**
 * What users of other engines reported about their joins, graph by graph, and what a toy model
 * found out (BEHAVIOURS §4d, §4e): each under FIFO, LIFO and 100 random schedules.
 */
import { describe, expect, test } from 'vitest';
import type { FlowchartBody } from '../frontends/flowchart/definition.ts';
import type { MergeMode } from '../model/merge.ts';
import { chart, endings, forEach, nested } from '../testing/chart-play.ts';

const WAITS = { waits: 'Done' };

describe('7993: a race in a loop', () => {
  const fork = ['S -> F -> A, B -> R', 'R:Again -> F', 'R -> Z'];
  const again = { R: ['Again', 'Again', 'Again'] };

  test.each([{}, { B: WAITS }, { A: WAITS, B: WAITS }])(
    'runs once in each pass, whoever wins it: %o',
    (waits) => {
      const graph = chart(fork, { R: 'race' });
      expect(endings(graph, { ...again, ...waits }, 'S F R Z')).toEqual(['completed: F*4 R*4 S Z']);
    },
  );

  test.each(['converge', 'race', 'stream', 'cascade'] as const)(
    '%s swallows nobody who comes by the other way in the next pass',
    (mode) => {
      const either = ['S -> D', 'D:Left -> A', 'D:Right -> B', 'A, B -> R', 'R:Again -> D'];
      const answers = { D: ['Left', 'Right', 'Left', 'Right'], R: ['Again', 'Again', 'Again'] };
      expect(endings(chart([...either, 'R -> Z'], { R: mode }), answers)).toEqual([
        'completed: A*2 B*2 D*4 R*4 S Z',
      ]);
    },
  );

  test('merge stalls in the first pass, and says so', () => {
    const either = ['S -> D', 'D:Left -> A', 'D:Right -> B', 'A, B -> R', 'R:Again -> D'];
    expect(endings(chart(either, { R: 'merge' }), { D: 'Left' })).toEqual([
      'stalled: A D S | R lacks B:Done->R',
    ]);
  });
});

describe('6448: cancelling the losers does not end the flowchart before its target has run', () => {
  test('when all that is alive besides is a loser', () => {
    const graph = chart(['S -> A, B, C -> R'], { R: 'race' });
    expect(endings(graph, { B: WAITS, C: WAITS }, 'S R')).toEqual(['completed: R S']);
  });

  test('in a flowchart in a flowchart', () => {
    const inside = nested(['A -> B, C -> R'], { R: 'race' });
    expect(endings(chart(['S -> N -> Z'], { N: inside }), {}, 'S N N/R Z')).toEqual([
      'completed: N N/R S Z',
    ]);
  });
});

test('6644: a race cancels whoever can only come to it, though it has one way in', () => {
  const graph = chart(['S -> A, B -> M -> R'], { M: 'cascade', R: 'race' });
  expect(endings(graph, { A: WAITS, B: WAITS }, 'S R')).toEqual(['completed: R S']);
});

describe('6921: a join after several loops', () => {
  const loops = ['S -> A, B', 'A:Again -> P -> A', 'B:Again -> Q -> B', 'A, B -> J -> Z'];
  const answers = { A: ['Again', 'Again'], B: ['Again'] };

  test('race runs it once, and what comes after it', () => {
    const graph = chart(loops, { J: 'race' });
    expect(endings(graph, answers, 'S J Z')).toEqual(['completed: J S Z']);
    expect(endings(graph, { ...answers, P: WAITS }, 'S J Z')).toEqual(['completed: J S Z']);
  });

  test.each(['converge', 'merge', 'convergeStrict', 'stream'] as const)('%s, too', (mode) => {
    const ran = ['completed: A*3 B*2 J P*2 Q S Z'];
    expect(endings(chart(loops, { J: mode }), answers)).toEqual(ran);
    expect(endings(chart(loops, { J: mode }), { ...answers, Q: WAITS })).toEqual(ran);
  });
});

describe('6479, 6480: what comes after a race in a loop', () => {
  test('runs once in each pass', () => {
    const graph = chart(
      ['S -> F -> A -> J', 'F -> B1 -> B2 -> B3 -> J', 'J -> K', 'K:Again -> F', 'K -> Z'],
      { J: 'race' },
    );
    const answers = { K: ['Again', 'Again'], B2: WAITS };
    expect(endings(graph, answers, 'S F J K Z')).toEqual(['completed: F*3 J*3 K*3 S Z']);
  });
});

describe('6725: a loop in one branch, and a wait in the other', () => {
  const graph = (mode: MergeMode): FlowchartBody =>
    chart(['S -> A, W', 'A:Again -> P -> A', 'A, W -> J -> Z'], { J: mode });
  const answers = { A: ['Again', 'Again'], W: WAITS };

  test.each(['converge', 'merge', 'convergeStrict', 'stream'] as const)(
    '%s: the wait is answered, and the join fires once',
    (mode) => {
      expect(endings(graph(mode), answers)).toEqual(['completed: A*3 J P*2 S W Z']);
    },
  );

  test('converge waits for the branch that loops', () => {
    const slow = { A: ['Again', 'Again'], P: WAITS };
    expect(endings(graph('converge'), slow)).toEqual(['completed: A*3 J P*2 S W Z']);
  });
});

describe('5865: joins inside loops', () => {
  const lines = ['S -> F -> A, D', 'D:Yes -> B', 'A, B -> J', 'J:Again -> F', 'J -> Z'];
  const answers = { D: ['Yes', 'No', 'Yes'], J: ['Again', 'Again'] };

  test.each(['converge', 'stream'] as const)(
    '%s fires once in each pass, whatever was taken',
    (mode) => {
      // With stream a slow D of the pass before may take the answer: as many say yes.
      expect(endings(chart(lines, { J: mode }), answers)).toEqual([
        'completed: A*3 B*2 D*3 F*3 J*3 S Z',
      ]);
    },
  );

  test('merge fires where both came, and stalls where one did not', () => {
    expect(endings(chart(lines, { J: 'merge' }), answers)).toEqual([
      'stalled: A*2 B D*2 F*2 J S | J lacks B:Done->J',
    ]);
  });
});

describe('5487: a join that many come to at the same time', () => {
  const lines = ['S -> A, B, C, D, E -> J -> Z'];
  const all = { A: WAITS, B: WAITS, C: WAITS, D: WAITS, E: WAITS };

  test.each(['converge', 'merge', 'convergeStrict', 'stream'] as const)('%s: once', (mode) => {
    expect(endings(chart(lines, { J: mode }), all)).toEqual(['completed: A B C D E J S Z']);
  });

  test('race: once', () => {
    expect(endings(chart(lines, { J: 'race' }), all, 'S J Z')).toEqual(['completed: J S Z']);
  });
});

test('4703: a race in an item of a for-each lets the other items be, also in a loop', () => {
  const body = ['A -> B, W -> R', 'R:Again -> A', 'R -> C'];
  const graph = chart(['S -> L -> Z'], { L: forEach([1, 2], body, { R: 'race' }) });
  const answers = { 'L/R': ['Again', 'Again'], 'L/W': WAITS };
  expect(endings(graph, answers, 'S L L/A L/C L/R Z')).toEqual([
    'completed: L L/A*4 L/C*2 L/R*4 S Z',
  ]);
});

describe('4443, 4777, 4889: after a decision nobody waits for what was not taken', () => {
  const graph = chart(['S -> D', 'D:Yes -> A', 'D:No -> B', 'A, B -> E -> Z']);

  test('by default', () => {
    expect(endings(graph, { D: 'Yes' })).toEqual(['completed: A D E S Z']);
    expect(endings(graph, { D: 'No', B: WAITS })).toEqual(['completed: B D E S Z']);
    expect(endings(graph, { D: 'Yes, No', B: WAITS })).toEqual(['completed: A B D E S Z']);
  });
});

test('6955: both outcomes of a decision lead to one activity, one of them on a detour', () => {
  const graph = chart(['S -> D', 'D:Yes -> E', 'D:No -> B -> E', 'E -> Z']);
  expect(endings(graph, { D: 'Yes' })).toEqual(['completed: D E S Z']);
  expect(endings(graph, { D: 'No' })).toEqual(['completed: B D E S Z']);
  expect(endings(graph, { D: 'Yes, No' })).toEqual(['completed: B D E S Z']);
});

test('6985, 7006: who wants all waits for all, and who wants the active waits for those', () => {
  const lines = ['S -> A, B, D', 'D:Yes -> C', 'A, B, C -> J -> Z'];
  const slow = { D: 'No', B: WAITS };
  expect(endings(chart(lines, { J: 'merge' }), slow)).toEqual([
    'stalled: A B D S | J lacks C:Done->J',
  ]);
  expect(endings(chart(lines, { J: 'converge' }), slow)).toEqual(['completed: A B D J S Z']);
});

test('6644: the first approver wins, and the others are not asked any more', () => {
  const graph = chart(['S -> Ann, Bob, Cid -> Pay -> Z'], { Pay: 'race' });
  const people = { Ann: WAITS, Bob: WAITS, Cid: WAITS };
  expect(endings(graph, people, 'S Pay Z')).toEqual(['completed: Pay S Z']);
  const winners = endings(graph, people, 'Ann Bob Cid').map((told) => told.split(' ')[1]);
  expect(new Set(winners)).toEqual(new Set(['Ann', 'Bob', 'Cid']));
});

describe('the toy model', () => {
  const EVERY = ['converge', 'merge', 'convergeStrict', 'race', 'stream'] as const;

  test.each(EVERY)('two outcomes of one completion to one target: %s runs it once', (mode) => {
    const graph = chart(['S -> D', 'D:True, D:False -> C -> Z'], { C: mode });
    expect(endings(graph, { D: 'True, False' })).toEqual(['completed: C D S Z']);
  });

  test('two outcomes of one completion are two arrivals, and cascade runs for each', () => {
    const graph = chart(['S -> D', 'D:True, D:False -> C -> Z'], { C: 'cascade' });
    expect(endings(graph, { D: 'True, False' })).toEqual(['completed: C*2 D S Z*2']);
  });

  test.each(EVERY)('two outcomes to one target, and a branch beside: %s', (mode) => {
    const graph = chart(['S -> D, B', 'D:True, D:False, B -> C -> Z'], { C: mode });
    expect(endings(graph, { D: 'True, False', B: WAITS }, 'S C Z')).toEqual(['completed: C S Z']);
  });

  const unequal = ['S -> A -> C', 'S -> B1 -> B2 -> B3 -> C', 'C -> Z'];

  test.each(['converge', 'merge', 'convergeStrict', 'stream'] as const)(
    'branches of length 1 and 3: %s runs the target once',
    (mode) => {
      const graph = chart(unequal, { C: mode });
      expect(endings(graph)).toEqual(['completed: A B1 B2 B3 C S Z']);
      expect(endings(graph, { B2: WAITS })).toEqual(['completed: A B1 B2 B3 C S Z']);
    },
  );

  test('branches of length 1 and 3: race once, cascade twice', () => {
    expect(endings(chart(unequal, { C: 'race' }), {}, 'S C Z')).toEqual(['completed: C S Z']);
    expect(endings(chart(unequal, { C: 'cascade' }))).toEqual(['completed: A B1 B2 B3 C*2 S Z*2']);
  });

  const diamond = ['S -> D', 'D:Yes -> A -> E', 'D:No -> B -> E', 'E -> Z'];

  test.each(['converge', 'race', 'stream', 'cascade'] as const)('XOR diamond: %s', (mode) => {
    expect(endings(chart(diamond, { E: mode }), { D: 'No' })).toEqual(['completed: B D E S Z']);
  });

  test.each(['merge', 'convergeStrict'] as const)('XOR diamond: %s stalls', (mode) => {
    expect(endings(chart(diamond, { E: mode }), { D: 'No' })).toEqual([
      'stalled: B D S | E lacks A:Done->E',
    ]);
  });

  test('11.2, rule 6: a slow loser of a stream comes when the target is long over', () => {
    const graph = chart(['S -> A -> T -> U -> Z', 'S -> W1 -> W2 -> T'], { T: 'stream' });
    expect(endings(graph, { W1: WAITS, W2: WAITS })).toEqual(['completed: A S T U W1 W2 Z']);
  });
});

describe('traps', () => {
  test('an ancestor that also feeds a way that is not raced is not cancelled', () => {
    const graph = chart(['S -> A, P -> R -> Z', 'P -> Q'], { R: 'race' });
    expect(endings(graph, { P: WAITS }, 'S P Q R Z')).toEqual(['completed: P Q R S Z']);
  });

  test('but what it leads to is, once it leads nowhere else', () => {
    const graph = chart(['S -> A -> R -> Z', 'S -> P -> P2 -> R', 'P -> Q'], { R: 'race' });
    expect(endings(graph, { P: WAITS, P2: WAITS }, 'S P Q R Z')).toEqual(['completed: P Q R S Z']);
    const losers = endings(graph, { P2: WAITS }, 'P2').map((told) => told.split(' (')[0]);
    expect(new Set(losers)).toEqual(new Set(['completed: ', 'completed: P2']));
  });

  test('nobody outside is cancelled by a race inside', () => {
    const inside = nested(['A -> B, C -> R'], { R: 'race' });
    const graph = chart(['S -> N, W -> J -> Z'], { N: inside });
    expect(endings(graph, { W: WAITS }, 'S J N N/R W Z')).toEqual(['completed: J N N/R S W Z']);
  });

  test('it is decided for the target, not for each connection', () => {
    const graph = chart(['S -> A', 'A:X -> B', 'A:X, A:Y, B -> C -> Z']);
    expect(endings(graph, { A: 'X, Y', B: WAITS })).toEqual(['completed: A B C S Z']);
  });
});
