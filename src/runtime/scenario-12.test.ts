/** Scenario 12 on every store: two outcomes of one completion that lead to the same activity. */
import { expect, test } from 'vitest';
import { beginChart, endOf, leftIn, scripted } from '../testing/chart-lab.ts';
import { chart } from '../testing/chart-play.ts';
import { onEveryStore } from '../testing/lab.ts';

onEveryStore('scenario 12: two outcomes of one completion to one target', (open) => {
  test.each([
    ['converge', 'C D S Z'],
    ['merge', 'C D S Z'],
    ['convergeStrict', 'C D S Z'],
    ['race', 'C D S Z'],
    ['stream', 'C D S Z'],
    // Every arrival runs.
    ['cascade', 'C*2 D S Z*2'],
  ] as const)('%s: %s', async (mode, ran) => {
    const body = chart(['S -> D', 'D:True, D:False -> C -> Z'], { C: mode });
    const { lab, run } = await beginChart(open, scripted(body, { D: 'True, False' }));
    expect(await endOf(run)).toBe(`completed: ${ran}`);
    expect(await leftIn(lab)).toEqual([]);
  });
});
