/** Going back in time in a map, to any of its nodes and from wherever it has come to. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import { kinds } from '../nodes/index.ts';
import { checkReruns, checkRevival, Life } from '../testing/laws-pasts.ts';
import { lawMachine } from '../testing/laws-quick.ts';
import { written } from '../testing/story.ts';
import { advance } from './advance.ts';

/** A map in a map: pauses, closures and steps, so many at a time. */
function nested(limit: number): Flow {
  const collect = ({ item, index, results }: { item: string; index: number; results: object }) => {
    return [item, index, results];
  };
  return flow('nested')
    .map('outer', { over: ['a', 'b', 'c'], limit, collect }, (b) =>
      b
        .set('seen', ({ item }) => item)
        .map('inner', { over: ({ item }) => [`${item}1`, `${item}2`], limit, collect }, (c) =>
          c.step('work', ({ item }) => item).sleep('rest', 10),
        )
        .step('after', ({ results }) => results.inner.length),
    )
    .end(({ results }) => results.outer);
}

const ways = [1, 2, 7].flatMap((limit) => [1, 3, null].map((moves) => [limit, moves] as const));

test.each(ways)(
  'with %s at a time, in commits of %s moves, a rerun comes to the same end from every node',
  async (limit, movesPerCommit) => {
    const lower = { movesPerCommit, crashesMax: 0 };
    const machine = lawMachine(written(nested(limit)), kinds, lower);
    for (const order of ['fifo', 'lifo'] as const) {
      const quick = { seed: 1, order, failures: false, advance };
      const life = Life.begun(machine, quick);
      life.play();
      const whole = life.ending();
      const half = life.twin(Math.ceil(life.history.length / 2));
      // The hidden ones too, by which items are begun.
      expect(await checkReruns(half, whole, quick)).toBeGreaterThan(4);
      expect(await checkReruns(life, whole, quick)).toBeGreaterThan(8);
      const failing = Life.begun(machine, quick, 4);
      failing.play();
      expect(await checkRevival(failing, whole)).toBe(true);
    }
  },
);
