import { expect, test } from 'vitest';
import { findingsOf } from './checks.ts';
import { readRetry } from './retry-options.ts';

function read(value: unknown): unknown {
  const found = findingsOf('pay');
  const { retry } = readRetry(found, 'retry', value);
  return found.list.length > 0 ? found.list.map(({ code, message }) => [code, message]) : retry;
}

test('a retry needs no more than a number of executions', () => {
  expect(read({ maxAttempts: 3 })).toEqual({
    ...{ maxAttempts: 3, delayMs: 1_000, backoff: 'fixed', maxDelayMs: 300_000, jitter: 0 },
  });
  expect(read(undefined)).toBeUndefined();
});

test('every part of a retry can be said', () => {
  const spoken = { delay: '250ms', backoff: 'exponential', maxDelay: '1m', jitter: 0.2 };
  expect(read({ maxAttempts: 5, ...spoken })).toEqual({
    ...{ maxAttempts: 5, delayMs: 250, backoff: 'exponential', maxDelayMs: 60_000, jitter: 0.2 },
  });
  expect(read({ maxAttempts: 1, delay: 0, backoff: 'linear', jitter: 1 })).toMatchObject({
    ...{ delayMs: 0, backoff: 'linear', jitter: 1 },
  });
});

test('a delay longer than pauses usually get is not cut', () => {
  const delayMs = 3_600_000;
  expect(read({ maxAttempts: 2, delay: '1h' })).toMatchObject({ delayMs, maxDelayMs: delayMs });
});

test('a condition is kept beside, and the draft says that there is one', () => {
  const found = findingsOf('pay');
  const when = () => true;
  const read = readRetry(found, 'retry', { maxAttempts: 2, when });
  expect(read.retry).toMatchObject({ asks: true });
  expect(read.when).toBe(when);
  expect(found.list).toEqual([]);
});

test('everything wrong with a retry is said at once', () => {
  const all = {
    maxAttempts: 0,
    delay: 'soon',
    backoff: 'random',
    maxDelay: -1,
    jitter: 2,
    when: 3,
  };
  expect(read({ ...all, times: 3 })).toEqual([
    [
      'option.unknown',
      'retry of "pay" has no option "times"; it knows "maxAttempts", "delay", "backoff", ' +
        '"maxDelay", "jitter", "when"',
    ],
    [
      'retry.bad-max-attempts',
      'the retry.maxAttempts of "pay" is a whole number, 1 or more; came 0',
    ],
    [
      'retry.bad-delay',
      expect.stringMatching(/^the retry.delay of "pay": a duration is .*; came "soon"$/),
    ],
    [
      'retry.bad-backoff',
      `the retry.backoff of "pay" is 'fixed', 'linear' or 'exponential'; came "random"`,
    ],
    ['retry.bad-max-delay', 'the retry.maxDelay of "pay": a duration cannot be negative; came -1'],
    ['retry.bad-jitter', 'the retry.jitter of "pay" is a number from 0 to 1; came 2'],
    ['code.not-a-function', '"retry.when" of "pay" is a function of the error; came 3'],
  ]);
});

test('nothing that is not a retry gets through', () => {
  const codeOf = (value: unknown) => (read(value) as string[][]).map(([code]) => code);
  for (const maxAttempts of [undefined, 0, -1, 1.5, Number.NaN, '3', Number.POSITIVE_INFINITY]) {
    expect(codeOf({ maxAttempts })).toEqual(['retry.bad-max-attempts']);
  }
  for (const jitter of [-0.1, 1.1, Number.NaN, '0', null]) {
    expect(codeOf({ maxAttempts: 2, jitter })).toEqual(['retry.bad-jitter']);
  }
  for (const value of [null, 3, 'thrice', []]) {
    expect(codeOf(value)).toEqual(['option.not-an-object']);
  }
  const late = async () => true;
  expect(codeOf({ maxAttempts: 2, when: late })).toEqual(['code.not-synchronous']);
  expect(read({ maxAttempts: 2, delay: '2m', maxDelay: '1m' })).toEqual([
    [
      'retry.bad-max-delay',
      'the retry.maxDelay of "pay" is not shorter than its delay; came "1m" and "2m"',
    ],
  ]);
});
