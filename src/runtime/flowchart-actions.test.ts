/** Cancelling one activity of a flowchart, and what else people do to its tokens. */
import { describe, expect, test } from 'vitest';
import { flowchart, type FlowchartDefinition, waiting } from '../flowchart.ts';
import { EngineError } from '../base/engine-error.ts';
import { createTestEngine, type TestEngine } from '../testing.ts';
import type { Run } from './run.ts';

type Chart = Omit<FlowchartDefinition, 'id' | 'version'>;

/** Those called wait… wait for a message; all others are done at once. */
async function begin(chart: Chart): Promise<{ kit: TestEngine; run: Run; ran: string[] }> {
  const ran: string[] = [];
  const plain = ({ activity }: { activity: string }): string => {
    ran.push(activity);
    return activity;
  };
  const flow = flowchart({ id: 'chart', version: 1, ...chart });
  const kit = createTestEngine({
    flows: [flow],
    handlers: {
      plain,
      wait: ({ activity, wake }) => {
        if (wake.reason === 'first') return waiting(`go ${activity}`);
        ran.push(activity);
        return activity;
      },
    },
  });
  const run = await kit.start(flow, {});
  await kit.runUntilIdle();
  return { kit, run, ran };
}

const plain = (id: string): Chart['activities'][number] => ({ id, type: 'plain' });
const wait = (id: string): Chart['activities'][number] => ({ id, type: 'wait' });

const TWO_WAYS: Chart = {
  activities: [plain('a'), wait('b'), wait('c'), plain('d')],
  connections: ['ab', 'ac', 'bd', 'cd'].map(([from = '', to = '']) => ({ from, to })),
};

describe('E-08: cancelling an activity', () => {
  test('ends what it does, and whoever waited for it goes on', async () => {
    const { kit, run, ran } = await begin(TWO_WAYS);
    await run.send('go b');
    await kit.runUntilIdle();
    expect(ran).toEqual(['a', 'b']);
    await run.cancel({ activity: 'c', actor: 'ada' });
    await kit.runUntilIdle();
    expect(ran).toEqual(['a', 'b', 'd']);
    expect(await run.status()).toBe('completed');
    await kit.close();
  });

  test('takes away what it brought, too', async () => {
    const { kit, run, ran } = await begin(TWO_WAYS);
    await run.send('go b');
    await kit.runUntilIdle();
    await run.cancel({ activity: 'b' });
    await run.send('go c');
    await kit.runUntilIdle();
    expect(ran).toEqual(['a', 'b', 'c', 'd']);
    expect(await run.status()).toBe('completed');
    await kit.close();
  });

  test('takes away those who wait before it, and completes if nothing is left', async () => {
    const { kit, run, ran } = await begin({
      ...TWO_WAYS,
      activities: [plain('a'), plain('b'), wait('c'), { ...plain('d'), mergeMode: 'merge' }],
    });
    await run.cancel({ activity: 'c' });
    await kit.runUntilIdle();
    expect((await run.inspect()).stalled).toMatchObject({
      joins: [{ node: 'd', missing: ['c:Done->d'] }],
    });
    await run.cancel({ activity: 'd' });
    expect(await run.status()).toBe('completed');
    expect(await run.tokens()).toEqual([]);
    expect(ran).toEqual(['a', 'b']);
    await kit.close();
  });

  test('is refused where there is none, or nothing of it is alive', async () => {
    const { kit, run } = await begin(TWO_WAYS);
    const before = await run.tokens();
    const codes = ['ghost', ':flowchart', 'a'].map((activity) =>
      run.cancel({ activity }).then(
        () => 'done',
        (thrown: EngineError) => thrown.code,
      ),
    );
    expect(await Promise.all(codes)).toEqual([
      ...['node.not-found', 'node.not-found', 'operation.refused'],
    ]);
    await expect(run.cancel({ activity: 'b', saga: true })).rejects.toThrow(EngineError);
    expect(await run.tokens()).toEqual(before);
    await kit.close();
  });

  test('leaves blocks: who lost to it does not run it instead', async () => {
    const { kit, run, ran } = await begin({
      ...TWO_WAYS,
      activities: [plain('a'), plain('b'), wait('c'), { ...wait('d'), mergeMode: 'stream' }],
    });
    await run.cancel({ activity: 'd' });
    await run.send('go c');
    await kit.runUntilIdle();
    expect(ran).toEqual(['a', 'b', 'c']);
    expect(await run.status()).toBe('completed');
    await kit.close();
  });
});

describe('moving a token of a flowchart', () => {
  test('runs the activity it is moved to, which waits for nobody', async () => {
    const { kit, run, ran } = await begin(TWO_WAYS);
    const token = (await run.tokens()).find(({ node }) => node === 'c');
    await run.move(token?.id ?? 0, 'd');
    await kit.runUntilIdle();
    expect(ran).toEqual(['a', 'd']);
    await run.send('go b');
    await kit.runUntilIdle();
    expect(ran).toEqual(['a', 'd', 'b', 'd']);
    expect(await run.status()).toBe('completed');
    await kit.close();
  });

  test('is refused for a block, which is nowhere', async () => {
    const { kit, run } = await begin({
      ...TWO_WAYS,
      activities: [plain('a'), plain('b'), wait('c'), { ...wait('d'), mergeMode: 'stream' }],
    });
    const block = (await run.tokens()).find(
      ({ wait: why }) => why?.on === 'merge' && why.block === true,
    );
    const id = block?.id ?? 0;
    for (const acting of [run.move(id, 'c'), run.skip(id, null), run.wake(id)]) {
      await expect(acting).rejects.toMatchObject({ code: 'operation.refused' });
    }
    await kit.close();
  });
});

describe('going back to an activity', () => {
  test('runs it once more, and nobody else comes to it again', async () => {
    const { kit, run, ran } = await begin({
      activities: [plain('a'), plain('b'), plain('c'), plain('d'), wait('e')],
      connections: [...(TWO_WAYS.connections ?? []), { from: 'd', to: 'e' }],
    });
    expect(ran.slice(-1)).toEqual(['d']);
    await run.rerun('d');
    await kit.runUntilIdle();
    await run.send('go e');
    await kit.runUntilIdle();
    expect(ran.toSorted()).toEqual(['a', 'b', 'c', 'd', 'd', 'e']);
    expect(await run.status()).toBe('completed');
    await kit.close();
  });

  test('leaves its blocks, so that who has lost stays the loser', async () => {
    const { kit, run, ran } = await begin({
      ...TWO_WAYS,
      activities: [plain('a'), plain('b'), wait('c'), { ...plain('d'), mergeMode: 'stream' }],
    });
    await run.rerun('d');
    await kit.runUntilIdle();
    await run.send('go c');
    await kit.runUntilIdle();
    expect(ran).toEqual(['a', 'b', 'd', 'd', 'c']);
    expect(await run.status()).toBe('completed');
    await kit.close();
  });
});
