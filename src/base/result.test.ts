import { expect, test } from 'vitest';
import { assert, InvariantError, unreachable } from './assert.ts';
import { EngineError } from './engine-error.ts';
import { no, ok, type Result } from './result.ts';

function half(n: number): Result<number, string> {
  return n % 2 === 0 ? ok(n / 2) : no(`${n} is odd`);
}

test('an answer is a value or a problem, and says which', () => {
  expect(half(4)).toEqual({ ok: true, value: 2 });
  expect(half(3)).toEqual({ ok: false, problem: '3 is odd' });
});

test('a claim that holds is silent, and one that does not throws the claim itself', () => {
  expect(() => assert(true, 'the sky is up')).not.toThrow();
  expect(() => assert(false, 'the sky is up')).toThrow(new InvariantError('the sky is up'));
});

test('a broken promise of ours has one code, whatever was broken', () => {
  expect(new InvariantError('anything').code).toBe('bug.invariant');
});

test('a case that the compiler ruled out names the value that came all the same', () => {
  expect(() => unreachable({ did: 'nothing' } as never)).toThrow('unreachable: {"did":"nothing"}');
});

test('an error of the engine carries a code, details and its cause', () => {
  const cause = new Error('disk full');
  const error = new EngineError('store.unreachable', 'cannot write', {
    retryable: true,
    details: { path: 'orders.db' },
    cause,
  });
  expect(error).toMatchObject({
    name: 'EngineError',
    code: 'store.unreachable',
    retryable: true,
    details: { path: 'orders.db' },
    cause,
  });
});

test('an error of the engine is not worth a second try unless it says so', () => {
  expect(new EngineError('engine.closed', 'closed')).toMatchObject({
    retryable: false,
    details: {},
  });
});
