import { expect, test } from 'vitest';
import { assemble, rowsOf } from '../kernel/instance.ts';
import type { TokenId } from '../model/ids.ts';
import { tokensAt } from '../testing/play.ts';
import { problemsOf } from '../testing/problems.ts';
import { draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

const fork = { kind: 'fork' };
const join = { kind: 'join' };

function groupsOf(story: Story, token: number): readonly number[] | undefined {
  return story.instance.tokens.get(token as TokenId)?.groups;
}

test('B-31 B-32: a fork ends its parent and gives every child one fresh group', () => {
  const story = new Story(draw(['f -> A', 'f -> B', 'f -> C'], { f: fork }));

  expect(story.start()).toBe(text`
    start  test null
    open   scope 1
    birth  token 2 at f
    birth  token 4 at A ready in 3
    birth  token 5 at B ready in 3
    birth  token 6 at C ready in 3
    end    token 2 done
    ! offer token 4 to test@1/A
    ! offer token 5 to test@1/B
    ! offer token 6 to test@1/C
  `);
});

test('B-07: three tokens are three authorities, each answered on its own', () => {
  const story = new Story(draw(['f -> A', 'f -> B', 'f -> C'], { f: fork }));
  story.start();
  story.done(6, 'c');
  story.done(4, 'a');
  expect(story.done(4, 'again')).toBe('\n\n');
  expect(story.head.status).toBe('running');
  story.done(5, 'b');
  expect(story.head.status).toBe('completed');
});

test('a further fork puts its group on top of the first', () => {
  const story = new Story(draw(['f -> g -> A', 'g -> B', 'f -> C'], { f: fork, g: fork }));
  story.start();
  expect(groupsOf(story, 5)).toEqual([3]);
  expect(groupsOf(story, 7)).toEqual([3, 6]);
  expect(groupsOf(story, 8)).toEqual([3, 6]);
});

test('the group stays through choices, steps and loops until a join takes it off', () => {
  const story = new Story(
    draw(['f -> m -> A -> c', 'c -> m', 'c -> j -> D', 'f -> B -> j'], {
      f: fork,
      j: join,
      c: {
        kind: 'choose',
        settings: { arms: [{ edge: 'c->m', slot: 'again' }], otherwise: 'c->j' },
        code: { again: ({ results }) => results['A'] !== 'good' },
      },
    }),
  );
  story.start();
  for (const value of ['bad', 'bad', 'good']) {
    const [token = 0] = tokensAt(story, 'A');
    expect(groupsOf(story, token)).toEqual([3]);
    story.done(token, value);
  }
  const told = story.done(5);
  expect(told).toContain('fire   latch j group 3');
  expect(told).toContain('at D ready\n');
});

test('the group stays with the token that opened a scope; tokens inside begin with none', () => {
  const story = new Story(
    draw(['f -> box -> j -> end', 'f -> B -> j', 'In'], {
      f: fork,
      j: join,
      box: { kind: 'scope', settings: { body: 'In' } },
      In: { kind: 'step', in: 'box' },
    }),
  );
  story.start();
  expect(groupsOf(story, 4)).toEqual([3]);
  expect(groupsOf(story, 7)).toEqual([]);
  story.done(5);
  expect(story.done(7)).toContain('fire   latch j group 3');
});

test('B-38: a group is a number of the instance: each fork has its own, reloaded or not', () => {
  const story = new Story(draw(['f -> A -> f', 'f -> B'], { f: fork, A: { kind: 'step' } }));
  story.start();
  story.done(4);
  story.instance = assemble(rowsOf(story.instance));
  story.done(8);
  const births = story.history.flatMap(({ changes }) =>
    changes.flatMap((change) => (change.did === 'birth-token' ? [change.token] : [])),
  );
  const stacks = births.filter(({ node }) => node === 'B').map(({ groups }) => groups);
  expect(stacks).toEqual([[3], [3, 7], [3, 7, 11]]);
});

test('every token that comes to a fork is forked on its own', () => {
  const story = new Story(draw(['x -> f -> A', 'x -> y -> f', 'f -> B'], { f: fork }));
  expect(story.start().match(/at A ready/g)?.length).toBe(2);
});

test('B-28: a fork has two ways out or more', () => {
  expect(problemsOf(draw(['f -> a'], { f: fork }))).toEqual([
    'fork.too-few-ways f: "f" forks into two ways or more; came 1',
  ]);
  expect(problemsOf(draw(['f -> a', 'f -> b'], { f: fork }))).toEqual([]);
});
