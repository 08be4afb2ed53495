/** Instances counted, and what is wrong with them: found, and mended, by the same words. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import { onEveryStore } from '../testing/lab.ts';
import { Fatal } from './fatal.ts';

/** Fails at one of two places while it is broken, and waits there to be mended. */
function orderOf(world: { isDown: boolean }): Flow<{ at: string; code: string }> {
  const may = (at: string, input: { at: string; code: string }): string => {
    if (world.isDown && input.at === at)
      throw new Fatal(`no answer at ${at}`, { code: input.code });
    return at;
  };
  return flow<{ at: string; code: string }>('order', { onFailure: 'incident' })
    .step('pay', ({ input }) => may('pay', input))
    .step('ship', ({ input }) => may('ship', input))
    .end();
}

const CASES = [
  { id: 'a', at: 'pay', code: 'bank.down' },
  { id: 'b', at: 'pay', code: 'bank.down' },
  { id: 'c', at: 'ship', code: 'bank.down' },
  { id: 'd', at: 'ship', code: 'post.lost' },
];

onEveryStore('a tally', (open) => {
  test('names causes, each of which a filter finds and a bulk mends', async () => {
    const world = { isDown: true };
    const order = orderOf(world);
    const lab = await open([order]);
    for (const { id, ...input } of CASES) await lab.engine.start(order, input, { id });
    await lab.settle();
    const { causes, ...told } = await lab.engine.tally({ flow: order });
    const waits = { flow: 'order', version: 1, status: 'waiting', count: 4 };
    expect(told).toEqual({ counted: 4, isAll: true, groups: [waits] });
    expect(causes).toMatchObject([
      { node: 'pay', code: 'bank.down', kind: 'incident', count: 2 },
      { node: 'ship', code: 'post.lost', count: 1, messages: [{ message: 'no answer at ship' }] },
      { node: 'ship', code: 'bank.down', count: 1 },
    ]);
    world.isDown = false;
    const meant = { flow: order, error: { code: 'bank.down', node: 'pay' } };
    expect((await lab.engine.list(meant)).instances).toHaveLength(2);
    expect(await lab.engine.bulk(meant, { do: 'retry' })).toMatchObject({ matched: 2, done: 2 });
    await lab.settle();
    const after = await lab.engine.tally();
    expect(after.causes.map(({ node }) => node)).toEqual(['ship', 'ship']);
    expect(after.groups).toMatchObject([
      { status: 'completed', count: 2 },
      { status: 'waiting', count: 2 },
    ]);
  });

  test('of what nobody has is one of nothing', async () => {
    const lab = await open([orderOf({ isDown: false })]);
    const nothing = { counted: 0, isAll: true, groups: [], causes: [] };
    expect(await lab.engine.tally({ flow: 'none', tenant: 't' })).toEqual(nothing);
  });

  test('that is asked for by what it does not know is refused', async () => {
    const lab = await open([orderOf({ isDown: false })]);
    const wrong = { flw: 'order' } as object;
    const refusal = { code: 'engine.option-invalid', message: expect.stringContaining('"flow"') };
    await expect(lab.engine.tally(wrong)).rejects.toMatchObject(refusal);
    await expect(lab.engine.tally({ tenant: '' })).rejects.toMatchObject({
      code: 'engine.option-invalid',
    });
  });
});
