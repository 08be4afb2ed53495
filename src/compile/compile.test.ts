import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { parseJson } from '../base/json.ts';
import type { Diagnostic, Draft } from '../model/draft.ts';
import type { NodeId } from '../model/ids.ts';
import type { Plan } from '../model/plan.ts';
import { kinds } from '../nodes/index.ts';
import { draw } from '../testing/story.ts';
import { compile, planBody, planFrom } from './compile.ts';

const drawing = draw(['start -> Reserve -> again -> end', 'Pay'], {
  start: { kind: 'start' },
  Reserve: { kind: 'step', settings: { priority: 2 } },
  again: { kind: 'repeat', settings: { check: 'until', body: 'Pay' } },
  Pay: { kind: 'step', in: 'again' },
  end: { kind: 'end', settings: { output: 'results' } },
}).draft;

function planOf(draft: Draft): Plan {
  const compiled = compile(draft, kinds);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problem));
  return compiled.value;
}

function problemsOf(draft: Draft): readonly Diagnostic[] {
  const compiled = compile(draft, kinds);
  return compiled.ok ? [] : compiled.problem;
}

test('a plan knows of each node its ways in and out, its region and the code it needs', () => {
  const { nodes } = planOf(drawing);
  expect(nodes.get('again' as NodeId)).toEqual({
    id: 'again',
    kind: 'repeat',
    config: { body: 'Pay', check: 'until', times: null },
    code: ['until'],
    parent: null,
    hidden: false,
    in: ['Reserve->again'],
    out: ['again->end'],
  });
  expect(nodes.get('Pay' as NodeId)).toMatchObject({ parent: 'again', in: [], out: [], code: [] });
});

test('what the author did not write is remembered as hidden', () => {
  const nodes = drawing.nodes.map((node) =>
    node.id === 'start' ? { ...node, hidden: true } : node,
  );
  const plan = planOf({ ...drawing, nodes });
  expect(plan.nodes.get('start' as NodeId)?.hidden).toBe(true);
});

describe('the name of a plan is the hash of what it says', () => {
  test('compiling twice gives the same hash', () => {
    expect(planOf(drawing).hash).toBe(planOf(structuredClone(drawing)).hash);
    expect(planOf(drawing).hash).toMatch(/^[0-9a-f]{64}$/);
  });

  const others: Record<string, Draft> = {
    version: { ...drawing, version: 2 },
    name: { ...drawing, name: 'other' },
    variable: { ...drawing, vars: { tries: 0 } },
    saga: { ...drawing, saga: 'scope' },
    'answer to an undo that fails': { ...drawing, onUndoFailure: 'halt' },
    'answer to a failure': { ...drawing, onFailure: 'incident' },
    setting: {
      ...drawing,
      nodes: drawing.nodes.map((node) =>
        node.id === 'Reserve' ? { ...node, settings: { priority: 3 } } : node,
      ),
    },
  };
  for (const [what, other] of Object.entries(others)) {
    test(`another ${what} gives another hash`, () => {
      expect(planOf(other).hash).not.toBe(planOf(drawing).hash);
    });
  }
});

test('what a flow says of failures, and what is meant if it says nothing, are in its plan', () => {
  const usual = { saga: 'instance', onUndoFailure: 'continue', onFailure: 'fail' };
  expect(planOf(drawing)).toMatchObject(usual);
  expect(planOf({ ...drawing, saga: 'instance' }).hash).toBe(planOf(drawing).hash);
  const said = { saga: 'none', onUndoFailure: 'halt', onFailure: 'incident' } as const;
  expect(planOf({ ...drawing, ...said })).toMatchObject(said);
  const stored = planBody(planOf({ ...drawing, ...said }));
  expect(planFrom(stored)).toMatchObject(said);
});

test('a plan that went into a store as text comes back as the same plan', () => {
  const plan = planOf({ ...drawing, vars: { list: [1, { a: null }] } });
  const stored = JSON.stringify(planBody(plan));
  expect(planFrom(parseJson(stored) as JsonObject)).toEqual(plan);
});

test('a plan is frozen, and the author keeps no hold on its variables', () => {
  const vars = { list: [1] };
  const plan = planOf({ ...drawing, vars });
  vars.list.push(2);
  expect(plan.vars).toEqual({ list: [1] });
  expect(() => Object.assign(plan, { version: 9 })).toThrow(TypeError);
  expect(() => (plan.vars['list'] as number[]).push(3)).toThrow(TypeError);
  expect(() => Object.assign(plan.nodes.get('end' as NodeId) ?? {}, { kind: 'x' })).toThrow(
    TypeError,
  );
});

test('variables that are not JSON are a mistake in the definition', () => {
  const vars = { since: new Date(0) } as unknown as JsonObject;
  expect(problemsOf({ ...drawing, vars })).toEqual([
    {
      code: 'flow.bad-vars',
      message:
        'the variables a flow begins with are JSON: ' +
        '"/since" is a Date; use date.toISOString()',
    },
  ]);
});

test('O-03: a kind nobody knows is refused with the one that was meant, or some there are', () => {
  const [found] = problemsOf(draw(['a'], { a: { kind: 'magic' } }).draft);
  expect(found).toMatchObject({ code: 'node.unknown-kind', node: 'a' });
  const rule = '"a" is of kind "magic", which nobody has registered';
  const [first, second] = kinds.keys();
  const told = `${rule}; there are ${first}, ${second}, `;
  expect(found?.message.slice(0, told.length)).toBe(told);
  expect(found?.message).toMatch(/, and \d+ more$/);
  const [misspelt] = problemsOf(draw(['a'], { a: { kind: 'slep' } }).draft);
  expect(misspelt?.message).toMatch(/; did you mean "sleep"\?$/);
});

test('everything that is wrong is said at once, each with a code, a node and a sentence', () => {
  const draft = draw(['start -> f -> end', 'f -> nap', 'end -> start', 'island'], {
    start: { kind: 'start' },
    f: { kind: 'join' },
    nap: { kind: 'sleep', settings: { ms: -1 } },
    end: { kind: 'end', settings: { output: 'everything' } },
    island: { kind: 'wait', settings: { key: 7, timeoutMs: 'soon' } },
  }).draft;
  const found = problemsOf({ ...draft, name: 'no good', version: 0 });
  expect(found.map(({ code, node }) => `${code} ${node ?? ''}`.trim())).toEqual([
    'flow.bad-name',
    'flow.bad-version',
    'node.unreachable island',
    'start.has-inbound start',
    'join.too-few-ways f',
    'join.forks-too f',
    'end.has-outbound end',
    'end.bad-output end',
    'sleep.bad-duration nap',
    'wait.no-event island',
    'wait.bad-key island',
    'wait.bad-timeout island',
  ]);
  expect(found.every(({ message }) => message.length > 10)).toBe(true);
});

test('a diagnostic points at the place in the source that the frontend noted', () => {
  const span = { line: 12, column: 3 };
  const { nodes, ...rest } = draw(['a -> b'], { b: { kind: 'fork' } }).draft;
  const marked = nodes.map((node) => ({ ...node, span }));
  expect(problemsOf({ ...rest, nodes: marked })).toMatchObject([
    { code: 'fork.too-few-ways', span },
  ]);
});
