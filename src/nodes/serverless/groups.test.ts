/** Events that are gathered for a schedule: what is kept of them has an end. */
import { expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import { gathered, GROUPS_MAX, groupsIn } from './groups.ts';

/** So many first events of two, each of a set of keys of its own. */
function gather(count: number, charsMax: number): readonly Json[] {
  let left: Json = [];
  for (let id = 0; id < count; id += 1) {
    left = gathered(groupsIn(left), [{ id }, null], id, charsMax)?.left ?? [];
  }
  return left as readonly Json[];
}

test('of more sets of keys than are kept the oldest is let go', () => {
  expect(gather(GROUPS_MAX, Infinity)).toHaveLength(GROUPS_MAX);
  const kept = gather(GROUPS_MAX + 1, Infinity);
  expect(kept).toHaveLength(GROUPS_MAX);
  expect(kept[0]).toMatchObject({ keys: { id: 1 } });
});

test('of more characters than a value may have the oldest are let go', () => {
  const all = gather(10, Infinity);
  const chars = JSON.stringify(all).length + 1;
  expect(gather(10, chars)).toEqual(all);
  expect(gather(10, chars - 1)).toEqual(all.slice(1));
});
