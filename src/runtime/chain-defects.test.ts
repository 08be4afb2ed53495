/**
 * What the linear engine this comes from got wrong (BEHAVIOURS §2d), on every store. Defect 6 is
 * held by chain-leases.test.ts, and defect 7 by chain-cancel.test.ts.
 */
import { expect, test } from 'vitest';
import { chain } from '../frontends/chain/chain.ts';
import { completed, retry, waiting } from '../frontends/chain/results.ts';
import type { StepResult } from '../model/chain.ts';
import { deadly, expectRows, rowsOf, Script } from '../testing/chain-rows.ts';
import { begin, type Lab, onEveryStore } from '../testing/lab.ts';
import { Gate, stalledStore } from '../testing/stage.ts';
import { VirtualAlarm } from '../testing/virtual-alarm.ts';
import { wrappedStore } from '../testing/wrapped-store.ts';
import { Engine } from './engine.ts';
import type { ChainHandler, ChainStep } from './links.ts';

const one = chain('one', 1, ['WORK'], { maxAttempts: 3 });

/** A handler at work, until the test lets it answer. */
class AtWork {
  readonly answer: Gate<StepResult> = new Gate<StepResult>();
  readonly begun: Gate = new Gate();

  readonly handler = (): Promise<StepResult> => {
    this.begun.open();
    return this.answer.opened;
  };

  /** As a script says; what is begun is an execution of this type. */
  told(script: Script, type: ChainStep['taskType']): ChainHandler {
    return (step) => {
      if (step.taskType === type) this.begun.open();
      return script.handler(step);
    };
  }
}

onEveryStore('defects of the linear engine', (open) => {
  test('defect 1: a retry is refused by the store’s own rows as soon as none is left', async () => {
    const script = new Script(retry('1s', 'busy'));
    const { lab, run } = await begin(open, one, { handlers: { WORK: script.handler }, for: '1h' });
    expect(script.told).toHaveLength(3);
    await expectRows(lab, run, { steps: [{ status: 'DEAD', attempts: 3, max_attempts: 3 }] });
  });

  test('defect 2: while a handler runs, nothing of its instance is locked', async () => {
    const work = new AtWork();
    const lab = await open([one], { handlers: { WORK: work.handler } });
    const run = await lab.engine.start(one, {});
    await work.begun.opened;
    // Another program writes to this very instance, and does not wait for the handler.
    const other = await lab.beside([]);
    await (await other.engine.get(run.id))?.cancel();
    expect(await run.status()).toBe('canceled');
    work.answer.open(completed());
    await lab.settle();
    expect(await run.status()).toBe('canceled');
    await other.engine.close();
  });

  test('defect 3: the lease is looked at when the result is written', async () => {
    const work = new AtWork();
    const lab = await open([]);
    lab.engine.parts.worker?.abandon();
    const outcomes: string[] = [];
    const refused = new Gate();
    const watched = wrappedStore(lab.store, {
      commit: async (commits) => {
        const answers = await lab.store.commit(commits);
        outcomes.push(...answers.map(({ outcome }) => outcome));
        if (outcomes.includes('fenced')) refused.open();
        return answers;
      },
    });
    // Until then: a turn of its worker may be under way, and would renew what has run out.
    const store = stalledStore(watched, refused.opened);
    const flows = { flows: [one], handlers: { WORK: work.handler } };
    // Nobody rings its alarms, so nothing renews what it holds.
    const engine = new Engine({ store, ...flows, logger: lab.log }, new VirtualAlarm(0));
    await engine.open();
    const run = await engine.start(one, {});
    await work.begun.opened;
    await lab.tick('11s');
    work.answer.open(completed());
    expect(await run.result()).toEqual({});
    // Too late by the store's clock; nobody had noticed, so it was renewed and counts after all.
    expect(outcomes).toEqual(['committed', 'fenced', 'committed']);
  });

  test('defect 4: no more is claimed than can begin at once', async () => {
    const works = Array.from({ length: 5 }, () => new AtWork());
    let begun = 0;
    const lab = await open([one]);
    const runs = await Promise.all(works.map(() => lab.engine.start(one, {})));
    const worker = await lab.beside([], {
      concurrency: 2,
      handlers: {
        WORK: () => {
          begun += 1;
          return works[begun - 1]?.handler() ?? completed();
        },
      },
    });
    for (const work of works) {
      // What was locked when it looked it finds the next time, and no poll comes by itself here.
      await worker.tick(0);
      await work.begun.opened;
      await worker.tick(0);
      const rows = await lab.peek('workflow_step');
      const running = (rows ?? []).filter((row) => Reflect.get(row, 'status') === 'RUNNING');
      expect(running.length).toBeLessThanOrEqual(2);
      expect(begun - works.indexOf(work)).toBeLessThanOrEqual(2);
      work.answer.open(completed());
    }
    await worker.settle();
    for (const run of runs) {
      expect(await run.inspect()).toMatchObject({ status: 'completed', tokens: [{ attempts: 0 }] });
    }
    await worker.engine.close();
  });

  test('defect 5: what throws is tried again a few times, and holds up nobody', async () => {
    const bad = chain('bad', 1, ['BAD'], { maxAttempts: 3 });
    const script = new Script(new Error('bank is away'));
    const lab = await open([one, bad], {
      handlers: { BAD: script.handler, WORK: () => completed() },
    });
    const broken = await lab.engine.start(bad, {});
    const good = await Promise.all([1, 2, 3].map(() => lab.engine.start(one, {})));
    await lab.settle();
    for (const run of good) expect(await run.status()).toBe('completed');
    await lab.advance('1h');
    expect(script.told).toHaveLength(3);
    expect(await broken.inspect()).toMatchObject({
      status: 'failed',
      fault: { code: 'handler.threw', message: 'bank is away' },
    });
    await expectRows(lab, broken, { steps: [{ status: 'DEAD', last_error: 'bank is away' }] });
  });

  test('defect 8: a step that timed out knows it after its lease ran out, too', async () => {
    const script = new Script(waiting('go', '1m'), completed());
    const lab: Lab = await open([one], {
      handlers: {
        WORK: deadly(
          script,
          (execution) => execution === 2,
          () => lab.crash(),
        ),
      },
    });
    const run = await lab.engine.start(one, {});
    await lab.advance('10m');
    expect(script.told.map(({ taskType }) => taskType)).toEqual([
      'READY_STEP',
      'WAITING_TIMEOUT',
      'WAITING_TIMEOUT',
    ]);
    expect(await run.status()).toBe('completed');
  });
});

onEveryStore('defects in what wakes a step', (open) => {
  test('defect 9: an event that comes while the step still runs is kept for its wait', async () => {
    const work = new AtWork();
    const script = new Script(work.answer.opened, completed());
    const lab = await open([one], { handlers: { WORK: work.told(script, 'READY_STEP') } });
    const run = await lab.engine.start(one, {});
    await work.begun.opened;
    expect(await run.send('paid', 5)).toMatchObject({ outcome: 'buffered' });
    work.answer.open(waiting('paid', '1h'));
    await lab.settle();
    expect(script.told).toMatchObject([{ reason: 'first' }, { reason: 'event', event: 5 }]);
    expect(await run.status()).toBe('completed');
  });

  test('defect 9: so is one that comes while the step deals with its time-out', async () => {
    const work = new AtWork();
    const script = new Script(waiting('paid', '1m'), work.answer.opened, completed());
    const lab = await open([one], { handlers: { WORK: work.told(script, 'WAITING_TIMEOUT') } });
    const run = await lab.engine.start(one, {});
    await lab.settle();
    await lab.tick('1m');
    await work.begun.opened;
    expect(await run.send('paid', 5)).toMatchObject({ outcome: 'buffered' });
    // It gives it one more minute, and need not.
    work.answer.open(waiting('paid', '1m'));
    await lab.settle();
    expect(script.told).toMatchObject([
      { reason: 'first' },
      { reason: 'timeout' },
      { reason: 'event', event: 5 },
    ]);
    expect(await run.status()).toBe('completed');
  });

  test('defect 10: what is over is not woken, though its step was waiting', async () => {
    const script = new Script(waiting('go', '1h'));
    const options = { handlers: { WORK: script.handler }, key: 'order-42' };
    const { lab, run } = await begin(open, one, options);
    await run.cancel();
    const rows = await rowsOf(lab, run);
    const go = { type: 'go', key: 'order-42' };
    expect(await lab.engine.publish(go)).toMatchObject({ outcome: 'buffered', instances: [] });
    await lab.advance('2h');
    expect(script.told).toHaveLength(1);
    expect(await rowsOf(lab, run)).toEqual(rows);
  });

  test('defect 11: a handler sees what woke it, and with what', async () => {
    const script = new Script(waiting('paid', '1h'), completed());
    const { lab, run } = await begin(open, one, { handlers: { WORK: script.handler } });
    await run.send('paid', { amount: 5 });
    await lab.settle();
    expect(script.told[1]).toMatchObject({ reason: 'event', event: { amount: 5 } });
  });

  test('defect 12: what was taken in by a program that died is brought by the next', async () => {
    const script = new Script(waiting('paid', '1h'), completed());
    const { lab, run } = await begin(open, one, {
      handlers: { WORK: script.handler },
      key: 'order-42',
    });
    // Kept, and then its program dies before it has told anybody.
    const message = { id: 'm-1', type: 'paid', key: 'order-42', data: 5, ttlMs: 60_000 };
    expect(await lab.store.publish(message)).toBe(true);
    lab.crash();
    await lab.settle();
    expect(script.told).toMatchObject([{ reason: 'first' }, { reason: 'event', event: 5 }]);
    expect(await run.status()).toBe('completed');
    const again = { type: 'paid', key: 'order-42', id: 'm-1' };
    expect(await lab.engine.publish(again)).toMatchObject({ outcome: 'duplicate' });
  });
});
