import { describe, expect, test } from 'vitest';
import { kinds } from './index.ts';

const names = [...kinds.keys()].sort();

test('B-24: the kinds of nodes are these, and each is found by its own name', () => {
  expect(names).toEqual([
    'choose',
    'end',
    'fork',
    'join',
    'pass',
    'repeat',
    'scope',
    'set',
    'sleep',
    'start',
    'step',
    'terminate',
    'wait',
  ]);
  for (const [name, kind] of kinds) expect(kind.kind).toBe(name);
});

describe('a kind is run by the kernel or by a handler, and never by both', () => {
  for (const [name, kind] of kinds) {
    test(name, () => {
      expect(['enter', 'offer'].filter((way) => way in kind)).toHaveLength(1);
    });
  }
});

test('a kind that a handler runs can be told what came of it', () => {
  const offered = [...kinds.values()].filter((kind) => 'offer' in kind);
  expect(offered.map(({ kind }) => kind)).toEqual(['step']);
  expect(offered.every((kind) => 'resume' in kind)).toBe(true);
});
