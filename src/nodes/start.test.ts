import { expect, test } from 'vitest';
import { problemsOf } from '../testing/problems.ts';
import { draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

const flow = draw(['start -> A'], { start: { kind: 'start' } });

test('O-85: the first token is born at the start, in one scope, and passes on at once', () => {
  const story = new Story(flow);

  expect(story.start({ amount: 500 })).toBe(text`
    start  test {"amount":500}
    open   scope 1
    birth  token 2 at start
    birth  token 3 at A ready
    end    token 2 done
    ! offer token 3 to test@1/A
  `);
});

test('the input of the instance is kept as it came', () => {
  const story = new Story(flow);
  story.start({ amount: 500 });
  expect(story.head).toMatchObject({ status: 'running', input: { amount: 500 }, version: 1 });
});

test('a flow may begin with any other kind as well', () => {
  const story = new Story(draw(['A -> B']));
  expect(story.start()).toContain('birth  token 2 at A ready');
});

test('the variables of the flow are there before the first token moves', () => {
  const { draft } = flow;
  const story = new Story({ draft: { ...draft, vars: { tries: 0 } } });
  expect(story.start()).toContain('open   scope 1 {"tries":0}');
});

test('nothing may lead into a start', () => {
  expect(problemsOf(draw(['start -> a -> start'], { start: { kind: 'start' } }))).toEqual([
    'start.has-inbound start: nothing leads into the start "start"',
  ]);
});
