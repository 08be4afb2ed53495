import { expect, test } from 'vitest';
import type { NodeCode } from '../model/definition.ts';
import { problemsOf } from '../testing/problems.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

function ending(output: string, code: NodeCode = {}): Drawing {
  return draw(['A -> end'], { end: { kind: 'end', settings: { output }, code } });
}

test('X-16: an end consumes its token and says what the output is', () => {
  const story = new Story(ending('code', { output: ({ results }) => ({ total: results['A'] }) }));
  story.start();

  expect(story.done(2, 7)).toBe(text`
    claim  token 2 by w1
    write  scope 1 results {"A":7}
    birth  token 3 at end
    end    token 2 done
    output {"total":7}
    end    token 3 done
    close  scope 1
    finish completed
    ! ended
  `);
  expect(story.head).toMatchObject({ status: 'completed', output: { total: 7 } });
});

test('an end without an output leaves the output alone', () => {
  const story = new Story(ending('none'));
  story.start();
  expect(story.done(2, 7)).not.toContain('output');
  expect(story.head.output).toBe(null);
});

test('an end may give all results it can see', () => {
  const story = new Story(ending('results'));
  story.start();
  story.done(2, 7);
  expect(story.head.output).toEqual({ A: 7 });
});

const two = draw(['f -> A -> one', 'f -> B -> two'], {
  f: { kind: 'fork' },
  one: { kind: 'end', settings: { output: 'code' }, code: { output: () => 'one' } },
  two: { kind: 'end', settings: { output: 'code' }, code: { output: () => 'two' } },
});

test('X-16: an end ends a path and not the instance: its siblings go on (defect 1d.5)', () => {
  const story = new Story(two);
  story.start();
  story.done(4);
  expect(story.head.status).toBe('running');
  expect(story.instance.tokens.get(5 as never)?.status).toBe('ready');
  story.done(5);
  expect(story.head.status).toBe('completed');
});

test('where several ends give an output, the last to be reached wins', () => {
  const forwards = new Story(two);
  forwards.start();
  forwards.done(4);
  forwards.done(5);
  expect(forwards.head.output).toBe('two');

  const backwards = new Story(two);
  backwards.start();
  backwards.done(5);
  backwards.done(4);
  expect(backwards.head.output).toBe('one');
});

test('an end inside a region ends the region and not the instance', () => {
  const story = new Story(
    draw(['box -> A', 'in'], {
      box: { kind: 'scope', settings: { body: 'in' } },
      in: { kind: 'end', in: 'box' },
    }),
  );
  expect(story.start()).toContain('birth  token 5 at A ready');
});

test('an output that throws or is not JSON is a fault', () => {
  const threw = new Story(
    ending('code', { output: ({ results }) => Reflect.get(results['B'] as object, 'x') }),
  );
  threw.start();
  threw.done(2);
  expect(threw.head).toMatchObject({
    status: 'failed',
    fault: { code: 'code.threw', node: 'end' },
  });

  const odd = new Story(ending('code', { output: () => new Date(0) }));
  odd.start();
  odd.done(2);
  expect(odd.head).toMatchObject({
    status: 'failed',
    fault: { code: 'code.not-json' },
    output: null,
  });
});

test('nothing leads out of an end, and its output is one of three', () => {
  const wrong = draw(['end -> a'], { end: { kind: 'end', settings: { output: 'all' } } });
  expect(problemsOf(wrong)).toEqual([
    'end.has-outbound end: nothing leads out of "end"',
    `end.bad-output end: the output of "end" is 'code' or 'results' or 'none'`,
  ]);
});
