import { describe, expect, test } from 'vitest';
import type { LatchKey } from '../model/change.ts';
import type { Token, TokenStatus } from '../model/instance.ts';
import { answerAt } from '../testing/play.ts';
import { draw, Story } from '../testing/story.ts';
import {
  assemble,
  emptyInstance,
  flowHandler,
  gatheringOf,
  isLive,
  isResting,
  latchesOf,
  latchOf,
  rowsOf,
  scopeOf,
  scratchOf,
  setLatch,
  tokenOf,
} from './instance.ts';
import { checkInvariants } from './invariants.ts';

const lines = [
  'f -> A -> j',
  'f -> B -> j',
  'f -> box -> j',
  'f -> x1 -> x2 -> x3 -> j',
  'j -> end',
];
const box = { kind: 'scope', settings: { body: 'In' } };

/** Ready steps, an arrival at a join, an open scope, and passes that were set down on the way. */
function busy(): Story {
  const nodes = { f: { kind: 'fork' }, j: { kind: 'join' }, box, In: { kind: 'step', in: 'box' } };
  const story = new Story(draw(lines, nodes), { limits: { MOVES_PER_COMMIT: 3 } });
  story.start();
  answerAt(story, ['A']);
  return story;
}

test('an instance put together from its rows is the same instance, indexes included', () => {
  const { instance } = busy();
  const again = assemble(rowsOf(instance));
  expect(rowsOf(again)).toEqual(rowsOf(instance));
  expect(again.moving).toBe(instance.moving);
  expect(again.resting.keys()).toEqual(instance.resting.keys());
});

test('rows come sorted by id, whatever order they were put together in', () => {
  const { tokens, scopes, ...rows } = rowsOf(busy().instance);
  const shuffled = { ...rows, tokens: tokens.toReversed(), scopes: scopes.toReversed() };
  expect(rowsOf(assemble(shuffled))).toEqual({ ...rows, tokens, scopes });
});

test('a scratch is written to and its instance stays what it was', () => {
  const { instance } = busy();
  const rows = structuredClone(rowsOf(instance));
  const [token] = rows.tokens;
  const scratch = scratchOf(instance);
  scratch.tokens.delete(token?.id ?? (0 as never));
  expect(instance.tokens.size).toBe(scratch.tokens.size + 1);
  expect(rowsOf(instance)).toEqual(rows);
});

test('an older state is still what it was when later ones have been made from it', () => {
  const story = busy();
  const { instance } = story;
  const rows = structuredClone(rowsOf(instance));
  answerAt(story, ['B', 'In']);
  expect(rowsOf(instance)).toEqual(rows);
  expect(checkInvariants(instance)).toEqual([]);
});

test('an instance that has not started holds nothing', () => {
  const empty = emptyInstance('i9' as never);
  expect([empty.tokens.size, empty.scopes.size, empty.head.version]).toEqual([0, 0, 0]);
});

describe('a token', () => {
  const at = (status: TokenStatus, handler: string | null = null): Token => {
    return { status, handler, wait: null } as Token;
  };

  test('is live from its turn in a chain on until it is completed, failed or terminated', () => {
    const states: readonly TokenStatus[] = ['ready', 'executing', 'waiting'];
    expect(states.every((status) => isLive(at(status)))).toBe(true);
    const others: readonly TokenStatus[] = ['created', 'completed', 'failed', 'terminated'];
    expect(others.some((status) => isLive(at(status)))).toBe(false);
  });

  test('rests if it is ready with no handler, or with one that names only a flow', () => {
    expect(isResting(at('ready'))).toBe(true);
    expect(isResting(at('ready', flowHandler('order', 2)))).toBe(true);
    expect(isResting(at('ready', 'order@2/Pay'))).toBe(false);
    expect(isResting(at('waiting'))).toBe(false);
  });

  test('does not rest because the name of its step ends in a slash', () => {
    expect(isResting(at('ready', 'order@2/a/'))).toBe(false);
    expect(isResting(at('ready', 'order@2//'))).toBe(false);
  });
});

test('a latch is known by group and node: joins of one group and groups of one join differ', () => {
  const at = (group: number, node: string): LatchKey => ({ scope: 1, node, group }) as never;
  const scratch = scratchOf(emptyInstance('i9' as never));
  for (const key of [at(2, 'j'), at(2, 'i'), at(3, 'j')]) {
    setLatch(scratch, key, { ...key, fired: false });
  }
  setLatch(scratch, at(2, 'j'), { ...at(2, 'j'), fired: true });
  const told = latchesOf(scratch).map(({ group, node, fired }) => `${group} ${node} ${fired}`);
  expect(told).toEqual(['2 i false', '2 j true', '3 j false']);
  setLatch(scratch, at(2, 'i'), null);
  expect(gatheringOf(scratch, at(2, 'i'))).toBeUndefined();
  expect(() => latchOf({ id: 4, groups: [] } as never)).toThrow('it carries a group');
});

test('who asks for a token or a scope that is gone has broken a promise', () => {
  const { instance } = busy();
  expect(() => tokenOf(instance, 99 as never)).toThrow('token 99 is alive');
  expect(() => scopeOf(instance, 99 as never)).toThrow('scope 99 is open');
});
