/** Flowcharts that go on by another version while tokens wait before activities (D14, X-20). */
import { expect, test } from 'vitest';
import { flowchart, type FlowchartDefinition, outcome, waiting } from '../flowchart.ts';
import type { Flow } from '../model/definition.ts';
import { type Lab, onEveryStore, type OpenLab } from '../testing/lab.ts';
import type { Run } from './run.ts';
import type { Handlers } from './shared-handlers.ts';

type Chart = Omit<FlowchartDefinition, 'id' | 'version'>;

const plain = (id: string): Chart['activities'][number] => ({ id, type: 'plain' });
const wait = (id: string): Chart['activities'][number] => ({ id, type: 'wait' });
const ways = (...ends: readonly `${string}>${string}`[]): NonNullable<Chart['connections']> =>
  ends.map((way) => {
    const [from = '', to = ''] = way.split('>');
    const [source = '', name] = from.split(':');
    return { from: source, to, ...(name === undefined ? {} : { outcome: name }) };
  });

interface Begun {
  readonly lab: Lab;
  readonly run: Run;
  readonly ran: string[];
}

/** Those of type wait wait for a message, whose data says how they end. */
async function begin(open: OpenLab, first: Chart, second: Chart): Promise<Begun> {
  const ran: string[] = [];
  const handlers: Handlers = {
    plain: ({ activity }) => void ran.push(activity),
    wait: ({ activity, wake, event }) => {
      if (wake.reason === 'first') return waiting(`go ${activity}`);
      ran.push(activity);
      return outcome(typeof event === 'string' ? event : 'Done');
    },
  };
  const [one, two] = [first, second].map(
    (chart, at): Flow => flowchart({ id: 'chart', version: at + 1, ...chart }),
  );
  const lab = await open([one as Flow, two as Flow], { handlers });
  const run = await lab.engine.start(one as Flow, null as never);
  await lab.settle();
  return { lab, run, ran };
}

const TWO: Chart = {
  activities: [plain('a'), plain('b'), wait('c'), plain('d')],
  connections: ways('a>b', 'a>c', 'b>d', 'c>d'),
};

onEveryStore('a flowchart that is moved to another version', (open) => {
  test('has its arrivals wait where they waited', async () => {
    const { lab, run, ran } = await begin(open, TWO, {
      activities: [...TWO.activities, plain('e')],
      connections: [...(TWO.connections ?? []), { from: 'd', to: 'e' }],
    });
    await run.migrate({ version: 2 });
    await run.send('go c');
    await lab.settle();
    expect(ran).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await run.status()).toBe('completed');
    expect((await lab.engine.check()).violations).toEqual([]);
  });

  const others: Readonly<Record<string, Chart>> = {
    'lets those through who have nothing to wait for there': {
      activities: TWO.activities,
      connections: ways('a>b', 'a>c', 'b>d'),
    },
    'waits by the other mode from then on': {
      ...TWO,
      activities: [plain('a'), plain('b'), wait('c'), { ...plain('d'), mergeMode: 'stream' }],
    },
  };
  test.each(Object.entries(others))('%s', async (_, other) => {
    const { lab, run, ran } = await begin(open, TWO, other);
    await run.migrate({ version: 2 });
    await lab.settle();
    expect(ran).toEqual(['a', 'b', 'd']);
    await run.send('go c');
    await lab.settle();
    expect(ran).toEqual(['a', 'b', 'd', 'c']);
    expect(await run.status()).toBe('completed');
  });

  test('has no blocks where the other mode has none', async () => {
    const streams = [
      plain('a'),
      plain('b'),
      wait('c'),
      { ...plain('d'), mergeMode: 'stream' as const },
    ];
    const { lab, run, ran } = await begin(open, { ...TWO, activities: streams }, TWO);
    expect(ran).toEqual(['a', 'b', 'd']);
    await run.migrate({ version: 2 });
    await run.send('go c');
    await lab.settle();
    expect(ran).toEqual(['a', 'b', 'd', 'c', 'd']);
    expect(await run.status()).toBe('completed');
  });

  test('is refused where it has gone round a loop that is not there', async () => {
    const loop = { activities: [plain('a'), wait('b')], connections: ways('a>b', 'b:Again>a') };
    const line = { activities: [plain('a'), wait('b')], connections: ways('a>b') };
    const { lab, run, ran } = await begin(open, loop, line);
    await run.send('go b', 'Again');
    await lab.settle();
    expect(ran).toEqual(['a', 'b', 'a']);
    await expect(run.migrate({ version: 2 })).rejects.toMatchObject({
      code: 'migration.refused',
      details: { reasons: [{ code: 'loop.differs', node: 'b' }] },
    });
    await run.send('go b');
    await lab.settle();
    expect(await run.status()).toBe('completed');
  });
});
