import { describe, expect, test } from 'vitest';
import { DURATION_MS_MAX } from '../base/duration.ts';
import type { Json } from '../base/json.ts';
import { assemble, rowsOf } from '../kernel/instance.ts';
import type { Code } from '../model/definition.ts';
import type { Instant, TokenId } from '../model/ids.ts';
import { problemsOf } from '../testing/problems.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

const minute = draw(['nap -> A'], { nap: { kind: 'sleep', settings: { ms: 60_000 } } });

function computed(duration: Code): Drawing {
  return draw(['nap -> A'], { nap: { kind: 'sleep', code: { duration } } });
}

test('a sleep rests until a moment that is fixed on arrival', () => {
  const story = new Story(minute);
  story.now = 1_000;

  expect(story.start()).toBe(text`
    start  test null
    open   scope 1
    birth  token 2 at nap
    park   token 2 for time until 61000
    ! alarm 61000
  `);
  expect(story.time(2)).toBe(text`
    wake   token 2 timeout and enter
    birth  token 3 at A ready
    end    token 2 done
    ! offer token 3 to test@1/A
  `);
});

test('P6: a sleep never ends early, and ends after any downtime', () => {
  const tick = (at: number): string => {
    const story = new Story(minute);
    story.start();
    return story.tell({ type: 'time', at: at as Instant, token: 2 as TokenId });
  };
  expect(tick(0)).toBe('\n\n');
  expect(tick(59_999)).toBe('\n\n');
  expect(tick(60_000)).toContain('wake   token 2 timeout');
  expect(tick(10 ** 12)).toContain('wake   token 2 timeout');
});

test('the moment is not computed again after a restart', () => {
  let asked = 0;
  const story = new Story(
    computed(() => {
      asked += 1;
      return '1m';
    }),
  );
  story.start();
  story.now = 59_000;
  story.instance = assemble(rowsOf(story.instance));
  expect(story.instance.tokens.get(2 as TokenId)?.wakeAt).toBe(60_000);
  expect(story.time(2)).toContain('at A ready');
  expect(asked).toBe(1);
});

describe('a duration is computed from what the sleep can see', () => {
  const lengths: readonly (readonly [Json, number])[] = [
    [0, 0],
    [1_500, 1_500],
    ['1h30m', 5_400_000],
    ['PT15M', 900_000],
    [0.5, 1],
    [DURATION_MS_MAX, DURATION_MS_MAX],
  ];
  for (const [duration, ms] of lengths) {
    test(`${JSON.stringify(duration)} is ${ms} ms`, () => {
      const story = new Story(computed(({ input }) => input));
      expect(story.start(duration)).toContain(`until ${ms}\n`);
    });
  }
});

describe('what is no duration is a fault', () => {
  const odd: readonly unknown[] = [
    null,
    true,
    -1,
    'soon',
    'P1M',
    {},
    DURATION_MS_MAX + 1,
    undefined,
  ];
  for (const value of odd) {
    test(JSON.stringify(value) ?? 'undefined', () => {
      const story = new Story(computed(() => value));
      story.start();
      expect(story.head.fault).toMatchObject({ code: 'sleep.bad-duration', node: 'nap' });
    });
  }

  test('a megabyte of text, in a short sentence', () => {
    const story = new Story(computed(() => '1s'.repeat(500_000)));
    story.start();
    expect(story.head.fault?.code).toBe('sleep.bad-duration');
    expect(story.head.fault?.message.length).toBeLessThan(300);
  });
});

test('a duration whose closure throws is a fault', () => {
  const story = new Story(computed(() => Reflect.get(null as never, 'x')));
  story.start();
  expect(story.head.fault).toMatchObject({ code: 'code.threw', node: 'nap' });
});

test('a sleep in a loop sleeps anew in every pass, each to its own moment', () => {
  const story = new Story(
    draw(['again -> end'], {
      again: { kind: 'repeat', settings: { body: 'nap', check: 'times', times: 3 } },
      nap: { kind: 'sleep', settings: { ms: 10 }, in: 'again' },
    }),
  );
  story.start();
  const told = [4, 6, 8].map((token) => story.time(token));
  expect(told.map((stride) => /until (\d+)/.exec(stride)?.[1])).toEqual(['20', '30', undefined]);
  expect(story.head.status).toBe('completed');
});

test('a sleep that is woken twice goes on once', () => {
  const story = new Story(minute);
  story.start();
  story.time(2);
  expect(story.time(2)).toBe('\n\n');
});

describe('what is wrong with a sleep', () => {
  test('its length is a number of milliseconds', () => {
    const wrong = draw(['nap -> A'], { nap: { kind: 'sleep', settings: { ms: '1m' } } });
    expect(problemsOf(wrong)).toEqual(['sleep.bad-duration nap: "nap" sleeps for a number of ms']);
  });

  test('its length is neither negative nor longer than a hundred years', () => {
    for (const ms of [-1, DURATION_MS_MAX + 1]) {
      const wrong = draw(['nap -> A'], { nap: { kind: 'sleep', settings: { ms } } });
      expect(problemsOf(wrong)[0]).toContain('sleep.bad-duration nap: "nap": a duration');
    }
  });
});
