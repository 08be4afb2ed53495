import { describe, expect, test } from 'vitest';
import { kinds } from './index.ts';

const names = [...kinds.keys()].sort();

test('B-24: the kinds of nodes are these, and each is found by its own name', () => {
  expect(names).toEqual([
    'activity',
    'approve',
    'call',
    'chain',
    'choose',
    'emit',
    'end',
    'fail',
    'first',
    'flowchart',
    'fork',
    'inclusive',
    'item',
    'join',
    'link',
    'map',
    'pass',
    'repeat',
    'scope',
    'set',
    'sleep',
    'start',
    'step',
    'sw-aside',
    'sw-call',
    'sw-deadline',
    'sw-do',
    'sw-each',
    'sw-ear',
    'sw-emit',
    'sw-end',
    'sw-fetch',
    'sw-for',
    'sw-fork',
    'sw-leave',
    'sw-listen',
    'sw-pass',
    'sw-raise',
    'sw-run',
    'sw-set',
    'sw-spread',
    'sw-switch',
    'sw-try',
    'sw-wait',
    'sw-workflow',
    'task',
    'terminate',
    'try',
    'wait',
    'win',
  ]);
  for (const [name, kind] of kinds) expect(kind.kind).toBe(name);
});

describe('a kind is run by the kernel, by a handler, or by nobody: never by two of them', () => {
  for (const [name, kind] of kinds) {
    test(name, () => {
      const ways = ['enter', 'offer', 'inclusive'].filter((way) => way in kind);
      expect(ways).toHaveLength(1);
    });
  }
});

test('what waits from its birth until nobody else can come is run by nobody: there is one', () => {
  const unrun = [...kinds.values()].filter((kind) => !('enter' in kind) && !('offer' in kind));
  expect(unrun.map(({ kind }) => kind)).toEqual(['inclusive']);
  expect(unrun.every((kind) => !('resume' in kind))).toBe(true);
});

test('a kind that a handler runs can be told what came of it', () => {
  const offered = [...kinds.values()].filter((kind) => 'offer' in kind);
  expect(offered.map(({ kind }) => kind)).toEqual([
    ...['activity', 'link', 'step', 'sw-call', 'sw-fetch'],
  ]);
  expect(offered.every((kind) => 'resume' in kind)).toBe(true);
});

test('only what opens a region can catch what comes out of it, or be a saga', () => {
  const having = (part: string): string[] =>
    names.filter((name) => part in (kinds.get(name) ?? {}));
  expect(having('rescue')).toEqual(['item', 'sw-try', 'try']);
  expect(having('saga')).toEqual(['scope']);
  expect(having('again')).toEqual(['activity', 'link', 'step']);
  // What runs the items of a map does so between two of them, too; and parts of a task are none.
  const parts = ['sw-deadline', 'sw-each', 'sw-ear', 'sw-fetch', 'sw-pass'];
  expect(having('unskippable')).toEqual(['item', ...parts]);
});
