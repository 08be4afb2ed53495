/** What `.map` draws, and what it refuses. */
import { describe, expect, test } from 'vitest';
import { compile } from '../../compile/compile.ts';
import { kinds } from '../../nodes/index.ts';
import { drawn } from '../../testing/flow-text.ts';
import { text } from '../../testing/text.ts';
import { flow } from './flow.ts';

test('a map is one node with its body inside; what runs the items is hidden', () => {
  const job = flow('job')
    .map('each', { over: () => [1], limit: 2, as: 'n' }, (b) =>
      b.step('a', () => 1).set('b', () => 2),
    )
    .end();
  expect(drawn(job)).toBe(text`
    (:start) start
    each map {"body":"each/:item"} <over>
      (each/:item) item {"body":"a","last":"b","as":"n","limit":2}
        a step <handler>
        b set {"in":"scope"} <value>
    (:end) end {"output":"results"}
    :start->each
    a->b
    each->:end
  `);
  expect(job.definition.diagnostics).toEqual([]);
  expect(compile(job.definition.draft, kinds).ok).toBe(true);
});

test('its other options stand in what runs the items; a saga lies around the body', () => {
  const job = flow('job')
    .map(
      'each',
      {
        over: ['a', { b: 1 }],
        collect: () => 1,
        until: () => true,
        saga: 'scope',
      },
      (b) => b.step('a', () => 1),
    )
    .end();
  expect(drawn(job)).toBe(text`
    (:start) start
    each map {"body":"each/:item","over":["a",{"b":1}]}
      (each/:item) item {"body":"each/:saga","last":"a","collects":true,"asks":true} <collect until>
        (each/:saga) scope {"body":"a","promote":true,"saga":"scope"}
          a step <handler>
    (:end) end {"output":"results"}
    :start->each
    each->:end
  `);
  const kept = flow('job').map(
    'each',
    { over: [], mode: 'sequential', onError: 'collect' },
    (b) => b,
  );
  const inTurn = 'item {"body":"each/:item/:start","limit":1,"settles":true}';
  expect(drawn(kept.end())).toContain(inTurn);
  const plan = compile(job.definition.draft, kinds);
  // A scope of one step is the step, unless it is a saga.
  expect(plan.ok && plan.value.nodes.get('a' as never)).toMatchObject({ parent: 'each/:saga' });
});

test('an item has the result of its last node, if that has one of its own', () => {
  const over = [1];
  const job = flow('job')
    .map('step', { over }, (b) => b.sleep('a', 1).step('a1', () => 1))
    .map('set', { over }, (b) => b.set('b', () => 1))
    .map('waitFor', { over }, (b) => b.waitFor('c', { event: 'c' }))
    .map('firstOf', { over }, (b) => b.firstOf('d', { x: { event: 'd' } }))
    .map('call', { over }, (b) => b.call('e', 'other'))
    .map('map', { over }, (b) => b.map('f', { over }, (c) => c))
    .map('sleep', { over }, (b) => b.step('g', () => 1).sleep('g1', 1))
    .map('emit', { over }, (b) => b.step('h', () => 1).emit('h1', 'x'))
    .map('scope', { over }, (b) => b.scope('i', (c) => c.step('i1', () => 1)))
    .map('repeat', { over }, (b) => b.repeat('j', { times: 1 }, (c) => c))
    .map('choose', { over }, (b) =>
      b.choose('k', { x: { when: () => true, do: (c) => c } }, { otherwise: (c) => c }),
    )
    .map('race', { over }, (b) => b.race('l', { x: (c) => c, y: (c) => c }))
    .map('try', { over }, (b) => b.try('m', (c) => c, { do: (c) => c }))
    .map('fail', { over }, (b) => b.fail('n', 'no'))
    .map('nothing', { over }, (b) => b)
    .end();
  expect(job.definition.diagnostics).toEqual([]);
  const last = job.definition.draft.nodes.flatMap(({ id, kind, settings }) =>
    kind === 'item' && !id.startsWith('f/') ? [[id.replace('/:item', ''), settings['last']]] : [],
  );
  const none = ['sleep', 'emit', 'scope', 'repeat', 'choose', 'race', 'try', 'fail', 'nothing'];
  expect(Object.fromEntries(last)).toEqual({
    ...{ step: 'a1', set: 'b', waitFor: 'c', firstOf: 'd', call: 'e', map: 'f' },
    ...Object.fromEntries(none.map((name) => [name, undefined])),
  });
});

describe('what is wrong with a map', () => {
  const told = (options: unknown, body: unknown = (b: unknown) => b): readonly string[] => {
    const job = flow('job')
      .map('each', options as never, body as never)
      .end();
    return job.definition.diagnostics.map(({ code, message }) => `${code}: ${message}`);
  };

  test.each([
    ['nothing', undefined, 'nothing'],
    ['a text', 'abc', '"abc"'],
    ['an object', {}, 'an object'],
    ['a list of what is no JSON', [1n], '"/0" is a bigint'],
  ])('it is not over %s', (_, over, came) => {
    expect(told({ over })).toEqual([
      `map.not-a-list: "each" is over a list of JSON values, or what a closure makes; came ${came}`,
    ]);
  });

  test('its list is there when it begins', () => {
    expect(told({ over: async () => [1] })).toMatchObject([
      expect.stringContaining('code.not-synchronous: "over" of "each" returns a promise'),
    ]);
  });

  test('its limit', () => {
    const rule = 'map.bad-limit: the limit of "each" is a whole number, 1 or more';
    for (const limit of [0, -1, 1.5])
      expect(told({ over: [], limit })).toEqual([`${rule}; came ${limit}`]);
    expect(told({ over: [], limit: '3' })).toEqual([`${rule}; came "3"`]);
    expect(told({ over: [], mode: 'sequential', limit: 1 })).toEqual([
      'map.bad-limit: "each" takes one item after the other, and so has no limit',
    ]);
  });

  test('its words', () => {
    const asked = { over: [], mode: 'both', onError: 'ignore', saga: 'all', as: '$item', more: 1 };
    expect(told(asked)).toEqual([
      expect.stringContaining('option.unknown: map "each" has no option "more"'),
      `map.bad-mode: the mode of "each" is 'parallel' or 'sequential'; came "both"`,
      `map.bad-on-error: the onError of "each" is 'fail' or 'collect'; came "ignore"`,
      'map.bad-as: "as" of "each" is the name of a variable, ' +
        'and none of the engine\'s own; came "$item"',
      `map.bad-saga: the saga of "each" is 'none', 'scope' or 'instance'; came "all"`,
    ]);
    for (const as of ['', 7, 'x.$y', '__proto__']) {
      expect(told({ over: [], as })).toMatchObject([expect.stringContaining('map.bad-as: ')]);
    }
  });

  test('its closures and its body are functions', () => {
    expect(told({ over: [], until: true, collect: 'x' }, 7)).toEqual([
      'code.not-a-function: "collect" of "each" is a function of the view; came "x"',
      'code.not-a-function: "until" of "each" is a function of the view; came true',
      'body.not-a-function: the body of "each" is a function (b) => b…; came 7',
    ]);
  });

  test('a name is used once, inside it too', () => {
    expect(
      told({ over: [] }, (b: never) => (b as { step: Function })['step']('each', () => 1)),
    ).toEqual([
      'node.duplicate-name: two nodes are named "each"; ' +
        'names are unique in a flow, so rename one of them',
    ]);
  });
});
