/** Leases of a chain's steps (L-20 to L-23), on every store. */
import { expect, test } from 'vitest';
import { chain } from '../frontends/chain/chain.ts';
import { completed, dead, retry, waiting } from '../frontends/chain/results.ts';
import type { StepResult } from '../model/chain.ts';
import { deadly, expectRows, Script } from '../testing/chain-rows.ts';
import { type Lab, onEveryStore, type OpenLab } from '../testing/lab.ts';
import { Gate, stalledStore } from '../testing/stage.ts';
import { VirtualAlarm } from '../testing/virtual-alarm.ts';
import { Listener } from '../testing/world.ts';
import { Engine } from './engine.ts';
import type { ChainHandler } from './links.ts';
import type { Run } from './run.ts';

const two = chain('two', 1, ['WORK', 'NEXT']);

interface Stalled {
  readonly lab: Lab;
  readonly run: Run;
  readonly log: Listener;
  /** What A answers, when the test says so. */
  readonly late: Gate<StepResult>;
}

/** A has begun and stands still: nothing renews its lease. Nobody else is there to take it. */
async function stall(open: OpenLab): Promise<Stalled> {
  const [late, log, begun] = [new Gate<StepResult>(), new Listener(), new Gate()];
  const lab = await open([]);
  lab.engine.parts.worker?.abandon();
  const WORK: ChainHandler = () => {
    begun.open();
    return late.opened;
  };
  const a = new Engine(
    {
      store: stalledStore(lab.store, late.opened),
      flows: [two],
      handlers: { WORK },
      worker: { id: 'A' },
      logger: log,
    },
    // Nobody rings its alarms.
    new VirtualAlarm(0),
  );
  await a.open();
  const run = await a.start('two', {});
  await begun.opened;
  return { lab, run, log, late };
}

onEveryStore('the lease of a step', (open) => {
  test('L-20: it ran out: ready at once, an attempt more, and why', async () => {
    const { lab, run } = await stall(open);
    const { now } = lab;
    await expectRows(lab, run, {
      steps: [{ status: 'RUNNING', locked_by: 'A', locked_until: now + 10_000 }, {}],
    });
    // Whoever recovers it needs no handler for it.
    const other = await lab.beside([]);
    await other.advance(10_001);
    expect(await run.tokens()).toMatchObject([
      {
        status: 'ready',
        attempts: 1,
        crashes: 1,
        availableAt: now + 10_001,
        lastError: { code: 'LEASE_EXPIRED' },
      },
      { status: 'created' },
    ]);
    const free = { locked_by: null, locked_until: null, last_error: 'LEASE_EXPIRED' };
    await expectRows(lab, run, {
      instance: { status: 'RUNNING', current_step_seq: 0 },
      steps: [{ status: 'READY', attempts: 1, next_run_at: now + 10_001, ...free }, {}],
    });
    await other.engine.close();
  });

  test('L-23: in its last moment it has not run out', async () => {
    const { lab, run } = await stall(open);
    const other = await lab.beside([]);
    await other.advance(10_000);
    expect(await run.tokens()).toMatchObject([{ attempts: 0, crashes: 0 }, {}]);
    await expectRows(lab, run, { steps: [{ status: 'RUNNING', locked_by: 'A' }, {}] });
    await other.engine.close();
  });

  test('L-23: and what is brought in its last moment counts', async () => {
    const { lab, run, late } = await stall(open);
    await lab.tick('10s');
    late.open(completed());
    await lab.tick(0);
    // Its commit is on its way to a real database, which takes as long as it takes.
    while ((await run.history()).length === 1) await lab.tick(0);
    expect(await run.tokens()).toMatchObject([{ status: 'completed', attempts: 0 }, {}]);
    expect(await lab.store.dropped(run.id)).toEqual([]);
  });

  for (const answer of [completed(), retry('1s', 'late'), dead('late'), waiting('late')]) {
    test(`L-22 defect 6: ${answer.became}() after somebody took it back is discarded`, async () => {
      const { lab, run, log, late } = await stall(open);
      const [next, gate] = [new Script(completed()), new Gate<StepResult>()];
      const b = await lab.beside([], { handlers: { WORK: () => gate.opened, NEXT: next.handler } });
      for (let looks = 0; (await run.history()).length === 1 && looks < 50; looks += 1) {
        await b.tick('11s');
      }
      const before = await run.history();
      late.open(answer);
      await log.heard.opened;
      // Lost, which is neither a failure nor a try: it is noted, and that is all.
      expect(await run.history()).toEqual(before);
      const notes = await lab.store.dropped(run.id);
      expect(notes).toMatchObject([{ worker: 'A', reason: 'lease lost' }]);
      expect(await run.tokens()).toMatchObject([
        { status: 'ready', attempts: 1, crashes: 1 },
        { status: 'created' },
      ]);
      gate.open(completed());
      await b.settle();
      expect(await run.status()).toBe('completed');
      expect(next.told).toHaveLength(1);
      expect(await b.engine.check()).toMatchObject({ ok: true });
      await b.engine.close();
    });
  }
});

onEveryStore('X-05: a step that costs workers their lives', (open) => {
  /** Every execution of it ends with the worker. */
  async function poison(limit: number): Promise<{ lab: Lab; run: Run; script: Script }> {
    const script = new Script(completed());
    const WORK = deadly(
      script,
      () => true,
      () => lab.crash(),
    );
    const lab: Lab = await open([two], { limits: { CRASHES_MAX: limit }, handlers: { WORK } });
    const run = await lab.engine.start(two, {});
    return { lab, run, script };
  }

  test('is tried again beyond its attempts, and in the end is dead', async () => {
    const { lab, run, script } = await poison(3);
    await lab.advance('1h');
    expect(script.told.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    expect(script.told[1]).toMatchObject({ reason: 'lease-recovery' });
    expect(await run.inspect()).toMatchObject({
      status: 'failed',
      fault: { code: 'LEASE_EXPIRED' },
      tokens: [{ status: 'failed', attempts: 4, crashes: 3 }, { status: 'created' }],
    });
    await expectRows(lab, run, {
      instance: { status: 'FAILED', current_step_seq: 0, current_step_type: 'WORK' },
      steps: [{ status: 'DEAD', attempts: 4, last_error: 'LEASE_EXPIRED' }, { status: 'PENDING' }],
    });
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });
});
