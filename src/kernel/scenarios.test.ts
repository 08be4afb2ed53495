/** The acceptance scenarios that the kernel answers for, each in every order of answers. */
import { describe, expect, test } from 'vitest';
import { canonicalJson, type Json } from '../base/json.ts';
import type { HistoryRow } from '../model/commit.ts';
import {
  answerAt,
  birthsAt,
  either,
  firingsOf,
  type Order,
  ORDERS,
  play,
  tokensAt,
} from '../testing/play.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { fold } from './fold.ts';
import { rowsOf } from './instance.ts';

const fork = { kind: 'fork' };
const join = { kind: 'join' };
const end = { kind: 'end', settings: { output: 'results' } };

const everyOrder = Object.entries(ORDERS);

/** Runs a drawing until nothing can be answered any more. */
function played(drawing: Drawing, order: () => Order, input: Json = null): Story {
  const story = new Story(drawing, { key: 'k' });
  story.start(input);
  play(story, order());
  return story;
}

/** Fork 3; in one branch a nested fork 2 with its own join, in another an exclusive choice. */
const nested = draw(
  [
    'f -> A -> j',
    'f -> g',
    'g -> B -> k',
    'g -> C -> k',
    'k -> D -> j',
    'f -> c',
    'c -> X -> m',
    'c -> Y -> m',
    'm -> j',
    'j -> end',
  ],
  {
    f: fork,
    g: fork,
    j: join,
    k: join,
    c: either('c', 'X', 'Y', ({ input }) => input === 'x'),
    end,
  },
);

describe('scenario 6: a fork with a fork in one branch and a choice in another joins once', () => {
  function check(story: Story, taken: string, left: string): void {
    expect(story.head.status).toBe('completed');
    expect([firingsOf(story, 'k'), firingsOf(story, 'j')]).toEqual([1, 1]);
    expect([birthsAt(story, 'end'), birthsAt(story, left)]).toEqual([1, 0]);
    const results = Object.keys(story.head.output as object);
    expect(results.sort()).toEqual(['A', 'B', 'C', 'D', taken].sort());
  }

  test.each(everyOrder)('by the one way of the choice, in %s', (_, order) => {
    check(played(nested, order, 'x'), 'X', 'Y');
  });

  test.each(everyOrder)('by the other way of the choice, in %s', (_, order) => {
    check(played(nested, order, 'y'), 'Y', 'X');
  });
});

describe('scenario 7: two forks into one join', () => {
  const shared = draw(
    [
      'f -> g -> A -> j',
      'g -> B -> j',
      'f -> h -> C -> j',
      'h -> D -> j',
      'j -> E -> o',
      'f -> Z -> o',
      'o -> end',
    ],
    { f: fork, g: fork, h: fork, j: join, o: join, end },
  );

  test.each(everyOrder)(
    'it fires once per group, each firing takes off its own, in %s',
    (_, order) => {
      const story = played(shared, order);
      expect(story.head.status).toBe('completed');
      expect([firingsOf(story, 'j'), birthsAt(story, 'E')]).toEqual([2, 2]);
      // What comes out carries the outer group again, so the outer join waits for both and for Z.
      expect([firingsOf(story, 'o'), birthsAt(story, 'end')]).toEqual([1, 1]);
    },
  );

  const apart = draw(
    ['f -> A -> c', 'f -> B -> d', 'c -> j', 'c -> k', 'd -> j', 'd -> k', 'j -> x', 'k -> x'],
    {
      f: fork,
      j: join,
      k: join,
      c: either('c', 'j', 'k', () => true),
      d: either('d', 'j', 'k', () => false),
    },
  );

  test.each(everyOrder)('members parked at different joins end stalled, in %s', (_, order) => {
    const story = played(apart, order);
    expect(story.head.status).toBe('running');
    expect(story.head.stalled?.joins.map(({ node }) => node)).toEqual(['j', 'k']);
    expect([firingsOf(story, 'j'), firingsOf(story, 'k')]).toEqual([0, 0]);
  });
});

describe('scenario 8: a branch that does not reach the join', () => {
  const early = draw(
    ['f -> A -> j', 'f -> B -> c', 'c -> j', 'c -> stop', 'f -> C -> j', 'j -> D -> end'],
    { f: fork, j: join, c: either('c', 'j', 'stop', () => false), stop: { kind: 'end' }, end },
  );

  test.each(everyOrder)('ends early and is not waited for, in %s', (_, order) => {
    const story = played(early, order);
    expect(story.head.status).toBe('completed');
    expect([firingsOf(story, 'j'), birthsAt(story, 'D')]).toEqual([1, 1]);
  });

  const lines = ['f -> g', 'g -> A -> k', 'g -> B -> stop', 'k -> j', 'f -> C -> j', 'j -> end'];
  const nodes = { f: fork, g: fork, j: join, k: join, end };

  test.each(everyOrder)(
    'ends early in a fork of its own, and both joins fire, in %s',
    (_, order) => {
      const story = played(draw([...lines, 'g -> E -> k'], nodes), order);
      expect(story.head.status).toBe('completed');
      expect([firingsOf(story, 'k'), firingsOf(story, 'j')]).toEqual([1, 1]);
    },
  );

  test.each(everyOrder)('goes to the join of another fork and stalls there, in %s', (_, order) => {
    // E brings the outer group to the inner join and waits there for members that come to j.
    const story = played(draw([...lines, 'f -> E -> k'], nodes), order);
    expect(story.head.status).toBe('running');
    expect(story.head.stalled?.joins.map(({ node }) => node)).toEqual(['j', 'k']);
  });

  test.each([[[]], [['A']], [['C']], [['A', 'C']]])(
    'B-39: fails after %j, so the instance fails and the join never fires',
    (before: readonly string[]) => {
      const story = new Story(early);
      story.start();
      answerAt(story, before);
      for (const token of tokensAt(story, 'B')) story.fail(token, 'no.stock');
      const fault = { code: 'no.stock', node: 'B' };
      expect(story.head).toMatchObject({ status: 'failed', fault });
      expect(firingsOf(story, 'j')).toBe(0);
      expect([story.instance.tokens.size, story.instance.gatherings.size]).toEqual([0, 0]);
    },
  );
});

describe('scenario 25: a join that can never fire', () => {
  const dead = draw(
    ['f -> A -> c', 'c -> j', 'c -> k', 'f -> B -> j', 'f -> C -> k', 'j -> x', 'k -> x'],
    { f: fork, j: join, k: join, c: either('c', 'j', 'k', () => true) },
  );

  test.each(everyOrder)('reports stalled with its missing edges, in %s', (_, order) => {
    const { status, stalled } = played(dead, order).head;
    expect(status).toBe('running');
    expect(stalled?.reason).toBe('join');
    expect(stalled?.joins.map(({ node, missing }) => ({ node, missing }))).toEqual([
      { node: 'j', missing: [] },
      { node: 'k', missing: ['c->k'] },
    ]);
    expect(stalled?.joins.flatMap(({ arrived }) => arrived)).toHaveLength(3);
  });
});

/** Everything at once: nested forks, a repeat, a scope, a sleep, a wait and a choice. */
const everything = draw(
  [
    'f -> A -> g',
    'g -> B -> k',
    'g -> nap -> k',
    'k -> j',
    'f -> again -> j',
    'f -> ask -> c',
    'c -> j',
    'c -> box -> j',
    'j -> end',
    'In -> note',
  ],
  {
    f: fork,
    g: fork,
    k: join,
    j: join,
    nap: { kind: 'sleep', settings: { ms: 1_000 } },
    again: { kind: 'repeat', settings: { body: 'Try', check: 'times', times: 3 } },
    Try: { kind: 'step', in: 'again' },
    ask: { kind: 'wait', settings: { event: 'go', timeoutMs: 9_000 } },
    c: either('c', 'box', 'j', () => true),
    box: { kind: 'scope', settings: { body: 'In', promote: true } },
    In: { kind: 'step', in: 'box' },
    note: {
      kind: 'set',
      settings: { in: 'instance' },
      in: 'box',
      code: { value: () => ({ n: 1 }) },
    },
    end,
  },
);

describe('scenario 26: history, replayed, is the live state, and its numbers have no gaps', () => {
  function expectReplayed({ instance, history }: Story): void {
    expect(history.map(({ n }) => n)).toEqual(history.map((_, index) => index + 1));
    // What a store gives back is text, decoded.
    const stored = JSON.parse(JSON.stringify(history)) as HistoryRow[];
    const folded = rowsOf(fold(instance.head.id, stored));
    expect(canonicalJson(folded as unknown as Json)).toBe(
      canonicalJson(rowsOf(instance) as unknown as Json),
    );
  }

  test.each(everyOrder)('B-100 B-101: after every commit, in %s', (_, order) => {
    const story = new Story(everything, { key: 'k', limits: { MOVES_PER_COMMIT: 3 } });
    story.start();
    const pick = order();
    play(story, (tokens) => {
      expectReplayed(story);
      return pick(tokens);
    });
    expectReplayed(story);
    expect(story.head.status).toBe('completed');
    expect(story.history.length).toBeGreaterThan(8);
  });
});
