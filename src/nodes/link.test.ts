/** One step of a chain: the seed's step states and what leads from one to another. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { assemble, rowsOf } from '../kernel/instance.ts';
import type { TokenId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import { problemsOf } from '../testing/problems.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

const policy = {
  maxAttempts: 3,
  delayMs: 1_000,
  backoff: 'exponential',
  maxDelayMs: 300_000,
  jitter: 0,
};

function paying(settings: JsonObject = {}): Drawing {
  const link = { kind: 'link', settings: { type: 'PAY', retry: policy, ...settings } };
  return draw(['orders -> PAY -> SHIP'], {
    orders: { kind: 'chain', settings: { links: ['PAY', 'SHIP'] } },
    PAY: link,
    SHIP: { ...link, settings: { ...link.settings, type: 'SHIP' } },
  });
}

/** PAY is token 3 and ready, SHIP is token 4. */
function begun(settings?: JsonObject, key: string | null = 'order-42'): Story {
  const story = new Story(paying(settings), key === null ? {} : { key });
  story.start({ total: 5 });
  return story;
}

const pay = (story: Story): Token | undefined => story.instance.tokens.get(3 as TokenId);

const asked = { type: 'payment.requested', key: 'order-42', data: { total: 5 } };

describe('waiting', () => {
  test('L-34 L-35: it rests with what it waits for; what it sends is of the same stride', () => {
    const story = begun();

    expect(story.waits(3, 'payment', { timeoutMs: 900_000, letters: [asked] })).toBe(text`
      claim  token 3 by w1
      send   i1/5 payment.requested {"total":5}
      park   token 3 for message payment order-42 until 900000
      ! send
      ! alarm 900000
      ! await payment order-42
    `);
    expect(pay(story)).toMatchObject({
      status: 'waiting',
      handler: 'test/PAY',
      attempts: 0,
      wakeAt: 900_000,
      wait: { on: 'message', type: 'payment', key: 'order-42' },
    });
  });

  test('L-50 L-52: a message has the same step run once more, which is told of it', () => {
    const story = begun();
    story.waits(3, 'payment', { timeoutMs: 900_000 });
    story.now = 60_000;

    expect(story.message(3, 'payment', 'order-42', { paid: 5 })).toBe(text`
      wake   token 3 event
      ! offer token 3 to test/PAY
    `);
    expect(pay(story)).toMatchObject({
      status: 'ready',
      seq: 0,
      visit: 2,
      attempts: 0,
      availableAt: 60_000,
      wait: null,
      wakeAt: null,
      wake: { reason: 'event', payload: { paid: 5 } },
    });
    expect(story.complete(3, { total: 5, paid: 5 })).toBe(text`
      claim  token 3 by w1
      output {"total":5,"paid":5}
      ready  token 4
      end    token 3 done
      ! offer token 4 to test/SHIP
    `);
  });

  test('L-15 X-12: so does the end of its time, by way of ready', () => {
    const story = begun();
    story.waits(3, 'payment', { timeoutMs: 900_000 });

    expect(story.time(3)).toBe(text`
      wake   token 3 timeout
      ! offer token 3 to test/PAY
    `);
    expect(pay(story)).toMatchObject({ status: 'ready', visit: 2, wake: { reason: 'timeout' } });
  });

  test('L-16: where nobody asked to be told, nothing happens when the time is over', () => {
    const story = begun({ patient: true });
    expect(story.waits(3, 'payment', { timeoutMs: 900_000 })).not.toContain('alarm');
    expect(pay(story)).toMatchObject({ wakeAt: null, wait: { until: 900_000 } });
    story.now = 900_000;
    expect(story.time(3)).toBe('\n\n');
    expect(story.message(3, 'payment', 'order-42')).toContain('wake   token 3 event');
  });

  test('without a time it waits for as long as it takes', () => {
    const story = begun();
    expect(story.waits(3, 'payment')).not.toContain('alarm');
    expect(pay(story)?.wakeAt).toBe(null);
  });

  test('an instance without a business key is its own', () => {
    const story = begun({}, null);
    expect(story.waits(3, 'payment')).toContain('for message payment i1');
  });

  test('L-50: another type, or another key, wakes nothing', () => {
    const story = begun();
    story.waits(3, 'payment');
    expect(story.message(3, 'refund', 'order-42')).toBe('\n\n');
    expect(story.message(3, 'payment', 'order-43')).toBe('\n\n');
  });

  test('L-58: the second of two messages finds nobody', () => {
    const story = begun();
    story.waits(3, 'payment');
    story.message(3, 'payment', 'order-42');
    expect(story.message(3, 'payment', 'order-42')).toBe('\n\n');
  });

  test('it may wait again, each time anew', () => {
    const story = begun();
    for (const visit of [1, 2, 3]) {
      expect(pay(story)).toMatchObject({ visit, attempts: 0 });
      story.waits(3, 'payment', { timeoutMs: 10 });
      story.now += 5;
      story.message(3, 'payment', 'order-42');
    }
  });
});

describe('failing', () => {
  test('L-37: it is ready again, and not before its pause is over', () => {
    const story = begun();

    expect(story.fail(3, 'chain.retry')).toBe(text`
      claim  token 3 by w1
      retry  token 3 chain.retry until 1000
      ! alarm 1000
    `);
    expect(pay(story)).toMatchObject({
      status: 'ready',
      attempts: 1,
      availableAt: 1_000,
      wake: { reason: 'retry' },
      lastError: { code: 'chain.retry', node: 'PAY' },
    });
  });

  test('L-37: the pause it asks for goes before that of its policy', () => {
    const story = begun();
    story.fail(3, 'busy', { afterMs: 5_000 });
    expect(pay(story)?.availableAt).toBe(5_000);
    story.now = 5_000;
    expect(story.fail(3, 'busy', { afterMs: 0 })).toContain('! offer token 3 to test/PAY');
  });

  test('L-38: the last of them is final, whatever pause it asks for', () => {
    const story = begun();
    story.fail(3);
    story.fail(3, 'busy', { afterMs: 5_000 });

    expect(story.fail(3, 'busy', { afterMs: 5_000 })).toBe(text`
      claim  token 3 by w1
      end    token 3 failed busy
      close  scope 1
      finish failed busy
      ! ended
    `);
    expect(pay(story)).toMatchObject({
      status: 'failed',
      attempts: 3,
      lastError: { code: 'busy' },
    });
  });

  test('L-41 L-44: what is dead ends the chain at once, and the others stay in line', () => {
    const story = begun();
    expect(story.fatal(3, 'chain.dead')).toContain('finish failed chain.dead');
    expect(story.instance.tokens.values()).toMatchObject([
      { status: 'failed', attempts: 1, lastError: { code: 'chain.dead' } },
      { status: 'created', attempts: 0 },
    ]);
  });

  test('L-33: what is done forgets what went wrong before', () => {
    const story = begun();
    story.fail(3);
    story.done(3);
    expect(pay(story)).toMatchObject({
      status: 'completed',
      attempts: 1,
      lastError: null,
      wait: null,
      wake: null,
    });
  });

  test('L-09: what it made of the context is kept, however it went', () => {
    const story = begun();
    expect(story.fail(3, 'busy', { output: { tries: 1 } })).toContain('output {"tries":1}');
    expect(story.waits(3, 'payment', { output: { tries: 2 } })).toContain('output {"tries":2}');
    expect(story.head.output).toEqual({ tries: 2 });
  });

  test('D10: what a message woke is tried again with it, and a time-out as one', () => {
    const event = begun();
    event.waits(3, 'payment');
    event.message(3, 'payment', 'order-42', { paid: 5 });
    event.fail(3);
    expect(pay(event)?.wake).toEqual({ reason: 'event', payload: { paid: 5 } });
    const late = begun();
    late.waits(3, 'payment', { timeoutMs: 10 });
    late.time(3);
    late.fail(3);
    expect(pay(late)?.wake?.reason).toBe('timeout');
  });
});

describe('a lease that runs out', () => {
  test('L-20: ready again at once, with an attempt more', () => {
    const story = begun();
    story.now = 11_000;

    expect(story.expire(3)).toBe(text`
      claim  token 3 by w1
      recover token 3 LEASE_EXPIRED
      ! offer token 3 to test/PAY
    `);
    expect(pay(story)).toMatchObject({
      status: 'ready',
      attempts: 1,
      crashes: 1,
      availableAt: 11_000,
      lastError: { code: 'LEASE_EXPIRED' },
    });
  });

  test('X-05: never the last word by itself, but what fails after it is', () => {
    const story = begun();
    for (const attempts of [1, 2, 3, 4]) {
      story.expire(3);
      expect(pay(story)).toMatchObject({ status: 'ready', attempts });
    }
    expect(story.fail(3)).toContain('finish failed boom');
    expect(pay(story)?.attempts).toBe(5);
  });

  test('D10, defect 8: what timed out runs again as that, after any restart', () => {
    const story = begun();
    story.waits(3, 'payment', { timeoutMs: 10 });
    story.time(3);
    story.expire(3);
    story.instance = assemble(rowsOf(story.instance));
    expect(pay(story)).toMatchObject({ wake: { reason: 'timeout' }, crashes: 1 });
  });
});

test('L-43: canceled while it waits: it ends, and the others stay in line', () => {
  const story = begun();
  story.waits(3, 'payment', { timeoutMs: 10 });

  expect(story.cancel()).toBe(text`
    end    token 3 cancelled
    close  scope 1
    finish canceled
    ! ended
  `);
  expect(story.instance.tokens.values()).toMatchObject([
    { status: 'terminated', wait: null, wakeAt: null, attempts: 0 },
    { status: 'created' },
  ]);
  expect(story.time(3)).toBe('\n\n');
  expect(story.message(3, 'payment', 'order-42')).toBe('\n\n');
  expect(story.done(3)).toBe('\n\n');
});

describe('what is wrong with a link', () => {
  const table: readonly (readonly [JsonObject, string])[] = [
    [{ type: null }, 'link.no-type PAY: "PAY" has a type, which is no blank text'],
    [{ type: ' ' }, 'link.no-type PAY: "PAY" has a type, which is no blank text'],
    [{ retry: null }, 'link.bad-retry PAY: the retry of "PAY": a retry policy is an object'],
    [{ timeoutMs: 0 }, 'link.bad-time PAY: "timeoutMs" of "PAY" is a number of ms, more than 0'],
    [{ timeoutMs: '1m' }, 'link.bad-time PAY: "timeoutMs" of "PAY" is a number of ms, more than 0'],
  ];
  test.each(table)('%j', (settings, problem) => {
    expect(problemsOf(paying(settings))).toContain(problem);
  });
});
