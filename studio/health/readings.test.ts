import { expect, test } from 'vitest';
import type { InstanceSummary } from '../api/shapes.ts';
import { type Backlog, countText, lateness, readingsOf, worst } from './readings.ts';
import { missingIn } from './missing.ts';
import { whenText } from './when-text.ts';

const QUIET: Backlog = {
  now: 1_000_000,
  messages: 0,
  letters: { ready: 0, dead: 0, since: null },
  timers: { since: null },
  executing: { count: 0, expired: 0 },
  ready: { count: 0, since: null },
};

test('a store in which nothing waits is well, if somebody is at work', () => {
  expect(worst(readingsOf(QUIET, 1).map(({ tone }) => tone))).toBe('ok');
  expect(readingsOf(QUIET, 0)[0]).toMatchObject({ tone: 'bad', below: 'nobody is at work' });
});

test('late work, late timers, lost leases and dead letters are told by their tone', () => {
  const since = QUIET.now - 20_000;
  const busy: Backlog = {
    ...QUIET,
    ready: { count: 10_000, since },
    executing: { count: 3, expired: 1 },
    timers: { since },
    letters: { ready: 1, dead: 2, since },
  };
  const told = readingsOf(busy, 1).map(({ label, value, tone }) => [label, value, tone].join(' '));
  expect(told).toEqual([
    'Workers 1 ok',
    'Ready work 10,000+ warn',
    'At work 3 warn',
    'Timer lag 20 s warn',
    'Outbox 1 ok',
    'Dead letters 2 bad',
    'Kept messages 0 ok',
  ]);
});

test('a time is late behind its first mark, and bad behind its second', () => {
  expect([10, 11, 61].map((ms) => lateness(ms, 10, 60))).toEqual(['ok', 'warn', 'bad']);
  expect(countText(9_999)).toBe('9,999');
});

test('handlers that nobody has are told once each, with all who wait for them', () => {
  const stalled = (id: string, ...handlers: string[]): InstanceSummary =>
    ({ id, stalled: { reason: 'handler.missing', handlers } }) as unknown as InstanceSummary;
  const fine = { id: 'x', stalled: null } as unknown as InstanceSummary;
  expect(missingIn([stalled('a', 'ship', 'pay'), fine, stalled('b', 'ship')])).toEqual([
    { handler: 'ship', instances: ['a', 'b'] },
    { handler: 'pay', instances: ['a'] },
  ]);
});

test('a schedule says when in the words in which it was made', () => {
  expect(whenText({ cron: '0 8 * * *', timezone: 'Europe/Berlin' })).toBe(
    '0 8 * * * (Europe/Berlin)',
  );
  expect(whenText({ every: 90_000 })).toBe('every 1 m 30 s');
});
