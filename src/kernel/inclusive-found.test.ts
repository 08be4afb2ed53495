/** What the cases and laws of inclusive joins brought to light: each as a small story. */
import { expect, test } from 'vitest';
import { type Case, many, tryCases } from '../testing/meetings.ts';
import { answerAt, birthsAt, either, play } from '../testing/play.ts';
import { draw, Story } from '../testing/story.ts';

const fork = { kind: 'fork' };
const join = { kind: 'join' };
const inclusive = { kind: 'inclusive' };
const end = { kind: 'end' };

// Seed 4506: what the join took had come through two forks, and only their common groups heard.
test('a join that leads nowhere ends members of several groups, and each group hears of it', () => {
  const story = new Story(
    draw(
      ['s -> f', 's -> g', 'f -> A -> i', 'f -> X -> j', 'f -> Y -> j', 'g -> B -> i', 'g -> C'],
      {
        f: fork,
        g: fork,
        i: inclusive,
        j: join,
      },
    ),
  );
  story.start();
  answerAt(story, ['X', 'Y', 'C', 'A', 'B']);
  expect(story.head.stalled).toBe(null);
  expect(story.head.status).toBe('completed');
});

/** `o` forks into `f` and C, which meet at `j`; what lies between `f` and `j` must not matter. */
const outer = { o: fork, f: fork, i: inclusive, j: join, gone: end };

const groups: Readonly<Record<string, Case>> = {
  'a diamond in a branch keeps the group when the other branch has died': {
    lines: [
      'o -> f',
      'f -> d',
      'd -> A -> i',
      'd -> B -> i',
      'i -> k',
      'f -> D -> c',
      'c -> k',
      'c -> gone',
      'k -> j',
      'o -> C -> j',
      'j -> Z',
    ],
    nodes: { ...outer, k: join, d: many('d', 'A', 'B'), c: either('c', 'k', 'gone', () => false) },
    takes: 'A B',
    ran: 'A B C D Z',
    fired: { i: [2], j: [2], k: [1] },
  },
  'a fork whose branches meet inclusively is over when one of two has died': {
    lines: [
      'o -> f',
      'f -> A -> i',
      'f -> B -> c',
      'c -> i',
      'c -> gone',
      'i -> j',
      'o -> C -> j',
      'j -> Z',
    ],
    nodes: { ...outer, c: either('c', 'i', 'gone', () => false) },
    ran: 'A B C Z',
    fired: { i: [1], j: [2] },
  },
  'a fork whose branches meet inclusively is over though a third goes elsewhere': {
    lines: [
      'o -> f',
      'f -> A -> i',
      'f -> B -> i',
      'f -> D -> gone',
      'i -> j',
      'o -> C -> j',
      'j -> Z',
    ],
    nodes: outer,
    ran: 'A B C D Z',
    fired: { i: [2], j: [2] },
  },
};

tryCases('groups beyond an inclusive join', groups);

test('how long a stride may be does not decide how often a join fires', () => {
  const drawing = draw(['s -> m -> i', 's -> p -> c', 'c -> m', 'c -> n', 'n -> i', 'i -> Z'], {
    c: either('c', 'm', 'n', () => false),
    i: inclusive,
  });
  const times = [1_000, 3].map((MOVES_PER_COMMIT) => {
    const story = new Story(drawing, { limits: { MOVES_PER_COMMIT } });
    story.start();
    play(story, (tokens) => tokens[0]);
    return birthsAt(story, 'Z');
  });
  expect(times).toEqual([1, 1]);
});
