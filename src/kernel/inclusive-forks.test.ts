/** Inclusive joins beside the other ways in which tokens part and meet: forks and regions. */
import { expect, test } from 'vitest';
import { type Case, count, fewer, many, tryCases } from '../testing/meetings.ts';
import { answerAt, birthsAt, either, tokensAt } from '../testing/play.ts';
import { draw, Story } from '../testing/story.ts';

const fork = { kind: 'fork' };
const join = { kind: 'join' };
const inclusive = { kind: 'inclusive' };
const end = { kind: 'end' };
const boxed = { in: 'box' };

/** An inclusive choice of two arms. */
const pair = ['d -> A -> i', 'd -> B -> i'];
const pairOf = { d: many('d', 'A', 'B'), i: inclusive };

const forks: Readonly<Record<string, Case>> = {
  'a parallel fork into an inclusive join': {
    lines: ['f -> A -> i', 'f -> B -> i', 'f -> C -> i', 'i -> Z'],
    nodes: { f: fork, i: inclusive },
    ran: 'A B C Z',
    fired: { i: [3] },
  },
  'a parallel fork of which one branch dies before the inclusive join': {
    lines: ['f -> A -> c', 'c -> i', 'c -> gone', 'f -> B -> i', 'f -> C -> i', 'i -> Z'],
    nodes: { f: fork, c: either('c', 'i', 'gone', () => false), gone: end, i: inclusive },
    ran: 'A B C Z',
    fired: { i: [2] },
  },
  'an inclusive choice into a parallel join: without a group each token passes alone': {
    lines: ['d -> A -> j', 'd -> B -> j', 'd -> C -> j', 'j -> Z'],
    nodes: { d: many('d', 'A', 'B', 'C'), j: join },
    takes: 'A B',
    ran: 'A B Z Z',
    fired: {},
  },
  'an inclusive choice in a branch: its tokens are members, and the parallel join waits': {
    lines: ['f -> d', 'd -> A -> j', 'd -> B -> j', 'f -> C -> j', 'j -> Z'],
    nodes: { f: fork, d: many('d', 'A', 'B'), j: join },
    takes: 'A B',
    ran: 'A B C Z',
    fired: { j: [3] },
  },
  'a diamond in one branch of a fork keeps the group, and the outer join fires once': {
    lines: ['f -> d', ...pair, 'i -> j', 'f -> C -> j', 'j -> Z'],
    nodes: { ...pairOf, f: fork, j: join },
    takes: 'A B',
    ran: 'A B C Z',
    fired: { i: [2], j: [2] },
  },
  'a fork in a branch that an inclusive join ends: the outer join fires once': {
    lines: ['o -> f', 'f -> A -> i', 'f -> B -> i', 'i -> j', 'o -> C -> j', 'j -> Z'],
    nodes: { o: fork, f: fork, i: inclusive, j: join },
    ran: 'A B C Z',
    fired: { i: [2], j: [2] },
  },
  'two of three branches meet before the third: the parallel join still waits for all': {
    lines: ['f -> A -> i', 'f -> B -> i', 'i -> D -> j', 'f -> C -> j', 'j -> Z'],
    nodes: { f: fork, i: inclusive, j: join },
    ran: 'A B C D Z',
    fired: { i: [2], j: [2] },
  },
  'an inclusive join behind a parallel one waits for what that still holds': {
    lines: ['d -> f', 'f -> A -> j', 'f -> B -> j', 'j -> i', 'd -> C -> i', 'i -> Z'],
    nodes: { d: many('d', 'f', 'C'), f: fork, j: join, i: inclusive },
    takes: 'f C',
    ran: 'A B C Z',
    fired: { i: [2], j: [2] },
  },
  'two joins side by side, fed by one fork, go on each for itself': {
    lines: ['f -> A -> i', 'f -> B -> i', 'f -> C -> k', 'f -> D -> k', 'i -> Y', 'k -> Z'],
    nodes: { f: fork, i: inclusive, k: inclusive },
    ran: 'A B C D Y Z',
    fired: { i: [2], k: [2] },
  },
  'two joins that share a branch both wait for it': {
    lines: ['f -> A -> i', 'f -> B -> i', 'B -> k', 'f -> C -> k', 'i -> Y', 'k -> Z'],
    nodes: { f: fork, i: inclusive, k: inclusive },
    ran: 'A B C Y Z',
    fired: { i: [2], k: [2] },
  },
  'parallel: a loop in one branch is waited for until it ends': {
    lines: ['f -> A -> n -> c', 'c -> A', 'c -> j', 'f -> B -> j', 'j -> Z'],
    nodes: { f: fork, j: join, n: count, c: either('c', 'A', 'j', fewer(3)) },
    ran: 'A A A B Z',
    fired: { j: [2] },
  },
  'parallel: a join behind a join': {
    lines: ['f -> g', 'g -> A -> k', 'g -> B -> k', 'k -> j', 'f -> C -> j', 'j -> Z'],
    nodes: { f: fork, g: fork, k: join, j: join },
    ran: 'A B C Z',
    fired: { j: [2], k: [2] },
  },
  'parallel: a token that dies is waited for no longer': {
    lines: ['f -> A -> c', 'c -> j', 'c -> gone', 'f -> B -> j', 'f -> C -> j', 'j -> Z'],
    nodes: { f: fork, c: either('c', 'j', 'gone', () => false), gone: end, j: join },
    ran: 'A B C Z',
    fired: { j: [2] },
  },
};

const tried = { kind: 'try', settings: { body: 's', done: 'box->i', caught: 'box->gone' } };

const regions: Readonly<Record<string, Case>> = {
  'an arm that is a region: whoever owns it is waited for': {
    lines: ['d -> box -> i', 'd -> A -> i', 'i -> Z', 'P -> Q'],
    nodes: {
      d: many('d', 'box', 'A'),
      box: { kind: 'scope', settings: { body: 'P' } },
      P: { kind: 'step', ...boxed },
      Q: { kind: 'step', ...boxed },
      i: inclusive,
    },
    takes: 'box A',
    ran: 'A P Q Z',
    fired: { i: [2] },
  },
  'an arm that is a race: the losers are cancelled, and the join hears of one token': {
    lines: ['d -> box -> i', 'd -> A -> i', 'i -> Z', 's -> P -> w', 's -> Q -> w'],
    nodes: {
      d: many('d', 'box', 'A'),
      box: { kind: 'scope', settings: { body: 's' } },
      s: { kind: 'pass', ...boxed },
      P: { kind: 'step', ...boxed },
      Q: { kind: 'step', ...boxed },
      w: { kind: 'win', ...boxed },
      i: inclusive,
    },
    takes: 'box A',
    ran: 'A P Q Z',
    fired: { i: [2] },
  },
  'an arm in which a fault is caught and leads away is waited for no longer': {
    lines: ['d -> box -> i', 'box -> gone', 'd -> A -> i', 'i -> Z', 's -> P -> bad', 's -> Q'],
    nodes: {
      d: many('d', 'box', 'A'),
      box: tried,
      s: { kind: 'pass', ...boxed },
      P: { kind: 'step', ...boxed },
      Q: { kind: 'step', ...boxed },
      bad: { kind: 'fail', settings: { error: 'bad' }, ...boxed },
      gone: end,
      i: inclusive,
    },
    takes: 'box A',
    ran: 'A P Q Z',
    fired: { i: [1] },
  },
  'a fault in a region ends the tokens at the join that lies in it': {
    lines: [
      'box -> i',
      'box -> gone',
      'gone -> Z',
      's -> P -> k',
      's -> Q -> c',
      'c -> k',
      'c -> bad',
    ],
    nodes: {
      box: tried,
      s: { kind: 'pass', ...boxed },
      P: { kind: 'step', ...boxed },
      Q: { kind: 'step', ...boxed },
      k: { ...inclusive, ...boxed },
      c: { ...either('c', 'k', 'bad', () => false), ...boxed },
      bad: { kind: 'fail', settings: { error: 'bad' }, ...boxed },
    },
    ran: 'P Q Z',
    fired: {},
  },
  'one join in two open scopes of a region fires in each for itself': {
    lines: ['s -> box', 's -> m', 'm -> box', 'box -> Z', 'd -> A -> i', 'd -> B -> i', 'i -> C'],
    nodes: {
      box: { kind: 'scope', settings: { body: 'd' } },
      d: { ...many('d', 'A', 'B'), ...boxed },
      A: { kind: 'step', ...boxed },
      B: { kind: 'step', ...boxed },
      i: { ...inclusive, ...boxed },
      C: { kind: 'step', ...boxed },
    },
    takes: 'A B',
    ran: 'A A B B C C Z Z',
    fired: { i: [2, 2] },
  },
};

tryCases('forks and groups', forks);
tryCases('regions', regions);

test('what happens in a region holds nobody back if whoever owns it cannot come', () => {
  const story = new Story(
    draw(['s -> box -> gone', 's -> A -> i', 's -> c', 'c -> i', 'c -> gone', 'i -> Z', 'P -> Q'], {
      box: { kind: 'scope', settings: { body: 'P' } },
      P: { kind: 'step', ...boxed },
      Q: { kind: 'step', ...boxed },
      c: either('c', 'i', 'gone', () => false),
      i: inclusive,
      gone: end,
    }),
  );
  story.start();
  answerAt(story, ['A']);
  expect(tokensAt(story, 'P')).toHaveLength(1);
  expect(tokensAt(story, 'Z')).toHaveLength(1);
});

test('a join waits for nobody in another open scope of the same region', () => {
  const story = new Story(
    draw(['s -> box', 's -> m', 'm -> box', 'n -> d', 'd -> A -> i', 'd -> B -> i', 'i -> C'], {
      box: { kind: 'scope', settings: { body: 'n' } },
      n: { ...count, settings: { in: 'instance' }, ...boxed },
      d: { ...either('d', 'A', 'B', fewer(2)), ...boxed },
      A: { kind: 'step', ...boxed },
      B: { kind: 'step', ...boxed },
      i: { ...inclusive, ...boxed },
      C: { kind: 'step', ...boxed },
    }),
  );
  story.start();
  answerAt(story, ['A']);
  expect(tokensAt(story, 'B')).toHaveLength(1);
  expect(tokensAt(story, 'C')).toHaveLength(1);
});

test('whoever wins a race ends the tokens at a join beside it', () => {
  const story = new Story(
    draw(['box -> Z', 's -> A -> i', 's -> B -> i', 'i -> C', 's -> W -> w'], {
      box: { kind: 'scope', settings: { body: 's' } },
      s: { kind: 'pass', ...boxed },
      A: { kind: 'step', ...boxed },
      B: { kind: 'step', ...boxed },
      C: { kind: 'step', ...boxed },
      W: { kind: 'step', ...boxed },
      w: { kind: 'win', ...boxed },
      i: { ...inclusive, ...boxed },
    }),
  );
  story.start();
  answerAt(story, ['A', 'W']);
  expect(story.instance.merging.size).toBe(0);
  answerAt(story, ['Z']);
  expect(story.head.status).toBe('completed');
  expect(birthsAt(story, 'C')).toBe(0);
});
