/** Scenario 13 on every store: a loop header and an XOR diamond in the default mode complete. */
import { expect, test } from 'vitest';
import { beginChart, endOf, leftIn, scripted } from '../testing/chart-lab.ts';
import { chart } from '../testing/chart-play.ts';
import { onEveryStore } from '../testing/lab.ts';

onEveryStore('scenario 13, X-01: the default mode', (open) => {
  test('a loop header', async () => {
    const body = chart(['S -> H -> B', 'B:Again -> H', 'B -> Z']);
    const { lab, run } = await beginChart(open, scripted(body, { B: ['Again', 'Again'] }));
    expect(await endOf(run)).toBe('completed: B*3 H*3 S Z');
    expect(await leftIn(lab)).toEqual([]);
  });

  test.each([
    ['Yes', 'A D E S Z'],
    ['No', 'B D E S Z'],
  ])('an XOR diamond, %s', async (D, ran) => {
    const body = chart(['S -> D', 'D:Yes -> A -> E', 'D:No -> B -> E', 'E -> Z']);
    const { lab, run } = await beginChart(open, scripted(body, { D }));
    expect(await endOf(run)).toBe(`completed: ${ran}`);
    expect(await leftIn(lab)).toEqual([]);
  });
});
