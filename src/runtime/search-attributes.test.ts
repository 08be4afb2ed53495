/** What a flow has its instances found by: fields of the input, variables, a chain's context. */
import { expect, test } from 'vitest';
import type { Json } from '../base/json.ts';
import { flow } from '../frontends/builder/flow.ts';
import { chain } from '../frontends/chain/chain.ts';
import { completed } from '../frontends/chain/results.ts';
import { type Lab, onEveryStore } from '../testing/lab.ts';
import type { ListOptions } from './listing.ts';
import type { Run } from './run.ts';

type Order = { customer?: Json; total?: Json; other?: Json };

const order = flow<Order, { stage: Json }>('order', {
  search: ['customer', 'total', 'stage'],
  vars: { stage: 'new' },
})
  .waitFor('go', { event: 'go', key: 'k' })
  .step('pay', async ({ set }) => {
    set('stage', 'paid', { in: 'instance' });
    set('customer', 'nobody');
    return 1;
  })
  .scope('inner', (b) =>
    b.set('near', () => ({ stage: 'hidden' })).waitFor('on', { event: 'on', key: 'k' }),
  )
  .set('last', () => ({ total: 99, stage: { a: 1 } }), { in: 'instance' })
  .end(() => ({ customer: 'of the output' }));

async function found(lab: Lab, attributes: ListOptions['attributes']): Promise<string> {
  const page = await lab.engine.list(attributes === undefined ? {} : { attributes });
  return page.instances.map(({ id }) => id).join('');
}

async function attributesOf(lab: Lab, { id }: Run): Promise<unknown> {
  const { instances } = await lab.engine.list();
  return instances.find((one) => one.id === id)?.attributes;
}

async function tagsIn(run: Run): Promise<readonly string[]> {
  const history = await run.history();
  return history.flatMap(({ n, changes }) =>
    changes.flatMap((change) =>
      change.did === 'tag' ? [`${n} ${change.name} ${JSON.stringify(change.value)}`] : [],
    ),
  );
}

onEveryStore('search attributes', (open) => {
  test('are the fields of the input, and the variables an instance begins with', async () => {
    const lab = await open([order]);
    await lab.engine.start(order, { customer: 'ann', total: 5, other: 1 }, { id: 'a' });
    await lab.engine.start(order, { customer: 'bob', total: 50.5 }, { id: 'b' });
    await lab.engine.start(order, { customer: ['no'], total: true }, { id: 'c' });
    await lab.settle();
    const { instances } = await lab.engine.list();
    expect(instances.map(({ attributes }) => attributes)).toEqual([
      { total: true, stage: 'new' },
      { customer: 'bob', total: 50.5, stage: 'new' },
      { customer: 'ann', total: 5, stage: 'new' },
    ]);
    expect(await found(lab, { customer: 'ann' })).toBe('a');
    expect(await found(lab, { stage: 'new' })).toBe('cba');
    expect(await found(lab, { total: { from: 5, to: 50.5 } })).toBe('ba');
    expect(await found(lab, { total: { from: 6 }, customer: 'bob' })).toBe('b');
    expect(await found(lab, { total: true })).toBe('c');
    expect(await found(lab, { other: 1 })).toBe('');
  });

  test('follow the variables of the whole instance, up to its end', async () => {
    const lab = await open([order]);
    const run = await lab.engine.start(order, { customer: 'ann', total: 5 });
    await run.send('go');
    await lab.settle();
    // What is set in a scope alone, or as the output, is none of them.
    expect(await attributesOf(lab, run)).toEqual({ customer: 'nobody', total: 5, stage: 'paid' });
    await run.send('on');
    await lab.settle();
    expect(await run.status()).toBe('completed');
    expect(await attributesOf(lab, run)).toEqual({ customer: 'nobody', total: 99 });
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test('are told once, and only when they change', async () => {
    const lab = await open([order]);
    const run = await lab.engine.start(order, { customer: 'ann' });
    await run.set('stage', 'new');
    await run.set('stage', 'old');
    await run.set('customer', null);
    await run.set('customer', {});
    expect(await tagsIn(run)).toEqual([
      ...['1 customer "ann"', '1 stage "new"', '3 stage "old"', '4 customer null'],
    ]);
    expect(await attributesOf(lab, run)).toEqual({ stage: 'old' });
  });

  test('go back with an instance that goes back', async () => {
    const lab = await open([order]);
    const run = await lab.engine.start(order, { customer: 'ann', total: 5 }, { id: 'a' });
    await run.send('go');
    await lab.settle();
    await run.send('on');
    await lab.settle();
    const copy = await run.rerun('go', { copy: true, id: 'b' });
    await run.rerun('go');
    await lab.settle();
    const before = { customer: 'ann', total: 5, stage: 'new' };
    expect(await attributesOf(lab, run)).toEqual(before);
    expect(await attributesOf(lab, copy)).toEqual(before);
    expect(await found(lab, { customer: 'ann' })).toBe('ba');
  });

  test('of a chain are fields of its context', async () => {
    const line = chain<Order>('line', 1, ['ONE', 'TWO', 'THREE'], {
      search: ['customer', 'total'],
    });
    const handlers = {
      ONE: async () => completed(),
      TWO: async (step: { context: Order }) => {
        step.context = { total: 7 };
        return completed();
      },
      THREE: async () => completed(),
    };
    const lab = await open([line], { handlers });
    const run = await lab.engine.start(line, { customer: 'ann' }, { id: 'a' });
    await lab.settle();
    expect(await run.status()).toBe('completed');
    expect(await attributesOf(lab, run)).toEqual({ total: 7 });
    expect(await tagsIn(run)).toEqual(['1 customer "ann"', '3 customer null', '3 total 7']);
  });

  test('long text is cut, and found by all of it; odd text harms nobody', async () => {
    const lab = await open([order]);
    const long = 'x'.repeat(700);
    await lab.engine.start(order, { customer: long }, { id: 'a' });
    await lab.engine.start(order, { customer: 'half \ud800 and \0' }, { id: 'b' });
    await lab.settle();
    expect(await found(lab, { customer: long })).toBe('a');
    expect(await found(lab, { customer: 'x'.repeat(500) })).toBe('a');
    expect(await found(lab, { customer: 'x'.repeat(499) })).toBe('');
    expect(await found(lab, { customer: 'half \ud800 and \0' })).toBe('b');
  });
});
