import { describe, expect, test } from 'vitest';
import { answerAt, birthsAt, either, firingsOf, ORDERS, play, tokensAt } from '../testing/play.ts';
import { draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';
import { assemble, latchesOf, rowsOf } from './instance.ts';

const fork = { kind: 'fork' };
const join = { kind: 'join' };
const end = { kind: 'end' };

describe('B-40: a fork in a loop has a group of its own in every pass and joins in each', () => {
  const passes = 4;
  const unstructured = draw(
    ['m -> f', 'f -> A -> j', 'f -> B -> j', 'j -> n -> c', 'c -> m', 'c -> end'],
    {
      f: fork,
      j: join,
      n: {
        kind: 'set',
        code: { value: ({ vars }) => ({ n: Number(vars['n'] ?? 0) + 1 }) },
      },
      c: either('c', 'm', 'end', ({ vars }) => Number(vars['n']) < passes),
      end,
    },
  );
  const structured = draw(['again -> end', 'f -> A -> j', 'f -> B -> j'], {
    again: { kind: 'repeat', settings: { body: 'f', check: 'times', times: passes } },
    f: { kind: 'fork', in: 'again' },
    j: { kind: 'join', in: 'again' },
    A: { kind: 'step', in: 'again' },
    B: { kind: 'step', in: 'again' },
    end,
  });
  for (const [shape, drawing] of Object.entries({
    'an edge that leads back': unstructured,
    'a repeat': structured,
  })) {
    for (const [name, order] of Object.entries(ORDERS)) {
      test(`${shape}, ${name}`, () => {
        const story = new Story(drawing);
        story.start();
        play(story, order());
        expect(story.head.status).toBe('completed');
        expect(firingsOf(story, 'j')).toBe(passes);
        expect(birthsAt(story, 'A')).toBe(passes);
        expect(birthsAt(story, 'end')).toBe(1);
      });
    }
  }
});

describe('a branch keeps its group through what lies in it (defect 1d.4)', () => {
  const branches: Readonly<
    Record<string, readonly [readonly string[], Parameters<typeof draw>[1]]>
  > = {
    'an exclusive choice and its merge': [
      ['f -> c', 'c -> A -> m', 'c -> B -> m', 'm -> j'],
      { c: either('c', 'A', 'B', () => true) },
    ],
    'a fork and its own join': [
      ['f -> g', 'g -> A -> k', 'g -> B -> k', 'k -> j'],
      { g: fork, k: join },
    ],
    'a repeat': [
      ['f -> again -> j'],
      {
        again: { kind: 'repeat', settings: { body: 'A', check: 'times', times: 2 } },
        A: { kind: 'step', in: 'again' },
      },
    ],
    'a scope': [
      ['f -> box -> j'],
      {
        box: { kind: 'scope', settings: { body: 'A' } },
        A: { kind: 'step', in: 'box' },
      },
    ],
  };
  for (const [name, [lines, nodes]] of Object.entries(branches)) {
    test(name, () => {
      for (const order of Object.values(ORDERS)) {
        const story = new Story(
          draw([...lines, 'f -> Z -> j', 'j -> end'], { f: fork, j: join, end, ...nodes }),
        );
        story.start();
        play(story, order());
        expect(story.head.status).toBe('completed');
        expect(firingsOf(story, 'j')).toBe(1);
        expect(birthsAt(story, 'end')).toBe(1);
      }
    });
  }
});

test('the same join in two open scopes of one region fires in each on its own', () => {
  const inside = { in: 'box' };
  const story = new Story(
    draw(['f -> a -> box', 'f -> b -> box', 'box -> Z', 'g -> A -> j', 'g -> B -> j'], {
      f: fork,
      box: { kind: 'scope', settings: { body: 'g' } },
      g: { ...fork, ...inside },
      j: { ...join, ...inside },
      A: { kind: 'step', ...inside },
      B: { kind: 'step', ...inside },
    }),
  );
  story.start();
  const [first = 0, second = 0] = tokensAt(story, 'A');
  const [third = 0, fourth = 0] = tokensAt(story, 'B');
  story.done(first);
  story.done(fourth);
  expect(firingsOf(story, 'j')).toBe(0);
  story.done(second);
  expect(tokensAt(story, 'Z')).toHaveLength(1);
  story.done(third);
  expect(firingsOf(story, 'j')).toBe(2);
  expect(tokensAt(story, 'Z')).toHaveLength(2);
});

const nested = { f: fork, g: fork, k: join, j: join };

test('an inner join that fires makes the outer one look again in the same stride', () => {
  const story = new Story(
    draw(['f -> g', 'g -> A -> k', 'g -> B -> k', 'k -> j', 'f -> C -> j', 'j -> D'], nested),
  );
  story.start();
  answerAt(story, ['C', 'A']);
  const [last = 0] = tokensAt(story, 'B');
  const told = story.done(last);
  expect(told.match(/^fire {3}latch (\w)/gm)).toEqual(['fire   latch k', 'fire   latch j']);
  expect(tokensAt(story, 'D')).toHaveLength(1);
});

test('a join without a way out counts as an end for the groups around it', () => {
  const story = new Story(
    draw(['f -> g', 'g -> A -> k', 'g -> B -> k', 'f -> C -> j', 'f -> D -> j', 'j -> E'], nested),
  );
  story.start();
  answerAt(story, ['C', 'D', 'A']);
  expect(tokensAt(story, 'E')).toEqual([]);
  answerAt(story, ['B']);
  expect(tokensAt(story, 'E')).toHaveLength(1);
});

const parting = { f: fork, j: join, k: join, c: either('c', 'j', 'k', () => true) };

/** Two branches of one fork that end up at two different joins. */
const apart = draw(
  ['f -> A -> c', 'f -> B -> d', 'c -> j', 'c -> k', 'd -> j', 'd -> k', 'j -> x', 'k -> y'],
  { ...parting, d: either('d', 'j', 'k', ({ input }) => input !== 'apart') },
);

describe('an instance in which nothing can move any more', () => {
  test('is stalled and says which joins hold whom and lack which edges', () => {
    const story = new Story(apart);
    story.start('apart');
    answerAt(story, ['A']);
    expect(story.head.stalled).toBe(null);
    const [last = 0] = tokensAt(story, 'B');
    expect(story.done(last)).toBe(text`
      claim  token 5 by w1
      write  scope 1 results {"B":null}
      birth  token 8 at d in 3
      end    token 5 done
      birth  token 9 at k waiting in 3
      open   latch k group 3
      end    token 8 done
      stall  j lacks d->j; k lacks c->k
    `);
    expect(story.head).toMatchObject({ status: 'running' });
    expect(story.head.stalled).toEqual({
      reason: 'join',
      joins: [
        { node: 'j', scope: 1, group: 3, arrived: [7], missing: ['d->j'] },
        { node: 'k', scope: 1, group: 3, arrived: [9], missing: ['c->k'] },
      ],
    });
  });

  test('is not stalled while anything sleeps, waits or can be worked on', () => {
    const story = new Story(
      draw(
        ['x -> f', 'x -> nap -> D', 'f -> c', 'f -> d', 'c -> j', 'c -> k', 'd -> j', 'd -> k'],
        {
          ...parting,
          d: either('d', 'j', 'k', () => false),
          nap: { kind: 'sleep', settings: { ms: 1 } },
        },
      ),
    );
    story.start();
    expect(story.head.stalled).toBe(null);
    for (const token of tokensAt(story, 'nap')) story.time(token);
    expect(story.head.stalled).toBe(null);
    answerAt(story, ['D']);
    expect(story.head.stalled?.joins.map(({ node }) => node)).toEqual(['j', 'k']);
  });

  test('is stalled too when the joins lie in a scope that someone waits for', () => {
    const inside = { in: 'box' };
    const story = new Story(
      draw(['box -> end', 'f -> j', 'f -> c', 'c -> j', 'c -> k', 'f -> k'], {
        box: { kind: 'scope', settings: { body: 'f' } },
        f: { ...fork, ...inside },
        j: { ...join, ...inside },
        k: { ...join, ...inside },
        c: { ...either('c', 'j', 'k', () => true), ...inside },
        end,
      }),
    );
    story.start();
    expect(story.head.stalled?.joins).toMatchObject([
      { node: 'j', scope: 3, missing: [] },
      { node: 'k', scope: 3, missing: ['c->k'] },
    ]);
  });

  test('is no longer stalled once something moves in it again', () => {
    const story = new Story(draw(['A -> B']));
    story.start();
    // No input of today's can free a stalled instance; an operator's will. Its row is made by hand.
    const { head, ...rows } = rowsOf(story.instance);
    const stalled = { reason: 'join', joins: [] } as const;
    story.instance = assemble({ ...rows, head: { ...head, stalled } });
    story.history.splice(
      0,
      1,
      ...story.history.map((row) => {
        return { ...row, changes: [...row.changes, { did: 'stall', stalled } as const] };
      }),
    );
    expect(story.done(2)).toContain('unstall');
    expect(story.head.stalled).toBe(null);
  });
});

test('tokens at a join that are cancelled take their latch with them', () => {
  const story = new Story(apart);
  story.start('together');
  answerAt(story, ['A']);
  expect(latchesOf(story.instance)).toHaveLength(1);
  for (const token of tokensAt(story, 'B')) story.fail(token);
  expect(latchesOf(story.instance)).toEqual([]);
  expect([story.instance.gatherings.size, story.instance.members.size]).toEqual([0, 0]);
  expect(firingsOf(story, 'j') + firingsOf(story, 'k')).toBe(0);
});

test('arrivals are found again after a reload: nothing about a join is kept in memory', () => {
  const story = new Story(apart);
  story.start('together');
  answerAt(story, ['A']);
  story.instance = assemble(rowsOf(story.instance));
  answerAt(story, ['B']);
  expect(firingsOf(story, 'j')).toBe(1);
  expect(story.head.status).toBe('completed');
});

describe('a fork wider than one chunk of a table holds its promises after every answer', () => {
  const width = 80;
  const wide = draw(
    ['j -> Last', ...Array.from({ length: width }, (_, i) => `f -> A${i} -> j`)].reverse(),
    { f: fork, j: join },
  );
  for (const [name, order] of Object.entries(ORDERS)) {
    test(name, () => {
      const story = new Story(wide);
      story.start();
      expect(story.instance.tokens.size).toBe(width);
      play(story, order());
      expect([firingsOf(story, 'j'), birthsAt(story, 'Last')]).toEqual([1, 1]);
      expect(story.head.status).toBe('completed');
    });
  }
});
