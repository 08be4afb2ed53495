/** What random flowcharts have found (see `random-charts.test.ts`), each as small as it goes. */
import { expect, test } from 'vitest';
import type {
  ActivityDefinition,
  ConnectionDefinition,
} from '../frontends/flowchart/definition.ts';
import { flowchart } from '../frontends/flowchart/flowchart.ts';
import type { Instant, TokenId } from '../model/ids.ts';
import type { MergeMode } from '../model/merge.ts';
import type { DraftNode } from '../model/draft.ts';
import { begun, birthsAt, oneAt } from '../testing/play.ts';
import { draw, Story, written } from '../testing/story.ts';
import { pastAt, pastOfNode } from './past.ts';

/** `chart('s -> a', 'a:Yes -> r')`: begins with the first, and modes are for those named. */
function chart(ways: readonly string[], modes: Readonly<Record<string, MergeMode>>): Story {
  const connections: ConnectionDefinition[] = ways.map((way) => {
    const [source = '', to = ''] = way.split(' -> ');
    const [from = '', outcome = 'Done'] = source.split(':');
    return { from, outcome, to };
  });
  const ids = [...new Set(connections.flatMap(({ from, to }) => [from, to]))];
  const activities: ActivityDefinition[] = ids.map((id) => {
    return { id, type: 'work', mergeMode: modes[id] ?? 'converge' };
  });
  const start = ids[0] ?? null;
  const story = new Story(
    written(flowchart({ id: 'found', version: 1, start, activities, connections })),
  );
  story.start();
  return story;
}

/** The handler at a node answers. */
function answer(story: Story, node: string, ...outcomes: readonly string[]): void {
  const claim = { worker: 'w1', version: 1, at: 0 as never };
  const outcome = { outcome: 'done', value: null, outcomes } as const;
  story.tell({ type: 'result', at: 0 as never, token: oneAt(story, node), claim, outcome });
}

test('a race cancels whoever waits before an activity that is asked at the same moment', () => {
  const ways = ['s -> a', 's -> b', 's -> c', 'a:Yes -> r', 'a:No -> z', 'b -> z', 'c -> z'];
  const story = chart([...ways, 'z -> r'], { r: 'race' });
  answer(story, 's', 'Done');
  answer(story, 'b', 'Done');
  // Both are asked: r since somebody came, z since somebody who could have come did not.
  answer(story, 'a', 'Yes');
  answer(story, 'r', 'Done');
  expect(story.head).toMatchObject({ status: 'completed', stalled: null });
});

test('a flowchart beside a fork leaves its branches what they are', () => {
  const { draft } = draw(['fork -> A', 'fork -> box', 'A -> join', 'box -> join', 'join -> B'], {
    fork: { kind: 'fork' },
    box: { kind: 'flowchart', settings: { body: 'In' } },
    join: { kind: 'join' },
  });
  const settings = { type: 'work', ways: {} };
  const inside: DraftNode = { id: 'In', kind: 'activity', parent: 'box', merge: 'race', settings };
  const story = begun({ draft: { ...draft, nodes: [...draft.nodes, inside] } });
  for (const node of ['A', 'In', 'B']) story.done(oneAt(story, node));
  expect(story.head.status).toBe('completed');
  expect(birthsAt(story, 'B')).toBe(1);
});

test('who goes back to before an activity said that it waits has it run once more', () => {
  const story = chart(['s -> a', 's -> b'], {});
  answer(story, 's', 'Done');
  const { machine, instance: then } = story;
  const at = 0 as Instant;
  const rows = pastAt(machine, then, { n: 9, at, commitId: 'c9', changes: [] }, 0);
  const [a, b] = ['a', 'b'].map((node) => oneAt(story, node)) as [TokenId, TokenId];
  story.waits(a, 'go');
  const since = { now: story.instance, machine, at, visits: new Map([a, b].map((id) => [id, 1])) };
  const past = pastOfNode(rows, at, b, since);
  // By token and visit the outside tells executions apart, and this one has been answered.
  const visits = past.rows.tokens.map(({ node, visit }) => `${node} ${visit}`);
  expect(visits).toEqual([':flowchart 1', 'a 2', 'b 2']);
});
