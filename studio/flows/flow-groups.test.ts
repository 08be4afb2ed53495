import { expect, test } from 'vitest';
import type { Definition, Diagnostic, Source } from '../api/shapes.ts';
import { diffMarks } from './diff-marks.ts';
import { brokenFiles, groupFlows, isFound, nodeAt, sourceOf } from './flow-groups.ts';
import { inferredSchema } from './inferred-schema.ts';
import { distinct } from './recent-inputs.ts';

function version(name: string, number: number, more: Partial<Definition> = {}): Definition {
  return {
    ...{ name, version: number, hash: `${name}${number}`, open: 1 },
    ...{ registered: true, suspended: false, ...more },
  };
}

const PROBLEM: Diagnostic = {
  ...{ severity: 'error', code: 'x.y', message: 'no', explanation: null },
  ...{ line: 3, column: 1, endLine: 3, endColumn: null, path: null },
};

function file(name: string, flows: Source['flows'], diagnostics: readonly Diagnostic[]): Source {
  return { file: name, language: 'serverless', text: '', flows, diagnostics, spans: {} };
}

test('versions of a flow are one, and what starts is the newest that is defined here', () => {
  const definitions = [version('b', 1), version('a', 1), version('b', 2, { registered: false })];
  const group = { flow: 'b', status: 'failed' } as const;
  const tally = {
    ...{ counted: 3, isAll: true, causes: [] },
    groups: [
      { ...group, version: 1, count: 1 },
      { ...group, version: 2, count: 2 },
    ],
  };
  const [a, b] = groupFlows(
    definitions,
    [file('b.yaml', [{ name: 'b', version: 2 }], [PROBLEM])],
    tally,
  );
  expect(a).toMatchObject({ name: 'a', open: 1, counts: [], problems: [] });
  expect(b).toMatchObject({ name: 'b', open: 2, problems: [PROBLEM] });
  expect(b?.newest.version).toBe(2);
  expect(b?.startable?.version).toBe(1);
  expect(b?.counts).toEqual([{ status: 'failed', count: 3 }]);
});

test('a file is broken if no flow that is shown tells of its problems', () => {
  const told = file('a.ts', [{ name: 'a', version: 1 }], [PROBLEM]);
  const unread = file('b.ts', [], [PROBLEM]);
  const nameless = file('c.yaml', [{ name: '', version: 1 }], [PROBLEM]);
  const sources = [told, unread, nameless, file('d.ts', [], [])];
  expect(brokenFiles(sources, [version('a', 1)])).toEqual([unread, nameless]);
  expect(sourceOf(sources, 'a', 1)).toBe(told);
  expect(sourceOf(sources, 'a', 2)).toBeNull();
});

test('a line belongs to the smallest node around it, or to the last that began before it', () => {
  const spans = {
    outer: { line: 2, endLine: 9 },
    inner: { line: 4, endLine: 5 },
    late: { line: 12, endLine: 12 },
  };
  expect([1, 2, 4, 5, 6, 10, 13].map((line) => nodeAt(spans, line))).toEqual([
    ...[null, 'outer', 'inner', 'inner', 'outer', 'inner', 'late'],
  ]);
});

test('flows are found by all the words, in any order', () => {
  expect(isFound('hel pl', 'play.hello')).toBe(true);
  expect(isFound('hel x', 'play.hello')).toBe(false);
  expect(isFound('', 'anything')).toBe(true);
});

test('a renamed node is marked under each of its names', () => {
  const difference = { message: '', impact: 'later' } as const;
  const marks = diffMarks({
    differences: [
      { ...difference, code: 'node.renamed', node: 'new' },
      { ...difference, code: 'node.added', node: 'more' },
      { ...difference, code: 'node.removed', node: 'gone' },
      { ...difference, code: 'flow.setting', node: null },
    ],
    renames: [{ from: 'old', to: 'new', why: '' }],
    mapping: {},
  });
  expect([...marks.from]).toEqual([
    ['old', 'changed'],
    ['gone', 'removed'],
  ]);
  expect([...marks.to]).toEqual([
    ['new', 'changed'],
    ['more', 'added'],
  ]);
});

test('earlier inputs make a schema, and what differs in kind is left open', () => {
  const inputs = [
    { name: 'Ada', tags: ['x'], odd: 1 },
    { name: 'Bob', when: null, odd: 'one' },
  ];
  expect(inferredSchema(inputs)).toEqual({
    type: 'object',
    properties: {
      name: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' } },
      odd: {},
      when: {},
    },
  });
  expect(inferredSchema([])).toBeNull();
  expect(inferredSchema([{}, 3])).toBeNull();
});

test('of the same inputs the newest is offered, five at most, and none of nothing', () => {
  const recent = [1, 2, 1, null, 3, 4, 5, 6].map((input, at) => ({ input, at, key: null }));
  expect(distinct(recent).map(({ input, at }) => [input, at])).toEqual([
    ...[
      [1, 0],
      [2, 1],
      [3, 4],
      [4, 5],
      [5, 6],
    ],
  ]);
});
