/** Flowcharts by the test kit while its worker dies after every commit and all comes twice. */
import { expect, test } from 'vitest';
import type { Flow } from '../model/definition.ts';
import { endOf, scripted } from '../testing/chart-lab.ts';
import { type Answers, chart, forEach } from '../testing/chart-play.ts';
import { createTestEngine } from '../testing/test-engine.ts';
import { waitingIn } from '../testing/pausing-flow.ts';

const WAITS = { waits: 'Done' };
const CHAOS = [
  { crashAfterEveryCommit: true },
  { duplicateDeliveries: true },
  { crashAfterEveryCommit: true, duplicateDeliveries: true },
];

const CASES: readonly {
  readonly name: string;
  readonly body: Parameters<typeof scripted>[0];
  readonly answers: Answers;
  readonly ran: string;
  readonly only?: string;
}[] = [
  {
    name: 'E-39, converge and stream in a loop',
    body: chart(['S -> A -> B, C -> D -> E, F -> G', 'G:Again -> A', 'G -> Z'], { G: 'stream' }),
    answers: { C: WAITS, F: WAITS, G: ['Again', 'Again'] },
    ran: 'A*3 B*3 C*3 D*3 E*3 F*3 G*3 S Z',
  },
  {
    name: '7993, a race in a loop',
    body: chart(['S -> F -> A, B -> R', 'R:Again -> F', 'R -> Z'], { R: 'race' }),
    answers: { A: WAITS, B: WAITS, R: ['Again', 'Again'] },
    ran: 'F*3 R*3 S Z',
    only: 'F R S Z',
  },
  {
    name: 'E-41, a join in a for-each',
    body: chart(['S -> L -> Z'], { L: forEach([1, 2, 3], ['A -> B, C -> D'], { D: 'merge' }) }),
    answers: { B: WAITS, C: { waits: 'Done' } },
    ran: 'L L/A*3 L/B*3 L/C*3 L/D*3 S Z',
  },
];

test.each(CHAOS.flatMap((chaos) => CASES.map((one) => ({ ...one, chaos }))))(
  '$name: $chaos',
  async ({ body, answers, ran, only, chaos }) => {
    const { flow, handlers } = scripted(body, answers);
    const kit = createTestEngine({ flows: [flow], handlers, chaos });
    const run = await kit.start(flow as Flow<null>, null, { key: 'k' });
    await kit.advance('1s');
    // All that wait are woken at once, by message.
    for (let waits = await waitingIn(run); waits.length > 0; waits = await waitingIn(run)) {
      const tokens = (await run.tokens()).filter(({ wait }) => wait?.on === 'message');
      for (const { node } of tokens) {
        await kit.engine.publish({ type: `go ${node.split('/').at(-1)}`, key: 'k' });
      }
      await kit.advance('1s');
    }
    expect(await endOf(run, only)).toBe(`completed: ${ran}`);
    expect(await kit.engine.check()).toMatchObject({ ok: true });
    await kit.close();
  },
);
