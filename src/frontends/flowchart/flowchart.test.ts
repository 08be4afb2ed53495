/** Definitions of flowcharts: where they begin, and what they are in a draft. */
import { describe, expect, test } from 'vitest';
import { compile } from '../../compile/compile.ts';
import { kinds } from '../../nodes/index.ts';
import { A, AB, B, chart, codesIn, loose, withA } from '../../testing/loose-charts.ts';
import { outcome, outcomes } from './results.ts';

test('one with which nothing is wrong is compiled', () => {
  const made = loose(chart());
  expect(made.definition.diagnostics).toEqual([]);
  expect(compile(made.definition.draft, kinds).ok).toBe(true);
  expect([made.name, made.version]).toEqual(['chart', 1]);
  expect([made, made.definition, made.definition.diagnostics].every(Object.isFrozen)).toBe(true);
});

test('names are the affair of each', () => {
  const pack = { activities: [A, B], connections: AB };
  const made = loose(chart({ activities: [A, { id: 'B', type: 'flowchart', config: pack }] }));
  expect(made.definition.diagnostics).toEqual([]);
  const { nodes, edges } = made.definition.draft;
  expect(nodes.map(({ id }) => id)).toEqual([':flowchart', 'A', 'B', 'B/A', 'B/B']);
  expect(edges.map(({ id }) => id)).toEqual(['A:Done->B', 'B/A:Done->B/B']);
  expect(nodes.map(({ local }) => local)).toEqual([undefined, undefined, undefined, 'A', 'B']);
});

describe('where it begins', () => {
  function startIn(over: object): unknown {
    const { definition } = loose(chart({ connections: [...AB, { from: 'B', to: 'A' }], ...over }));
    expect(definition.diagnostics).toEqual([]);
    return definition.draft.nodes[0]?.settings['body'];
  }
  const S = { id: 'S', type: 'start' };
  const round = [...AB, { from: 'B', to: 'A' }];
  const fromS = { connections: [...round, { from: 'S', to: 'A' }, { from: 'A', to: 'S' }] };

  test('E-42: as it says, before all else', () => {
    expect(startIn({ start: 'B', activities: [{ ...A, canStart: true }, B] })).toBe('B');
  });
  test('E-42: at an activity of type start, if it does not say', () => {
    expect(startIn({ activities: [A, { ...B, canStart: true }, S], ...fromS })).toBe('S');
  });
  test('E-42: at one that can start', () => {
    expect(startIn({ activities: [A, { ...B, canStart: true }] })).toBe('B');
  });
  test('E-42: at the first that nothing leads to', () => {
    const activities = [B, A, { id: 'C', type: 'work' }];
    const connections = [...AB, { from: 'B', to: 'C' }];
    expect(startIn({ activities, connections })).toBe('A');
  });
  test('E-42: at the first, if something leads to each', () => {
    expect(startIn({})).toBe('A');
  });

  test('E-43: null is nowhere: nothing is drawn, and nothing can be unreachable', () => {
    const { definition } = loose(chart({ start: null, connections: [] }));
    expect(definition.diagnostics).toEqual([]);
    expect(definition.draft.nodes).toEqual([
      { id: ':flowchart', kind: 'flowchart', settings: { body: null, whole: true }, hidden: true },
    ]);
    expect(loose(chart({ start: null, activities: [], connections: [] })).definition).toMatchObject(
      { diagnostics: [] },
    );
  });

  test('a way out of an end is none, so whom it leads to may be where it begins', () => {
    const activities = [A, { id: 'over', type: 'end' }, B];
    const connections = [
      { from: 'A', to: 'over' },
      { from: 'over', to: 'A' },
    ];
    const { definition } = loose(chart({ activities, connections }));
    expect(definition.diagnostics.map(({ code, node }) => `${code} ${node}`)).toEqual([
      'flowchart.unknown-outcome over',
      'node.unreachable B',
    ]);
  });

  test('a start that is wrong makes nobody unreachable but who is from anywhere', () => {
    expect(codesIn(loose(chart({ start: 'Z' })))).toEqual(['flowchart.unknown-start']);
    const isle = { id: 'isle', type: 'work' };
    const lost = loose(chart({ start: 'Z', activities: [isle, A, B] })).definition.diagnostics;
    expect(lost.map(({ code, node }) => [code, node])).toEqual([
      ['flowchart.unknown-start', undefined],
      ['node.unreachable', 'isle'],
    ]);
  });

  test('every activity that cannot be come to is named', () => {
    const isle = [
      { id: 'C', type: 'work' },
      { id: 'D', type: 'work' },
    ];
    const made = loose(
      chart({ activities: [A, B, ...isle], connections: [...AB, { from: 'C', to: 'D' }] }),
    );
    expect(made.definition.diagnostics.map(({ code, node }) => [code, node])).toEqual([
      ['node.unreachable', 'C'],
      ['node.unreachable', 'D'],
    ]);
  });
});

test('what is said of an activity is in its node', () => {
  const own = {
    ...{
      mergeMode: 'race',
      config: { to: 'x' },
      outcomes: ['Ok', 'No'],
      timeout: '1m',
      priority: 3,
    },
    ...{ limit: { concurrency: 2 }, onFailure: 'incident' },
    retry: { maxAttempts: 3, delay: '2s', backoff: 'exponential' },
  };
  const connections = [
    { from: 'A', outcome: 'Ok', to: 'B' },
    { from: 'A', outcome: 'No', to: 'B' },
    { from: 'A', outcome: 'No', to: 'A' },
  ];
  const { draft } = loose({ ...withA(own), connections }).definition;
  const plan = compile(draft, kinds);
  expect(plan.ok && plan.value.nodes.get('A' as never)).toMatchObject({
    kind: 'activity',
    merge: 'race',
    config: {
      ...{ type: 'work', config: { to: 'x' }, outcomes: ['Ok', 'No'], timeoutMs: 60_000 },
      ...{ priority: 3, limit: { concurrency: 2 }, mends: true, maxAttempts: 3 },
      retry: { maxAttempts: 3, delayMs: 2_000, backoff: 'exponential' },
      ways: { Ok: ['A:Ok->B'], No: ['A:No->B', 'A:No->A'] },
    },
  });
});

test('what is said of the whole is in the draft, and only what is not so anyway', () => {
  const said = {
    onFailure: 'incident',
    search: ['sku'],
    vars: { n: 1 },
    limit: { concurrency: 3 },
  };
  expect(loose(chart(said)).definition.draft).toMatchObject({ ...said, saga: 'none' });
  expect(loose(chart({ onFailure: 'fail' })).definition.draft).not.toHaveProperty('onFailure');
});

test('names as every object has them are names like others', () => {
  const names = ['constructor', 'toString', 'hasOwnProperty'];
  const made = loose({
    ...{ id: 'names', version: 1, activities: names.map((id) => ({ id, type: id })) },
    connections: [
      { from: 'constructor', outcome: 'toString', to: 'toString' },
      { from: 'toString', outcome: 'constructor', to: 'hasOwnProperty' },
    ],
  });
  expect(made.definition.diagnostics).toEqual([]);
  expect(compile(made.definition.draft, kinds).ok).toBe(true);
});

test('a chart of ten thousand activities is read at once', () => {
  const activities = Array.from({ length: 10_000 }, (_, n) => ({ id: `a${n}`, type: 'work' }));
  const connections = activities.slice(1).map(({ id }, n) => ({ from: `a${n}`, to: id }));
  const begun = performance.now();
  expect(loose({ id: 'long', version: 1, activities, connections }).definition).toMatchObject({
    diagnostics: [],
  });
  expect(performance.now() - begun).toBeLessThan(5_000);
});

test('what a handler returns says what it stands for, and is altered by nobody', () => {
  expect(outcome('True', 7)).toEqual({ became: 'outcomes', outcomes: ['True'], data: 7 });
  expect(outcomes(['A', 'B'])).toEqual({ became: 'outcomes', outcomes: ['A', 'B'], data: null });
  expect([outcome('x'), outcomes([]).outcomes].every(Object.isFrozen)).toBe(true);
});

describe('a circle in which nothing is done and nothing is waited for', () => {
  const idle = (id: string, more: object = {}): object => ({ id, type: 'pass', ...more });
  const round = [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'a' },
  ];

  test('is refused, since it would never end', () => {
    const made = loose(chart({ activities: [idle('a'), idle('b')], connections: round }));
    expect(made.definition.diagnostics.map(({ code, node }) => [code, node])).toEqual([
      ['flowchart.endless', 'a'],
    ]);
    const alone = chart({ activities: [idle('a')], connections: [{ from: 'a', to: 'a' }] });
    expect(codesIn(loose(alone))).toEqual(['flowchart.endless']);
  });

  test('is none if somebody does something in it, or has to wait', () => {
    const works = chart({ activities: [idle('a'), { id: 'b', type: 'work' }], connections: round });
    expect(codesIn(loose(works))).toEqual([]);
    const strict = [idle('s'), idle('a', { mergeMode: 'convergeStrict' }), idle('b')];
    const waits = chart({ activities: strict, connections: [{ from: 's', to: 'a' }, ...round] });
    expect(codesIn(loose(waits))).toEqual([]);
  });
});

test('a large chart of which everything is wrong is told in reasonable time', () => {
  const activities = Array.from({ length: 20_000 }, (_, at) => ({ id: `a${at}`, type: 'work' }));
  const connections = activities.map(({ id }) => ({ from: id, to: `${id}x` }));
  const made = loose(chart({ start: 'nowhere', activities, connections }));
  const codes = made.definition.diagnostics.map(({ code }) => code);
  expect(codes.filter((code) => code === 'flowchart.unknown-activity')).toHaveLength(20_000);
});
