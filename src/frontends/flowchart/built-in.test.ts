/** Types that need no handler: what their configs may be, and what becomes of them in a plan. */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { compile } from '../../compile/compile.ts';
import { BUILT_IN_TYPES } from '../../model/activity.ts';
import { kinds } from '../../nodes/index.ts';
import { begun, oneAt, tokensAt } from '../../testing/play.ts';
import { type Story, written } from '../../testing/story.ts';
import type { ActivityDefinition, ConnectionDefinition } from './definition.ts';
import { flowchart } from './flowchart.ts';

const INNER = { activities: [{ id: 'in', type: 'work' }] };

function toldOf(type: string, config: unknown): readonly string[] {
  const activity = { id: 'A', type, config } as ActivityDefinition;
  const { definition } = flowchart({ id: 'chart', version: 1, activities: [activity] });
  compile(definition.draft, kinds);
  return definition.diagnostics.map(({ code, node, message }) => `${code} ${node}: ${message}`);
}

describe('what is wrong with a config is said of its activity', () => {
  const table: readonly (readonly [string, unknown, string])[] = [
    ['start', [], 'flowchart.bad-config A: the config of "A" is an object; came an array'],
    ['start', { at: 1 }, 'option.unknown A: "A" has no "at"; it takes none'],
    ['end', { at: 1 }, 'option.unknown A: "A" has no "at"; it takes none'],
    ['pass', { outcome: 'x' }, 'option.unknown A: "A" has no "outcome"; did you mean "outcomes"?'],
    [
      'pass',
      { outcomes: 'x' },
      'flowchart.bad-outcomes A: the outcomes of "A" are a list of names',
    ],
    ['pass', { outcomes: ['a', ''] }, 'flowchart.bad-outcomes A: the outcomes of "A": each is a'],
    ['pass', { outcomes: [undefined] }, 'flowchart.bad-outcomes A: the outcomes of "A": each is a'],
    [
      'pass',
      { result: () => 0 },
      'flowchart.bad-config A: the result of "A" is JSON: the value is',
    ],
    ['delay', undefined, 'flowchart.bad-delay A: "for" of "A": a duration is milliseconds'],
    ['delay', { for: 'soon' }, 'flowchart.bad-delay A: "for" of "A": a duration is milliseconds'],
    ['event', {}, 'flowchart.bad-event A: "A" has the "type" of the event it waits for; came no'],
    ['event', { type: 'x', timeout: 0 }, 'flowchart.bad-timeout A: the timeout of "A" is longer'],
    ['event', { type: 'x', key: 7 }, 'flowchart.bad-event A: the key of "A" is a text; came 7'],
    ['flowchart', {}, 'flowchart.bad-activities A: the activities of "A" are a list; came nothing'],
    ['flowchart', { activities: [] }, 'flowchart.no-start A: "A" has no activities, so there is'],
    ['flowchart', { ...INNER, start: 'x' }, 'flowchart.unknown-start A: "A" starts at "x", which'],
    ['flowchart', { ...INNER, id: 'x' }, 'option.unknown A: "A" has no "id"'],
    ['forEach', { ...INNER }, 'flowchart.bad-items A: the items of "A" are a list, or the way to'],
    [
      'forEach',
      { ...INNER, items: 'orders' },
      'flowchart.bad-items A: the items of "A" are a list',
    ],
    ['forEach', { ...INNER, items: 'input..x' }, 'flowchart.bad-items A: the items of "A" are a'],
    [
      'forEach',
      { ...INNER, items: [new Date(0)] },
      'flowchart.bad-items A: the items of "A" are a',
    ],
    ['forEach', { ...INNER, items: [], limit: 0 }, 'map.bad-limit A: the limit of "A" is a whole'],
    ['forEach', { ...INNER, items: [], as: '$x' }, 'map.bad-as A: "as" of "A" is the name of a'],
    [
      'forEach',
      { ...INNER, items: [], mode: 'x' },
      `map.bad-mode A: the mode of "A" is 'parallel'`,
    ],
    [
      'forEach',
      { ...INNER, items: [], mode: 'sequential', limit: 2 },
      'map.bad-limit A: "A" takes one item after the other, and so has no limit',
    ],
    [
      'forEach',
      { ...INNER, items: [], start: null },
      'flowchart.no-start A: "A" runs something for',
    ],
  ];
  test.each(table)('%s %j', (type, config, told) => {
    expect(toldOf(type, config)).toEqual([expect.stringContaining(told)]);
  });
});

test.each(BUILT_IN_TYPES)('what is for handlers is not for %s', (type) => {
  const all = { activities: INNER.activities, items: [], for: 1, type: 'x' };
  const fields = { flowchart: ['activities'], forEach: ['activities', 'items'], delay: ['for'] };
  const own: readonly string[] = Reflect.get(fields, type) ?? (type === 'event' ? ['type'] : []);
  const config = Object.fromEntries(own.map((field) => [field, Reflect.get(all, field) as Json]));
  expect(toldOf(type, config)).toEqual([]);
  const activity = { id: 'A', type, config, retry: { maxAttempts: 2 }, outcomes: ['Done'] };
  const { definition } = flowchart({ id: 'chart', version: 1, activities: [activity] });
  expect(definition.diagnostics.map(({ code, node }) => [code, node])).toEqual([
    ['flowchart.not-for-built-in', 'A'],
    ['flowchart.not-for-built-in', 'A'],
  ]);
});

/** A chart that has begun; activities that nobody describes are done by handlers. */
function chartOf(
  connections: readonly ConnectionDefinition[],
  described: Readonly<Record<string, Omit<ActivityDefinition, 'id'>>>,
  input: Json = null,
): Story {
  const drawn = connections.flatMap(({ from, to }) => [from, to]);
  const ids = [...new Set([...Object.keys(described), ...drawn])];
  const activities = ids.map((id) => ({ id, type: 'work', ...described[id] }));
  const made = flowchart({ id: 'chart', version: 1, activities, connections });
  expect(made.definition.diagnostics).toEqual([]);
  return begun(written(made), { key: 'order-42' }, input);
}

describe('what they do', () => {
  test('start goes on at once, and has no result', () => {
    const story = chartOf([{ from: 'go', to: 'A' }], { go: { type: 'start' } });
    story.done(oneAt(story, 'A'), 1);
    expect(story.head).toMatchObject({ status: 'completed', output: { A: 1 } });
  });

  test('E-10, X-16: end ends its flowchart at once, and nothing of it is left', () => {
    const story = chartOf(
      [
        { from: 'go', to: 'A' },
        { from: 'go', to: 'B' },
        { from: 'A', to: 'over' },
      ],
      { go: { type: 'start' }, over: { type: 'end' } },
    );
    const told = story.done(oneAt(story, 'A'), 1);
    expect(told).toMatch(/end {4}token \d+ cancelled/);
    expect(story.head).toMatchObject({ status: 'completed', output: { A: 1 } });
    expect(tokensAt(story, 'B')).toEqual([]);
  });

  test('E-10: of a flowchart inside another, only that one', () => {
    const inside = {
      activities: [
        { id: 'go', type: 'start' },
        { id: 'x', type: 'work' },
        { id: 'y', type: 'work' },
        { id: 'over', type: 'end' },
      ],
      connections: [
        { from: 'go', to: 'x' },
        { from: 'go', to: 'y' },
        { from: 'x', to: 'over' },
      ],
    };
    const story = chartOf(
      [
        { from: 'go', to: 'box' },
        { from: 'go', to: 'B' },
        { from: 'box', to: 'C' },
      ],
      { go: { type: 'start' }, box: { type: 'flowchart', config: inside } },
    );
    story.done(oneAt(story, 'box/x'), 'x');
    expect(tokensAt(story, 'box/y')).toEqual([]);
    expect([tokensAt(story, 'B'), tokensAt(story, 'C')].map(({ length }) => length)).toEqual([
      1, 1,
    ]);
    story.done(oneAt(story, 'B'));
    story.done(oneAt(story, 'C'));
    expect(story.head).toMatchObject({ status: 'completed', output: { box: { x: 'x' } } });
  });

  test('pass goes on by the outcomes it was given, all at once, and has their result', () => {
    const config: JsonObject = { outcomes: ['Big', 'Red'], result: { size: 9 } };
    const story = chartOf(
      [
        { from: 'look', outcome: 'Big', to: 'A' },
        { from: 'look', outcome: 'Red', to: 'B' },
      ],
      { look: { type: 'pass', config } },
    );
    story.done(oneAt(story, 'A'));
    story.done(oneAt(story, 'B'));
    expect(story.head.output).toEqual({ look: { size: 9 }, A: null, B: null });
  });

  test('delay sleeps', () => {
    const story = chartOf([{ from: 'nap', to: 'A' }], {
      nap: { type: 'delay', config: { for: '5s' } },
    });
    story.time(oneAt(story, 'nap'));
    expect([story.now, tokensAt(story, 'A').length]).toEqual([5_000, 1]);
  });

  test('event waits, by the business key or one of its own, and its result is the data', () => {
    const story = chartOf([{ from: 'paid', to: 'A' }], {
      paid: { type: 'event', config: { type: 'payment', timeout: '1h' } },
    });
    const token = oneAt(story, 'paid');
    expect(story.instance.tokens.get(token)).toMatchObject({
      wait: { on: 'message', type: 'payment', key: 'order-42' },
      wakeAt: 3_600_000,
    });
    story.message(token, 'payment', 'order-42', { amount: 5 });
    story.done(oneAt(story, 'A'));
    expect(story.head.output).toEqual({ paid: { amount: 5 }, A: null });

    const own = chartOf([], { paid: { type: 'event', config: { type: 'payment', key: 'k' } } });
    expect(own.instance.tokens.get(oneAt(own, 'paid'))?.wait).toMatchObject({ key: 'k' });
  });

  test('forEach runs its flowchart for every item, and has what came of each', () => {
    const config = { items: 'input.lines', as: 'line', ...INNER };
    const story = chartOf(
      [{ from: 'each', to: 'A' }],
      { each: { type: 'forEach', config } },
      {
        lines: ['a', 'b'],
      },
    );
    const [one = 0, two = 0] = tokensAt(story, 'each/in');
    story.done(two, 'second');
    expect(tokensAt(story, 'A')).toEqual([]);
    story.done(one, 'first');
    story.done(oneAt(story, 'A'));
    expect(story.head.output).toEqual({ each: [{ in: 'first' }, { in: 'second' }], A: null });
  });

  test.each([
    ['results.fetch.orders', { orders: [1, 2, 3] }],
    ['results.fetch', [1, 2, 3]],
  ])('forEach over %s', (items, value) => {
    const each = { type: 'forEach', config: { items, limit: 2, ...INNER } };
    const story = chartOf([{ from: 'fetch', to: 'each' }], { fetch: { type: 'work' }, each });
    story.done(oneAt(story, 'fetch'), value);
    expect(tokensAt(story, 'each/in')).toHaveLength(2);
  });

  test('forEach one after the other', () => {
    const config = { items: [1, 2], mode: 'sequential' as const, ...INNER };
    const story = chartOf([], { each: { type: 'forEach', config } });
    expect(tokensAt(story, 'each/in')).toHaveLength(1);
  });

  test('a flowchart inside another that begins nowhere is done at once (E-43)', () => {
    const config = { start: null, ...INNER };
    const story = chartOf([{ from: 'box', to: 'A' }], { box: { type: 'flowchart', config } });
    story.done(oneAt(story, 'A'));
    expect(story.head.output).toEqual({ box: {}, A: null });
  });
});
