import { describe, expect, test } from 'vitest';
import { readOutbox } from './outbox-options.ts';

const to = (): void => {};

describe('a target', () => {
  test('is a function, or has one that is called send', () => {
    const broker = { send: to, close: () => {} };
    expect(readOutbox(to).targets.get('*')?.send).toBe(to);
    expect(readOutbox(broker).targets.get('*')).toBe(broker);
    expect([...readOutbox({ to: { paid: to, '*': broker } }).targets.keys()]).toEqual([
      'paid',
      '*',
    ]);
  });
});

test('what is not said is the usual', () => {
  expect(readOutbox(to)).toMatchObject({
    maxAttempts: 10,
    pauses: { baseMs: 1_000, maxMs: 300_000 },
    timeoutMs: 30_000,
    concurrency: 16,
  });
});

test('and can be said', () => {
  const backoff = { base: '2s', max: 2_000 };
  const all = { to, maxAttempts: 1, backoff, timeout: '5m', concurrency: 1 };
  expect(readOutbox(all)).toMatchObject({
    maxAttempts: 1,
    pauses: { baseMs: 2_000, maxMs: 2_000 },
    timeoutMs: 300_000,
    concurrency: 1,
  });
});

test.each<[unknown, string]>([
  [null, 'outbox is a target'],
  [7, 'outbox is a target'],
  [{}, 'outbox is a target'],
  [{ send: 7 }, 'outbox is a target'],
  [{ send: to, close: 7 }, 'outbox has a target whose "close" is no function'],
  [{ to: {} }, 'outbox.to is a target'],
  [{ to: { paid: 7 } }, 'outbox.to["paid"] is a function'],
  [{ to, tries: 3 }, 'outbox has no "tries"; it has to, maxAttempts'],
  [{ to, maxAttempts: 0 }, 'outbox.maxAttempts is a whole number, 1 or more'],
  [{ to, maxAttempts: 1.5 }, 'outbox.maxAttempts is a whole number'],
  [{ to, concurrency: 0 }, 'outbox.concurrency is a whole number'],
  [{ to, timeout: 'soon' }, 'outbox.timeout: '],
  [{ to, timeout: 0 }, 'outbox.timeout is a millisecond or more'],
  [{ to, backoff: { base: 0 } }, 'outbox.backoff.base is a millisecond or more'],
  [{ to, backoff: { base: '2s', max: '1s' } }, 'outbox.backoff.max is no shorter'],
])('%j is refused', (outbox, message) => {
  const read = () => readOutbox(outbox as never);
  expect(read).toThrow(message);
  expect(read).toThrow(expect.objectContaining({ code: 'engine.option-invalid' }));
});
