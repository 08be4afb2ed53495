/** Inclusive joins, drawn by hand: choices, loops, regions, and joins that wait for ever. */
import { expect, test } from 'vitest';
import { type Case, count, fewer, many, tryCases } from '../testing/meetings.ts';
import { answerAt, either, tokensAt, withoutCode } from '../testing/play.ts';
import { draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

const fork = { kind: 'fork' };
const join = { kind: 'join' };
const inclusive = { kind: 'inclusive' };
const end = { kind: 'end' };

/** A step in each of three arms, and one behind the join. */
const three = ['d -> A -> i', 'd -> B -> i', 'd -> C -> i', 'd -> o -> i', 'i -> Z'];
const threeOf = { d: many('d', 'A', 'B', 'C', 'o'), i: inclusive };

/** An inclusive choice of two arms. */
const pair = ['d -> A -> i', 'd -> B -> i'];
const pairOf = { d: many('d', 'A', 'B'), i: inclusive };

const choices: Readonly<Record<string, Case>> = {
  'one arm of three is taken, and its token passes alone': {
    lines: three,
    nodes: threeOf,
    takes: 'B',
    ran: 'B Z',
    fired: { i: [1] },
  },
  'two arms of three are taken, and the join waits for both': {
    lines: three,
    nodes: threeOf,
    takes: 'A C',
    ran: 'A C Z',
    fired: { i: [2] },
  },
  'all three arms are taken, and the join waits for all': {
    lines: three,
    nodes: threeOf,
    takes: 'A B C',
    ran: 'A B C Z',
    fired: { i: [3] },
  },
  'no arm holds, and the way for that leads to the join too': {
    lines: three,
    nodes: threeOf,
    ran: 'Z',
    fired: { i: [1] },
  },
  'a join without a way out ends what it takes, and with it the instance': {
    lines: pair,
    nodes: pairOf,
    takes: 'A B',
    ran: 'A B',
    fired: { i: [2] },
  },
  'arms that sleep or wait for a message are waited for like any other': {
    lines: ['d -> A -> i', 'd -> nap -> i', 'd -> mail -> i', 'i -> Z'],
    nodes: {
      d: many('d', 'A', 'nap', 'mail'),
      nap: { kind: 'sleep', settings: { ms: 5 } },
      mail: { kind: 'wait', settings: { event: 'mail' } },
      i: inclusive,
    },
    takes: 'A nap mail',
    ran: 'A Z',
    fired: { i: [3] },
  },
  'a path that leads away is dead once its token has gone there': {
    lines: ['d -> A -> c', 'c -> i', 'c -> Away', 'd -> B -> i', 'i -> Z'],
    nodes: { d: many('d', 'A', 'B'), c: either('c', 'i', 'Away', () => false), i: inclusive },
    takes: 'A B',
    ran: 'A Away B Z',
    fired: { i: [1] },
  },
  'a token that dies on its way is waited for no longer': {
    lines: ['d -> A -> c', 'c -> i', 'c -> gone', 'd -> B -> i', 'd -> C -> i', 'i -> Z'],
    nodes: {
      d: many('d', 'A', 'B', 'C'),
      c: either('c', 'i', 'gone', () => false),
      gone: end,
      i: inclusive,
    },
    takes: 'A B C',
    ran: 'A B C Z',
    fired: { i: [2] },
  },
  'an arm that never leads to the join is not waited for at all': {
    lines: ['d -> A -> gone', 'd -> B -> i', 'd -> C -> i', 'i -> Z'],
    nodes: { d: many('d', 'A', 'B', 'C'), gone: end, i: inclusive },
    takes: 'A B C',
    ran: 'A B C Z',
    fired: { i: [2] },
  },
  'two tokens by one edge: the younger one fires the join a second time': {
    lines: ['s -> A -> m', 's -> B -> m', 'm -> i', 's -> C -> i', 'i -> Z'],
    nodes: { i: inclusive },
    ran: 'A B C Z Z',
    fired: { i: [1, 2] },
  },
  'two tokens by one edge to a join that leads nowhere: neither is forgotten': {
    lines: ['s -> A -> m', 's -> B -> m', 'm -> i', 's -> C -> i'],
    nodes: { i: inclusive },
    ran: 'A B C',
    fired: { i: [1, 2] },
  },
  'diamonds one inside the other': {
    lines: ['d -> e', 'e -> A -> k', 'e -> B -> k', 'k -> i', 'd -> C -> i', 'i -> Z'],
    nodes: { d: many('d', 'e', 'C'), e: many('e', 'A', 'B'), k: inclusive, i: inclusive },
    takes: 'e A B C',
    ran: 'A B C Z',
    fired: { i: [2], k: [2] },
  },
  'a join behind a join waits for what the first still holds': {
    lines: ['d -> A -> i', 'd -> B -> i', 'i -> k', 'd -> C -> k', 'k -> Z'],
    nodes: { d: many('d', 'A', 'B', 'C'), i: inclusive, k: inclusive },
    takes: 'A B C',
    ran: 'A B C Z',
    fired: { i: [2], k: [2] },
  },
};

const loops: Readonly<Record<string, Case>> = {
  'a join at the head of a loop passes whoever comes, from before and from behind': {
    lines: ['s -> i -> A -> n -> c', 'c -> i', 'c -> Z'],
    nodes: { i: inclusive, n: count, c: either('c', 'i', 'Z', fewer(3)) },
    ran: 'A A A Z',
    fired: { i: [1, 1, 1] },
  },
  'a loop that begins with its join begins with whoever starts the instance': {
    lines: ['i -> A -> n -> c', 'c -> i', 'c -> b', 'b -> i', 'b -> Z'],
    nodes: {
      i: inclusive,
      n: count,
      c: either('c', 'i', 'b', fewer(2)),
      b: either('b', 'i', 'Z', fewer(3)),
    },
    ran: 'A A A Z',
    fired: { i: [1, 1, 1] },
  },
  'a loop in one arm is waited for until it ends': {
    lines: ['d -> A -> n -> c', 'c -> A', 'c -> i', 'd -> B -> i', 'i -> Z'],
    nodes: { ...pairOf, n: count, c: either('c', 'A', 'i', fewer(3)) },
    takes: 'A B',
    ran: 'A A A B Z',
    fired: { i: [2] },
  },
  'a loop around a whole diamond fires its join once in every pass': {
    lines: ['m -> d', ...pair, 'i -> n -> c', 'c -> m', 'c -> Z'],
    nodes: { ...pairOf, n: count, c: either('c', 'm', 'Z', fewer(3)) },
    takes: 'A B',
    ran: 'A A A B B B Z',
    fired: { i: [2, 2, 2] },
  },
  'one that could come to a filled edge only through the join itself is waited for': {
    lines: ['s -> A -> m', 's -> B -> m', 'm -> i', 'i -> n -> c', 'c -> i', 'c -> Z'],
    nodes: { i: inclusive, n: count, c: either('c', 'i', 'Z', fewer(2)) },
    ran: 'A B Z',
    fired: { i: [1, 2] },
  },
};

const VICIOUS = 'two joins, each of which the other could still lead to, wait for ever';

const stalls: Readonly<Record<string, Case>> = {
  [VICIOUS]: {
    lines: [
      's -> A -> i',
      's -> B -> k',
      'i -> p',
      'p -> k',
      'p -> Y',
      'k -> q',
      'q -> i',
      'q -> Z',
    ],
    nodes: { i: inclusive, k: inclusive },
    ran: 'A B',
    fired: {},
    lacks: { i: ['q->i'], k: ['p->k'] },
  },
  'three joins in a circle wait for ever': {
    lines: ['s -> A -> i', 's -> B -> k', 's -> C -> l', 'i -> k', 'k -> l', 'l -> p -> i'],
    nodes: { i: inclusive, k: inclusive, l: inclusive },
    ran: 'A B C',
    fired: {},
    lacks: { i: ['p->i'], k: ['i->k'], l: ['k->l'] },
  },
  'an inclusive and a parallel join that wait for each other': {
    lines: ['f -> A -> i', 'f -> B -> j', 'i -> j', 'j -> p', 'p -> i', 'p -> Z'],
    nodes: { f: fork, i: inclusive, j: join },
    ran: 'A B',
    fired: {},
    lacks: { i: ['p->i'], j: ['i->j'] },
  },
  'a join behind two that wait for each other waits with them': {
    lines: ['s -> A -> i', 's -> B -> k', 'i -> p', 'p -> k', 'p -> l', 'k -> i', 's -> C -> l'],
    nodes: { i: inclusive, k: inclusive, l: inclusive },
    ran: 'A B C',
    fired: {},
    lacks: { i: ['k->i'], k: ['p->k'], l: ['p->l'] },
  },
};

tryCases('choices that take several ways', choices);
tryCases('loops', loops);
tryCases('joins that wait for ever are reported', stalls);

test('the last to come takes the others with it, and one token goes on', () => {
  const story = new Story(draw(three, threeOf));
  story.start('A B');
  answerAt(story, ['A']);
  const [last = 0] = tokensAt(story, 'B');
  expect(story.done(last)).toBe(text`
    claim  token 4 by w1
    write  scope 1 results {"B":null}
    birth  token 6 at i waiting
    end    token 4 done
    birth  token 7 at Z ready
    end    token 5 joined
    end    token 6 joined
    ! offer token 7 to test@1/Z
  `);
});

test('one that can come by a filled edge too is not waited for', () => {
  const story = new Story(
    draw(['s -> A -> m', 's -> B -> c', 'c -> m', 'c -> n', 'm -> i', 'n -> i', 'i -> Z'], {
      c: either('c', 'm', 'n', () => false),
      i: inclusive,
    }),
  );
  story.start();
  answerAt(story, ['A']);
  expect(tokensAt(story, 'Z')).toHaveLength(1);
  answerAt(story, ['B']);
  expect(tokensAt(story, 'Z')).toHaveLength(2);
});

test('the report names the scope, who stands there and the edges that nobody came by', () => {
  const { lines, nodes } = stalls[VICIOUS] as Case;
  const story = new Story(draw(lines, nodes));
  story.start();
  answerAt(story, ['A']);
  expect(story.head.stalled).toBe(null);
  answerAt(story, ['B']);
  expect(story.head.stalled).toEqual({
    reason: 'join',
    joins: [
      { node: 'i', scope: 1, group: null, arrived: [5], missing: ['q->i'] },
      { node: 'k', scope: 1, group: null, arrived: [6], missing: ['p->k'] },
    ],
  });
});

/** One arm stands at the join, the other is at work. */
function waiting(): Story {
  const { draft, code = {} } = draw([...pair, 'i -> Z'], pairOf);
  const story = new Story({ draft: { ...draft, onFailure: 'incident' }, code });
  story.start('A B');
  answerAt(story, ['A']);
  expect(tokensAt(story, 'i')).toHaveLength(1);
  return story;
}

test('one that someone has to mend is waited for until someone has', () => {
  const story = waiting();
  const [broken = 0] = tokensAt(story, 'B');
  story.fail(broken);
  expect(tokensAt(story, 'i')).toHaveLength(1);
  story.skip(broken);
  expect(tokensAt(story, 'Z')).toHaveLength(1);
});

test('a process that lacks the closures of the flow fires a join all the same', () => {
  const story = waiting();
  const [last = 0] = tokensAt(story, 'B');
  withoutCode(story, () => story.done(last));
  expect(tokensAt(story, 'Z')).toHaveLength(1);
});

test('an instance that is cancelled takes the tokens at its joins with it', () => {
  const story = waiting();
  expect(story.instance.merging.size).toBe(1);
  story.cancel();
  expect(story.head.status).toBe('canceled');
  expect([story.instance.merging.size, story.instance.tokens.size]).toEqual([0, 0]);
});
