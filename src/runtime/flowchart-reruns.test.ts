/** Going back to an activity of a flowchart: it runs again, and once, whatever had it fire. */
import { expect, test } from 'vitest';
import { beginChart, endOf, leftIn, ranIn, scripted, waitingAt } from '../testing/chart-lab.ts';
import { chart, forEach } from '../testing/chart-play.ts';
import { onEveryStore } from '../testing/lab.ts';

const WAITS = { waits: 'Done' };

onEveryStore('rerun from an activity', (open) => {
  test.each(['converge', 'merge', 'convergeStrict', 'stream', 'race'] as const)(
    'that several lead to runs it once more: %s',
    async (mode) => {
      const body = chart(['S -> D', 'D:Yes, D:No -> C -> Z'], { C: mode });
      const { lab, run } = await beginChart(open, scripted(body, { D: 'Yes, No' }));
      await run.rerun('C');
      await lab.settle();
      expect(await endOf(run)).toBe('completed: C*2 D S Z*2');
      expect(await leftIn(lab)).toEqual([]);
    },
  );

  test('stream: a loser that is alive is consumed, then as now', async () => {
    const body = chart(['S -> A, B -> C -> Z'], { C: 'stream' });
    const { lab, run } = await beginChart(open, scripted(body, { B: WAITS }));
    expect(await ranIn(run)).toBe('A C S Z');
    await run.rerun('C');
    await lab.settle();
    expect(await ranIn(run)).toBe('A C*2 S Z*2');
    await run.wake(await waitingAt(run, 'B'), null);
    await lab.settle();
    expect(await endOf(run)).toBe('completed: A B C*2 S Z*2');
  });

  test('race: who had lost has lost', async () => {
    const L = forEach([1, 2], ['W']);
    const body = chart(['S -> A, B, L -> C -> Z'], { C: 'race', L });
    const answers = { A: WAITS, B: WAITS, W: WAITS, Z: WAITS };
    const { lab, run } = await beginChart(open, scripted(body, answers));
    await run.wake(await waitingAt(run, 'A'), null);
    await lab.settle();
    await run.rerun('C');
    await lab.settle();
    expect((await run.tokens()).map(({ node }) => node)).toEqual([':flowchart', 'Z']);
    expect(await ranIn(run)).toBe('A C*2 S');
  });

  test('that nobody has come to yet, though somebody stands before it, is refused', async () => {
    const body = chart(['S -> A, B -> C -> Z']);
    const { run } = await beginChart(open, scripted(body, { B: WAITS }));
    await expect(run.rerun('C')).rejects.toMatchObject({ code: 'operation.refused' });
  });

  test('in the last pass of a loop, and as a copy', async () => {
    const body = chart(['S -> H -> A, B -> J', 'J:Again -> H', 'J -> Z']);
    const { lab, run } = await beginChart(open, scripted(body, { J: ['Again'] }));
    expect(await ranIn(run)).toBe('A*2 B*2 H*2 J*2 S Z');
    const copy = await run.rerun('H', { copy: true });
    await lab.settle();
    expect(await copy.status()).toBe('completed');
    expect(await ranIn(copy, 'A B J Z')).toBe('A B J Z');
    await run.rerun('J');
    await lab.settle();
    expect(await ranIn(run)).toBe('A*2 B*2 H*2 J*3 S Z*2');
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });
});
