/** What is no flowchart is refused, with which words; whatever comes, nothing throws. */
import { describe, expect, test } from 'vitest';
import type { Flow } from '../../model/definition.ts';
import { compile } from '../../compile/compile.ts';
import { kinds } from '../../nodes/index.ts';
import { A, AB, B, chart, codesIn, loose, withA } from '../../testing/loose-charts.ts';

/** Each as `code node: message`. */
function toldOf({ definition }: Flow): readonly string[] {
  return definition.diagnostics.map(
    ({ code, node, message }) => `${code} ${node ?? '-'}: ${message}`,
  );
}

describe('what is wrong is said with a code, of whom it is, and in words; nothing throws', () => {
  const cycle: { id: string; type: string; config: unknown } = {
    ...A,
    type: 'flowchart',
    config: 0,
  };
  cycle.config = { activities: [cycle] };
  const trap = {
    get activities(): never {
      throw new Error('trap');
    },
  };
  const table: readonly (readonly [string, unknown, string])[] = [
    ['nothing', undefined, 'option.not-an-object -: a flowchart is an object with'],
    ['null', null, 'option.not-an-object -: a flowchart is an object with'],
    ['a list', [], 'option.not-an-object -: a flowchart is an object with'],
    ['a text', 'chart', 'option.not-an-object -: a flowchart is an object with'],
    ['a function', () => {}, 'option.not-an-object -: a flowchart is an object with'],
    ['one that lies in itself', chart({ activities: [cycle] }), 'flowchart.unreadable -: a'],
    ['one that throws', trap, 'flowchart.unreadable -: a flowchart is plain JSON'],
    ['no id', chart({ id: undefined }), 'flow.bad-name -: the "id" of a flowchart: a flow name'],
    ['a bad id', chart({ id: 'a b' }), 'flow.bad-name -: the "id" of a flowchart: a flow name'],
    ['no version', chart({ version: undefined }), 'flow.bad-version -: the version of flowchart'],
    [
      'version 1.5',
      chart({ version: 1.5 }),
      'flow.bad-version -: the version of flowchart "chart"',
    ],
    [
      'version "1"',
      chart({ version: '1' }),
      'flow.bad-version -: the version of flowchart "chart"',
    ],
    [
      'a field nobody knows',
      chart({ conections: [] }),
      'option.unknown -: flowchart "chart" has no "conections"; did you mean "connections"?',
    ],
    ['a bad onFailure', chart({ onFailure: 'stop' }), 'flow.bad-on-failure -: the onFailure of'],
    [
      'a bad limit',
      chart({ limit: { concurrency: 0 } }),
      'flow.bad-limit -: the limit of flowchart',
    ],
    [
      'a bad search',
      chart({ search: 'sku' }),
      'flow.bad-search -: the search of flowchart "chart"',
    ],
    ['bad vars', chart({ vars: [1] }), 'flow.bad-vars -: the vars of flowchart "chart"'],

    [
      'no activities',
      chart({ activities: undefined }),
      'flowchart.bad-activities -: the activities',
    ],
    [
      'activities by name',
      chart({ activities: { A } }),
      'flowchart.bad-activities -: the activities',
    ],
    [
      'no activity at all',
      chart({ activities: [], connections: [] }),
      'flowchart.no-start -: flowchart "chart" has no activities, so there is nothing to start',
    ],
    [
      'an activity that is none',
      chart({ activities: [A, B, 'C'] }),
      'flowchart.bad-activity -: activity 3 of flowchart "chart" is an object with',
    ],
    [
      'an activity without an id',
      chart({ activities: [A, B, { type: 'work' }] }),
      'flowchart.no-id -: activity 3 of flowchart "chart" has no id; came nothing',
    ],
    [
      'an empty id',
      chart({ activities: [A, B, { ...A, id: '' }] }),
      'flowchart.no-id -: activity 3',
    ],
    [
      'an id that is no text',
      chart({ activities: [A, B, { ...A, id: 3 }] }),
      'flowchart.no-id -: ',
    ],
    [
      'an id with a slash',
      withId('a/b'),
      "flowchart.bad-id a/b: the id of an activity contains neither '/' nor '->'; came \"a/b\"",
    ],
    [
      'an id with an arrow',
      withId('a->b'),
      'flowchart.bad-id a->b: the id of an activity contains',
    ],
    ['an id of ours', withId(':a'), 'flowchart.bad-id :a: the id of an activity does not begin'],
    ['a long id', withId('a'.repeat(101)), 'flowchart.bad-id aaaa'],
    ['__proto__', withId('__proto__'), 'flowchart.bad-id __proto__: the id of an activity is not'],
    [
      'the same id twice',
      chart({ activities: [A, B, { ...A, type: 'other' }] }),
      'flowchart.duplicate-id A: two activities are named "A": call one of them something else',
    ],
    ['no type', withA({ type: undefined }), 'flowchart.no-type A: "A" has no type: name a handler'],
    ['a blank type', withA({ type: ' ' }), 'flowchart.bad-type A: the type of "A" is a printable'],
    ['a type with a slash', withA({ type: 'x/y' }), 'flowchart.bad-type A: the type of "A" is a'],
    ['a type that is no text', withA({ type: 7 }), 'flowchart.bad-type A: the type of "A" is a'],
    [
      'a field nobody knows',
      withA({ mergemode: 'race' }),
      'option.unknown A: "A" has no "mergemode"; did you mean "mergeMode"?',
    ],
    [
      'a mode that is misspelt',
      withA({ mergeMode: 'convergestrict' }),
      'flowchart.bad-merge-mode A: "A" has the mergeMode "convergestrict", which is none; ' +
        'did you mean "convergeStrict"?',
    ],
    ['a mode nobody knows', withA({ mergeMode: 'all' }), 'flowchart.bad-merge-mode A: "A" has the'],
    ['a mode that is null', withA({ mergeMode: null }), 'flowchart.bad-merge-mode A: "A" has the'],
    ['a bad canStart', withA({ canStart: 'yes' }), 'flowchart.bad-can-start A: canStart of "A" is'],
    ['a config that is a list', withA({ config: [] }), 'flowchart.bad-config A: the config of "A"'],
    [
      'a config that is no JSON',
      withA({ config: { at: { now: new Date(0) } } }),
      'flowchart.bad-config A: the config of "A" is an object of JSON values: "/at/now" is a Date',
    ],
    ['no outcomes', withA({ outcomes: [] }), 'flowchart.bad-outcomes A: the outcomes of "A": they'],
    ['bad outcomes', withA({ outcomes: ['Done', 7] }), 'flowchart.bad-outcomes A: the outcomes of'],
    ['twice an outcome', withA({ outcomes: ['Done', 'Done'] }), 'flowchart.bad-outcomes A: the'],
    ['a bad retry', withA({ retry: 3 }), 'option.not-an-object A: retry of "A" takes an object'],
    ['no maxAttempts', withA({ retry: {} }), 'retry.bad-max-attempts A: the retry.maxAttempts of'],
    [
      'a retry with code in it',
      withA({ retry: { maxAttempts: 2, when: () => true } }),
      'option.unknown A: the retry of "A" has no "when": a flowchart is JSON, without functions',
    ],
    ['a bad timeout', withA({ timeout: 'soon' }), 'flowchart.bad-timeout A: timeout of "A": a dur'],
    [
      'a timeout of none',
      withA({ timeout: 0 }),
      'flowchart.bad-timeout A: timeout of "A" is longer',
    ],
    [
      'a bad priority',
      withA({ priority: 1.5 }),
      'flowchart.bad-priority A: the priority of "A" is',
    ],
    ['a bad limit', withA({ limit: {} }), 'flowchart.bad-limit A: limit of "A" has a concurrency'],
    [
      'a bad onFailure',
      withA({ onFailure: 'x' }),
      'flowchart.bad-on-failure A: onFailure of "A" is',
    ],

    ['connections that are none', chart({ connections: {} }), 'flowchart.bad-connections -: the'],
    [
      'a connection that is none',
      chart({ connections: [...AB, 'A->B'] }),
      'flowchart.bad-connection -: connection 2 of flowchart "chart" is an object with "from" and',
    ],
    [
      'a field of a connection nobody knows',
      chart({ connections: [{ ...AB[0], outcomes: ['Done'] }] }),
      'option.unknown A: "A:Done->B" has no "outcomes"; did you mean "outcome"?',
    ],
    [
      'a connection to nowhere',
      chart({ connections: [...AB, { from: 'B', to: 'Shipping' }] }),
      'flowchart.unknown-activity B: "B:Done->Shipping" leads to "Shipping", which is no ' +
        'activity here; there are A, B',
    ],
    [
      'a connection from nowhere',
      chart({ connections: [...AB, { from: 'Shipping', to: 'B' }] }),
      'flowchart.unknown-activity B: "Shipping:Done->B" comes from "Shipping", which is no',
    ],
    [
      'a connection without an end',
      chart({ connections: [...AB, { from: 'A' }] }),
      'flowchart.bad-connection A: "A:Done->?" leads to an activity, by its id; came nothing',
    ],
    [
      'the same connection twice',
      chart({ connections: [...AB, { ...AB[0], outcome: 'Done' }] }),
      'flowchart.duplicate-connection A: "A:Done->B" is there twice: it is one connection',
    ],
    [
      'an outcome that is no text',
      chart({ connections: [{ ...AB[0], outcome: 7 }] }),
      'flowchart.bad-outcome A: the outcome of "A:?->B" is a text that is not blank; came 7',
    ],
    [
      'an outcome with a colon',
      chart({ connections: [{ ...AB[0], outcome: 'a:b' }] }),
      "flowchart.bad-outcome A: the outcome of \"A:a:b->B\" contains neither ':' nor '->'",
    ],
    [
      'an outcome that is not among those it has',
      chart({
        activities: [{ ...A, outcomes: ['True', 'False'] }, B],
        connections: [{ ...AB[0], outcome: 'Treu' }],
      }),
      'flowchart.unknown-outcome A: "A:Treu->B" is for the outcome "Treu", and "A" never ' +
        'ends with that; did you mean "True"?',
    ],
    [
      'an outcome that a built-in type never has',
      chart({
        activities: [{ ...A, type: 'delay', config: { for: '1s' } }, B],
        connections: [{ ...AB[0], outcome: 'Timeout' }],
      }),
      'flowchart.unknown-outcome A: "A:Timeout->B" is for the outcome "Timeout", and "A", ' +
        'a delay, never ends with that; there is Done',
    ],
    [
      'a way out of an end',
      chart({
        activities: [A, { ...B, type: 'end' }],
        connections: [...AB, { from: 'B', to: 'A' }],
      }),
      'flowchart.unknown-outcome B: "B:Done->A": "B" ends its flowchart, and nothing leads out',
    ],

    [
      'a start nobody is at',
      chart({ start: 'Begin' }),
      'flowchart.unknown-start -: flowchart "chart" starts at "Begin", which is no activity ' +
        'here; there are A, B',
    ],
    [
      'a start that is no text',
      chart({ start: 1 }),
      'flowchart.bad-start -: the start of flowchart',
    ],
    [
      'an activity nobody comes to',
      chart({ start: 'B' }),
      'node.unreachable A: nothing leads to "A" from "B", where it begins: connect it, or leave it',
    ],
  ];
  test.each(table)('%s', (_, definition, told) => {
    const refused = loose(definition);
    expect(toldOf(refused)).toEqual([expect.stringContaining(told)]);
    for (const { message } of refused.definition.diagnostics) {
      expect(message.length).toBeLessThan(400);
    }
    // What is wrong with it is said again, or it is not: it never throws.
    compile(refused.definition.draft, kinds);
  });

  function withId(id: string): object {
    const own = { ...A, id };
    return chart({ activities: [own, B], connections: [{ from: id, to: 'B' }] });
  }
});

test('a connection from nowhere to nowhere is nobody’s, and both ends are said', () => {
  const made = loose(chart({ connections: [...AB, { from: 'Shipping', to: 'Receipt' }] }));
  expect(toldOf(made)).toEqual([
    expect.stringMatching(/^flowchart.unknown-activity -: "Shipping:Done->Receipt" comes from/),
    expect.stringMatching(/^flowchart.unknown-activity -: "Shipping:Done->Receipt" leads to/),
  ]);
});

test('who is misspelt in a connection does not seem lost, and who is lost is named', () => {
  const activities = [{ id: 'fetch', type: 'work' }, { id: 'isle', type: 'work' }, A, B];
  const connections = [
    { from: 'fetch', to: 'A' },
    { from: 'fetsh', outcome: 'No', to: 'B' },
  ];
  const made = loose(chart({ start: 'fetch', activities, connections }));
  expect(made.definition.diagnostics.map(({ code, node }) => `${code} ${node}`)).toEqual([
    'flowchart.unknown-activity B',
    'node.unreachable isle',
  ]);
  expect(toldOf(made)[0]).toContain(
    '"fetsh:No->B" comes from "fetsh", which is no activity here; did you mean "fetch"?',
  );
});

test('everything that is wrong is said at once, in the order in which it was written', () => {
  const wrong = loose({
    id: '',
    version: 0,
    limit: 3,
    activities: [
      { ...A, mergeMode: 'rase', retry: { maxAttempts: 0, delay: 'x' } },
      A,
      { type: 'work' },
      { id: 'isle', type: 'delay' },
      { id: 'C', type: 'flowchart', config: { activities: [{ id: 'in', type: 7 }] } },
    ],
    connections: [{ from: 'A', to: 'nowhere at all' }, { from: 'A', to: 'C' }, null],
  });
  expect(codesIn(wrong)).toEqual([
    ...['flow.bad-name', 'flow.bad-version', 'option.not-an-object', 'flowchart.bad-merge-mode'],
    ...['retry.bad-max-attempts', 'retry.bad-delay', 'flowchart.duplicate-id', 'flowchart.no-id'],
    ...['flowchart.bad-delay', 'flowchart.bad-type', 'flowchart.unknown-activity'],
    ...['flowchart.bad-connection', 'node.unreachable'],
  ]);
});

test('whatever stands anywhere, nothing throws, and the draft can be compiled', () => {
  const odd = [undefined, null, true, 7, Number.NaN, '', 'x', [], [null], {}, () => 0, Symbol('s')];
  const whole = {
    ...{ id: 'c', version: 1, start: 'A', onFailure: 'fail', limit: { concurrency: 1 } },
    ...{ search: ['a'], vars: {} },
    activities: [
      { ...A, mergeMode: 'race', canStart: true, config: {}, outcomes: ['Done'], retry: {} },
      { ...B, timeout: 1, priority: 1, limit: {}, onFailure: 'incident' },
      { id: 'C', type: 'forEach', config: { items: [], limit: 1, as: 'a', mode: 'x', ...chart() } },
      { id: 'D', type: 'event', config: { type: 'a', timeout: 1, key: 'k' } },
      { id: 'E', type: 'pass', config: { outcomes: ['a'], result: 1 } },
    ],
    connections: [{ from: 'A', outcome: 'Done', to: 'B' }],
  };
  const spots: [object, string | number][] = [];
  const walk = (part: object): void => {
    for (const key of Object.keys(part)) {
      const at = Array.isArray(part) ? Number(key) : key;
      spots.push([part, at]);
      const inner: unknown = Reflect.get(part, key);
      if (typeof inner === 'object' && inner !== null) walk(inner);
    }
  };
  const fresh = structuredClone(whole);
  walk(fresh);
  expect(spots.length).toBeGreaterThan(60);
  for (const [part, key] of spots) {
    const was: unknown = Reflect.get(part, key);
    for (const value of odd) {
      Reflect.set(part, key, value);
      const { definition } = loose(fresh);
      compile(definition.draft, kinds);
      for (const { code, message } of definition.diagnostics) {
        expect(code).not.toBe('flowchart.unreadable');
        expect(message).not.toMatch(/undefined|\[object/);
      }
    }
    Reflect.set(part, key, was);
  }
});

describe('what is wrong in a flowchart inside another is said of its own name', () => {
  const inner = {
    activities: [A, { ...B, mergeMode: 'x' }],
    connections: [{ from: 'A', to: 'Z' }],
  };

  test.each([
    ['flowchart', inner],
    ['forEach', { items: [], ...inner }],
  ])('%s', (type, config) => {
    const made = loose(chart({ activities: [{ id: 'pack', type, config }], connections: [] }));
    expect(toldOf(made)).toEqual([
      expect.stringMatching(/^flowchart.bad-merge-mode pack\/B: "pack\/B" has the mergeMode "x"/),
      expect.stringMatching(
        /^flowchart.unknown-activity pack\/A: "pack\/A:Done->pack\/Z" leads to/,
      ),
      expect.stringMatching(/^node.unreachable pack\/B: nothing leads to "pack\/B" from "pack\/A"/),
    ]);
  });
});

test('connections that are no list are told also if the activities are none', () => {
  const given = { id: 'lists', version: 1, activities: {}, connections: 'x' };
  const { diagnostics } = loose(given).definition;
  expect(diagnostics.map(({ code }) => code)).toEqual([
    'flowchart.bad-activities',
    'flowchart.bad-connections',
  ]);
});
