/**
 * Scenario 10 on every store: a race whose loser waits, or is at work. It is gone with its timer
 * and its subscription, the target runs once, and the instance completes (E-08, E-27, O-50).
 */
import { expect, test } from 'vitest';
import { flowchart, waiting } from '../flowchart.ts';
import {
  beginChart,
  beginRestarts,
  endOf,
  leftIn,
  ranIn,
  scripted,
  waitingAt,
} from '../testing/chart-lab.ts';
import { chart, forEach, nested } from '../testing/chart-play.ts';
import { onEveryStore } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';

const WAITS = { waits: 'Done' };

onEveryStore('scenario 10, E-27: the loser of a race', (open) => {
  const body = chart(['S -> A, W -> T -> Z'], { T: 'race', Z: 'converge' });

  test('waits for a message and a time: both are gone', async () => {
    const racing = scripted(body, { A: WAITS, Z: WAITS });
    const handlers = {
      ...racing.handlers,
      W: ({ wake }: { wake: { reason: string } }) =>
        wake.reason === 'first' ? waiting('go W', '1h') : 'woken',
    };
    const { program, id } = await beginRestarts(open, { ...racing, handlers });
    await program.again();
    await program.lab.engine.publish({ type: 'go A', key: 'k' });
    const run = await program.settled(id);
    const { tokens, version } = await run.inspect();
    expect(tokens.map(({ node }) => node)).toEqual([':flowchart', 'Z']);
    const late = await program.lab.engine.publish({ type: 'go W', key: 'k' });
    expect(late).toMatchObject({ outcome: 'buffered', instances: [] });
    await program.lab.advance('2h');
    expect((await run.inspect()).version).toBe(version);
    await program.again();
    await program.lab.engine.publish({ type: 'go Z', key: 'k' });
    const done = await program.settled(id);
    expect(await endOf(done)).toBe('completed: A S T Z');
    expect(await leftIn(program.lab)).toEqual([]);
  });

  test('is woken and wins, and the other is gone', async () => {
    const { lab, run } = await beginChart(open, scripted(body, { A: WAITS, W: WAITS }));
    const other = await waitingAt(run, 'A');
    await run.wake(await waitingAt(run, 'W'), null);
    await lab.settle();
    expect(await endOf(run)).toBe('completed: S T W Z');
    await expect(run.wake(other, null)).rejects.toMatchObject({ code: 'instance.over' });
  });

  test('E-08: has brought tokens that wait; they go with it, and who waited is asked', async () => {
    const body = chart(['S -> B, C -> J -> R', 'S -> A -> R', 'R:Yes -> K', 'S -> Q -> K -> Z'], {
      R: 'race',
    });
    const answers = { A: WAITS, B: WAITS, R: 'No' };
    const { program, id } = await beginRestarts(open, scripted(body, answers));
    await program.again();
    const before = await program.run(id);
    // C has come to J and waits for B; Q has come to K and waits for any of them.
    expect(await ranIn(before)).toBe('C Q S');
    await before.wake(await waitingAt(before, 'A'), null);
    const run = await program.settled(id);
    expect(await endOf(run)).toBe('completed: A C K Q R S Z');
    expect(await leftIn(program.lab)).toEqual([]);
  });

  test.each([
    ['a flowchart', nested(['B -> C, D -> E'])],
    ['a for-each', forEach([1, 2, 3], ['B -> C, D -> E'], { E: 'stream' })],
  ])('is %s: nothing of it is left', async (_, W) => {
    const deep = chart(['S -> A, W -> T -> Z'], { W, T: 'race' });
    const answers = { A: WAITS, C: WAITS, Z: WAITS };
    const { program, id } = await beginRestarts(open, scripted(deep, answers));
    await program.again();
    await program.lab.engine.publish({ type: 'go A', key: 'k' });
    const run = await program.settled(id);
    const { tokens, scopes } = await run.inspect();
    expect(tokens.map(({ node }) => node)).toEqual([':flowchart', 'Z']);
    expect(scopes.map(({ node }) => node)).toEqual([null, ':flowchart']);
    const late = await program.lab.engine.publish({ type: 'go C', key: 'k' });
    expect(late.outcome).toBe('buffered');
  });

  test('is at work: it is told to stop, and what it brings is dropped with a note', async () => {
    const [gate, told] = [new Gate(), [] as string[]];
    const racing = flowchart({ id: 'busy', version: 1, ...body });
    const handlers = {
      S: () => 's',
      A: ({ wake }: { wake: { reason: string } }) =>
        wake.reason === 'first' ? waiting('go A') : 'a',
      W: async ({ signal }: { signal: AbortSignal }) => {
        signal.addEventListener('abort', () => told.push('aborted'));
        await gate.opened;
        return 'too late';
      },
      T: () => 't',
      Z: () => 'z',
    };
    const lab = await open([racing], { handlers });
    const run = await lab.engine.start(racing, null, { key: 'k' });
    await lab.tick('1s');
    await lab.engine.publish({ type: 'go A', key: 'k' });
    await lab.tick('1s');
    expect(await run.result()).toEqual({ S: 's', A: 'a', T: 't', Z: 'z' });
    expect(told).toEqual(['aborted']);
    gate.open();
    await lab.settle();
    const notes = (await run.history({ notes: true })).flatMap(({ dropped }) => dropped ?? []);
    expect(notes).toMatchObject([{ reason: 'token gone' }]);
    expect(await ranIn(run)).toBe('A S T Z');
  });
});
