import { describe, expect, test } from 'vitest';
import { latchesOf } from '../kernel/instance.ts';
import type { TokenId } from '../model/ids.ts';
import { ORDERS, play, tokensAt } from '../testing/play.ts';
import { problemsOf } from '../testing/problems.ts';
import { draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

const fork = { kind: 'fork' };
const join = { kind: 'join' };
const end = { kind: 'end' };
const pair = draw(['f -> A -> j -> end', 'f -> B -> j'], { f: fork, j: join, end });
const three = draw(['f -> A -> j -> end', 'f -> B -> j', 'f -> C -> j'], { f: fork, j: join, end });

test('B-33: a join waits for every member of the group, then goes on as one', () => {
  const story = new Story(pair);
  story.start();

  expect(story.done(4)).toBe(text`
    claim  token 4 by w1
    write  scope 1 results {"A":null}
    birth  token 6 at j waiting in 3
    open   latch j group 3
    end    token 4 done
  `);
  expect(story.done(5)).toBe(text`
    claim  token 5 by w1
    write  scope 1 results {"B":null}
    birth  token 7 at j waiting in 3
    end    token 5 done
    fire   latch j group 3
    birth  token 8 at end
    end    token 6 joined
    end    token 7 joined
    drop   latch j group 3
    end    token 8 done
    close  scope 1
    finish completed
    ! ended
  `);
});

describe('B-36: three tokens of one group make the join fire once, with one token after it', () => {
  for (const [name, order] of Object.entries(ORDERS)) {
    test(name, () => {
      const story = new Story(three);
      story.start();
      play(story, order());
      const told = JSON.stringify(story.history);
      expect(told.match(/fire-latch/g)?.length).toBe(1);
      expect(told.match(/"birth-token","token":\{[^}]*"node":"end"/g)?.length).toBe(1);
      expect(story.head.status).toBe('completed');
    });
  }
});

test('B-34 B-37: the latch says who it is for and whether it fired; it counts nothing', () => {
  const story = new Story(three);
  story.start();
  story.done(4);
  const [latch] = latchesOf(story.instance);
  expect(latch).toEqual({ scope: 1, node: 'j', group: 3, fired: false });
  story.done(5);
  expect(latchesOf(story.instance)).toEqual([latch]);
});

test('B-35: a member that is already there cannot arrive again (defect 1d.8)', () => {
  const story = new Story(three);
  story.start();
  story.done(4);
  const version = story.head.version;
  expect(story.done(4)).toBe('\n\n');
  expect(story.go(7)).toBe('\n\n');
  expect(story.time(7)).toBe('\n\n');
  expect(story.head.version).toBe(version);
  story.done(5);
  expect(story.head.status).toBe('running');
  story.done(6);
  expect(story.head.status).toBe('completed');
});

test('members are expected wherever they are: a nap, a message, a scope, a further fork', () => {
  const lines = [
    'f -> nap -> j',
    'f -> msg -> j',
    'f -> box -> j',
    'f -> g',
    'g -> C -> k',
    'g -> D -> k',
  ];
  const story = new Story(
    draw([...lines, 'k -> j -> end'], {
      f: fork,
      g: fork,
      k: join,
      j: join,
      end,
      nap: { kind: 'sleep', settings: { ms: 5 } },
      msg: { kind: 'wait', settings: { event: 'go' } },
      box: { kind: 'scope', settings: { body: 'In' } },
      In: { kind: 'step', in: 'box' },
    }),
    { key: 'k1' },
  );
  story.start();
  for (const node of ['nap', 'msg', 'In', 'C', 'D']) {
    expect(story.head.status, `before ${node}`).toBe('running');
    const [token = 0] = tokensAt(story, node);
    if (node === 'nap') story.time(token);
    else if (node === 'msg') story.message(token, 'go', 'k1');
    else story.done(token);
  }
  expect(story.head.status).toBe('completed');
});

test('a member that ended elsewhere is no longer expected, and the join is looked at again', () => {
  const story = new Story(
    draw(['f -> A -> j -> end', 'f -> B -> j', 'f -> C'], { f: fork, j: join, end }),
  );
  story.start();
  story.done(4);
  story.done(5);
  expect(story.head.status).toBe('running');
  expect(story.done(6)).toBe(text`
    claim  token 6 by w1
    write  scope 1 results {"C":null}
    end    token 6 done
    fire   latch j group 3
    birth  token 9 at end
    end    token 7 joined
    end    token 8 joined
    drop   latch j group 3
    end    token 9 done
    close  scope 1
    finish completed
    ! ended
  `);
});

test('a group whose members all ended elsewhere leaves no latch and no token behind', () => {
  const story = new Story(draw(['f -> A', 'f -> B', 'A -> x', 'B -> x'], { f: fork }));
  story.start();
  story.done(4);
  expect(story.done(5)).toContain('finish completed');
});

test('a token that carries no group has nobody to wait for and passes', () => {
  const story = new Story(draw(['x -> A -> j -> D', 'x -> B -> j'], { j: join }));
  story.start();
  expect(story.done(3)).toContain('at D ready');
  expect(story.done(4)).toContain('at D ready');
});

test('a join takes off its own group and leaves those below it', () => {
  const story = new Story(
    draw(['f -> g', 'g -> A -> k', 'g -> B -> k', 'k -> C', 'f -> D'], {
      f: fork,
      g: fork,
      k: join,
    }),
  );
  story.start();
  for (const node of ['A', 'B']) for (const token of tokensAt(story, node)) story.done(token);
  const [after = 0] = tokensAt(story, 'C');
  expect(story.instance.tokens.get(after as TokenId)?.groups).toEqual([3]);
});

test('with two forks into one join, it fires once per group and takes off only its own', () => {
  const story = new Story(
    draw(
      ['x -> f', 'x -> g', 'f -> A -> j', 'f -> B -> j', 'g -> C -> j', 'g -> D -> j', 'j -> E'],
      {
        f: fork,
        g: fork,
        j: join,
      },
    ),
  );
  story.start();
  for (const node of ['A', 'C', 'B']) for (const token of tokensAt(story, node)) story.done(token);
  expect(tokensAt(story, 'E')).toHaveLength(1);
  for (const token of tokensAt(story, 'D')) story.done(token);
  expect(tokensAt(story, 'E')).toHaveLength(2);
});

test('two tokens by the same edge are two members: the join waits for both', () => {
  const story = new Story(
    draw(['f -> m -> A -> j -> end', 'f -> x -> m', 'f -> B -> j'], { f: fork, j: join, end }),
  );
  story.start();
  const [first = 0, second = 0] = tokensAt(story, 'A');
  story.done(first);
  for (const token of tokensAt(story, 'B')) story.done(token);
  expect(story.head.status).toBe('running');
  expect(story.done(second)).toContain('finish completed');
});

test('a join that is the last node ends its group and the scope with it', () => {
  const story = new Story(draw(['f -> A -> j', 'f -> B -> j'], { f: fork, j: join }));
  story.start();
  play(story, (tokens) => tokens.at(-1));
  expect(story.head.status).toBe('completed');
});

test('B-39: a branch that fails before the join fails the instance; the join never fires', () => {
  const story = new Story(three);
  story.start();
  story.done(4);
  expect(story.fail(5, 'no.stock')).toBe(text`
    claim  token 5 by w1
    end    token 5 failed no.stock
    end    token 7 cancelled
    end    token 6 cancelled
    drop   latch j group 3
    close  scope 1
    finish failed no.stock
    ! abort token 6
    ! ended
  `);
  expect(story.head.fault).toMatchObject({ code: 'no.stock', node: 'B' });
  expect(JSON.stringify(story.history)).not.toContain('fire-latch');
});

test('B-28: a join has two ways in or more, and one way out at most', () => {
  const both = draw(['j -> a', 'j -> b'], { j: join });
  expect(problemsOf(both)).toEqual([
    'join.too-few-ways j: "j" joins two ways or more; came 0',
    'join.forks-too j: "j" goes on by one way; came 2: add a fork after it',
  ]);
  expect(problemsOf(draw(['a -> j -> b', 'a -> c -> j'], { j: join }))).toEqual([]);
});
