/** Why an instance cannot go on by another plan. Each reason by its code, and nothing changed. */
import { describe, expect, test } from 'vitest';
import { draw, machineOf, Story } from '../testing/story.ts';
import { rowsOf } from './instance.ts';
import { migrate } from './migrate.ts';

type Nodes = NonNullable<Parameters<typeof draw>[1]>;

/** The codes, nodes and tokens of the reasons, after checking that nothing has happened. */
function refused(story: Story, lines: readonly string[], nodes: Nodes = {}, map = {}): unknown {
  const before = rowsOf(story.instance);
  const reasons = story.migrate(draw(lines, nodes), map);
  expect(rowsOf(story.instance)).toEqual(before);
  if (typeof reasons === 'string') return reasons;
  for (const { message } of reasons) expect(message).not.toBe('');
  return reasons.map(({ code, node, token, scope, undo }) => {
    return [code, node, token ?? scope ?? undo];
  });
}

function started(lines: readonly string[], nodes: Nodes = {}): Story {
  const story = new Story(draw(lines, nodes), { key: 'k' });
  story.start();
  return story;
}

const fork = { kind: 'fork' };
const join = { kind: 'join' };
const undoable = { kind: 'step', settings: { undo: {} } };

describe('a place', () => {
  test('that is gone is named, and so is what it was mapped to', () => {
    const story = started(['s -> A -> end']);
    expect(refused(story, ['s -> B -> end'])).toEqual([['node.missing', 'A', 3]]);
    expect(refused(story, ['s -> B -> end'], {}, { A: 'C' })).toEqual([['node.missing', 'A', 3]]);
    const reasons = story.migrate(draw(['s -> B -> end']), { A: 'C' });
    expect(reasons).toMatchObject([
      { message: '"A", mapped to "C", is not in version 2 of "test": map it to a node that is' },
    ]);
  });

  test('of another kind is none', () => {
    const sleep = { kind: 'sleep', settings: { ms: 5 } };
    const story = started(['s -> A -> end']);
    expect(refused(story, ['s -> A -> end'], { A: sleep })).toEqual([['node.kind', 'A', 3]]);
    const sleeper = started(['s -> nap -> end'], { nap: sleep });
    expect(refused(sleeper, ['s -> nap -> end'])).toEqual([['node.kind', 'nap', 3]]);
  });

  test('in another region is none', () => {
    const box = { kind: 'scope', settings: { body: 'A' } };
    const story = started(['s -> A -> end']);
    const inside = { box, A: { kind: 'step', in: 'box' } };
    expect(refused(story, ['s -> box -> end'], inside)).toEqual([['region.differs', 'A', 3]]);
    const boxed = started(['s -> box -> end'], inside);
    expect(refused(boxed, ['s -> A -> end'])).toEqual([
      ['node.missing', 'box', 3],
      ['region.differs', 'A', 5],
    ]);
  });

  test('all of them are told at once', () => {
    const story = started(['f -> A', 'f -> B', 'f -> C'], { f: fork });
    const nap = { kind: 'sleep', settings: { ms: 5 } };
    expect(refused(story, ['f -> B', 'f -> D'], { f: fork, B: nap })).toEqual([
      ['node.missing', 'A', 4],
      ['node.kind', 'B', 5],
      ['node.missing', 'C', 6],
    ]);
  });
});

describe('settings', () => {
  test('a loop that asks how often cannot take over one that never asked', () => {
    const inner = { kind: 'step', in: 'loop' };
    const fixed = { kind: 'repeat', settings: { body: 'A', check: 'times', times: 3 } };
    const asked = { kind: 'repeat', settings: { body: 'A', check: 'times' }, code: {} };
    const times = { times: () => 2 };
    const story = started(['s -> loop -> end'], { loop: fixed, A: inner });
    const nodes = { loop: { ...asked, code: times }, A: inner };
    expect(refused(story, ['s -> loop -> end'], nodes)).toEqual([['node.settings', 'loop', 3]]);
  });

  test('an arm that may still come must be one that is known', () => {
    const first = (...arms: readonly string[]): Nodes[string] => {
      return { kind: 'first', settings: { arms: arms.map((arm) => ({ arm, event: arm })) } };
    };
    const story = started(['s -> any -> end'], { any: first('paid', 'cancelled') });
    const nodes = { any: first('paid', 'refunded') };
    expect(refused(story, ['s -> any -> end'], nodes)).toEqual([['node.settings', 'any', 3]]);
  });
});

describe('those that wait for each other', () => {
  const lines = ['f -> A -> j', 'f -> B -> j', 'j -> end'];
  const nodes = { f: fork, j: join };

  /** A stands at the join, B does not. */
  function half(): Story {
    const story = started(lines, nodes);
    story.done(4);
    return story;
  }

  test('an arrival must have come by a way that is there', () => {
    const other = ['f -> X -> j', 'f -> B -> j', 'j -> end', 'f -> A'];
    expect(refused(half(), other, nodes)).toEqual([['edge.missing', 'j', 6]]);
  });

  test('and by one alone', () => {
    const story = started(['f -> A -> m', 'f -> B -> m', 'f -> C -> m', 'm -> end'], {
      f: fork,
      m: { kind: 'inclusive' },
    });
    story.done(4);
    story.done(5);
    const other = ['f -> A -> m', 'f -> C -> m', 'm -> end'];
    const map = { B: 'A' };
    expect(refused(story, other, { f: fork, m: { kind: 'inclusive' } }, map)).toEqual([
      ['edge.ambiguous', 'm', 8],
    ]);
  });

  test('a branch is no branch where there is no fork around it', () => {
    const row = started(['s -> A -> B -> end']);
    expect(refused(row, lines, nodes, { s: 'f' })).toEqual([['fork.differs', 'A', 3]]);
    const story = started(lines, nodes);
    expect(refused(story, ['f -> A -> B -> j -> end'])).toEqual([
      ['fork.differs', 'A', 4],
      ['fork.differs', 'B', 5],
    ]);
  });

  test('branches of one fork stay branches of one', () => {
    const two = ['s -> f -> A -> j', 'f -> X -> j', 'j -> end'];
    const more = ['s -> g -> B -> k', 'g -> Y -> k', 'k -> end'];
    const both = { s: { kind: 'choose', settings: {} }, f: fork, j: join, g: fork, k: join };
    const arms = [{ edge: 's->f', slot: 'x' }];
    const choose = {
      kind: 'choose',
      settings: { arms, otherwise: 's->g' },
      code: { x: () => true },
    };
    const story = started(lines, nodes);
    expect(refused(story, [...two, ...more], { ...both, s: choose })).toEqual([
      ['fork.differs', 'B', 5],
    ]);
  });

  test('whoever is expected must still be able to come', () => {
    const dead = ['f -> A -> j', 'f -> C -> j', 'j -> end', 'f -> B'];
    expect(refused(half(), dead, nodes)).toEqual([['join.unreachable', 'B', 5]]);
  });
});

describe('what may have to be undone', () => {
  test('must be there and must be something that can be', () => {
    const story = started(['s -> A -> B -> end'], { A: undoable });
    story.done(3);
    expect(refused(story, ['s -> B -> end'])).toEqual([['undo.missing', 'A', 4]]);
    expect(refused(story, ['s -> A -> B -> end'])).toEqual([['undo.missing', 'A', 4]]);
  });

  test('is not let go of half way', () => {
    const story = started(['s -> A -> B -> end'], { A: undoable });
    story.done(3);
    story.fail(5);
    expect(story.head.status).toBe('compensating');
    expect(refused(story, ['s -> A -> B -> end'])).toEqual([['undo.missing', 'A', 6]]);
  });

  test('and is at work without anybody wanting it must be something that can be', () => {
    const story = started(['f -> A', 'f -> B'], { f: fork, A: undoable });
    story.fail(5);
    expect(story.head.status).toBe('compensating');
    expect(refused(story, ['f -> A', 'f -> B'], { f: fork })).toEqual([['undo.missing', 'A', 4]]);
  });

  test('stays with the saga that it belongs to', () => {
    const inside = { ...undoable, in: 'box' };
    const last = { kind: 'step', in: 'box' };
    const saga = { kind: 'scope', settings: { body: 'A', saga: 'scope' } };
    const plain = { kind: 'scope', settings: { body: 'A' } };
    const lines = ['s -> box -> end', 'A -> B'];
    const story = started(lines, { box: saga, A: inside, B: last });
    story.done(5);
    const nodes = { box: plain, A: inside, B: last };
    expect(refused(story, lines, nodes)).toEqual([['saga.differs', 'box', 4]]);
  });
});

test('an instance that is over stays as it is', () => {
  const story = started(['s -> end']);
  const drawing = draw(['s -> x -> end']);
  const to = machineOf({ draft: { ...drawing.draft, version: 2 } });
  const { machine, instance } = story;
  const from = machine.plan.hash;
  const input = { at: 0 as never, from, nodes: {} };
  const { refused: why, changes } = migrate(machine, to, instance, input);
  expect([why?.code, changes]).toEqual(['instance.over', []]);
});

test('the plan it runs already is no change', () => {
  const story = started(['s -> A -> end']);
  const { machine, instance } = story;
  const from = machine.plan.hash;
  const outcome = migrate(machine, machine, instance, { at: 0 as never, from, nodes: {} });
  expect(outcome).toEqual({ after: instance, changes: [], hints: [] });
});

test('a mapping is not applied to another plan than the one it was made for', () => {
  const story = started(['s -> A -> end']);
  const to = machineOf({ draft: { ...draw(['s -> A -> end']).draft, version: 2 } });
  const { machine, instance } = story;
  const input = { at: 0 as never, from: to.plan.hash, nodes: {} };
  const { refused: why, changes } = migrate(machine, to, instance, input);
  expect([why?.code, why?.details, changes]).toEqual(['operation.refused', { stale: true }, []]);
});
