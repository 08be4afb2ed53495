/** What goes wrong in activities of flowcharts, and what people do to their tokens. */
import { expect, test } from 'vitest';
import { outcome, waiting } from '../flowchart.ts';
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
import type { Run } from './run.ts';

const WAITS = { waits: 'Done' };
const TWO = chart(['S -> A, B -> C -> Z']);

async function tokenAt(run: Run, node: string): Promise<number> {
  const token = (await run.tokens()).find((one) => one.node === node);
  if (token === undefined) throw new Error(`nobody is at ${node}`);
  return token.id;
}

onEveryStore('an activity that fails', (open) => {
  test('is tried again, and whoever waits for it waits on', async () => {
    const { program, id } = await beginRestarts(open, scripted(TWO, { B: { fails: 'Done' } }));
    expect(await ranIn(await program.run(id))).toBe('A S');
    await program.again();
    await program.lab.advance('2s');
    const run = await program.run(id);
    expect(await endOf(run)).toBe('completed: A B C S Z');
  });

  test('E-09: keeps the flowchart open as an incident, and completes it when mended', async () => {
    const { program, id } = await beginRestarts(open, scripted(TWO, { B: { breaks: 'Done' } }));
    await program.again();
    const run = await program.run(id);
    const { status, incidents, stalled } = await run.inspect();
    expect([status, incidents.map(({ node }) => node), stalled]).toEqual(['waiting', ['B'], null]);
    await run.retry();
    await program.lab.settle();
    expect(await endOf(run)).toBe('completed: A B C S Z');
    expect(await leftIn(program.lab)).toEqual([]);
  });

  test('E-09: is skipped as an incident, and counts as done', async () => {
    const { lab, run } = await beginChart(open, scripted(TWO, { B: { breaks: 'Done' } }));
    await run.skip(await tokenAt(run, 'B'), 'instead');
    await lab.settle();
    expect(await run.result()).toMatchObject({ A: 'A', B: 'instead', C: 'C' });
  });

  test('E-27: loses a race as an incident, and is gone', async () => {
    const race = chart(['S -> A, B -> C -> Z'], { C: 'race' });
    const answers = { A: WAITS, B: { breaks: 'Done' } };
    const { lab, run } = await beginChart(open, scripted(race, answers));
    expect((await run.inspect()).incidents).toHaveLength(1);
    await run.wake(await waitingAt(run, 'A'), null);
    await lab.settle();
    expect(await endOf(run)).toBe('completed: A C S Z');
    expect((await run.inspect()).incidents).toEqual([]);
  });

  test('for good fails the instance, with all that waits; reviving brings it back', async () => {
    let tries = 0;
    const { flow, handlers } = scripted(TWO, { A: WAITS });
    const once = (): string => {
      tries += 1;
      if (tries === 1) throw new Error('not yet');
      return 'b';
    };
    const broken = { flow, handlers: { ...handlers, B: once } };
    const { lab, run } = await beginChart(open, broken);
    expect([await run.status(), await leftIn(lab)]).toEqual(['failed', []]);
    await run.revive();
    await lab.settle();
    expect(await ranIn(run)).toBe('B S');
    await run.wake(await waitingAt(run, 'A'), null);
    await lab.settle();
    expect(await endOf(run)).toBe('completed: A B C S Z');
  });
});

onEveryStore('an activity that waits', (open) => {
  const body = chart(['S -> W, B', 'W:Late -> L', 'W, L, B -> J -> Z']);

  test.each([
    ['its message', 'B J S W Z'],
    ['its time', 'B J L S W Z'],
  ])('goes on by %s', async (by, ran) => {
    const { flow, handlers } = scripted(body);
    const W = ({ wake }: { wake: { reason: string } }): unknown => {
      if (wake.reason === 'first') return waiting('go W', '1h');
      return wake.reason === 'timeout' ? outcome('Late') : 'in time';
    };
    const { program, id } = await beginRestarts(open, { flow, handlers: { ...handlers, W } });
    expect(await ranIn(await program.run(id))).toBe('B S');
    await program.again();
    if (by === 'its message') await program.lab.engine.publish({ type: 'go W', key: 'k' });
    await program.lab.advance('1h');
    const run = await program.run(id);
    expect(await endOf(run)).toBe(`completed: ${ran}`);
    expect(await leftIn(program.lab)).toEqual([]);
  });

  test('is skipped, and goes on as if it had been done', async () => {
    const { lab, run } = await beginChart(open, scripted(TWO, { B: WAITS }));
    await run.skip(await waitingAt(run, 'B'), 'instead');
    await lab.settle();
    expect(await run.result()).toEqual({ S: 'S', A: 'A', B: 'instead', C: 'C', Z: 'Z' });
  });

  test('is moved elsewhere, and nobody waits for it any more', async () => {
    const { lab, run } = await beginChart(open, scripted(TWO, { B: WAITS }));
    await run.move(await waitingAt(run, 'B'), 'Z');
    await lab.settle();
    expect(await endOf(run)).toBe('completed: A C S Z*2');
  });

  test('is moved where it came from, and is waited for', async () => {
    const { lab, run } = await beginChart(open, scripted(TWO, { B: [WAITS, WAITS] }));
    await run.move(await waitingAt(run, 'B'), 'A');
    await lab.settle();
    // A has come twice, and C has nobody to wait for: it runs for each.
    expect(await endOf(run)).toBe('completed: A*2 C*2 S Z*2');
  });
});

onEveryStore('tokens that wait before an activity', (open) => {
  test('are for nobody to skip, to wake or to retry', async () => {
    const { run } = await beginChart(open, scripted(TWO, { B: WAITS }));
    const [before, token] = [await run.inspect(), await tokenAt(run, 'C')];
    const refused = { code: 'operation.refused' };
    await expect(run.skip(token, null)).rejects.toMatchObject(refused);
    await expect(run.wake(token, null)).rejects.toMatchObject(refused);
    await expect(run.retry(token)).rejects.toMatchObject({ code: 'token.not-parked' });
    expect(await run.inspect()).toEqual(before);
  });

  test('nor are blocks, nor to move', async () => {
    const stream = chart(['S -> A, B -> C -> Z'], { C: 'stream' });
    const { lab, run } = await beginChart(open, scripted(stream, { B: WAITS }));
    const [before, token] = [await run.inspect(), await tokenAt(run, 'C')];
    const refused = { code: 'operation.refused' };
    await expect(run.skip(token, null)).rejects.toMatchObject(refused);
    await expect(run.wake(token, null)).rejects.toMatchObject(refused);
    await expect(run.move(token, 'Z')).rejects.toMatchObject(refused);
    expect(await run.inspect()).toEqual(before);
    await run.wake(null);
    await lab.settle();
    expect(await endOf(run)).toBe('completed: A B C S Z');
  });
});

onEveryStore('a flowchart as a whole', (open) => {
  test.each(['running', 'suspended'])('3093, 6258: is cancelled while it is %s', async (status) => {
    const body = chart(['S -> A, B -> C -> W', 'S -> N, L -> J'], {
      C: 'stream',
      N: nested(['P -> Q, W -> R']),
      L: forEach([1, 2], ['P -> Q, W -> R']),
    });
    const answers = { B: WAITS, W: WAITS };
    const { program, id } = await beginRestarts(open, scripted(body, answers));
    await program.again();
    const run = await program.run(id);
    if (status === 'suspended') await run.suspend();
    const ran = await ranIn(run);
    await run.cancel();
    expect([await run.status(), await leftIn(program.lab)]).toEqual(['canceled', []]);
    const late = await program.lab.engine.publish({ type: 'go W', key: 'k' });
    await program.lab.advance('1d');
    expect([late.outcome, await ranIn(run)]).toEqual(['buffered', ran]);
  });

  test('7223: two hundred are woken at once, and none is left', async () => {
    const items = Array.from({ length: 200 }, (_, item) => item);
    const body = chart(['S -> L -> Z'], { L: forEach(items, ['A -> W, B -> C']) });
    const { lab, run } = await beginChart(open, scripted(body, { W: WAITS }));
    const tokens = (await run.tokens()).filter(({ wait }) => wait?.on === 'message');
    await Promise.all(tokens.map(({ id }) => run.wake(id, null)));
    await lab.settle();
    const ran = 'L L/A*200 L/B*200 L/C*200 L/W*200 S Z';
    expect([tokens.length, await run.status(), await ranIn(run)]).toEqual([200, 'completed', ran]);
    expect(await leftIn(lab)).toEqual([]);
  });
});
