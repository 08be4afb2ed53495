/** What a graph makes of a plan and of tokens, before anything of it is on a screen. */
import { afterAll, expect, test } from 'vitest';
import { createEngine, flow, memory } from '../../src/index.ts';
import { busyRegions, crowdsOf, describeNode } from './crowds.ts';
import { baseOf, drawGraph, trailTo } from './drawing.ts';
import type { GraphPlan, GraphToken } from './shapes.ts';
import { flightsOf, pathOf, takenWays, wayBetween } from './ways.ts';

const order = flow('order')
  .step('reserve', () => 1)
  .repeat('again', { times: 2 }, (b) => b.step('knock', () => 1).step('wait', () => 2))
  .choose(
    'way',
    { left: { when: () => true, do: (b) => b.step('go-left', () => 1) } },
    { otherwise: (b) => b.step('go-right', () => 2) },
  )
  .end();

const engine = await createEngine({ store: memory(), flows: [order], worker: false });
afterAll(() => engine.close());
const plan = (await engine.flows.plan('order', 1)) as unknown as GraphPlan;
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
  expect(flights[0]?.points).toEqual(wayBetween(drawn, 'knock', 'wait'));
  expect(flightsOf(drawn, plan, now, now)).toEqual([]);
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
