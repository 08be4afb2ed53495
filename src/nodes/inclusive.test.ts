import { describe, expect, test } from 'vitest';
import type { Json } from '../base/json.ts';
import { assemble, rowsOf } from '../kernel/instance.ts';
import type { TokenId } from '../model/ids.ts';
import {
  answerAt,
  begun,
  birthsAt,
  either,
  failAt,
  firingsOf,
  ORDERS,
  play,
  tokensAt,
} from '../testing/play.ts';
import { problemsOf } from '../testing/problems.ts';
import { draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

const fork = { kind: 'fork' };
const join = { kind: 'join' };
const inclusive = { kind: 'inclusive' };
const end = { kind: 'end', settings: { output: 'results' } };

/** Every arm whose name the input holds, else C. */
const many = {
  kind: 'choose',
  settings: {
    many: true,
    arms: [
      { edge: 'c->A', slot: 'a' },
      { edge: 'c->B', slot: 'b' },
    ],
    otherwise: 'c->C',
  },
  code: {
    a: ({ input }: { input: Json }) => (input as string).includes('a'),
    b: ({ input }: { input: Json }) => (input as string).includes('b'),
  },
};

const lines = ['c -> A -> j', 'c -> B -> j', 'c -> C -> j', 'j -> D'];
const choosing = draw(lines, { c: many, j: inclusive });

test('an inclusive join waits until nobody else can still come, then goes on as one', () => {
  const story = new Story(choosing);
  story.start('ab');

  expect(story.done(3)).toBe(text`
    claim  token 3 by w1
    write  scope 1 results {"A":null}
    birth  token 5 at j waiting
    end    token 3 done
  `);
  expect(story.done(4)).toBe(text`
    claim  token 4 by w1
    write  scope 1 results {"B":null}
    birth  token 6 at j waiting
    end    token 4 done
    birth  token 7 at D ready
    end    token 5 joined
    end    token 6 joined
    ! offer token 7 to test@1/D
  `);
});

describe('it counts no branches', () => {
  for (const input of ['', 'a', 'b', 'ab']) {
    for (const [name, order] of Object.entries(ORDERS)) {
      test(`"${input}" in ${name}`, () => {
        const story = begun(choosing, {}, input);
        play(story, order());
        expect(story.head.status).toBe('completed');
        expect(birthsAt(story, 'D')).toBe(1);
      });
    }
  }
});

describe('it looks where the tokens of its scope are', () => {
  const busy = draw(
    ['f -> A -> j', 'f -> nap -> j', 'f -> mail -> j', 'f -> box -> j', 'f -> E', 'j -> D'],
    {
      f: fork,
      j: inclusive,
      nap: { kind: 'sleep', settings: { ms: 10 } },
      mail: { kind: 'wait', settings: { event: 'mail' } },
      box: { kind: 'scope', settings: { body: 'In' } },
      In: { kind: 'step', in: 'box' },
    },
  );

  test('one that sleeps, waits or has opened a scope may still come', () => {
    const story = begun(busy, { key: 'k' });
    answerAt(story, ['A', 'In']);
    for (const token of tokensAt(story, 'nap')) story.time(token);
    expect(tokensAt(story, 'D')).toEqual([]);
    for (const token of tokensAt(story, 'mail')) story.message(token, 'mail', 'k');
    expect(tokensAt(story, 'D')).toHaveLength(1);
    expect(tokensAt(story, 'E')).toHaveLength(1);
  });

  test('one that has gone another way cannot', () => {
    const story = begun(
      draw(['f -> A -> j', 'f -> B -> x', 'x -> j', 'x -> Far', 'j -> D'], {
        f: fork,
        j: inclusive,
        x: either('x', 'Far', 'j', () => true),
      }),
    );
    answerAt(story, ['A']);
    expect(tokensAt(story, 'D')).toEqual([]);
    answerAt(story, ['B']);
    expect(tokensAt(story, 'D')).toHaveLength(1);
    expect(tokensAt(story, 'Far')).toHaveLength(1);
  });

  test('one that ends elsewhere is no longer waited for', () => {
    const story = begun(
      draw(['f -> A -> j', 'f -> B -> x', 'x -> j', 'x -> bye', 'j -> D'], {
        f: fork,
        j: inclusive,
        x: either('x', 'bye', 'j', () => true),
        bye: { kind: 'end' },
      }),
    );
    answerAt(story, ['A']);
    expect(story.done(Number(tokensAt(story, 'B')[0]))).toContain('birth  token 9 at D ready');
  });

  test('one in a scope around it does not matter, nor one in a scope beside it', () => {
    const story = begun(
      draw(['g -> box -> x', 'g -> Out', 'f -> A -> j', 'f -> B -> j', 'j -> D'], {
        g: fork,
        box: { kind: 'scope', settings: { body: 'f' } },
        f: { ...fork, in: 'box' },
        j: { ...inclusive, in: 'box' },
        A: { kind: 'step', in: 'box' },
        B: { kind: 'step', in: 'box' },
        D: { kind: 'step', in: 'box' },
      }),
    );
    answerAt(story, ['A', 'B']);
    expect(tokensAt(story, 'D')).toHaveLength(1);
    expect(tokensAt(story, 'Out')).toHaveLength(1);
  });

  test('one that could come by a way that is taken as well is not waited for (D7)', () => {
    const story = begun(
      draw(['f -> A -> j', 'f -> B -> x', 'x -> A', 'x -> C -> j', 'j -> D'], {
        f: fork,
        j: inclusive,
        x: either('x', 'C', 'A', () => true),
      }),
    );
    answerAt(story, ['A']);
    expect(tokensAt(story, 'D')).toHaveLength(1);
    answerAt(story, ['B', 'C']);
    expect(tokensAt(story, 'D')).toHaveLength(2);
  });
});

test('one token of each edge is taken; a second by the same edge goes on by itself', () => {
  const story = begun(
    draw(['f -> m -> A -> j -> D', 'f -> x -> m', 'f -> B -> j'], { f: fork, j: inclusive }),
  );
  const [first = 0, second = 0] = tokensAt(story, 'A');
  story.done(first);
  expect(tokensAt(story, 'D')).toEqual([]);
  answerAt(story, ['B']);
  expect(tokensAt(story, 'D')).toHaveLength(1);
  story.done(second);
  expect(tokensAt(story, 'D')).toHaveLength(2);
});

describe('it knows no group', () => {
  test('the branches of a fork meet here as those of a choice do', () => {
    const story = begun(draw(['f -> A -> j', 'f -> B -> j', 'j -> D'], { f: fork, j: inclusive }));
    answerAt(story, ['A', 'B']);
    const [d = 0] = tokensAt(story, 'D');
    expect(story.instance.tokens.get(d as TokenId)?.groups).toEqual([]);
  });

  test('a fork around it still joins, whatever is chosen in between', () => {
    const around = draw(['f -> c', ...lines.slice(0, 3), 'j -> k', 'f -> E -> k', 'k -> end'], {
      f: fork,
      c: many,
      j: inclusive,
      k: join,
      end,
    });
    for (const input of ['', 'a', 'ab']) {
      for (const [name, order] of Object.entries(ORDERS)) {
        const story = begun(around, {}, input);
        play(story, order());
        expect(story.head.status, `"${input}" in ${name}`).toBe('completed');
        expect([firingsOf(story, 'k'), birthsAt(story, 'end')]).toEqual([1, 1]);
      }
    }
  });
});

test('each pass of a loop is decided anew', () => {
  const story = begun(
    draw(['again -> end', ...lines.slice(0, 3)], {
      again: { kind: 'repeat', settings: { body: 'c', check: 'times', times: 3 } },
      c: { ...many, in: 'again' },
      j: { ...inclusive, in: 'again' },
      A: { kind: 'step', in: 'again' },
      B: { kind: 'step', in: 'again' },
      C: { kind: 'step', in: 'again' },
      end,
    }),
    {},
    'ab',
  );
  for (const order of [
    ['A', 'B'],
    ['B', 'A'],
    ['A', 'B'],
  ]) {
    expect(story.head.status).toBe('running');
    answerAt(story, order);
  }
  expect(story.head).toMatchObject({ status: 'completed', output: { A: 'A', B: 'B' } });
});

test('a loop in the drawing sends a token through it again and again', () => {
  let rounds = 0;
  const story = begun(
    draw(['m -> c', ...lines.slice(0, 3), 'j -> x', 'x -> m', 'x -> end'], {
      c: many,
      j: inclusive,
      x: either('x', 'm', 'end', () => ++rounds < 3),
      end,
    }),
    {},
    'ab',
  );
  play(story, (tokens) => tokens.at(-1));
  expect([rounds, birthsAt(story, 'A'), birthsAt(story, 'B'), birthsAt(story, 'end')]).toEqual([
    3, 3, 3, 1,
  ]);
});

test('it goes on after a restart as if there had been none', () => {
  const story = begun(choosing, {}, 'ab');
  answerAt(story, ['A']);
  story.instance = assemble(rowsOf(story.instance));
  answerAt(story, ['B']);
  expect(tokensAt(story, 'D')).toHaveLength(1);
});

test('who waits here waits for others: no answer, time or message moves it', () => {
  const story = begun(choosing, { key: 'k' }, 'ab');
  story.done(3);
  story.now = 10 ** 12;
  expect(story.time(5) + story.done(5) + story.go(5) + story.message(5, 'x', 'k')).toBe(
    '\n\n'.repeat(4),
  );
});

test('a branch that fails fails the instance; nothing stays behind', () => {
  const story = begun(choosing, {}, 'ab');
  answerAt(story, ['A']);
  failAt(story, 'B');
  expect(story.head.status).toBe('failed');
  expect([story.instance.tokens.size, story.instance.merging.size]).toEqual([0, 0]);
});

test('two that wait for each other are stalled, and say which edges are missing', () => {
  const story = begun(
    draw(['f -> A -> j', 'f -> B -> k', 'j -> k', 'k -> p -> j'], {
      f: fork,
      j: inclusive,
      k: inclusive,
    }),
  );
  answerAt(story, ['A']);
  expect(story.done(Number(tokensAt(story, 'B')[0]))).toContain(
    'stall  j lacks p->j; k lacks j->k',
  );
});

test('two that lead to each other and to nothing else are refused: they would never rest', () => {
  const ring = draw(['s -> j', 's -> k', 'j -> k', 'k -> j'], { j: inclusive, k: inclusive });
  expect(problemsOf(ring)).toEqual([
    'inclusive.ring j: "j", "k" lead to each other in a circle with nothing between them',
  ]);
  const itself = draw(['s -> j', 'j -> j'], { j: inclusive });
  expect(problemsOf(itself)).toHaveLength(1);
});

test('an inclusive join that is the last node ends the scope with it', () => {
  const story = begun(draw(lines.slice(0, 3), { c: many, j: inclusive }), {}, 'ab');
  answerAt(story, ['A', 'B']);
  expect(story.head.status).toBe('completed');
});

test('B-28: it has two ways in or more, and one way out at most', () => {
  const both = draw(['j -> a', 'j -> b'], { j: inclusive });
  expect(problemsOf(both)).toEqual([
    'inclusive.too-few-ways j: "j" joins two ways or more; came 0',
    'inclusive.forks-too j: "j" goes on by one way; came 2: add a fork after it',
  ]);
  expect(problemsOf(choosing)).toEqual([]);
});
