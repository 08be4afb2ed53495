import { expect, test } from 'vitest';
import { latchesOf } from '../kernel/instance.ts';
import type { NodeCode } from '../model/definition.ts';
import { tokensAt } from '../testing/play.ts';
import { problemsOf } from '../testing/problems.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

function stopping(code: NodeCode = { output: () => 'enough' }): Drawing {
  return draw(['f -> A', 'f -> nap', 'f -> stop'], {
    f: { kind: 'fork' },
    nap: { kind: 'sleep', settings: { ms: 1_000 } },
    stop: { kind: 'terminate', settings: { output: 'code' }, code },
  });
}

test('X-16: terminate ends the whole instance now, whatever else is alive', () => {
  const story = new Story(stopping());

  expect(story.start()).toBe(text`
    start  test null
    open   scope 1
    birth  token 2 at f
    birth  token 4 at A ready in 3
    birth  token 5 at nap in 3
    birth  token 6 at stop in 3
    end    token 2 done
    park   token 5 for time until 1000
    output "enough"
    end    token 6 done
    end    token 5 cancelled
    end    token 4 cancelled
    close  scope 1
    finish completed
    ! offer token 4 to test@1/A
    ! alarm 1000
    ! abort token 4
    ! ended
  `);
});

test('the instance is completed, with the output this node gives', () => {
  const story = new Story(stopping());
  story.start();
  expect(story.head).toMatchObject({ status: 'completed', output: 'enough', fault: null });
});

const lines = [
  'f -> outer',
  'f -> A -> j -> end',
  'f -> B -> j',
  'f -> Stop -> stop',
  'inner -> x',
];
const everywhere = draw(lines, {
  f: { kind: 'fork' },
  j: { kind: 'join' },
  outer: { kind: 'scope', settings: { body: 'inner' } },
  inner: { kind: 'repeat', settings: { body: 'Deep', check: 'times', times: 3 }, in: 'outer' },
  x: { kind: 'pass', in: 'outer' },
  Deep: { kind: 'step', in: 'inner' },
  end: { kind: 'end', settings: { output: 'results' } },
  stop: { kind: 'terminate' },
});

test('X-16: every other token is cancelled, in every branch and scope, and latches too', () => {
  const story = new Story(everywhere);
  story.start();
  for (const token of tokensAt(story, 'A')) story.done(token);
  expect(latchesOf(story.instance)).toHaveLength(1);
  expect(story.instance.scopes.size).toBe(3);

  const [stop = 0] = tokensAt(story, 'Stop');
  const told = story.done(stop);
  expect(told).toContain('drop   latch j group 3');
  expect(told.match(/cancelled/g)?.length).toBe(5);
  expect(story.instance.tokens.size).toBe(0);
  expect(story.instance.scopes.size).toBe(0);
  expect([story.instance.gatherings.size, story.instance.members.size]).toEqual([0, 0]);
  expect(story.head.status).toBe('completed');
});

test('an output that another end gave before does not survive', () => {
  const story = new Story(
    draw(['f -> end', 'f -> A -> stop'], {
      f: { kind: 'fork' },
      end: { kind: 'end', settings: { output: 'code' }, code: { output: () => 'early' } },
      stop: { kind: 'terminate' },
    }),
  );
  story.start();
  expect(story.head.output).toBe('early');
  story.done(5);
  expect(story.head.output).toBe(null);
});

test('what was on its way when the instance ended finds it over', () => {
  const story = new Story(stopping());
  story.start();
  expect(story.done(4)).toBe('\n\n');
  expect(story.time(5)).toBe('\n\n');
  expect(story.head.version).toBe(1);
});

test('an output that throws is a fault, and the instance fails instead', () => {
  const story = new Story(stopping({ output: () => Reflect.get(null as never, 'x') }));
  story.start();
  expect(story.head).toMatchObject({
    status: 'failed',
    fault: { code: 'code.threw', node: 'stop' },
  });
});

test('nothing leads out of a terminate, and its output is one of two', () => {
  const wrong = draw(['stop -> a'], {
    stop: { kind: 'terminate', settings: { output: 'results' } },
  });
  expect(problemsOf(wrong)).toEqual([
    'terminate.has-outbound stop: nothing leads out of "stop"',
    `terminate.bad-output stop: the output of "stop" is 'code' or 'none'`,
  ]);
});
