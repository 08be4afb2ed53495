/** Types of activities that nobody has a handler for are said when their flowchart comes. */
import { describe, expect, test } from 'vitest';
import { EngineError } from '../base/engine-error.ts';
import { chain } from '../frontends/chain/chain.ts';
import { flowchart } from '../frontends/flowchart/flowchart.ts';
import { flowchartFromText } from '../frontends/flowchart/from-text.ts';
import type { Flow } from '../model/definition.ts';
import type { Diagnostic } from '../model/draft.ts';
import { memory } from '../stores/memory/memory.ts';
import { VirtualAlarm } from '../testing/virtual-alarm.ts';
import { Engine } from './engine.ts';
import type { EngineOptions } from './engine-options.ts';

function chartOf(id: string, types: readonly string[]): Flow {
  const activities = types.map((type, at) => ({ id: `a${at}`, type }));
  const connections = types.slice(1).map((_, at) => ({ from: `a${at}`, to: `a${at + 1}` }));
  return flowchart({ id, version: 1, activities, connections });
}

type Told = Diagnostic & { readonly flow: string };

function toldBy(options: Partial<EngineOptions>): readonly Told[] {
  const made = (): Engine => new Engine({ store: memory(), ...options }, new VirtualAlarm(0));
  const refusal = thrownBy(made);
  if (refusal === undefined) return [];
  const { diagnostics } = refusal.details as { diagnostics?: readonly Told[] };
  return diagnostics ?? [];
}

function thrownBy(made: () => unknown): EngineError | undefined {
  try {
    made();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof EngineError && thrown.code === 'definition.invalid') return thrown;
    throw thrown;
  }
}

const charge = { 'charge-card': () => null };

test('a type that no handler has is said, with the activity and the name that was meant', () => {
  const flows = [chartOf('order', ['charge-card', 'chargeCard'])];
  expect(toldBy({ flows, handlers: charge })).toEqual([
    {
      flow: 'order',
      code: 'flowchart.unknown-type',
      message:
        '"a1" is of type "chargeCard", which is neither built in nor one of the handlers; ' +
        'did you mean "charge-card"?',
      node: 'a1',
    },
  ]);
});

test('one that is like no other is told with all there are, the built-in ones too', () => {
  const handlers = { ...charge, 'order/ship': () => null, 'other/pay': () => null };
  const [told] = toldBy({ flows: [chartOf('order', ['x-ray'])], handlers });
  expect(told?.message).toContain(
    'there are charge-card, ship, start, end, pass, delay, event, flowchart, forEach',
  );
});

test('a handler of one flow alone is that flow’s', () => {
  const handlers = { 'order/ship': () => null };
  expect(toldBy({ flows: [chartOf('order', ['ship'])], handlers })).toEqual([]);
  expect(toldBy({ flows: [chartOf('other', ['ship'])], handlers })).toHaveLength(1);
});

describe('who says so', () => {
  const flows = [chartOf('order', ['ship'])];
  const table: readonly (readonly [string, Partial<EngineOptions>, number])[] = [
    ['an engine that works and has no handlers', {}, 1],
    ['one that works and has others', { handlers: charge }, 1],
    ['one that only has others', { worker: false, handlers: charge }, 1],
    ['one that has it', { handlers: { ship: () => null } }, 0],
    ['not one that neither works nor has any', { worker: false }, 0],
  ];
  test.each(table)('%s', (_, options, count) => {
    expect(toldBy({ flows, ...options })).toHaveLength(count);
  });

  test('chains are as they were: whose steps nobody has a handler for may be others’', () => {
    expect(toldBy({ flows: [chain('orders', 1, ['PAY'])], handlers: charge })).toEqual([]);
  });
});

test('all of them are said at once, of all flowcharts, with all else that is wrong', () => {
  const config = { activities: [{ id: 'in', type: 'weight' }] };
  const wrong = flowchart({
    id: 'wrong',
    version: 0,
    activities: [
      { id: 'A', type: 'nobody' },
      { id: 'box', type: 'flowchart', config },
      { id: 'each', type: 'forEach', config: { items: [], ...config } },
    ],
    connections: [{ from: 'A', to: 'box' }],
  });
  const told = toldBy({ flows: [wrong, chartOf('other', ['nothing'])], handlers: charge });
  expect(told.map(({ flow, code, node }) => `${flow} ${code} ${node}`)).toEqual([
    'wrong flow.bad-version undefined',
    'wrong node.unreachable each',
    'wrong flowchart.unknown-type A',
    'wrong flowchart.unknown-type box/in',
    'wrong flowchart.unknown-type each/in',
    'other flowchart.unknown-type a0',
  ]);
});

test('from a file it has its place', () => {
  const made = flowchartFromText('{"id":"a","version":1,\n "activities":[{"id":"A","type":"x"}]}');
  expect(toldBy({ flows: [made] })).toMatchObject([{ span: { line: 2, column: 16 } }]);
});

describe('engine.deploy', () => {
  test('says the same, and nothing is stored or changed', async () => {
    const store = memory();
    const engine = new Engine({ store, handlers: charge }, new VirtualAlarm(0));
    await engine.open();
    const wrong = chartOf('order', ['chargeCard']);
    await expect(engine.deploy(wrong)).rejects.toMatchObject({
      code: 'definition.invalid',
      details: { diagnostics: [{ code: 'flowchart.unknown-type', node: 'a0', flow: 'order' }] },
    });
    expect(await store.links()).toEqual([]);
    await expect(engine.start('order', null as never)).rejects.toMatchObject({
      code: 'definition.not-found',
    });
    const { hash } = await engine.deploy(chartOf('order', ['charge-card']));
    expect(hash).toHaveLength(64);
    await engine.close();
  });

  test('by one that neither works nor has handlers all is taken, and others run it', async () => {
    const store = memory();
    const desk = new Engine({ store, worker: false }, new VirtualAlarm(0));
    await desk.open();
    await desk.deploy(chartOf('order', ['ship']));
    // One that works, and has heard of the flow from the store alone, is asked nothing.
    const run = await desk.start('order', null as never);
    expect(await run.status()).toBe('running');
    const other = new Engine({ store, worker: false, handlers: charge }, new VirtualAlarm(0));
    await other.open();
    expect(await (await other.start('order', null as never)).status()).toBe('running');
    await desk.close();
  });
});

test('a handler with the name of a built-in type is never asked', () => {
  let asked = 0;
  const flows = [chartOf('order', ['start'])];
  expect(toldBy({ flows, handlers: { start: () => (asked += 1) } })).toEqual([]);
  expect(flows[0]?.definition.draft.nodes.map(({ kind }) => kind)).toEqual(['flowchart', 'pass']);
  expect(asked).toBe(0);
});
