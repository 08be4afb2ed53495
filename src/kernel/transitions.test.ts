import { describe, expect, test } from 'vitest';
import { InvariantError } from '../base/assert.ts';
import type { TokenStatus } from '../model/instance.ts';
import {
  isFinal,
  move,
  refusal,
  type Transition,
  TRANSITIONS,
  TransitionError,
} from './transitions.ts';

const STATES: readonly TokenStatus[] = [
  'created',
  'ready',
  'executing',
  'waiting',
  'completed',
  'failed',
  'terminated',
];

/** Everything that is allowed, written out by hand. What is not here is refused. */
const ALLOWED: readonly (readonly [TokenStatus, Transition, TokenStatus])[] = [
  ['created', 'activate', 'ready'],
  ['ready', 'claim', 'executing'],
  ['executing', 'complete', 'completed'],
  ['executing', 'park', 'waiting'],
  ['executing', 'fail', 'failed'],
  ['waiting', 'wake', 'ready'],
  ['waiting', 'join', 'completed'],
  ['executing', 'rest', 'ready'],
  ['executing', 'recover', 'ready'],
  ['executing', 'retry', 'ready'],
  ['created', 'cancel', 'terminated'],
  ['ready', 'cancel', 'terminated'],
  ['executing', 'cancel', 'terminated'],
  ['waiting', 'cancel', 'terminated'],
];

const NAMES = Object.keys(TRANSITIONS) as Transition[];
const allowed = new Map(ALLOWED.map(([from, by, to]) => [`${from} ${by}`, to]));

function codeOf(from: TokenStatus, by: Transition): string {
  try {
    move(from, by, 7);
    return 'allowed';
  } catch (thrown) {
    return thrown instanceof TransitionError ? thrown.code : String(thrown);
  }
}

describe('B-02 B-03: every legal transition has a name and leads to one state', () => {
  for (const [from, by, to] of ALLOWED) {
    test(`${from} can ${by} and is ${to}`, () => {
      expect(move(from, by, 7)).toBe(to);
      expect(refusal(from, by)).toBeUndefined();
    });
  }
});

describe('B-04 B-06: every other transition is refused by name', () => {
  const finals = new Set<TokenStatus>(['completed', 'failed', 'terminated']);
  for (const from of STATES) {
    for (const by of NAMES.filter((name) => !allowed.has(`${from} ${name}`))) {
      const twice = finals.has(from) && finals.has(TRANSITIONS[by].to);
      const code = twice ? 'TokenFinalizedTwice' : 'TokenInvalidTransition';
      test(`${from} cannot ${by}: ${code}`, () => {
        expect(codeOf(from, by)).toBe(code);
        expect(refusal(from, by)).toMatch(/^it is /);
      });
    }
  }
});

test('B-02: there are seven states, and all of them can be reached', () => {
  const reached = new Set<TokenStatus>(['created', ...ALLOWED.map(([, , to]) => to)]);
  expect([...reached].sort()).toEqual([...STATES].sort());
});

test('B-06: completed, failed and terminated are final: nothing leads out of them', () => {
  const finals = STATES.filter(isFinal);
  expect(finals).toEqual(['completed', 'failed', 'terminated']);
  for (const from of finals) {
    expect(NAMES.filter((by) => refusal(from, by) === undefined)).toEqual([]);
  }
});

test('B-08: a token that was only created cannot be claimed', () => {
  expect(codeOf('created', 'claim')).toBe('TokenInvalidTransition');
});

test('B-09: a token that waits cannot be claimed until something wakes it', () => {
  expect(codeOf('waiting', 'claim')).toBe('TokenInvalidTransition');
  expect(move(move('waiting', 'wake', 7), 'claim', 7)).toBe('executing');
});

test('B-05: a refusal gives a person the reason', () => {
  expect(refusal('completed', 'claim')).toBe('it is completed, which is final');
  expect(refusal('waiting', 'claim')).toBe('it is waiting and must be ready first');
  expect(refusal('ready', 'complete')).toBe('it is ready and must execute first');
  expect(refusal('ready', 'wake')).toBe('it is ready, not waiting');
});

test('a refusal that is thrown is a bug of ours and says which token', () => {
  expect(() => move('ready', 'complete', 7)).toThrow(
    'token 7 cannot complete: it is ready and must execute first',
  );
  expect(new TransitionError('TokenFinalizedTwice', 'x')).toBeInstanceOf(InvariantError);
});
