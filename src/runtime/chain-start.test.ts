/** How a chain begins (L-02 to L-09), on every store. */
import { expect, test } from 'vitest';
import { chain } from '../frontends/chain/chain.ts';
import { completed } from '../frontends/chain/results.ts';
import { expectRows, rowsOf, Script } from '../testing/chain-rows.ts';
import { begin, onEveryStore } from '../testing/lab.ts';
import type { ChainHandler } from './links.ts';

const orders = chain('order.process', 1, ['VALIDATE', 'PAY', 'SHIP']);
const done: ChainHandler = () => completed();
const handlers = { VALIDATE: done, PAY: done, SHIP: done };

onEveryStore('the start of a chain', (open) => {
  test('L-02: by its name the latest is started, and what is not here is said', async () => {
    const second = chain('order.process', 2, ['ONLY']);
    const lab = await open([second, orders]);
    const latest = await lab.engine.start('order.process', {});
    expect(await latest.inspect()).toMatchObject({ flowVersion: 2, tokens: [{ node: 'ONLY' }] });
    const first = await lab.engine.start(orders, {});
    expect(await first.inspect()).toMatchObject({ flowVersion: 1 });
    const missing = { code: 'definition.not-found' };
    await expect(lab.engine.start('order.proces', {})).rejects.toMatchObject(missing);
    const third = chain('order.process', 3, ['ONLY']);
    await expect(lab.engine.start(third, {})).rejects.toMatchObject(missing);
  });

  test('L-03 L-04: one commit: the instance and all its steps, the first ready', async () => {
    const { lab, run } = await begin(open, orders, { input: { sku: 'A1' }, key: 'order-42' });
    const { tokens, ...instance } = await run.inspect();
    expect(instance).toMatchObject({ status: 'running', version: 1, output: { sku: 'A1' } });
    expect(tokens).toMatchObject([
      { seq: 0, node: 'VALIDATE', status: 'ready', attempts: 0, availableAt: lab.now },
      { seq: 1, node: 'PAY', status: 'created', attempts: 0 },
      { seq: 2, node: 'SHIP', status: 'created', attempts: 0 },
    ]);
    expect(await run.history()).toHaveLength(1);
    await expectRows(lab, run, {
      instance: {
        instance_id: run.id,
        workflow_type: 'order.process',
        workflow_version: 1,
        biz_key: 'order-42',
        status: 'RUNNING',
        current_step_seq: 0,
        current_step_type: 'VALIDATE',
        context: '{"sku":"A1"}',
        created_at: lab.now,
        completed_at: null,
        failed_at: null,
        canceled_at: null,
      },
      steps: [
        { step_seq: 0, step_type: 'VALIDATE', status: 'READY', next_run_at: lab.now },
        { step_seq: 1, step_type: 'PAY', status: 'PENDING', next_run_at: null },
        { step_seq: 2, step_type: 'SHIP', status: 'PENDING', next_run_at: null },
      ],
    });
    const free = { attempts: 0, locked_by: null, locked_until: null, last_error: null };
    const idle = { waiting_event_type: null, deadline_at: null, max_attempts: 10 };
    const each = { ...free, ...idle };
    await expectRows(lab, run, { steps: [each, each, each] });
    expect(await lab.engine.check()).toMatchObject({ ok: true, instances: 1 });
  });

  test('L-05: how often a step may be tried is written on its row', async () => {
    const steps = { PAY: { maxAttempts: 7 } };
    const chosen = chain('chosen', 1, ['VALIDATE', 'PAY'], { maxAttempts: 3, steps });
    const { lab, run } = await begin(open, chosen);
    expect(await run.tokens()).toMatchObject([{ maxAttempts: 3 }, { maxAttempts: 7 }]);
    await expectRows(lab, run, { steps: [{ max_attempts: 3 }, { max_attempts: 7 }] });
  });

  test('L-07: one open instance per business key, and another once that has ended', async () => {
    const lab = await open([orders]);
    const first = await lab.engine.start(orders, {}, { key: 'order-42' });
    await expect(lab.engine.start(orders, {}, { key: 'order-42' })).rejects.toMatchObject({
      code: 'instance.exists',
      details: { instance: first.id },
    });
    const next = await lab.beside([orders], { handlers });
    await next.settle();
    expect(await first.status()).toBe('completed');
    const second = await next.engine.start(orders, {}, { key: 'order-42' });
    expect(second.id).not.toBe(first.id);
    await next.engine.close();
  });

  test('L-08: starting it again under the same id changes nothing', async () => {
    const { lab, run } = await begin(open, orders, { handlers: { VALIDATE: done } });
    const before = await run.inspect();
    const rows = await rowsOf(lab, run);
    const again = lab.engine.start(orders, { other: true }, { id: run.id });
    await expect(again).rejects.toMatchObject({ code: 'instance.exists' });
    const onConflict = 'existing' as const;
    const same = await lab.engine.start(orders, { other: true }, { id: run.id, onConflict });
    expect(await same.inspect()).toEqual(before);
    expect(await rowsOf(lab, run)).toEqual(rows);
    expect(await run.history()).toHaveLength(before.version);
  });

  test('L-09: the context is saved with each result, and is what the chain ends with', async () => {
    const seen: unknown[] = [];
    const note =
      (word: string): ChainHandler =>
      (step) => {
        seen.push(structuredClone(step.context));
        step.context['words'] = [...(step.context['words'] ?? []), word];
        return completed();
      };
    const replace: ChainHandler = (step) => {
      seen.push(structuredClone(step.context));
      step.context = { shipped: true };
      return completed();
    };
    const { lab, run } = await begin(open, orders, {
      input: { sku: 'A1' },
      handlers: { VALIDATE: note('valid'), PAY: note('paid'), SHIP: replace },
    });
    expect(seen).toEqual([
      { sku: 'A1' },
      { sku: 'A1', words: ['valid'] },
      { sku: 'A1', words: ['valid', 'paid'] },
    ]);
    expect(await run.result()).toEqual({ shipped: true });
    expect((await run.inspect()).input).toEqual({ sku: 'A1' });
    await expectRows(lab, run, { instance: { context: '{"shipped":true}' } });
  });
});

onEveryStore('scenario 23, L-06: once it is started, no definition is asked', (open) => {
  test('the program that started it is gone, and the next one has only handlers', async () => {
    const lab = await open([]);
    const starter = await lab.beside([orders]);
    const { id } = await starter.engine.start(orders, { sku: 'A1' });
    await starter.engine.close();

    const next = await lab.beside([], { handlers });
    await next.settle();
    const run = await next.engine.get(id);
    expect(await run?.inspect()).toMatchObject({ status: 'completed', output: { sku: 'A1' } });
    expect(await next.engine.check()).toMatchObject({ ok: true });
    await next.engine.close();
  });

  test('one that was there before learns of it', async () => {
    const lab = await open([], { handlers });
    await lab.settle();
    const starter = await lab.beside([orders]);
    const run = await starter.engine.start(orders, {});
    await lab.advance('10s');
    await lab.settle();
    expect(await run.status()).toBe('completed');
    await starter.engine.close();
  });

  const others = {
    'the next version, with other steps': chain('order.process', 2, ['OTHER']),
    'the same version with fewer steps': chain('order.process', 1, ['VALIDATE']),
    'the same version with its steps turned round': chain('order.process', 1, ['SHIP', 'VALIDATE']),
  };
  for (const [what, other] of Object.entries(others)) {
    test(`the next program has ${what}`, async () => {
      const lab = await open([]);
      const starter = await lab.beside([orders], { handlers: { VALIDATE: done } });
      const { id } = await starter.engine.start(orders, {});
      await starter.settle();
      await starter.engine.close();

      const script = new Script(completed());
      const { handler } = script;
      const next = await lab.beside([other], { handlers: { PAY: handler, SHIP: handler } });
      await next.settle();
      const run = await next.engine.get(id);
      expect(await run?.status()).toBe('completed');
      expect(script.told.map(({ stepType }) => stepType)).toEqual(['PAY', 'SHIP']);
      await next.engine.close();
    });
  }

  test('a handler for one chain goes before one for all of them', async () => {
    const [own, common] = [new Script(completed()), new Script(completed())];
    const lab = await open([orders, chain('other', 1, ['PAY'])], {
      handlers: { ...handlers, PAY: common.handler, 'order.process/PAY': own.handler },
    });
    await lab.engine.start('order.process', {});
    await lab.engine.start('other', {});
    await lab.settle();
    expect([own.told.length, common.told.length]).toEqual([1, 1]);
  });

  test('what nobody has a handler for waits until somebody has', async () => {
    const { lab, run } = await begin(open, orders, { handlers: { VALIDATE: done } });
    await lab.advance('1d');
    expect(await run.tokens()).toMatchObject([
      { status: 'completed' },
      { status: 'ready', attempts: 0 },
      { status: 'created' },
    ]);
    const next = await lab.beside([orders], { handlers });
    await next.settle();
    expect(await run.status()).toBe('completed');
    await next.engine.close();
  });
});
