/** Scenario 11 on every store: a race in a loop whose winner is another one each time (7993). */
import { expect, test } from 'vitest';
import { beginRestarts, endOf, leftIn, ranIn, scripted, waitingAt } from '../testing/chart-lab.ts';
import { chart } from '../testing/chart-play.ts';
import { onEveryStore } from '../testing/lab.ts';

const WAITS = { waits: 'Done' };

onEveryStore('scenario 11, 7993: a race in a loop', (open) => {
  test('its winners take turns, each by another program', async () => {
    const body = chart(['S -> F -> A, B -> R', 'R:Again -> F', 'R -> Z'], { R: 'race' });
    const answers = { A: WAITS, B: WAITS, R: ['Again', 'Again', 'Again'] };
    const { program, id } = await beginRestarts(open, scripted(body, answers));
    for (const winner of ['A', 'B', 'B', 'A']) {
      await program.again();
      const run = await program.run(id);
      await run.wake(await waitingAt(run, winner), null);
      await program.lab.settle();
    }
    const run = await program.run(id);
    const ran = 'A*2 B*2 F*4 R*4 S Z';
    expect(await endOf(run)).toBe(`completed: ${ran}`);
    expect(await leftIn(program.lab)).toEqual([]);
  });

  test('11.2: losers that are not cancelled come in later passes, newest first', async () => {
    const body = chart(['S -> F -> A, L -> R', 'R:Again -> F', 'R -> Z'], { R: 'stream' });
    const answers = { L: WAITS, R: ['Again', 'Again'] };
    const { program, id } = await beginRestarts(open, scripted(body, answers));
    expect(await ranIn(await program.run(id))).toBe('A*3 F*3 R*3 S Z');
    const losers = (await (await program.run(id)).tokens()).filter(({ node }) => node === 'L');
    for (const { id: loser } of losers.toReversed()) {
      await program.again();
      await (await program.run(id)).wake(loser, null);
      await program.lab.settle();
    }
    const run = await program.run(id);
    const ran = 'A*3 F*3 L*3 R*3 S Z';
    expect([losers.length, await run.status(), await ranIn(run)]).toEqual([3, 'completed', ran]);
    expect(await leftIn(program.lab)).toEqual([]);
  });
});
