/** Stories of how often somebody may ask. */
import { expect, test } from 'vitest';
import type { Principal } from './principal.ts';
import {
  BUCKETS_MAX,
  FAILURES_BURST,
  FAILURES_PER_SECOND,
  RATE_BURST_DEFAULT,
  RATE_PER_SECOND_DEFAULT,
  type RateOptions,
  Rates,
} from './rate.ts';

const PEER = '192.0.2.1';

function principal(id: string, tenant: string | null = null): Principal {
  return { id, tenant, scopes: new Set(['read']), groups: [] };
}

/** A limit whose clock the test sets. */
function opened(rate: RateOptions | false | undefined): { rates: Rates; clock: { now: number } } {
  const clock = { now: 1_000 };
  return { rates: new Rates(rate, () => clock.now), clock };
}

function tooMany(seconds: number): object {
  return expect.objectContaining({
    code: 'access.too-many',
    retryable: true,
    headers: { 'retry-after': `${seconds}` },
  });
}

test('so many at once, one more when there was time for one, and no more than that', () => {
  const { rates, clock } = opened({ perSecond: 2, burst: 3 });
  const ann = principal('ann');
  for (let n = 0; n < 3; n += 1) rates.take(ann, PEER);
  expect(() => rates.take(ann, PEER)).toThrow(tooMany(1));
  clock.now += 499;
  expect(() => rates.take(ann, PEER)).toThrow(tooMany(1));
  clock.now += 1;
  rates.take(ann, PEER);
  expect(() => rates.take(ann, PEER)).toThrow(tooMany(1));
  clock.now += 3_600_000;
  for (let n = 0; n < 3; n += 1) rates.take(ann, PEER);
  expect(() => rates.take(ann, PEER)).toThrow(tooMany(1));
});

test('who comes too soon is told when to come again', () => {
  const { rates } = opened({ perSecond: 0.1, burst: 1 });
  rates.take(null, PEER);
  expect(() => rates.take(null, PEER)).toThrow(tooMany(10));
});

test('what is not said is a limit all the same', () => {
  const { rates, clock } = opened(undefined);
  for (let n = 0; n < RATE_BURST_DEFAULT; n += 1) rates.take(null, PEER);
  expect(() => rates.take(null, PEER)).toThrow(tooMany(1));
  clock.now += 1_000 / RATE_PER_SECOND_DEFAULT;
  rates.take(null, PEER);
  expect(() => rates.take(null, PEER)).toThrow(tooMany(1));
});

test('everybody has a bucket of their own, wherever they ask from', () => {
  const { rates } = opened({ perSecond: 1, burst: 1 });
  rates.take(principal('ann'), PEER);
  expect(() => rates.take(principal('ann'), '192.0.2.2')).toThrow(tooMany(1));
  rates.take(principal('bob'), PEER);
  rates.take(principal('ann', 'acme'), PEER);
  rates.take(principal(PEER), PEER);
  rates.take(null, PEER);
  expect(() => rates.take(null, PEER)).toThrow(tooMany(1));
  rates.take(null, '192.0.2.2');
});

test('who has not said who they are shares with their network', () => {
  const { rates } = opened({ perSecond: 1, burst: 1 });
  rates.take(null, '2001:db8:1:2::1');
  expect(() => rates.take(null, '2001:db8:1:2:ffff::9')).toThrow(tooMany(1));
  rates.take(null, '2001:db8:1:3::1');
  rates.take(null, undefined);
  expect(() => rates.take(null, undefined)).toThrow(tooMany(1));
});

test('wrong credentials are sooner too many, and keep nobody out', () => {
  const { rates, clock } = opened({ perSecond: 1_000, burst: 1_000 });
  for (let n = 0; n < FAILURES_BURST; n += 1) rates.takeFailure(PEER);
  expect(() => rates.takeFailure(PEER)).toThrow(tooMany(1 / FAILURES_PER_SECOND));
  rates.takeFailure('192.0.2.2');
  rates.take(principal('ann'), PEER);
  rates.take(null, PEER);
  clock.now += 1_000 / FAILURES_PER_SECOND;
  rates.takeFailure(PEER);
  expect(() => rates.takeFailure(PEER)).toThrow(tooMany(1 / FAILURES_PER_SECOND));
});

test('there are so many buckets, and the one not used for longest goes', () => {
  const { rates } = opened({ perSecond: 1, burst: 1 });
  const nth = (n: number): Principal => principal(`p${n}`);
  for (let n = 0; n < BUCKETS_MAX; n += 1) rates.take(nth(n), PEER);
  // All are known still; asking makes the first the one that was used last.
  expect(() => rates.take(nth(0), PEER)).toThrow(tooMany(1));
  rates.take(nth(BUCKETS_MAX), PEER);
  expect(() => rates.take(nth(0), PEER)).toThrow(tooMany(1));
  rates.take(nth(1), PEER);
});

test('a clock that is set back fills no bucket and empties none', () => {
  const { rates, clock } = opened({ perSecond: 1, burst: 2 });
  rates.take(null, PEER);
  clock.now -= 500;
  rates.take(null, PEER);
  expect(() => rates.take(null, PEER)).toThrow(tooMany(1));
});

test('without a limit there is none', () => {
  const { rates } = opened(false);
  for (let n = 0; n < RATE_BURST_DEFAULT + 1; n += 1) {
    rates.take(null, PEER);
    rates.takeFailure(PEER);
  }
  expect(() => rates.take(principal('ann'), PEER)).not.toThrow();
});

test('a rate that is none is found when the server opens', () => {
  const bad = [
    ...[
      { perSecond: 0, burst: 1 },
      { perSecond: 1, burst: 0.5 },
      { perSecond: -1, burst: 1 },
    ],
    ...[{ perSecond: Number.NaN, burst: 1 }, { perSecond: 1 }, { burst: 1 }, {}, 7, true, null],
    { perSecond: 1, burst: Number.POSITIVE_INFINITY },
  ];
  for (const rate of bad) {
    expect(() => opened(rate as RateOptions), JSON.stringify(rate)).toThrow(
      expect.objectContaining({ code: 'engine.option-invalid' }),
    );
  }
  expect(() => opened({ perSecond: 0.001, burst: 1 })).not.toThrow();
});
