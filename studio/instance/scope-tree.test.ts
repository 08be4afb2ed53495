import { expect, test } from 'vitest';
import type { Commit, Instance, Scope } from '../api/shapes.ts';
import { pathTo, scopeName, scopesWithin, scopeTree } from './scope-tree.ts';
import { continued, firstCursor } from './use-commits.ts';

function scope(id: number, parent: number | null, index: number | null = null): Scope {
  const node = parent === null ? null : 'pack';
  return { id, parent, index, node, owner: null, item: null, results: {}, vars: {} };
}

const instance = { scopes: [scope(1, null), scope(2, 1, 0), scope(3, 1, 1), scope(4, 3)] };
const tree = scopeTree({ ...instance, tokens: [] as Instance['tokens'] });

test('a scope has within it what is inside of what is inside', () => {
  expect(scopesWithin(tree, 3)).toEqual(new Set([3, 4]));
  expect(scopesWithin(tree, 1)).toBeNull();
  expect(scopesWithin(tree, null)).toBeNull();
});

test('a scope is named by its node and its number', () => {
  expect(pathTo(tree, 4).map(scopeName)).toEqual(['The whole instance', 'pack [1]', 'pack']);
});

const commit = (n: number): Commit => ({ n, at: n, commitId: null, changes: [] });

test('a commit that comes twice is taken once, and none is taken behind a gap', () => {
  const row = [commit(1), commit(2)];
  expect(continued(row, [commit(2), commit(3), commit(5)]).map(({ n }) => n)).toEqual([1, 2, 3]);
  expect(continued(row, [commit(1)])).toBe(row);
});

test('of a long history only the end is loaded at first', () => {
  expect(firstCursor(2_000)).toBe(0);
  expect(firstCursor(10_000)).toBe(9_700);
});
