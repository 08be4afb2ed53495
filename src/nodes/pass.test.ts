import { expect, test } from 'vitest';
import { problemsOf } from '../testing/problems.ts';
import { draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

const merge = draw(['f -> A -> m -> end', 'f -> B -> m'], {
  f: { kind: 'fork' },
  end: { kind: 'end' },
});

test('a pass lets every token through by the way out, one at a time', () => {
  const story = new Story(merge);
  story.start();

  expect(story.done(4)).toBe(text`
    claim  token 4 by w1
    write  scope 1 results {"A":null}
    birth  token 6 at m in 3
    end    token 4 done
    birth  token 7 at end in 3
    end    token 6 done
    end    token 7 done
  `);
});

test('whoever comes goes on at once: nobody waits for the others', () => {
  const story = new Story(merge);
  story.start();
  const first = story.done(4);
  const second = story.done(5);
  expect(first).toContain('at end');
  expect(second).toContain('at end');
  expect(story.head.status).toBe('completed');
});

test('a pass keeps the groups of its token, so a join behind it still waits', () => {
  const story = new Story(
    draw(['f -> A -> m -> j -> end', 'f -> B -> j'], {
      f: { kind: 'fork' },
      j: { kind: 'join' },
      end: { kind: 'end' },
    }),
  );
  story.start();
  expect(story.done(4)).toContain('birth  token 7 at j waiting in 3');
  expect(story.done(5)).toContain('finish completed');
});

test('with several ways out a pass sends a token down each, and they share no new group', () => {
  const story = new Story(draw(['x -> A', 'x -> B']));
  expect(story.start()).toBe(text`
    start  test null
    open   scope 1
    birth  token 2 at x
    birth  token 3 at A ready
    birth  token 4 at B ready
    end    token 2 done
    ! offer token 3 to test@1/A
    ! offer token 4 to test@1/B
  `);
});

test('a pass may have a result that was written down with it', () => {
  const story = new Story(
    draw(['x -> A'], { x: { kind: 'pass', settings: { result: { size: 9 } } } }),
  );
  expect(story.start()).toBe(text`
    start  test null
    open   scope 1
    birth  token 2 at x
    write  scope 1 results {"x":{"size":9}}
    birth  token 3 at A ready
    end    token 2 done
    ! offer token 3 to test@1/A
  `);
});

test('a pass with no way out ends its token', () => {
  const story = new Story(draw([], { x: { kind: 'pass' } }));
  expect(story.start()).toContain('finish completed');
});

test('a pass may be wired in any way', () => {
  expect(problemsOf(draw(['x -> y -> x', 'y -> y']))).toEqual([]);
});
