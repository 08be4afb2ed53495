import { describe, expect, test } from 'vitest';
import type { Token } from '../api/shapes.ts';
import { tokenText } from './token-text.ts';

const NOW = new Date(2026, 10, 18, 14, 0).getTime();
const MINUTE_MS = 60_000;

function token(over: Partial<Token>): Token {
  return {
    ...{ id: 7, scope: 0, node: 'pay', via: null, handler: null, seq: null, status: 'waiting' },
    ...{ mode: 'forward', visit: 1, attempts: 0, maxAttempts: 3, availableAt: 0, wait: null },
    ...{ wakeAt: null, wake: null, lastError: null, createdAt: NOW, updatedAt: NOW },
    ...over,
  };
}

const fault = { code: 'bank.down', message: 'the bank is down', node: 'pay' };

describe('what a token is at', () => {
  test('a sleep says until when, and how long that is', () => {
    const sleeping = token({ wait: { on: 'time' }, wakeAt: NOW + 2 * MINUTE_MS });
    expect(tokenText(sleeping, NOW)).toBe('sleeps until 14:02 (in 2 m)');
  });

  test('a message is told with its key, and without one if there is none', () => {
    const wait = { on: 'message', type: 'payment.received', key: 'order-42' };
    expect(tokenText(token({ wait }), NOW)).toBe(
      'waits for message payment.received with key order-42',
    );
    expect(tokenText(token({ wait: { ...wait, key: '' } }), NOW)).toBe(
      'waits for message payment.received',
    );
  });

  test('the first of several may be a moment', () => {
    const wait = { on: 'first', any: [{ arm: 'a', type: 'paid', key: '' }] };
    expect(tokenText(token({ wait, wakeAt: NOW + MINUTE_MS }), NOW)).toBe(
      'waits for the first of message paid, 14:01 (in 1 m)',
    );
  });

  test('people are those whose turn it is', () => {
    const approval = {
      seats: [{ name: 'finance' }, { name: 'legal' }],
      votes: [{ seat: 'finance', decision: 'approve' }],
    };
    const wait = { on: 'task', task: { kind: 'approval', approval } };
    expect(tokenText(token({ wait }), NOW)).toBe('waits for people: legal');
    const task = { kind: 'task', candidates: { groups: ['service'] } };
    expect(tokenText(token({ wait: { on: 'task', task } }), NOW)).toBe('waits for people: service');
  });

  test('what failed says why and what can be done', () => {
    const wait = { on: 'incident', can: ['retry', 'skip'] };
    expect(tokenText(token({ wait, lastError: fault }), NOW)).toBe(
      'failed: the bank is down (retry, skip)',
    );
  });

  test('what is tried again says when, and which attempt that is', () => {
    const again = token({ status: 'ready', attempts: 1, lastError: fault });
    expect(tokenText({ ...again, availableAt: NOW + MINUTE_MS }, NOW)).toBe(
      'is tried again at 14:01 (in 1 m), attempt 2 of 3: the bank is down',
    );
  });

  test('what is ready says since when', () => {
    const ready = token({ status: 'ready', updatedAt: NOW - MINUTE_MS });
    expect(tokenText(ready, NOW)).toBe('queued since 13:59 (1 m ago)');
    const claimable = { ...ready, handler: 'order@1/pay' };
    expect(tokenText(claimable, NOW)).toBe('queued or at work since 13:59 (1 m ago)');
  });
});
