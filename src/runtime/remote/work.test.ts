/** Work that workers elsewhere do: what they are given, what they answer, and what comes of it. */
import { expect, test } from 'vitest';
import { flow } from '../../frontends/builder/flow.ts';
import { remote } from '../../frontends/builder/remote.ts';
import { chain } from '../../frontends/chain/chain.ts';
import { flowchart } from '../../frontends/flowchart/flowchart.ts';
import { onEveryStore } from '../../testing/lab.ts';

const W = { worker: 'w1' };

const order = chain('order.process', 1, ['CHARGE', 'SHIP'], { maxAttempts: 3 });

const chart = flowchart({
  id: 'review',
  version: 1,
  activities: [
    { id: 'look', type: 'LOOK', config: { depth: 2 } },
    { id: 'good', type: 'end' },
    { id: 'bad', type: 'pass' },
  ],
  connections: [
    { from: 'look', to: 'good', outcome: 'True' },
    { from: 'look', to: 'bad', outcome: 'False' },
  ],
});

interface Receipt {
  readonly id: number;
}

const bill = flow<{ amount: number }>('bill')
  .set('sum', ({ input }) => ({ double: input.amount * 2 }))
  .step('charge', remote<Receipt>())
  .end(({ results, vars }) => ({ receipt: results.charge.id, vars }));

onEveryStore('work for elsewhere', (open) => {
  test('of a chain is given with its context, and goes on with another', async () => {
    const lab = await open([order]);
    const run = await lab.engine.start(order, { items: 2 }, { key: 'o-1' });
    const [charge, ...more] = await lab.engine.work.fetch({ ...W, handlers: ['CHARGE', 'SHIP'] });
    expect(more).toEqual([]);
    expect(charge).toMatchObject({
      ...{ instance: run.id, flow: 'order.process', version: 1, key: 'o-1', tenant: null },
      ...{ handler: 'order.process/CHARGE', type: 'CHARGE', attempt: 1 },
      ...{ wake: { reason: 'first', payload: null }, event: null, context: { items: 2 } },
      until: lab.now + 30_000,
    });
    expect(charge?.idempotencyKey).toBe(`${run.id}/${charge?.token}/1`);
    expect(JSON.parse(JSON.stringify(charge))).toEqual(charge);

    const context = { items: 2, paid: true };
    const settled = await lab.engine.work.complete(charge?.id ?? '', { ...W, context });
    expect(settled).toMatchObject({ instance: run.id, repeated: false });
    const [ship] = await lab.engine.work.fetch({ ...W, handlers: ['order.process/SHIP'] });
    expect(ship).toMatchObject({ type: 'SHIP', context });
    await lab.engine.work.complete(ship?.id ?? '', W);
    expect(await run.result()).toEqual(context);
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test('of a chain may wait for a message, and is fetched again when it has come', async () => {
    const lab = await open([order]);
    const run = await lab.engine.start(order, {}, { key: 'o-2' });
    const [charge] = await lab.engine.work.fetch({ ...W, handlers: ['CHARGE'] });
    const waiting = { type: 'paid', timeout: '1h' };
    await lab.engine.work.complete(charge?.id ?? '', { ...W, waiting, context: { asked: 1 } });
    expect(await lab.engine.work.fetch({ ...W, handlers: ['CHARGE'] })).toEqual([]);
    await lab.engine.publish({ type: 'paid', key: 'o-2', data: { by: 'card' } });
    await lab.settle();
    const [again] = await lab.engine.work.fetch({ ...W, handlers: ['CHARGE'] });
    expect(again).toMatchObject({
      ...{ token: charge?.token, attempt: 1, context: { asked: 1 } },
      ...{ wake: { reason: 'event', payload: { by: 'card' } }, event: { by: 'card' } },
    });
    expect(again?.id).not.toBe(charge?.id);
    await lab.engine.work.complete(again?.id ?? '', W);
    expect(await run.tokens()).toMatchObject([{ status: 'completed' }, { status: 'ready' }]);
  });

  test('of a flowchart is given with its config, and says how it ended', async () => {
    const lab = await open([chart], { handlers: { LOOK: remote() } });
    const run = await lab.engine.start(chart, { id: 7 });
    await lab.settle();
    const [look] = await lab.engine.work.fetch({ ...W, handlers: ['LOOK'] });
    expect(look).toMatchObject({
      ...{ handler: 'review/LOOK', type: 'LOOK', node: 'look', activity: 'look' },
      ...{ config: { depth: 2 }, input: { id: 7 } },
    });
    const set = [{ name: 'seen', value: true, in: 'instance' as const }];
    const said = { outcomes: ['True'], result: { marks: 3 }, set };
    await lab.engine.work.complete(look?.id ?? '', { ...W, ...said });
    await lab.settle();
    const changes = (await run.history()).flatMap((entry) => entry.changes);
    expect(changes).toContainEqual(
      expect.objectContaining({ did: 'write', space: 'vars', name: 'seen', value: true }),
    );
    expect(await run.status()).toBe('completed');
  });

  test('of a flow is a remote step, which no worker of this program runs', async () => {
    const lab = await open([bill]);
    const run = await lab.engine.start(bill, { amount: 20 });
    await lab.settle();
    expect(await run.tokens()).toMatchObject([{ node: 'charge', status: 'ready', attempts: 0 }]);
    const [charge] = await lab.engine.work.fetch({ ...W, handlers: ['bill/charge'] });
    expect(charge).toMatchObject({
      ...{ handler: 'bill@1/charge', type: 'charge', node: 'charge', input: { amount: 20 } },
      ...{ results: { sum: { double: 40 } }, vars: { double: 40 }, item: null, index: null },
    });
    expect(charge).not.toHaveProperty('context');
    await lab.engine.work.complete(charge?.id ?? '', {
      ...{ ...W, result: { id: 9 } },
      set: [{ name: 'note', value: 'paid' }],
    });
    expect(await run.result()).toEqual({ receipt: 9, vars: { double: 40, note: 'paid' } });
    expect(lab.log.lines.filter(({ level }) => level === 'warn')).toEqual([]);
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test('is gone on with here once it is answered', async () => {
    const mixed = flow('mixed')
      .step('there', remote<number>())
      .step('here', ({ results }) => results.there + 1)
      .end(({ results }) => results.here);
    const lab = await open([mixed]);
    const run = await lab.engine.start(mixed, null);
    const [work] = await lab.engine.work.fetch({ ...W, handlers: ['mixed/there'] });
    await lab.engine.work.complete(work?.id ?? '', { ...W, result: 41 });
    expect(await run.result()).toBe(42);
  });

  test('is kept alive by extending its lease, and by nobody else', async () => {
    const lab = await open([bill]);
    await lab.engine.start(bill, { amount: 1 });
    await lab.settle();
    const [charge] = await lab.engine.work.fetch({ ...W, handlers: ['bill/charge'], lease: '10s' });
    expect(charge?.until).toBe(lab.now + 10_000);
    await lab.advance('8s');
    const extended = await lab.engine.work.extend(charge?.id ?? '', { ...W, lease: '20s' });
    expect(extended).toEqual({ until: lab.now + 20_000 });
    await lab.advance('15s');
    expect(await lab.engine.work.fetch({ worker: 'w2', handlers: ['bill/charge'] })).toEqual([]);
    await lab.advance('10s');
    const [again] = await lab.engine.work.fetch({ worker: 'w2', handlers: ['bill/charge'] });
    expect(again).toMatchObject({ attempt: 2, wake: { reason: 'lease-recovery' } });
    expect(again?.idempotencyKey).toBe(charge?.idempotencyKey);
  });
});

onEveryStore('a remote worker that fails', (open) => {
  test('is asked again as the policy says, and after what it says itself', async () => {
    const lab = await open([order]);
    const run = await lab.engine.start(order, {});
    const [first] = await lab.engine.work.fetch({ ...W, handlers: ['CHARGE'] });
    const error = { code: 'bank.busy', message: 'try later', details: { queue: 4 } };
    const context = { tried: 1 };
    await lab.engine.work.fail(first?.id ?? '', { ...W, error, retryAfter: '5m', context });
    await lab.advance('4m');
    expect(await lab.engine.work.fetch({ ...W, handlers: ['CHARGE'] })).toEqual([]);
    await lab.advance('2m');
    const [second] = await lab.engine.work.fetch({ ...W, handlers: ['CHARGE'] });
    expect(second).toMatchObject({ attempt: 2, context });
    expect((await run.tokens())[0]).toMatchObject({ lastError: { ...error, node: 'CHARGE' } });
  });

  test('for good ends the instance, whatever the policy says', async () => {
    const lab = await open([order]);
    const run = await lab.engine.start(order, {});
    const [first] = await lab.engine.work.fetch({ ...W, handlers: ['CHARGE'] });
    const error = { code: 'card.stolen', message: 'never', fatal: true };
    await lab.engine.work.fail(first?.id ?? '', { ...W, error });
    expect(await run.inspect()).toMatchObject({ status: 'failed', fault: error });
  });

  test('has the same policy as a handler here would, with its `when`', async () => {
    const asked: unknown[] = [];
    const picky = flow('picky')
      .step('work', remote(), {
        retry: {
          ...{ maxAttempts: 5, delay: '1s' },
          when: (thrown) => {
            asked.push((thrown as Error).message);
            return asked.length < 2;
          },
        },
      })
      .end();
    const lab = await open([picky]);
    const run = await lab.engine.start(picky, null);
    for (const message of ['one', 'two']) {
      await lab.advance('1m');
      const [work] = await lab.engine.work.fetch({ ...W, handlers: ['picky/work'] });
      await lab.engine.work.fail(work?.id ?? '', { ...W, error: { message } });
    }
    expect(asked).toEqual(['one', 'two']);
    const fault = { code: 'handler.threw', message: 'two' };
    expect(await run.inspect()).toMatchObject({ status: 'failed', fault });
  });

  test('has its step undone by whoever is here, or elsewhere', async () => {
    const undone: unknown[] = [];
    const saga = flow('saga')
      .step('here', remote<number>(), { undo: ({ result }) => undone.push(result) })
      .step('there', remote<number>(), { undo: () => undone.push('never') })
      .fail('stop', { code: 'no', message: 'no' })
      .end();
    const lab = await open([saga]);
    const run = await lab.engine.start(saga, null);
    for (const [step, result] of [['here', 1] as const, ['there', 2] as const]) {
      const [work] = await lab.engine.work.fetch({ ...W, handlers: [`saga/${step}`] });
      // Before the instance fails by the last of them, this program stops doing anything.
      if (step === 'there') lab.engine.parts.worker?.abandon();
      await lab.engine.work.complete(work?.id ?? '', { ...W, result });
    }
    const [undo] = await lab.engine.work.fetch({ ...W, handlers: ['saga/there/:undo'] });
    expect(undo).toMatchObject({ undo: { result: 2, inDoubt: false } });
    expect(undo?.undo?.undoes).toMatch(/\/1$/);
    await lab.engine.work.complete(undo?.id ?? '', W);
    lab.crash();
    await lab.settle();
    expect(undone).toEqual([1]);
    expect(await run.inspect()).toMatchObject({ status: 'failed', outcome: 'compensated' });
  });
});
