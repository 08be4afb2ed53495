import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { Code, CodeView, NodeCode } from '../model/definition.ts';
import { play, tokensAt } from '../testing/play.ts';
import { problemsOf } from '../testing/problems.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

/** A repeat around one step, and an end that gives what is left of the results. */
function trying(settings: JsonObject, code: NodeCode = {}): Drawing {
  return draw(['again -> end'], {
    again: { kind: 'repeat', settings: { body: 'Try', ...settings }, code },
    Try: { kind: 'step', in: 'again' },
    end: { kind: 'end', settings: { output: 'results' } },
  });
}

/** A repeat whose region is a set, so that it runs without any answer. */
function counting(settings: JsonObject, code: NodeCode, value: Code): Drawing {
  return draw(['again -> end'], {
    again: { kind: 'repeat', settings: { body: 'count', ...settings }, code },
    count: { kind: 'set', settings: { in: 'instance' }, in: 'again', code: { value } },
    end: { kind: 'end', settings: { output: 'results' } },
  });
}

const untilGood = trying({ check: 'until' }, { until: ({ results }) => results['Try'] === 'good' });

test('a repeat runs its region again and again, each pass in a scope of its own', () => {
  const story = new Story(untilGood);

  expect(story.start()).toBe(text`
    start  test null
    open   scope 1
    birth  token 2 at again
    open   scope 3 of token 2 pass 0
    birth  token 4 at Try ready
    ! offer token 4 to test@1/Try
  `);
  expect(story.done(4, 'bad')).toBe(text`
    claim  token 4 by w1
    write  scope 3 results {"Try":"bad"}
    end    token 4 done
    return scope 3
    open   scope 5 of token 2 pass 1
    birth  token 6 at Try ready
    ! offer token 6 to test@1/Try
  `);
  expect(story.done(6, 'good')).toBe(text`
    claim  token 6 by w1
    write  scope 5 results {"Try":"good"}
    end    token 6 done
    return scope 5 with its results
    birth  token 7 at end
    end    token 2 done
    output {"Try":"good"}
    end    token 7 done
    close  scope 1
    finish completed
    ! ended
  `);
});

describe('what is asked when', () => {
  function asked(check: 'while' | 'until' | 'times', answers: readonly unknown[]): string[] {
    const seen: string[] = [];
    const code: Code = ({ index, results }: CodeView) => {
      seen.push(`${String(index)} ${JSON.stringify(results)}`);
      return answers[seen.length - 1];
    };
    const story = new Story(trying({ check }, { [check]: code }));
    story.start();
    play(story, (tokens) => tokens[0]);
    expect(story.head.status).toBe('completed');
    return seen;
  }

  test('while is asked before each pass, as the pass to come', () => {
    expect(asked('while', [true, true, false])).toEqual([
      '0 {}',
      '1 {"Try":"Try"}',
      '2 {"Try":"Try"}',
    ]);
  });

  test('until is asked after each pass, as the pass it was, and sees its results', () => {
    expect(asked('until', [false, true])).toEqual(['0 {"Try":"Try"}', '1 {"Try":"Try"}']);
  });

  test('times is asked once, at the start', () => {
    expect(asked('times', [3])).toEqual(['null {}']);
  });
});

describe('how many passes', () => {
  function passes(settings: JsonObject, code: NodeCode = {}): number {
    const story = new Story(trying(settings, code));
    story.start();
    play(story, (tokens) => tokens[0]);
    return JSON.stringify(story.history).match(/"index":/g)?.length ?? 0;
  }

  test('while may make none', () => {
    expect(passes({ check: 'while' }, { while: () => false })).toBe(0);
  });

  test('until makes one at least', () => {
    expect(passes({ check: 'until' }, { until: () => true })).toBe(1);
  });

  test('times makes as many as it says, by number or by closure', () => {
    expect(passes({ check: 'times', times: 1 })).toBe(1);
    expect(passes({ check: 'times', times: 4 })).toBe(4);
    expect(passes({ check: 'times' }, { times: () => 4 })).toBe(4);
    expect(passes({ check: 'times' }, { times: () => 0 })).toBe(0);
  });
});

test('nothing the body writes can change how many times were asked for', () => {
  const story = new Story(
    counting({ check: 'times' }, { times: ({ vars }) => vars['n'] ?? 2 }, () => ({ n: 100 })),
  );
  story.start();
  expect(story.head.status).toBe('completed');
  expect(JSON.stringify(story.history).match(/"index":/g)?.length).toBe(2);
});

test('the results of the last pass go up; those of earlier passes are gone', () => {
  const story = new Story(
    draw(['again -> end', 'c -> A -> x', 'c -> B -> x'], {
      again: { kind: 'repeat', settings: { body: 'c', check: 'times', times: 2 } },
      c: {
        kind: 'choose',
        settings: { arms: [{ edge: 'c->A', slot: 'first' }], otherwise: 'c->B' },
        code: { first: ({ index }) => index === 0 },
        in: 'again',
      },
      A: { kind: 'step', in: 'again' },
      B: { kind: 'step', in: 'again' },
      x: { kind: 'pass', in: 'again' },
      end: { kind: 'end', settings: { output: 'results' } },
    }),
  );
  story.start();
  play(story, (tokens) => tokens[0]);
  expect(story.head.output).toEqual({ B: 'B' });
});

test('the results of a pass are out of sight in the next', () => {
  const seen: unknown[] = [];
  const value: Code = ({ results, index }) => {
    seen.push(results);
    return index;
  };
  new Story(counting({ check: 'times', times: 3 }, {}, value)).start();
  expect(seen).toEqual([{}, {}, {}]);
});

test('a repeat in a branch keeps its group, and one in another counts its own passes', () => {
  const story = new Story(
    draw(['f -> again -> j -> end', 'f -> B -> j', 'inner -> x'], {
      f: { kind: 'fork' },
      j: { kind: 'join' },
      again: { kind: 'repeat', settings: { body: 'inner', check: 'times', times: 2 } },
      inner: { kind: 'repeat', settings: { body: 'Try', check: 'times', times: 3 }, in: 'again' },
      x: { kind: 'pass', in: 'again' },
      Try: { kind: 'step', in: 'inner' },
      end: { kind: 'end', settings: { output: 'results' } },
    }),
  );
  story.start();
  for (const token of tokensAt(story, 'B')) story.done(token);
  for (let i = 0; i < 6; i += 1) {
    expect(story.head.status).toBe('running');
    for (const token of tokensAt(story, 'Try')) story.done(token, i);
  }
  expect(story.head).toMatchObject({ status: 'completed', output: { Try: 5 } });
});

describe('an answer that is none is a fault', () => {
  const odd: readonly (readonly [string, unknown, string])[] = [
    ['while', 1, '"while" answers true or false in "again"; came 1'],
    ['while', null, '"while" answers true or false in "again"; came null'],
    ['until', 'yes', '"until" answers true or false in "again"; came "yes"'],
    ['times', 1.5, '"times" answers a whole number, 0 or more in "again"; came 1.5'],
    ['times', -1, '"times" answers a whole number, 0 or more in "again"; came -1'],
    ['times', '3', '"times" answers a whole number, 0 or more in "again"; came "3"'],
  ];
  for (const [check, answer, message] of odd) {
    test(`${check} ${JSON.stringify(answer)}`, () => {
      const story = new Story(counting({ check }, { [check]: () => answer }, () => 1));
      story.start();
      expect(story.head.fault).toEqual({ code: 'repeat.bad-answer', message, node: 'again' });
      expect(story.instance.scopes.size).toBe(0);
    });
  }
});

test('a condition that throws is a fault', () => {
  for (const check of ['while', 'until', 'times']) {
    const code = { [check]: () => Reflect.get(null as never, 'x') };
    const story = new Story(counting({ check }, code, () => 1));
    story.start();
    expect(story.head.fault, check).toMatchObject({ code: 'code.threw', node: 'again' });
  }
});

test('a repeat makes REPEAT_PASSES_MAX passes and faults before the next one', () => {
  const limits = { REPEAT_PASSES_MAX: 3 };
  const enough = new Story(
    counting({ check: 'times', times: 3 }, {}, () => 1),
    { limits },
  );
  enough.start();
  expect(enough.head.status).toBe('completed');

  const more = new Story(
    counting({ check: 'times', times: 4 }, {}, () => 1),
    { limits },
  );
  more.start();
  expect(more.head.fault).toEqual({
    code: 'repeat.too-many-passes',
    message: '"again" made 3 passes and wants more (REPEAT_PASSES_MAX)',
    node: 'again',
  });
});

describe('what is wrong with a repeat', () => {
  const problems = (settings: JsonObject): string[] =>
    problemsOf(trying(settings)).filter((problem) => !problem.startsWith('node.unreachable'));

  test('it repeats in one of three ways', () => {
    expect(problems({ check: 'forever' })).toEqual([
      `repeat.bad-check again: "again" repeats 'while', 'until' or 'times'; came "forever"`,
    ]);
  });

  test('it repeats a whole number of times, 1 or more', () => {
    for (const times of [0, -1, 1.5, '3']) {
      expect(problems({ check: 'times', times })).toEqual([
        `repeat.bad-times again: "again" repeats a whole number of times, 1 or more; ` +
          `came ${JSON.stringify(times)}`,
      ]);
    }
  });

  test('it names the node its region begins with, and that node lies in it', () => {
    expect(problems({ check: 'until', body: 'end' })).toEqual([
      'repeat.no-body again: "again" names the node its region begins with; ' +
        'came "end", which is not in it',
    ]);
    expect(problems({ check: 'until', body: null })).toEqual([
      'repeat.no-body again: "again" names the node its region begins with; came nothing',
    ]);
  });

  test('all of it is said at once', () => {
    expect(problems({ check: 'x', times: 0, body: 7 })).toHaveLength(3);
  });
});
