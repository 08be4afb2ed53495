import { describe, expect, test } from 'vitest';
import { DURATION_MS_MAX } from '../base/duration.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { TokenId } from '../model/ids.ts';
import { LIMITS, type Limits } from '../model/limits.ts';
import { tokensAt } from '../testing/play.ts';
import { draw, Story } from '../testing/story.ts';
import { pauseAfter, readRetry, type Retry } from './retry.ts';

const fixed: Retry = {
  maxAttempts: 3_000,
  delayMs: 100,
  backoff: 'fixed',
  maxDelayMs: 60_000,
  jitter: 0,
};

/** The pause after each of these failures, with no jitter and far from every limit. */
function pauses(retry: Partial<Retry>, failures: readonly number[] = [1, 2, 3, 4, 10]): number[] {
  return failures.map((n) => pauseAfter({ ...fixed, ...retry }, n, 0, 1e12));
}

describe('B-45: the pause after the n-th failure', () => {
  test('is the delay itself', () => {
    expect(pauses({})).toEqual([100, 100, 100, 100, 100]);
  });

  test('or n times it', () => {
    expect(pauses({ backoff: 'linear' })).toEqual([100, 200, 300, 400, 1_000]);
  });

  test('or twice as long each time', () => {
    expect(pauses({ backoff: 'exponential' })).toEqual([100, 200, 400, 800, 51_200]);
  });

  test('is none if the delay is none, however often it fails', () => {
    for (const backoff of ['fixed', 'linear', 'exponential'] as const) {
      expect(pauses({ backoff, delayMs: 0 }, [1, 2, 2_000])).toEqual([0, 0, 0]);
    }
  });

  test('is a whole number of milliseconds', () => {
    expect(pauseAfter({ ...fixed, jitter: 1 }, 1, 1 / 3, 1e12)).toBe(67);
    expect(pauses({ delayMs: 0.25, backoff: 'linear' }, [1, 2, 3])).toEqual([0, 1, 1]);
  });
});

describe('a cap holds whatever the formula says', () => {
  test('with every formula, the first pause included', () => {
    expect(pauses({ maxDelayMs: 70 })).toEqual([70, 70, 70, 70, 70]);
    expect(pauses({ backoff: 'linear', maxDelayMs: 250 })).toEqual([100, 200, 250, 250, 250]);
    expect(pauses({ backoff: 'exponential', maxDelayMs: 250 })).toEqual([100, 200, 250, 250, 250]);
  });

  test('after 2000 failures, when twice as long each time is infinite', () => {
    expect(2 ** 1_999).toBe(Number.POSITIVE_INFINITY);
    expect(pauses({ backoff: 'exponential' }, [1_000, 2_000])).toEqual([60_000, 60_000]);
    expect(pauses({ backoff: 'linear' }, [2_000])).toEqual([60_000]);
    const jittered = pauseAfter(
      { ...fixed, backoff: 'exponential', jitter: 0.5 },
      2_000,
      0.5,
      1e12,
    );
    expect(jittered).toBe(45_000);
  });
});

/** A step that is tried again, and when that is after it failed so often. */
function waitsFor(retry: Partial<Retry>, limits: Partial<Limits> = {}, failures = 1): number {
  const policy = { ...fixed, ...retry } as unknown as JsonObject;
  const story = new Story(draw(['A'], { A: { kind: 'step', settings: { retry: policy } } }), {
    limits,
  });
  story.start();
  let pause = Number.NaN;
  for (let n = 0; n < failures; n += 1) {
    story.fail(2);
    const { availableAt = story.now } = story.instance.tokens.get(2 as TokenId) ?? {};
    pause = availableAt - story.now;
    story.now = availableAt;
  }
  return pause;
}

describe('RETRY_DELAY_MS_MAX', () => {
  const long = { delayMs: 5_000, maxDelayMs: DURATION_MS_MAX };
  const limit = (RETRY_DELAY_MS_MAX: number): Partial<Limits> => ({ RETRY_DELAY_MS_MAX });

  test('a pause of as much is left as it is, and a longer one is cut to it', () => {
    expect(waitsFor(long, limit(5_000))).toBe(5_000);
    expect(waitsFor(long, limit(4_999))).toBe(4_999);
    expect(waitsFor(long, limit(5_001))).toBe(5_000);
  });

  test('is a day unless someone says otherwise', () => {
    expect(LIMITS.RETRY_DELAY_MS_MAX).toBe(86_400_000);
    expect(waitsFor({ ...long, delayMs: 86_400_000 })).toBe(86_400_000);
    expect(waitsFor({ ...long, delayMs: 86_400_001 })).toBe(86_400_000);
  });

  test('holds for every failure, whatever the policy says', () => {
    const backoff = 'exponential';
    expect(waitsFor({ ...long, backoff }, limit(9_000), 3)).toBe(9_000);
    expect(waitsFor({ backoff, maxDelayMs: 300 }, limit(9_000), 3)).toBe(300);
  });
});

describe('jitter', () => {
  const shares = [0, 0.1, 0.5, 1];
  const chances = [0, 0.25, 0.5, 0.999_999];

  test('takes off up to its share and never adds: the cap stays one', () => {
    for (const jitter of shares) {
      for (const chance of chances) {
        const pause = pauseAfter({ ...fixed, delayMs: 60_000, jitter }, 1, chance, 1e12);
        expect(pause).toBe(Math.round(60_000 * (1 - jitter * chance)));
        expect(pause).toBeLessThanOrEqual(60_000);
        expect(pause).toBeGreaterThanOrEqual(60_000 * (1 - jitter));
      }
    }
  });

  const many = draw(['f -> A', 'f -> B', 'f -> C'], {
    f: { kind: 'fork' },
    ...Object.fromEntries(
      ['A', 'B', 'C'].map((id) => [
        id,
        { kind: 'step', settings: { retry: { ...fixed, delayMs: 10_000, jitter: 0.5 } } },
      ]),
    ),
  });

  /** The moments at which the three are run again, after they failed together, so many times. */
  function moments(failures: number, id?: string): number[] {
    const story = new Story(many);
    if (id === undefined) story.start();
    else {
      const birth = { id: id as never, flow: 'test', flowVersion: 1, input: null };
      story.tell({ type: 'start', at: 0 as never, birth });
    }
    for (let n = 0; n < failures; n += 1) {
      for (const node of ['A', 'B', 'C']) {
        for (const token of tokensAt(story, node)) story.fail(token);
      }
    }
    return story.instance.tokens.values().map(({ availableAt }) => availableAt);
  }

  test('what failed together does not come back together', () => {
    const [a = 0, b = 0, c = 0] = moments(1);
    expect(new Set([a, b, c]).size).toBe(3);
    expect(Math.min(a, b, c)).toBeGreaterThanOrEqual(5_000);
    expect(Math.max(a, b, c)).toBeLessThanOrEqual(10_000);
  });

  test('the same run makes the same pauses', () => {
    expect(moments(1)).toEqual(moments(1));
    expect(moments(3)).toEqual(moments(3));
  });

  test('it is drawn from the instance, the token and the number of the failure', () => {
    expect(moments(2)).not.toEqual(moments(1));
    expect(moments(1, 'i2')).not.toEqual(moments(1));
  });

  test('none makes every pause the same', () => {
    expect(waitsFor({ jitter: 0 }, {}, 1)).toBe(waitsFor({ jitter: 0 }, {}, 2));
  });
});

describe('what is wrong with a retry policy', () => {
  const problem = (retry: Json): string => {
    const read = readRetry(retry);
    return read.ok ? 'nothing' : read.problem;
  };
  const policy = fixed as unknown as JsonObject;

  test('it is an object', () => {
    for (const odd of [null, 3, 'thrice', true, [], [policy]] as Json[]) {
      expect(problem(odd)).toBe('a retry policy is an object');
    }
  });

  test('it says how often something is executed in all: a whole number, 1 or more', () => {
    for (const maxAttempts of [0, -1, 1.5, '3', null, 2 ** 53]) {
      expect(problem({ ...policy, maxAttempts })).toBe(
        '"maxAttempts" counts executions in all: a whole number, 1 or more',
      );
    }
    const { maxAttempts: _, ...without } = policy;
    expect(problem(without)).toContain('"maxAttempts"');
    expect(problem({ ...policy, maxAttempts: 1 })).toBe('nothing');
  });

  test('its delay and its cap are milliseconds, of a hundred years at most', () => {
    for (const name of ['delayMs', 'maxDelayMs']) {
      for (const ms of [-1, '1s', null, true, DURATION_MS_MAX + 1]) {
        expect(problem({ ...policy, [name]: ms })).toBe(`"${name}" is milliseconds`);
      }
      expect(problem({ ...policy, [name]: 0 })).toBe('nothing');
      expect(problem({ ...policy, [name]: DURATION_MS_MAX })).toBe('nothing');
    }
  });

  test('its backoff is one of three', () => {
    for (const backoff of ['', 'Fixed', 'random', 2, null]) {
      expect(problem({ ...policy, backoff })).toBe(
        '"backoff" is one of fixed, linear, exponential',
      );
    }
  });

  test('its jitter is a share from 0 to 1', () => {
    for (const jitter of [-0.1, 1.1, '0.5', null, true]) {
      expect(problem({ ...policy, jitter })).toBe('"jitter" is a share from 0 to 1');
    }
    expect([problem({ ...policy, jitter: 0 }), problem({ ...policy, jitter: 1 })]).toEqual([
      'nothing',
      'nothing',
    ]);
  });

  test('only what it knows is kept, and whether a function of the flow has a say', () => {
    expect(readRetry({ ...policy, colour: 'red' })).toEqual({ ok: true, value: fixed });
    expect(readRetry({ ...policy, asks: true })).toEqual({
      ok: true,
      value: { ...fixed, asks: true },
    });
    expect(readRetry({ ...policy, asks: 'maybe' })).toEqual({ ok: true, value: fixed });
  });
});
