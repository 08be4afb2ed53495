import { expect, test } from 'vitest';
import { Table } from '../base/table.ts';
import type { Instance } from '../kernel/instance.ts';
import { takesSnapshot } from './snapshots.ts';

function instance(version: number, rows: number): Instance {
  const tokens = Table.empty<number, true>();
  for (let id = 1; id <= rows; id += 1) tokens.set(id, true);
  return { head: { version }, tokens, scopes: Table.empty() } as unknown as Instance;
}

test('of most instances a snapshot is taken every thousand commits', () => {
  const taken = [999, 1_000, 1_001, 2_000, 3_000].map((n) => takesSnapshot(instance(n, 3)));
  expect(taken).toEqual([false, true, false, true, true]);
});

test('of one with thousands of tokens less often, so that a commit costs the same', () => {
  const every = (rows: number): boolean[] =>
    [1_000, 2_000, 4_000, 8_000, 16_000].map((n) => takesSnapshot(instance(n, rows)));
  expect(every(1_000)).toEqual([true, true, true, true, true]);
  expect(every(1_001)).toEqual([false, true, true, true, true]);
  expect(every(10_000)).toEqual([false, false, false, false, true]);
});
