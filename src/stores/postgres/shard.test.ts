/** The shard of a row is read off its id, and was never another (D18). */
import { describe, expect, test } from 'vitest';
import { childId } from '../../kernel/child-id.ts';
import { at } from '../../testing/store-commits.ts';
import * as queries from './queries.ts';
import { ALL_SHARDS, SHARDS, shardOf } from './shard.ts';

describe('the shard of an id', () => {
  // For ever: rows are found by it.
  test.each<[string[], number]>([
    [[''], 2],
    [['a'], 13],
    [['b'], 2],
    [['0192f0c1-2b3c-7d4e-8f50-61728394a5b6'], 7],
    [['0192f0c1-2b3c-7d4e-8f50-61728394a5b7'], 13],
    [['0192f0c1-2b3d-7000-8000-000000000000'], 7],
    [['order', 'k'], 11],
    [['orderk', ''], 0],
    [['café'], 10],
    [['🚲'], 0],
    [['\0'], 6],
  ])('that of %j is %i', (texts, shard) => {
    expect(shardOf(...texts)).toBe(shard);
  });

  // Those of called instances are UUIDv7 as any other, and the same in every run.
  test.each<[string, (n: number) => string[]]>([
    ['ids made one after the other', (n) => [childId(`post ${n}`, at(n))]],
    ['ids of one millisecond', (n) => [childId(`post ${n}`, at(0))]],
    ['business keys that count up', (n) => ['order', `A-${n}`]],
  ])('%s are spread evenly', (_what, make) => {
    const counts = ALL_SHARDS.map(() => 0);
    for (let n = 0; n < 10_000; n += 1) {
      const shard = shardOf(...make(n));
      counts[shard] = (counts[shard] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(0.8 * (10_000 / SHARDS));
    expect(Math.max(...counts)).toBeLessThan(1.2 * (10_000 / SHARDS));
  });
});

test('a commit that looks for messages names all shards there are', () => {
  const named = [...queries.catchUp.matchAll(/'\{([\d,]+)\}'::smallint\[\]/g)];
  expect(named.map(([, list]) => list)).toEqual([ALL_SHARDS.join(','), ALL_SHARDS.join(',')]);
});
