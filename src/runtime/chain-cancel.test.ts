/** Chains that are canceled (L-42, L-43, defect 7), in every state of their step and store. */
import { expect, test } from 'vitest';
import { chain } from '../frontends/chain/chain.ts';
import { completed, retry, waiting } from '../frontends/chain/results.ts';
import type { StepResult } from '../model/chain.ts';
import { expectRows, Script } from '../testing/chain-rows.ts';
import { type Lab, onEveryStore } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';
import type { Run } from './run.ts';

const two = chain('two', 1, ['FIRST', 'SECOND']);

/** It is over for good: whatever the time brings, nothing of it moves again. */
async function expectOver(lab: Lab, run: Run): Promise<void> {
  const before = await run.history();
  expect(await run.inspect()).toMatchObject({
    status: 'canceled',
    tokens: [
      { status: 'terminated', wait: null, wakeAt: null },
      { status: 'created', attempts: 0 },
    ],
  });
  await expectRows(lab, run, {
    instance: { status: 'CANCELED', canceled_at: lab.now, completed_at: null, failed_at: null },
    steps: [
      { status: 'DEAD', last_error: 'CANCELED', locked_by: null, next_run_at: null },
      { status: 'PENDING', last_error: null },
    ],
  });
  const next = await lab.beside([two], { handlers: { FIRST: () => completed() } });
  await next.advance('1d');
  expect(await run.history()).toEqual(before);
  expect(await lab.store.expired(10)).toEqual([]);
  expect(await lab.store.due(10)).toEqual([]);
  expect(await next.engine.check()).toMatchObject({ ok: true });
  await next.engine.close();
}

onEveryStore('L-43: a canceled chain', (open) => {
  test('whose step is ready', async () => {
    const lab = await open([two]);
    const run = await lab.engine.start(two, {});
    await run.cancel();
    await expectOver(lab, run);
  });

  test('whose step is in a pause between two tries', async () => {
    const lab = await open([two], { handlers: { FIRST: () => retry('1h', 'busy') } });
    const run = await lab.engine.start(two, {});
    await lab.settle();
    await run.cancel();
    await expectOver(lab, run);
  });

  test('whose step waits', async () => {
    const lab = await open([two], { handlers: { FIRST: () => waiting('go', '1h') } });
    const run = await lab.engine.start(two, {});
    await lab.settle();
    await run.cancel();
    await expectOver(lab, run);
    expect(await lab.engine.publish({ type: 'go', key: run.id })).toMatchObject({
      outcome: 'buffered',
    });
    await expect(run.send('go')).rejects.toMatchObject({ code: 'instance.over' });
  });

  test('defect 7: whose step is running: it is told to stop, and is nobody’s', async () => {
    const [gate, begun] = [new Gate<StepResult>(), new Gate<AbortSignal>()];
    const lab = await open([two], {
      handlers: {
        FIRST: (step) => {
          begun.open(step.signal);
          return gate.opened;
        },
      },
    });
    const run = await lab.engine.start(two, {});
    const signal = await begun.opened;
    await run.cancel();
    expect(signal.aborted).toBe(true);
    gate.open(completed());
    await lab.settle();
    expect(await lab.store.dropped(run.id)).toMatchObject([{ reason: 'token gone' }]);
    await expectOver(lab, run);
  });

  test('one that has ended stays what it is', async () => {
    const lab = await open([two], {
      handlers: { FIRST: () => completed(), SECOND: () => completed() },
    });
    const run = await lab.engine.start(two, {});
    await lab.settle();
    await run.cancel();
    expect(await run.status()).toBe('completed');
  });
});

onEveryStore('L-42: canceled between the claim and the run', (open) => {
  const from = ['another program', 'the program that has claimed it'] as const;
  for (const who of from) {
    test(`by ${who}: the handler is not called`, async () => {
      const script = new Script(completed());
      const lab = await open([two]);
      const run = await lab.engine.start(two, {});
      let canceled = 0;
      const claimer: Lab = await lab.beside([two], {
        handlers: { FIRST: script.handler, SECOND: script.handler },
        around: async (verb, call) => {
          const answer = await call();
          if (verb !== 'claim' || (answer as readonly unknown[]).length === 0) return answer;
          const own = who === 'another program' ? run : await claimer.engine.get(run.id);
          canceled += 1;
          await own?.cancel();
          return answer;
        },
      });
      await claimer.settle();
      expect(canceled).toBe(1);
      expect(script.told).toEqual([]);
      expect(claimer.log.lines).toEqual([]);
      await claimer.engine.close();
      await expectOver(lab, run);
    });
  }
});
