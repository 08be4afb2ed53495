/** Merge modes, where one settling meets another. */
import { expect, test } from 'vitest';
import { flowchart, outcome, waiting } from '../flowchart.ts';
import { createTestEngine } from '../testing.ts';

test('a race cancels who waits elsewhere, though that could run at the same moment', async () => {
  // When "f" ends, who waits before "zz" has nobody to wait for; but "aa" is won by then.
  const chart = flowchart({
    id: 'chart',
    version: 1,
    activities: [
      { id: 's', type: 'plain' },
      { id: 'f', type: 'wait' },
      { id: 'g', type: 'plain' },
      { id: 'zz', type: 'plain' },
      { id: 'aa', type: 'plain', mergeMode: 'race' },
    ],
    connections: [
      { from: 's', to: 'f' },
      { from: 's', to: 'g' },
      { from: 'f', outcome: 'Done', to: 'aa' },
      { from: 'f', outcome: 'Other', to: 'zz' },
      { from: 'g', to: 'zz' },
      { from: 'zz', to: 'aa' },
    ],
  });
  const ran: string[] = [];
  const kit = createTestEngine({
    flows: [chart],
    handlers: {
      plain: ({ activity }) => void ran.push(activity),
      wait: ({ wake, activity }) => {
        if (wake.reason === 'first') return waiting('go');
        ran.push(activity);
        return outcome('Done');
      },
    },
  });
  const run = await kit.start(chart, null);
  await kit.runUntilIdle();
  expect((await run.tokens()).map(({ node }) => node)).toContain('zz');
  await run.send('go');
  await kit.runUntilIdle();
  expect(ran).toEqual(['s', 'g', 'f', 'aa']);
  expect(await run.status()).toBe('completed');
  await kit.close();
});

test('a race with one way in cancels whoever can only come to it', async () => {
  const chart = flowchart({
    id: 'chart',
    version: 1,
    activities: [
      { id: 's', type: 'plain' },
      { id: 'quick', type: 'plain' },
      { id: 'slow', type: 'wait' },
      { id: 'each', type: 'plain', mergeMode: 'cascade' },
      { id: 'won', type: 'plain', mergeMode: 'race' },
    ],
    connections: [
      { from: 's', to: 'quick' },
      { from: 's', to: 'slow' },
      { from: 'quick', to: 'each' },
      { from: 'slow', to: 'each' },
      { from: 'each', to: 'won' },
    ],
  });
  const ran: string[] = [];
  const kit = createTestEngine({
    flows: [chart],
    handlers: {
      plain: ({ activity }) => void ran.push(activity),
      wait: () => waiting('never'),
    },
  });
  const run = await kit.start(chart, null);
  await kit.runUntilIdle();
  expect(ran).toEqual(['s', 'quick', 'each', 'won']);
  expect(await run.status()).toBe('completed');
  await kit.close();
});
