/** What was once wrong with merge modes, as small as it could be made. */
import { expect, test } from 'vitest';
import { flowchart } from '../flowchart.ts';
import { kinds } from '../nodes/index.ts';
import { machineOf, Story, written } from '../testing/story.ts';
import { machineFor } from './machine.ts';

test('X-20: a nested flowchart goes on by its new name, though the old one is another now', () => {
  const work = (id: string) => ({ id, type: 'work' });
  const inside = {
    activities: ['a', 'b', 'c', 'd'].map(work),
    connections: [
      { from: 'a', to: 'b' },
      { from: 'a', to: 'c' },
      { from: 'b', to: 'd' },
      { from: 'c', to: 'd' },
    ],
  };
  const line = {
    activities: ['d', 'c', 'b', 'a'].map(work),
    connections: [
      { from: 'd', to: 'c' },
      { from: 'c', to: 'b' },
      { from: 'b', to: 'a' },
    ],
  };
  const pack = { id: 'pack', type: 'flowchart', config: inside };
  const one = flowchart({ id: 'chart', version: 1, activities: [pack] });
  const two = flowchart({
    id: 'chart',
    version: 2,
    activities: [
      { ...pack, config: line },
      { ...pack, id: 'send' },
    ],
    connections: [{ from: 'pack', to: 'send' }],
  });
  const story = new Story(written(one));
  const at = (node: string): number => {
    return story.instance.tokens.values().find((token) => token.node === node)?.id ?? 0;
  };
  story.start();
  story.done(at('pack/a'));
  const names = ['pack', ...['a', 'b', 'c', 'd'].map((id) => `pack/${id}`)];
  const moved = names.map((id) => [id, id.replace('pack', 'send')] as const);
  story.migrate(written(two), Object.fromEntries(moved));
  story.done(at('send/b'));
  story.tell({
    type: 'result',
    at: 0 as never,
    token: at('send/c') as never,
    claim: { worker: 'w1', version: 1, at: 0 as never },
    outcome: { outcome: 'done', value: null, outcomes: ['No'] },
  });
  expect(story.head.stalled).toBeNull();
  story.done(at('send/d'));
  expect(story.head.status).toBe('completed');
});

test('D19: who comes to an activity of a kind that is not known here waits before it, too', () => {
  const chart = flowchart({
    id: 'chart',
    version: 1,
    activities: [
      { id: 'fork', type: 'work' },
      { id: 'one', type: 'work' },
      { id: 'other', type: 'work' },
      { id: 'meet', type: 'pass' },
    ],
    connections: [
      { from: 'fork', to: 'one' },
      { from: 'fork', to: 'other' },
      { from: 'one', to: 'meet' },
      { from: 'other', to: 'meet' },
    ],
  });
  const story = new Story(written(chart));
  const { plan, limits } = machineOf(written(chart));
  const known = new Map([...kinds].filter(([kind]) => kind !== 'pass'));
  const at = (node: string): number => {
    return story.instance.tokens.values().find((token) => token.node === node)?.id ?? 0;
  };
  story.start();
  story.machine = machineFor(plan, known, { code: null, limits });
  story.done(at('fork'));
  story.done(at('one'));
  expect(story.instance.tokens.get(at('meet') as never)?.wait).toEqual({ on: 'merge' });
  story.done(at('other'));
  const there = story.instance.tokens.values().filter(({ node }) => node === 'meet');
  expect(there.map(({ status }) => status)).toEqual(['ready']);
});
