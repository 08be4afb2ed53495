import { describe, expect, test } from 'vitest';
import type { TokenId } from '../model/ids.ts';
import { problemsOf } from '../testing/problems.ts';
import { draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

const two = draw(['Reserve -> Charge']);

test('a step is offered to a worker, and its result is kept under its name', () => {
  const story = new Story(two);

  expect(story.start()).toBe(text`
    start  test null
    open   scope 1
    birth  token 2 at Reserve ready
    ! offer token 2 to test@1/Reserve
  `);
  expect(story.done(2, { id: 7 }, [{ name: 'tries', value: 1, in: 'scope' }])).toBe(text`
    claim  token 2 by w1
    write  scope 1 results {"Reserve":{"id":7}}
    write  scope 1 vars {"tries":1}
    birth  token 3 at Charge ready
    end    token 2 done
    ! offer token 3 to test@1/Charge
  `);
});

test('a token born at a step is ready at once and names the handler it waits for', () => {
  const story = new Story(two);
  story.start();
  expect(story.instance.tokens.get(2 as TokenId)).toMatchObject({
    status: 'ready',
    handler: 'test@1/Reserve',
    attempts: 0,
    maxAttempts: 1,
  });
});

test('the result of a handler is committed exactly once: a second one leaves no trace', () => {
  const story = new Story(two);
  story.start();
  story.done(2, 'first');
  expect(story.done(2, 'second')).toBe('\n\n');
  expect(JSON.stringify(story.history)).not.toContain('second');
});

test('a handler whose worker died runs again: at least once', () => {
  const story = new Story(two);
  story.start();
  story.expire(2);
  expect(story.instance.tokens.get(2 as TokenId)).toMatchObject({ status: 'ready', attempts: 1 });
  expect(story.done(2, 'second run')).toContain('birth  token 3 at Charge ready');
});

test('a variable set for the instance is written at the root, wherever the step lies', () => {
  const story = new Story(
    draw(['box -> A', 'In'], {
      box: { kind: 'scope', settings: { body: 'In' } },
      In: { kind: 'step', in: 'box' },
    }),
  );
  story.start();
  const sets = [
    { name: 'near', value: 1, in: 'scope' },
    { name: 'far', value: 2, in: 'instance' },
  ] as const;
  const told = story.done(4, null, sets);
  expect(told).toContain('write  scope 3 vars {"near":1}');
  expect(told).toContain('write  scope 1 vars {"far":2}');
});

test('B-23: a handler that fails is a fact with token, node and reason, never an exception', () => {
  const story = new Story(two);
  story.start();
  expect(story.fail(2, 'card.refused')).toBe(text`
    claim  token 2 by w1
    end    token 2 failed card.refused
    close  scope 1
    finish failed card.refused
    ! ended
  `);
  expect(story.head.fault).toEqual({
    code: 'card.refused',
    message: 'card.refused',
    node: 'Reserve',
  });
});

describe('the priority of a step', () => {
  const urgent = draw(['A -> B'], { A: { kind: 'step', settings: { priority: 9 } } });

  test('is the one the node states', () => {
    const story = new Story(urgent);
    story.start();
    expect(story.instance.tokens.get(2 as TokenId)?.priority).toBe(9);
  });

  test('is otherwise that of the instance', () => {
    const story = new Story(urgent);
    const birth = { id: story.head.id, flow: 'test', flowVersion: 1, input: null, priority: 4 };
    story.tell({ type: 'start', at: 0 as never, birth });
    story.done(2);
    expect(story.instance.tokens.get(3 as TokenId)?.priority).toBe(4);
  });

  test('is a whole number', () => {
    const wrong = draw(['A'], { A: { kind: 'step', settings: { priority: 'high' } } });
    expect(problemsOf(wrong)).toEqual([
      'step.bad-priority A: the priority of "A" is a whole number; came "high"',
    ]);
  });
});

test('a step whose name ends in a slash is a step all the same', () => {
  const story = new Story(
    draw(['f -> A', 'f -> b/'], { f: { kind: 'fork' }, 'b/': { kind: 'step' } }),
  );
  story.start();
  expect(story.done(4)).not.toContain('enter');
  expect(story.done(5)).toContain('finish completed');
});
