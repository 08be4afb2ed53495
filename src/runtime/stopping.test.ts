/**
 * Work that is taken away while a handler is at it, on every store (L-42, L-43, scenario 24): the
 * handler is told to stop, what it brings is dropped and noted, and nobody claims it any more.
 */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Action } from '../model/action.ts';
import { type Lab, onEveryStore } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';
import type { Around } from '../testing/wrapped-store.ts';
import type { Run } from './run.ts';

/** A step that is held open, and what its handlers were told. */
function workplace() {
  const gate = new Gate<string>();
  const signals: AbortSignal[] = [];
  const keys: string[] = [];
  const work = ({ signal, idempotencyKey }: { signal: AbortSignal; idempotencyKey: string }) => {
    signals.push(signal);
    keys.push(idempotencyKey);
    return signals.length === 1 ? gate.opened : 'again';
  };
  const job = flow('job')
    .step('work', work)
    .step('last', () => 2)
    .end(({ results }) => results.work);
  return { gate, signals, keys, job };
}

async function startedIn(lab: Lab, job: ReturnType<typeof workplace>['job']): Promise<Run> {
  const run = await lab.engine.start(job, null);
  await lab.tick(0);
  return run;
}

async function workIn(run: Run): Promise<number> {
  return (await run.tokens()).find(({ node }) => node === 'work')?.id ?? 0;
}

type Taking = readonly [string, (token: number) => Action, { status: string; runs: number }];

const TAKINGS: readonly Taking[] = [
  ['cancelled', () => ({ do: 'cancel' }), { status: 'canceled', runs: 1 }],
  [
    'cancelled with its saga',
    () => ({ do: 'cancel', saga: true }),
    { status: 'canceled', runs: 1 },
  ],
  ['skipped', (token) => ({ do: 'skip', token }), { status: 'completed', runs: 1 }],
  ['moved', (token) => ({ do: 'move', token, to: 'last' }), { status: 'completed', runs: 1 }],
  ['run again', () => ({ do: 'rerun', from: 'work' }), { status: 'completed', runs: 2 }],
];

onEveryStore('scenario 24: a step at work that is', (open) => {
  for (const [what, actionFor, expected] of TAKINGS) {
    test(`${what} is told to stop, and what it brings is dropped`, async () => {
      const { gate, signals, keys, job } = workplace();
      const lab = await open([job]);
      const run = await startedIn(lab, job);
      await run.act(actionFor(await workIn(run)));
      await lab.tick(0);
      expect(signals[0]?.aborted).toBe(true);
      gate.open('late');
      // Past every lease there is: whoever claimed it anew would do so by now.
      await lab.tick('1m');
      await lab.tick('1m');
      expect(await run.status()).toBe(expected.status);
      expect([signals.length, new Set(keys).size]).toEqual([expected.runs, expected.runs]);
      const entries = await run.history({ notes: true });
      expect(entries.filter(({ dropped }) => dropped !== undefined)).toHaveLength(1);
      expect((await run.inspect()).output).not.toBe('late');
      expect(await lab.engine.check()).toMatchObject({ ok: true, violations: [] });
    });
  }

  test('of a suspended instance goes on to its end, and nothing after it (S-69)', async () => {
    const { gate, signals, job } = workplace();
    const lab = await open([job]);
    const run = await startedIn(lab, job);
    await run.suspend();
    await lab.tick('5s');
    expect(signals[0]?.aborted).toBe(false);
    gate.open('in time');
    await lab.tick('1h');
    expect(await run.inspect()).toMatchObject({ status: 'suspended', tokens: [{ node: 'last' }] });
    await run.resume();
    await lab.settle();
    expect(await run.result()).toBe('in time');
    expect((await run.history({ notes: true })).some(({ dropped }) => dropped)).toBe(false);
  });

  test('of a dead worker is not claimed while its instance is suspended', async () => {
    const { signals, job } = workplace();
    const lab = await open([job]);
    const run = await startedIn(lab, job);
    await run.suspend();
    lab.crash();
    await lab.tick('1h');
    await lab.tick('1h');
    expect([await run.status(), signals.length]).toEqual(['suspended', 1]);
    await run.resume();
    await lab.advance('1m');
    expect([await run.result(), signals.length]).toEqual(['again', 2]);
    expect(await lab.engine.check()).toMatchObject({ ok: true, violations: [] });
  });
});

onEveryStore('a step that is made ready and ended in one commit', (open) => {
  test("is nobody's: a flow whose other branch ends everything can be started", async () => {
    const ran: string[] = [];
    const job = flow('job')
      .parallel('both', {
        a: (b) => b.step('work', () => void ran.push('work')),
        b: (b) => b.terminate('stop', () => 'over'),
      })
      .end();
    const lab = await open([job]);
    const run = await lab.engine.start(job, null);
    await lab.settle();
    expect([await run.result(), ran]).toEqual(['over', []]);
    const copy = await run.rerun('both', { copy: true });
    await run.rerun('both');
    await lab.settle();
    expect([await run.result(), await copy.result(), ran]).toEqual(['over', 'over', []]);
    expect(await lab.engine.check()).toMatchObject({ ok: true, violations: [] });
  });
});

onEveryStore('L-42: a step that was claimed just before its instance is', (open) => {
  /** A step that somebody else has made ready; what is done happens before the claim is told. */
  async function claimedWhile(doing: (run: Run) => Promise<unknown>) {
    const ran: string[] = [];
    const job = flow('job')
      .step('work', ({ idempotencyKey }) => void ran.push(idempotencyKey))
      .end();
    const next = flow('job', { version: 2 })
      .step('work', () => void ran.push('next'))
      .end();
    const other: { run: Run | null } = { run: null };
    const around: Around = async (verb, call) => {
      const answer = await call();
      const isClaim = verb === 'claim' && (answer as readonly unknown[]).length > 0;
      const { run } = other;
      other.run = null;
      if (isClaim && run !== null) await doing(run);
      else other.run = run;
      return answer;
    };
    const lab = await open([job, next], { around });
    const beside = await lab.beside([job, next]);
    beside.engine.parts.worker?.abandon();
    const run = await beside.engine.start(job, null);
    other.run = run;
    await lab.advance('1m');
    expect(other.run).toBe(null);
    return { lab, run, ran };
  }

  test('suspended is not run, and runs once when it goes on', async () => {
    const { lab, run, ran } = await claimedWhile((one) => one.suspend());
    expect([await run.status(), ran]).toEqual(['suspended', []]);
    await run.resume();
    await lab.advance('1m');
    expect([await run.status(), ran.length]).toEqual(['completed', 1]);
    expect(await lab.engine.check()).toMatchObject({ ok: true, violations: [] });
  });

  test('canceled is not run at all (L-43)', async () => {
    const { lab, run, ran } = await claimedWhile((one) => one.cancel());
    expect([await run.status(), ran]).toEqual(['canceled', []]);
    expect(await lab.engine.check()).toMatchObject({ ok: true, violations: [] });
  });

  test('migrated is not run by the version that it has left', async () => {
    const { lab, run, ran } = await claimedWhile((one) => one.migrate({ version: 2 }));
    expect([await run.status(), ran]).toEqual(['completed', ['next']]);
    expect(await lab.engine.check()).toMatchObject({ ok: true, violations: [] });
  });

  test('run again is run once', async () => {
    const { lab, run, ran } = await claimedWhile((one) => one.rerun('work'));
    expect([await run.status(), ran.length]).toEqual(['completed', 1]);
    expect(await lab.engine.check()).toMatchObject({ ok: true, violations: [] });
  });
});
