import { describe, expect, test } from 'vitest';
import type { Draft, DraftEdge, DraftNode } from '../model/draft.ts';
import { draw } from '../testing/story.ts';
import { checkShape } from './shape.ts';

const sound: Draft = draw(['a -> b -> c']).draft;

function codesOf(draft: Draft): string[] {
  return checkShape(draft).map(({ code }) => code);
}

function node(id: string, parent?: string): DraftNode {
  return { id, kind: 'pass', settings: {}, ...(parent === undefined ? {} : { parent }) };
}

function edge(from: string, to: string): DraftEdge {
  return { id: `${from}->${to}`, from, to };
}

test('a drawing in which everything can be reached has nothing wrong', () => {
  expect(checkShape(sound)).toEqual([]);
});

describe('the name of a flow', () => {
  const rule = 'begins with a letter, digit or _ and goes on with letters, digits, _ . or -';
  for (const name of ['order', '_order', '7up', 'order.process', 'a-b_c.d', 'o'.repeat(250)]) {
    test(`is ${name.slice(0, 20)}`, () => expect(codesOf({ ...sound, name })).toEqual([]));
  }
  for (const name of ['', '.order', '-x', 'a b', 'a/b', 'a@1', 'größe', 'o'.repeat(251)]) {
    test(`is not ${JSON.stringify(name.slice(0, 20))}`, () => {
      const message = `a flow name ${rule}; came ${JSON.stringify(name)}`;
      expect(checkShape({ ...sound, name })).toEqual([{ code: 'flow.bad-name', message }]);
    });
  }
});

describe('the version of a flow is a whole number, 1 or more', () => {
  for (const version of [0, -1, 1.5, Number.NaN, 2 ** 53]) {
    test(`${version} is refused`, () => {
      const message = `a flow version is a whole number, 1 or more; came ${version}`;
      expect(checkShape({ ...sound, version })).toEqual([{ code: 'flow.bad-version', message }]);
    });
  }
});

describe('the name of a node', () => {
  const named = (id: string): Draft => ({ ...sound, start: id, nodes: [node(id)], edges: [] });
  for (const id of ['a', 'reserve stock', 'a/', 'größe', 'constructor', 'n'.repeat(1_000)]) {
    test(`is ${id.slice(0, 20)}`, () => expect(codesOf(named(id))).toEqual([]));
  }
  for (const id of ['', 'a\nb', 'tab\t', '\u007f', '__proto__', 'n'.repeat(1_001)]) {
    test(`is not ${JSON.stringify(id.slice(0, 20))}`, () => {
      expect(checkShape(named(id))).toMatchObject([{ code: 'node.bad-name', node: id }]);
    });
  }
});

test('two nodes of one name are refused', () => {
  const draft = { ...sound, nodes: [...sound.nodes, node('b')] };
  expect(checkShape(draft)).toEqual([
    {
      code: 'node.duplicate-name',
      message: 'two nodes are named "b"; names are unique within a flow',
      node: 'b',
    },
  ]);
});

test('two edges of one name are refused', () => {
  const draft = { ...sound, edges: [...sound.edges, { id: 'a->b', from: 'b', to: 'c' }] };
  expect(checkShape(draft)).toEqual([
    { code: 'edge.duplicate', message: 'two edges are named "a->b"', node: 'b' },
  ]);
});

test('two edges between the same nodes are two ways', () => {
  const draft = { ...sound, edges: [...sound.edges, { id: 'again', from: 'a', to: 'b' }] };
  expect(checkShape(draft)).toEqual([]);
});

test('an edge to or from a node that is not there is refused at the end that is', () => {
  const edges = [...sound.edges, edge('c', 'nowhere'), edge('lost', 'a')];
  expect(checkShape({ ...sound, edges })).toEqual([
    {
      code: 'edge.dangling',
      message: 'edge "c->nowhere" points at "nowhere", which is not a node of this flow',
      node: 'c',
    },
    {
      code: 'edge.dangling',
      message: 'edge "lost->a" points at "lost", which is not a node of this flow',
      node: 'a',
    },
  ]);
});

const regions = draw(['a -> box', 'in1 -> in2'], {
  box: { kind: 'scope', settings: { body: 'in1' } },
  in1: { kind: 'pass', in: 'box' },
  in2: { kind: 'pass', in: 'box' },
}).draft;

test('a region is reached by the node that opens it', () => {
  expect(checkShape(regions)).toEqual([]);
});

test('an edge that leaves its region is refused, inwards and outwards', () => {
  const edges = [...regions.edges, edge('in2', 'a'), edge('a', 'in1')];
  expect(codesOf({ ...regions, edges })).toEqual(['edge.leaves-region', 'edge.leaves-region']);
  expect(checkShape({ ...regions, edges })[0]?.message).toBe(
    'edge "in2->a" leaves its region; "in2" and "a" lie in different ones',
  );
});

test('a node in a region that is not there is refused', () => {
  const draft = { ...sound, nodes: [...sound.nodes, node('x', 'ghost')] };
  expect(codesOf(draft)).toEqual(['node.unknown-region', 'node.unreachable']);
});

test('a region that lies in itself is refused, for every node inside it', () => {
  const nodes = [...sound.nodes, node('x', 'y'), node('y', 'x'), node('z', 'y')];
  const found = checkShape({ ...sound, nodes }).filter(({ code }) => code === 'node.region-cycle');
  expect(found.map((diagnostic) => diagnostic.node)).toEqual(['x', 'y', 'z']);
});

test('a node without a name makes no region of its own', () => {
  const nodes = [...regions.nodes, node('')];
  expect(codesOf({ ...regions, nodes })).toEqual(['node.bad-name', 'node.unreachable']);
});

test('a flow starts at one of its nodes', () => {
  expect(codesOf({ ...sound, start: 'z' })).toContain('flow.no-start');
});

test('a flow does not start inside a region', () => {
  expect(codesOf({ ...regions, start: 'in1' })).toContain('flow.start-in-region');
});

test('B-28: a node that nothing leads to is refused', () => {
  const draft = draw(['a -> b', 'island -> b']).draft;
  expect(checkShape(draft)).toEqual([
    {
      code: 'node.unreachable',
      message: 'nothing leads to "island" from where the flow starts',
      node: 'island',
    },
  ]);
});

test('O-91: a flow may go back to where it was; nothing about tokens is written in a draft', () => {
  const loop = draw(['a -> b -> c', 'b -> a']).draft;
  expect(checkShape(loop)).toEqual([]);
  expect(JSON.stringify(loop)).not.toContain('token');
});
