/** What a graph makes of a plan and of tokens, before anything of it is on a screen. */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { flowchart } from '../../src/flowchart.ts';
import { createEngine, flow, memory } from '../../src/index.ts';
import { busyRegions, crowdsOf, describeNode, marksOn } from './crowds.ts';
import { baseOf, drawGraph, trailTo } from './drawing.ts';
import { focusFrom } from './focus.ts';
import type { GraphPlan, GraphToken } from './shapes.ts';
import { flightsOf, framesAlong, pathOf, routesIn, takenWays } from './ways.ts';

const order = flow('order')
  .step('reserve', () => 1)
  .repeat('again', { times: 2 }, (b) => b.step('knock', () => 1).step('wait', () => 2))
  .choose(
    'way',
    {
      left: { when: ({ results }) => results.reserve > 0, do: (b) => b.step('go-left', () => 'l') },
    },
    { otherwise: (region) => region.step('go-right', () => 'r') },
  )
  .end();

const file = new URL('../../examples/damage.json', import.meta.url);
const damage = flowchart(JSON.parse(readFileSync(file, 'utf8')));
const handlers = { note: () => null, assess: () => null, pay: () => null };
const store = memory();
const engine = await createEngine({ store, flows: [order, damage], handlers, worker: false });
afterAll(() => engine.close());
const plan: GraphPlan = await engine.flows.plan('order', 1);
const chart: GraphPlan = await engine.flows.plan('damage', 1);
const base = baseOf(plan);
const all = { inside: null, folded: new Set<string>() };
const drawn = drawGraph(base, all);

function token(id: number, node: string, more: Partial<GraphToken> = {}): GraphToken {
  return { id, node, status: 'ready', via: null, ...more };
}

test('nodes stand in the order of the flow', () => {
  const order = drawn.nodes.map(({ id }) => id);
  const wanted = ['reserve', 'again', 'knock', 'wait', 'way'];
  expect(order.filter((id) => wanted.includes(id))).toEqual(wanted);
});

test('a loop has a way back, and ways that were taken are known', () => {
  expect(drawn.ways.some(({ isBack }) => isBack)).toBe(true);
  const edge = plan.edges.find(({ from, to }) => from === 'reserve' && to === 'again');
  const taken = [...takenWays(drawn, plan, new Set([edge?.id ?? '']))];
  expect(taken.map(({ from, to }) => [from, to])).toEqual([['reserve', 'again']]);
});

test('what is folded is where it is folded, and what is stepped into is all there is', () => {
  const folded = drawGraph(base, { inside: null, folded: new Set(['again']) });
  expect(folded.places.get('knock')).toBe('again');
  expect(folded.nodes.map(({ id }) => id)).not.toContain('knock');
  const inside = drawGraph(base, { inside: 'again', folded: new Set() });
  expect(inside.nodes.map(({ id }) => id)).toEqual(['knock', 'wait']);
  expect(inside.places.get('reserve')).toBeUndefined();
  expect(trailTo(base, 'again').map(({ id }) => id)).toEqual(['again']);
});

test('a token that is born by an edge comes along it, and one that was there does not move', () => {
  const edge = plan.edges.find(({ from, to }) => from === 'knock' && to === 'wait');
  const before = [token(1, 'reserve'), token(2, 'knock')];
  const now = [token(1, 'reserve'), token(3, 'wait', { via: edge?.id ?? null })];
  const flights = flightsOf(drawn, plan, before, now);
  expect(flights.map(({ token: id }) => id)).toEqual([3]);
  const route = routesIn(drawn).find(({ from, to }) => from === 'knock' && to === 'wait');
  expect(flights[0]?.points).toEqual(route?.points);
  expect(flightsOf(drawn, plan, now, now)).toEqual([]);
});

describe('a token without an edge', () => {
  const flightTo = (from: string, to: string): unknown => {
    const [flight] = flightsOf(drawn, plan, [token(1, from)], [token(2, to)]);
    const wanted = JSON.stringify(flight?.points);
    const found = routesIn(drawn).find(({ points }) => JSON.stringify(points) === wanted);
    return found === undefined ? undefined : [found.from, found.to];
  };

  test('comes from where another has just ended', () => {
    expect(flightTo('way', 'go-left')).toEqual(['way', 'go-left']);
  });

  test('comes back along the way of a loop', () => {
    expect(flightTo('wait', 'knock')).toEqual(['wait', 'knock']);
  });

  test('comes into a region, and out of it, along the way of that', () => {
    expect(flightTo('reserve', 'knock')).toEqual(['reserve', 'again']);
    expect(flightTo('wait', 'way')).toEqual(['again', 'way']);
  });

  test('is just there if no way is drawn', () => {
    expect(flightTo('reserve', 'go-left')).toBeUndefined();
  });
});

test('of two ways between the same nodes, the one that was taken is known', () => {
  const chartDrawn = drawGraph(baseOf(chart), all);
  const [granted, refused] = ['Granted', 'Refused'].map((outcome) => `assess:${outcome}->letter`);
  const before = [token(1, 'assess')];
  const pointsBy = (via: string | undefined): unknown => {
    const now = [token(2, 'letter', { via: via ?? null })];
    return flightsOf(chartDrawn, chart, before, now)[0]?.points;
  };
  expect(pointsBy(granted)).toBeDefined();
  expect(pointsBy(granted)).not.toEqual(pointsBy(refused));
  const taken = [...takenWays(chartDrawn, chart, new Set([refused ?? '']))];
  expect([...new Set(taken.map(({ id }) => id))]).toEqual([refused]);
});

test('a dot is as fast on short pieces of a way as on long ones', () => {
  const corner = [
    { x: 0, y: 0 },
    { x: 0, y: 10 },
    { x: 30, y: 10 },
  ];
  expect(framesAlong(corner).map(({ offset }) => offset)).toEqual([0, 0.25, 1]);
});

describe('arrow keys', () => {
  const keyed = (id: string, key: string): string | undefined => focusFrom(drawn, id, key);

  test('go down and up along the ways, and past loops', () => {
    expect(keyed('reserve', 'ArrowDown')).toBe('again');
    expect(keyed('wait', 'ArrowDown')).toBe('way');
    expect(keyed('way', 'ArrowUp')).toBe('again');
    expect(keyed('knock', 'ArrowUp')).toBe('again');
  });

  test('go to the sides among those of a row, and into regions', () => {
    expect(keyed('go-left', 'ArrowRight')).toBe('go-right');
    expect(keyed('go-right', 'ArrowLeft')).toBe('go-left');
    expect(keyed('again', 'ArrowRight')).toBe('knock');
    expect(keyed('knock', 'ArrowLeft')).toBe('again');
    expect(keyed('go-right', 'ArrowRight')).toBeUndefined();
  });
});

test('what is marked inside a folded region is marked there, the worst of it', () => {
  const folded = drawGraph(base, { inside: null, folded: new Set(['again']) });
  const marks = new Map([
    ['knock', 'problem'],
    ['wait', 'added'],
    ['reserve', 'changed'],
  ] as const);
  expect(Object.fromEntries(marksOn(folded, marks))).toEqual({
    again: 'problem',
    reserve: 'changed',
  });
});

test('what is around all of a flowchart has no frame that could be busy', () => {
  const chartDrawn = drawGraph(baseOf(chart), all);
  const frame = chart.nodes.find(({ kind }) => kind === 'flowchart');
  const owner = token(1, frame?.id ?? '', { status: 'waiting', wait: { on: 'scope' } });
  expect([...busyRegions(chartDrawn, [owner])]).toEqual([]);
});

test('who waits for a region is its frame, and others are counted by what they do', () => {
  const tokens = [
    token(1, 'again', { status: 'waiting', wait: { on: 'scope' } }),
    token(2, 'knock', { status: 'executing' }),
    token(3, 'knock', { status: 'waiting', wait: { on: 'incident' } }),
    token(4, 'knock', { status: 'executing' }),
  ];
  expect([...busyRegions(drawn, tokens)]).toEqual(['again']);
  const crowds = crowdsOf(drawn, tokens).get('knock') ?? [];
  expect(crowds.map(({ state, tokens: ids }) => [state, ids.length])).toEqual([
    ['failed', 1],
    ['running', 2],
  ]);
  const tally = { done: 3, failed: 1, open: 0 };
  const said = describeNode({ kind: 'step', lines: ['knock'] }, crowds, tally, undefined);
  expect(said).toBe('step knock, 1 failed, 2 running, done 3 times, failed once');
});

test('a way is a path with round corners', () => {
  const path = pathOf([
    { x: 0, y: 0 },
    { x: 0, y: 20 },
    { x: 30, y: 20 },
  ]);
  expect(path).toBe('M0,0 L0,13 Q0,20 7,20 L30,20');
});
