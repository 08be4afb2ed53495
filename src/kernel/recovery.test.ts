/** What becomes of a token whose worker died: a lease that runs out is an input too (D11). */
import { describe, expect, test } from 'vitest';
import type { TokenId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import { LIMITS } from '../model/limits.ts';
import { withoutCode } from '../testing/play.ts';
import { draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

const two = draw(['A -> B']);

function begun(limits = {}): Story {
  const story = new Story(two, { limits });
  story.start();
  return story;
}

function tokenIn(story: Story, id: number): Token | undefined {
  return story.instance.tokens.get(id as TokenId);
}

test('a lease that ran out gives the same token back, with one more attempt and crash', () => {
  const story = begun();
  expect(story.expire(2)).toBe(text`
    claim  token 2 by w1
    recover token 2 LEASE_EXPIRED
    ! offer token 2 to test@1/A
  `);
  expect(tokenIn(story, 2)).toMatchObject({
    status: 'ready',
    handler: 'test@1/A',
    attempts: 1,
    crashes: 1,
    wake: { reason: 'lease-recovery', payload: null },
    lastError: {
      code: 'LEASE_EXPIRED',
      message: 'no result before the lease ran out (1 of CRASHES_MAX 10)',
      node: 'A',
    },
  });
});

test('a recovered token that gets its result goes on as if nothing had been', () => {
  const story = begun();
  story.expire(2);
  expect(story.done(2, 'late but fine')).toContain('birth  token 3 at B ready');
});

describe('CRASHES_MAX', () => {
  function crash(times: number, limits: { CRASHES_MAX?: number } = {}): Story {
    const story = begun(limits);
    for (let i = 0; i < times; i += 1) story.expire(2);
    return story;
  }

  test('as many crashes are survived, though maxAttempts is 1', () => {
    const story = crash(3, { CRASHES_MAX: 3 });
    expect(story.head.status).toBe('running');
    expect(tokenIn(story, 2)).toMatchObject({ attempts: 3, crashes: 3, maxAttempts: 1 });
  });

  test('one more fails the token as LEASE_EXPIRED, and the instance with it', () => {
    const story = crash(3, { CRASHES_MAX: 3 });
    expect(story.expire(2)).toBe(text`
      claim  token 2 by w1
      end    token 2 failed LEASE_EXPIRED
      close  scope 1
      finish failed LEASE_EXPIRED
      ! ended
    `);
    expect(story.head.fault).toMatchObject({ code: 'LEASE_EXPIRED', node: 'A' });
  });

  test('is 10 unless someone says otherwise', () => {
    expect(LIMITS.CRASHES_MAX).toBe(10);
    expect(crash(10).head.status).toBe('running');
    expect(crash(11).head.status).toBe('failed');
  });

  test('was reached again by the next crash, though someone had it tried again', () => {
    const mends = draw(['A -> B'], { A: { kind: 'step', settings: { onFailure: 'incident' } } });
    const story = new Story(mends, { limits: { CRASHES_MAX: 3 } });
    story.start();
    for (let i = 0; i < 4; i += 1) story.expire(2);
    story.retry(2);
    for (let i = 0; i < 3; i += 1) story.expire(2);
    expect(tokenIn(story, 2)).toMatchObject({ status: 'ready', crashes: 3 });
    story.expire(2);
    expect(tokenIn(story, 2)).toMatchObject({ wait: { on: 'incident' } });
  });

  test('counts for each token on its own', () => {
    const story = crash(3, { CRASHES_MAX: 3 });
    story.done(2);
    for (let i = 0; i < 3; i += 1) story.expire(3);
    expect(story.head.status).toBe('running');
  });
});

describe('what a token was woken by survives its worker', () => {
  const wakes: Readonly<Record<string, (story: Story) => string>> = {
    event: (story) => story.message(2, 'go', 'k', { amount: 5 }),
    timeout: (story) => story.time(2),
  };
  const waiting = draw(['w -> B'], {
    w: { kind: 'wait', settings: { event: 'go', timeoutMs: 1_000 } },
  });

  for (const [reason, wake] of Object.entries(wakes)) {
    test(`a token woken by ${reason} goes on as woken by ${reason}, crash after crash`, () => {
      const story = new Story(waiting, { key: 'k' });
      story.start();
      withoutCode(story, () => wake(story));
      const woken = tokenIn(story, 2)?.wake;
      expect(woken?.reason).toBe(reason);

      for (let crashes = 1; crashes <= 3; crashes += 1) {
        withoutCode(story, () => story.expire(2));
        expect(tokenIn(story, 2)).toMatchObject({ crashes, wake: woken, status: 'ready' });
      }
      const value = reason === 'event' ? '{"w":{"amount":5}}' : '{"w":null}';
      expect(story.go(2)).toContain(`write  scope 1 results ${value}`);
    });
  }
});

test('a token that was set down on arrival enters its node again after a crash', () => {
  const story = new Story(draw(['a -> b -> c -> A']), { limits: { MOVES_PER_COMMIT: 2 } });
  story.start();
  story.expire(4);
  expect(tokenIn(story, 4)?.wake).toEqual({ reason: 'lease-recovery', payload: null });
  expect(story.go(4)).toContain('birth  token 5 at A ready');
});

test('a result from a worker that was away finds the token gone and leaves no trace', () => {
  const story = begun();
  story.expire(2);
  story.done(2, 'first');
  expect(story.done(2, 'from the worker that was away')).toBe('\n\n');
  expect(story.expire(2)).toBe('\n\n');
});
