/**
 * Scenario 9 on every store: the graphs of E-35..E-41 with waits in their branches, woken by token
 * in any order, each time by another program. What runs is what runs in the kernel's own tests.
 */
import { expect, test } from 'vitest';
import type { FlowchartBody } from '../frontends/flowchart/definition.ts';
import { beginChart, beginRestarts, endOf, leftIn, ranIn, scripted } from '../testing/chart-lab.ts';
import { type Answers, chart, forEach } from '../testing/chart-play.ts';
import { Dice } from '../testing/dice.ts';
import { onEveryStore } from '../testing/lab.ts';
import { waitingIn } from '../testing/pausing-flow.ts';

const WAITS = { waits: 'Done' };

interface Case {
  readonly name: string;
  readonly body: FlowchartBody;
  readonly answers: Answers;
  readonly ran: string;
  /** Of a race: what runs whoever wins. */
  readonly only?: string;
}

const CASES: readonly Case[] = [
  {
    name: 'E-35, converge',
    body: chart(['S -> A, D', 'D:True -> B', 'A, B -> C']),
    answers: { A: WAITS, D: { waits: 'False' } },
    ran: 'A C D S',
  },
  {
    name: 'E-36, both outcomes to one',
    body: chart(['S -> D', 'D:True, D:False -> E']),
    answers: { D: { waits: 'True, False' } },
    ran: 'D E S',
  },
  {
    name: 'E-37, the braid',
    body: chart(['1 -> 2, 3', '2 -> 4, 5', '3 -> 5, 6', '4, 5, 6 -> 7']),
    answers: { 2: WAITS, 3: WAITS, 5: WAITS, 6: WAITS },
    ran: '1 2 3 4 5 6 7',
  },
  {
    name: 'E-37, the braid with stream',
    body: chart(['1 -> 2, 3', '2 -> 4, 5', '3 -> 5, 6', '4, 5, 6 -> 7'], {
      5: 'stream',
      7: 'stream',
    }),
    answers: { 3: WAITS, 4: WAITS, 6: WAITS },
    ran: '1 2 3 4 5 6 7',
  },
  {
    name: 'E-38, the implicit loop',
    body: chart(['Start -> Count -> Try', 'Try:Retry -> Tell -> Count', 'Try -> End']),
    answers: { Try: [{ waits: 'Retry' }, WAITS], Tell: WAITS },
    ran: 'Count*2 End Start Tell Try*2',
  },
  ...(['converge', 'merge', 'stream', 'race'] as const).map((mode) => ({
    name: `E-39, ${mode} in a loop`,
    body: chart(['S -> A -> B, C -> D', 'D:Again -> A', 'D -> Z'], { D: mode }),
    answers: { B: WAITS, C: WAITS, D: ['Again', 'Again'] },
    ...(mode === 'race' ? { only: 'A D S Z' } : {}),
    ran: mode === 'race' ? 'A*3 D*3 S Z' : 'A*3 B*3 C*3 D*3 S Z',
  })),
  {
    name: 'E-40, the diamond',
    body: chart(['A -> B, C', 'B -> E', 'C:True -> E', 'C:False -> D', 'D, E -> F'], { E: 'race' }),
    answers: { B: WAITS, C: { waits: 'False' }, D: WAITS },
    ran: 'A B C D E F',
  },
  {
    name: 'E-41, a race in each item',
    body: chart(['S -> L -> Z'], {
      L: forEach([1, 2, 3], ['A -> B, C -> D -> E'], { D: 'race' }),
    }),
    answers: { B: WAITS, C: WAITS, E: WAITS },
    only: 'S L L/A L/D L/E Z',
    ran: 'L L/A*3 L/D*3 L/E*3 S Z',
  },
];

onEveryStore('scenario 9, E-03: every wait is answered by another program', (open) => {
  test.each(CASES)('$name', async ({ body, answers, ran, only }) => {
    const { program, id } = await beginRestarts(open, scripted(body, answers));
    const dice = new Dice(ran.length);
    for (let run = await program.run(id); ; run = await program.run(id)) {
      const waits = await waitingIn(run);
      if (waits.length === 0) break;
      await program.again();
      await (await program.run(id)).wake(dice.pick(waits), null);
      await program.lab.settle();
    }
    const run = await program.run(id);
    expect(await endOf(run, only)).toBe(`completed: ${ran}`);
    expect(await leftIn(program.lab)).toEqual([]);
    expect(await program.lab.engine.check()).toMatchObject({ ok: true });
  });
});

onEveryStore('E-03, E-05, E-06: tokens that wait before an activity', (open) => {
  const body = chart(['S -> A, B -> C -> Z']);

  test('are there after a restart, and nothing is when it has completed', async () => {
    const { program, id } = await beginRestarts(open, scripted(body, { B: WAITS }));
    await program.again();
    const before = await (await program.run(id)).inspect();
    const kinds = before.tokens.flatMap(({ node, wait }) => (wait ? [`${node} ${wait.on}`] : []));
    expect(kinds.toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      ':flowchart scope',
      'B message',
      'C merge',
    ]);
    await program.lab.engine.publish({ type: 'go B', key: 'k' });
    const run = await program.settled(id);
    expect(await endOf(run)).toBe('completed: A B C S Z');
    expect(await leftIn(program.lab)).toEqual([]);
    expect((await run.inspect()).tokens).toEqual([]);
  });

  test('stay what they are while the instance is suspended', async () => {
    const { program, id } = await beginRestarts(open, scripted(body, { B: WAITS }));
    await (await program.run(id)).suspend();
    const sent = await program.lab.engine.publish({ type: 'go B', key: 'k' });
    await program.again();
    await program.lab.settle();
    expect([sent.instances, await ranIn(await program.run(id))]).toEqual([[], 'A S']);
    await (await program.run(id)).resume();
    const run = await program.settled(id);
    expect(await endOf(run)).toBe('completed: A B C S Z');
  });

  test('X-01: if they stall they say so after a restart, and can be cancelled', async () => {
    const lacking = chart(['S -> A, D', 'D:Yes -> B', 'A, B -> C'], { C: 'merge' });
    const { program, id } = await beginRestarts(open, scripted(lacking, { D: 'No' }));
    await program.again();
    const run = await program.run(id);
    expect((await run.inspect()).stalled).toMatchObject({
      reason: 'join',
      joins: [{ node: 'C', missing: ['B:Done->C'] }],
    });
    await run.cancel();
    expect([await run.status(), await leftIn(program.lab)]).toEqual(['canceled', []]);
  });
});

onEveryStore('E-23: converge', (open) => {
  test('fires as soon as every way holds a token, though more may come by one', async () => {
    const body = chart(['S -> A, B -> C -> E -> J -> Z', 'S -> D -> J'], { C: 'cascade' });
    const { lab, run } = await beginChart(open, scripted(body, { B: WAITS }));
    expect(await ranIn(run)).toBe('A C D E J S Z');
    await run.wake(null);
    await lab.settle();
    expect(await endOf(run)).toBe('completed: A B C*2 D E*2 J*2 S Z*2');
  });

  test('fires as soon as the last who could come has gone another way', async () => {
    const body = chart(['S -> A, D -> J -> Z', 'D:No -> W']);
    const { run } = await beginChart(open, scripted(body, { D: 'No', W: WAITS }));
    expect(await ranIn(run)).toBe('A D J S Z');
  });
});

onEveryStore('E-51: a resume that comes before its wait', (open) => {
  test('is kept, and had as soon as somebody waits', async () => {
    const body = chart(['S -> A -> W -> J -> Z', 'S -> B -> J']);
    const { lab, run } = await beginChart(open, scripted(body, { A: WAITS, W: WAITS }));
    const early = await lab.engine.publish({ type: 'go W', key: 'k' });
    expect(early).toMatchObject({ outcome: 'buffered', instances: [] });
    await lab.engine.publish({ type: 'go A', key: 'k' });
    await lab.settle();
    expect(await endOf(run)).toBe('completed: A B J S W Z');
  });
});
