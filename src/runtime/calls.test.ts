/** Instances that call others, and messages they emit, by the engine and on every store. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { InstanceId } from '../model/ids.ts';
import { begin, type Lab, onEveryStore } from '../testing/lab.ts';
import { settled } from '../testing/stage.ts';
import { World } from '../testing/world.ts';
import { Fatal } from './fatal.ts';
import type { Run } from './run.ts';

async function others(lab: Lab, run: Run): Promise<readonly InstanceId[]> {
  return (await lab.store.scan(null, 100)).filter((id) => id !== run.id);
}

async function childOf(lab: Lab, run: Run): Promise<Run> {
  const [id = ''] = await others(lab, run);
  const child = await lab.engine.get(id);
  if (child === undefined) throw new Error('there is no other instance');
  return child;
}

const price = flow<{ sku: string }>('price')
  .step('look', ({ input }) => {
    if (input.sku === 'none')
      throw new Fatal('unknown', { code: 'sku.unknown', details: { a: 1 } });
    return input.sku.length;
  })
  .sleep('think', '1h')
  .end(({ results }) => ({ price: results.look }));

onEveryStore('a call', (open) => {
  test('starts another instance, and its output is the result', async () => {
    const order = flow<{ sku: string }>('order')
      .call('ask', price, ({ input }) => ({ sku: input.sku }))
      .step('pay', ({ results }) => results.ask.price * 2)
      .end(({ results }) => results.pay);
    // The flow it calls need not be named: whoever has this one has it too.
    const { lab, run } = await begin(open, order, { input: { sku: 'abc' } });
    const child = await childOf(lab, run);
    expect(await child.inspect()).toMatchObject({
      flow: 'price',
      status: 'waiting',
      parent: { instance: run.id },
    });
    expect(child.id).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    await lab.advance('2h');
    expect(await run.result()).toBe(6);
    expect(await lab.engine.check()).toMatchObject({ ok: true, instances: 2 });
    expect(await lab.store.posts(10)).toEqual([]);
  });

  test('a child that fails fails the call with its code, which a try catches', async () => {
    const order = flow('order')
      .try('t', (t) => t.call('ask', price, { sku: 'none' }), {
        catch: { errors: ['sku.unknown'] },
        do: (c) => c.step('note', ({ results }) => results.t),
      })
      .end(({ results }) => results.note);
    const { lab, run } = await begin(open, order);
    expect(await run.result()).toMatchObject({
      code: 'sku.unknown',
      node: 'ask',
      details: { a: 1, failedAt: 'look' },
    });
    expect((await (await childOf(lab, run)).inspect()).status).toBe('failed');
  });

  test('a child that is canceled fails the call as call.canceled', async () => {
    const order = flow('order').call('ask', price, { sku: 'abc' }).end();
    const { lab, run } = await begin(open, order);
    await (await childOf(lab, run)).cancel();
    await lab.settle();
    expect((await run.inspect()).fault).toMatchObject({ code: 'call.canceled', node: 'ask' });
  });

  test.each([
    ['cancelled', (run: Run) => run.cancel()],
    ['cancelled with its saga', (run: Run) => run.cancel({ saga: true })],
  ])('a caller that is %s cancels the child', async (_, cancel) => {
    const order = flow('order')
      .step('a', () => 1, { undo: () => undefined })
      .call('ask', price, { sku: 'abc' })
      .end();
    const { lab, run } = await begin(open, order);
    await cancel(run);
    await lab.settle();
    expect(await (await childOf(lab, run)).status()).toBe('canceled');
    expect(await run.status()).toBe('canceled');
  });

  test('a call that loses a race, or whose sibling fails in a try, is cancelled too', async () => {
    const order = flow('order')
      .race('r', {
        ask: (b) => b.call('ask', price, { sku: 'abc' }),
        quick: (b) => b.sleep('soon', '1m'),
      })
      .end();
    const { lab, run } = await begin(open, order, { for: '2m' });
    expect(await run.status()).toBe('completed');
    expect(await (await childOf(lab, run)).status()).toBe('canceled');
  });

  test('with a crash after every commit there is one child, and one answer', async () => {
    const order = flow('order').call('ask', price, { sku: 'abc' }).end();
    const { lab, run } = await begin(open, order, {
      chaos: { crashAfterEveryCommit: true },
      for: '1d',
    });
    expect(await run.result()).toEqual({ ask: { price: 3 } });
    expect(await others(lab, run)).toHaveLength(1);
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test('an input that the other flow refuses fails the call as call.refused', async () => {
    const strict = flow('strict', { input: evenNumber }).end();
    const order = flow('order')
      .call('ask', strict, () => 3)
      .end();
    const { lab, run } = await begin(open, order);
    expect((await run.inspect()).fault).toMatchObject({ code: 'call.refused', node: 'ask' });
    expect(await others(lab, run)).toEqual([]);
  });

  test('a schema that throws, or never answers, refuses the call and holds up nobody', async () => {
    const odd = { version: 1, vendor: 'test' } as const;
    const throws = (): never => {
      throw new TypeError('oops');
    };
    const silent = (): Promise<never> => new Promise(() => {});
    for (const validate of [throws, silent]) {
      const strict = flow('strict', { input: { '~standard': { ...odd, validate } } }).end();
      const order = flow('order')
        .call('ask', strict, () => 3)
        .end();
      const world = new World();
      const engine = await world.open([order]);
      const run = await engine.start(order, null);
      await settled();
      await world.pass('6s');
      expect((await run.inspect()).fault).toMatchObject({ code: 'call.refused', node: 'ask' });
    }
  });

  test('the other instance has the tenant and the priority of its caller', async () => {
    const order = flow('order').call('ask', price, { sku: 'abc' }).end();
    const lab = await open([order]);
    const run = await lab.engine.start(order, null, { tenant: 'acme', priority: 7 });
    await lab.settle();
    expect(await (await childOf(lab, run)).inspect()).toMatchObject({
      tenant: 'acme',
      priority: 7,
    });
  });

  test('what is cancelled before it was started never begins', async () => {
    const order = flow('order').call('ask', price, { sku: 'abc' }).end();
    const lab = await open([order]);
    lab.engine.parts.worker?.abandon();
    const run = await lab.engine.start(order, null);
    await run.cancel();
    lab.crash();
    await lab.settle();
    expect(await others(lab, run)).toEqual([]);
    expect(await lab.store.posts(10)).toEqual([]);
  });

  test('a key that another instance has fails the call as call.key-taken', async () => {
    const order = flow('order').call('ask', price, { sku: 'abc' }, { key: 'one' }).end();
    const lab = await open([order]);
    await lab.engine.start(price, { sku: 'x' }, { key: 'one' });
    const run = await lab.engine.start(order, null);
    await lab.settle();
    expect((await run.inspect()).fault?.code).toBe('call.key-taken');
  });

  test('a flow that nobody here has is asked for again, and said to be missing', async () => {
    const order = flow('order').call('ask', 'elsewhere', 1).end();
    const { lab, run } = await begin(open, order, { for: '1m' });
    expect(await run.status()).toBe('waiting');
    expect(lab.log.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', message: expect.stringContaining('is called') }),
    );
  });

  test('children call children, as deep as they like', async () => {
    const inner = flow<number>('inner')
      .step('n', ({ input }) => input + 1)
      .end(({ results }) => results.n);
    const middle = flow<number>('middle')
      .call('c', inner, ({ input }) => input * 10)
      .end(({ results }) => results.c);
    const outer = flow('outer')
      .parallel('p', {
        a: (b) => b.call('x', middle, 1),
        b: (b) => b.call('y', middle, 2),
      })
      .end(({ results }) => [results.x, results.y]);
    const { lab, run } = await begin(open, outer);
    expect(await run.result()).toEqual([11, 21]);
    expect(await others(lab, run)).toHaveLength(4);
  });
});

/** The least that is a Standard Schema. */
const evenNumber = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value: unknown) =>
      typeof value === 'number' && value % 2 === 0
        ? { value }
        : { issues: [{ message: 'not an even number' }] },
  },
} as const;

onEveryStore('an emitted message', (open) => {
  test('wakes whoever waits for it, or is kept for whoever will', async () => {
    const teller = flow<string>('teller')
      .emit('tell', {
        type: 'news',
        key: ({ input }) => input,
        data: ({ input }) => ({ of: input }),
      })
      .end();
    const hearer = flow('hearer').waitFor('news', { event: 'news' }).end();
    const lab = await open([teller, hearer]);
    const early = await lab.engine.start(hearer, null, { key: 'a' });
    await lab.engine.start(teller, 'a');
    await lab.engine.start(teller, 'b');
    await lab.settle();
    expect(await early.result()).toEqual({ news: { of: 'a' } });
    const late = await lab.engine.start(hearer, null, { key: 'b' });
    await lab.settle();
    expect(await late.result()).toEqual({ news: { of: 'b' } });
    expect(await lab.store.posts(10)).toEqual([]);
  });

  test('with a crash after every commit it comes once', async () => {
    const teller = flow('teller').emit('tell', { type: 'news', key: 'a', data: 1 }).end();
    const hearer = flow('hearer')
      .waitFor('first', { event: 'news' })
      .waitFor('second', { event: 'news', timeout: '1h' })
      .end();
    const lab = await open([teller, hearer], { chaos: { crashAfterEveryCommit: true } });
    const run = await lab.engine.start(hearer, null, { key: 'a' });
    await lab.engine.start(teller, null);
    await lab.advance('1d');
    expect(await run.result()).toEqual({ first: 1, second: null });
  });

  test('has the business key if none is given, and without that it is a fault', async () => {
    const teller = flow('teller').emit('tell', 'news').end();
    const lab = await open([teller]);
    const run = await lab.engine.start(teller, null);
    expect((await run.inspect()).fault).toMatchObject({ code: 'emit.no-key', node: 'tell' });
  });
});
