/** Timers by the engine and on every store: never early, never twice, overdue ones at once (P6). */
import { expect, test } from 'vitest';
import { EngineError } from '../base/engine-error.ts';
import { flow } from '../frontends/builder/flow.ts';
import type { Change } from '../model/change.ts';
import { Dice } from '../testing/dice.ts';
import { onEveryStore } from '../testing/lab.ts';
import { downFor, LAB_BEGINS } from '../testing/schedule-flows.ts';
import type { Run } from './run.ts';

const MINUTE = 60_000;
const SEED = 20_261_118;

async function changesOf<Did extends Change['did']>(
  run: Run,
  did: Did,
): Promise<Extract<Change, { did: Did }>[]> {
  const changes = (await run.history()).flatMap((entry) => entry.changes);
  return changes.filter((change) => change.did === did) as Extract<Change, { did: Did }>[];
}

const nap = flow<null>('nap')
  .sleep('nap', '10m')
  .step('after', () => 'rested')
  .end(({ results }) => results.after);

onEveryStore('B-41, B-42: a delay', (open) => {
  test('waits at its node until its moment, is woken there, and not a moment before', async () => {
    const lab = await open([nap]);
    const run = await lab.engine.start(nap, null);
    await lab.advance(10 * MINUTE - 1);
    const [token] = await run.tokens();
    const wakeAt = LAB_BEGINS + 10 * MINUTE;
    expect(token).toMatchObject({ node: 'nap', status: 'waiting', wait: { on: 'time' }, wakeAt });
    expect(await lab.store.due(9)).toEqual([]);
    await lab.advance(1);
    expect(await run.result()).toBe('rested');
    const woken = await changesOf(run, 'wake-token');
    expect(woken).toMatchObject([{ token: token?.id, wake: { reason: 'timeout' } }]);
    const entry = (await run.history()).find(({ changes }) =>
      changes.some(({ did }) => did === 'wake-token'),
    );
    expect(entry?.at).toBe(wakeAt);
  });

  test('is gone with its token: one that was cancelled never fires', async () => {
    const lab = await open([nap]);
    const run = await lab.engine.start(nap, null);
    await lab.settle();
    await run.cancel();
    expect(await lab.engine.parts.worker?.nextDue(lab.store)).toBeUndefined();
    await lab.advance('1h');
    expect(await changesOf(run, 'wake-token')).toEqual([]);
  });

  test('of any number, each fires at its own moment and in its order', async () => {
    const woken: number[] = [];
    const naps = flow<number>('naps')
      .sleep('nap', ({ input }) => `${input}m`)
      .step('after', ({ input }) => {
        woken.push(input);
        expect(lab.now).toBe(LAB_BEGINS + input * MINUTE);
      })
      .end();
    const lab = await open([naps]);
    for (const minutes of [7, 3, 9, 1, 8, 2, 6, 4, 5]) await lab.engine.start(naps, minutes);
    await lab.advance('10m');
    expect(woken).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

onEveryStore('B-48: after downtime', (open) => {
  test('what is overdue fires at once, and what is not waits for its moment', async () => {
    const two = flow<null>('two')
      .parallel('fork', {
        short: (b) => b.sleep('short', '10m').step('first', () => lab.now),
        long: (b) => b.sleep('long', '2h').step('second', () => lab.now),
      })
      .end(({ results: { first, second } }) => [first, second]);
    const lab = await open([two]);
    const run = await lab.engine.start(two, null);
    await lab.settle();
    await downFor(lab, '1h');
    const [left, ...more] = (await run.tokens()).filter(({ wait }) => wait?.on === 'time');
    expect([left?.node, more]).toEqual(['long', []]);
    await lab.advance('1h');
    expect(await run.result()).toEqual([LAB_BEGINS + 60 * MINUTE, LAB_BEGINS + 120 * MINUTE]);
  });

  test('more of them than a sweep takes at once all fire, each once', async () => {
    const lab = await open([nap]);
    const runs = await Promise.all(Array.from({ length: 450 }, () => lab.engine.start(nap, null)));
    await lab.settle();
    await downFor(lab, '1d');
    for (const run of runs) {
      expect(await run.status()).toBe('completed');
      expect(await changesOf(run, 'wake-token')).toHaveLength(1);
    }
  });
});

onEveryStore('B-49, B-50: a timer that is found again', (open) => {
  test('though its answer is lost every time, it is committed once', async () => {
    let lost = 0;
    const lab = await open([nap], {
      around: async (verb, call) => {
        const answer = await call();
        // As far as the sweep can tell, whatever it found is still to be done.
        if (verb !== 'commit' || lab.now === LAB_BEGINS || lost === 3) return answer;
        lost += 1;
        lab.crash();
        throw new EngineError('store.unreachable', 'no answer', { retryable: true });
      },
    });
    const run = await lab.engine.start(nap, null);
    await lab.advance('11m');
    await lab.advance('1m');
    expect(lost).toBe(3);
    expect(await run.status()).toBe('completed');
    expect(await changesOf(run, 'wake-token')).toHaveLength(1);
  });

  test('by every worker at once, it is committed once, and at its moment', async () => {
    const lab = await open([nap], { chaos: { duplicateDeliveries: true } });
    const run = await lab.engine.start(nap, null);
    await lab.advance('11m');
    expect(await run.result()).toBe('rested');
    expect(await changesOf(run, 'wake-token')).toHaveLength(1);
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });
});

onEveryStore('P6: of many timers', (open) => {
  test('each fires once and never early, through crashes, downtime and doubles', async () => {
    const naps = flow<number>('naps')
      .sleep('nap', ({ input }) => `${input}m`)
      .end();
    const dice = new Dice(SEED);
    const lab = await open([naps], { chaos: { duplicateDeliveries: true } });
    const all = Array.from({ length: 60 }, () => 1 + dice.roll(10 * 60));
    const runs = await Promise.all(all.map((minutes) => lab.engine.start(naps, minutes)));
    for (let down = 0; down < 20; down += 1) {
      await lab.advance(dice.roll(40 * MINUTE));
      if (dice.roll(2) === 0) lab.crash();
      else await downFor(lab, dice.roll(60 * MINUTE));
    }
    await lab.advance('10h');
    for (const [index, run] of runs.entries()) {
      expect(await run.status()).toBe('completed');
      const woken = (await run.history()).filter(({ changes }) =>
        changes.some(({ did }) => did === 'wake-token'),
      );
      expect(woken).toHaveLength(1);
      const dueAt = LAB_BEGINS + (all[index] ?? Number.NaN) * MINUTE;
      expect(woken[0]?.at).toBeGreaterThanOrEqual(dueAt);
      // An hour is the longest that nobody was there.
      expect(woken[0]?.at).toBeLessThan(dueAt + 60 * MINUTE);
    }
    expect(await lab.engine.check()).toMatchObject({ ok: true, instances: all.length });
  });
});

onEveryStore('scenario 21, S-70: a wait in a loop of three passes', (open) => {
  const loop = flow<null>('loop')
    .repeat('passes', { times: 3 }, (b) => b.sleep('nap', '10m').step('after', () => 'rested'))
    .end();

  test('makes three timers, each with a token and a moment of its own', async () => {
    const lab = await open([loop]);
    const run = await lab.engine.start(loop, null);
    const seen: { id: number; wakeAt: number | null }[] = [];
    for (let pass = 0; pass < 3; pass += 1) {
      await lab.settle();
      const timers = (await run.tokens()).filter(({ wait }) => wait?.on === 'time');
      expect(timers).toHaveLength(1);
      for (const { id, wakeAt } of timers) seen.push({ id, wakeAt });
      // A restart in the middle of a pass makes no other timer of it.
      await lab.advance('4m');
      lab.crash();
      await lab.advance('6m');
    }
    await run.result();
    expect(new Set(seen.map(({ id }) => id)).size).toBe(3);
    const moments = [10, 20, 30].map((minutes) => LAB_BEGINS + minutes * MINUTE);
    expect(seen.map(({ wakeAt }) => wakeAt)).toEqual(moments);
    const woken = await changesOf(run, 'wake-token');
    expect(woken.filter(({ wake }) => wake.reason === 'timeout')).toHaveLength(3);
  });

  test('and so do messages with a timeout: the same node, three times', async () => {
    const asked = flow<null>('asked')
      .repeat('passes', { times: 3 }, (b) =>
        b.waitFor('mail', { event: 'mail', key: 'k', timeout: '10m' }),
      )
      .end();
    const lab = await open([asked]);
    const run = await lab.engine.start(asked, null);
    await lab.advance('5m');
    await lab.engine.publish({ type: 'mail', key: 'k' });
    await lab.advance('9m');
    expect((await run.tokens()).filter(({ wakeAt }) => wakeAt !== null)).toMatchObject([
      { node: 'mail', wakeAt: LAB_BEGINS + 15 * MINUTE },
    ]);
    await lab.advance('11m');
    expect(await run.status()).toBe('completed');
    const woken = await changesOf(run, 'wake-token');
    const reasons = woken.map(({ wake }) => wake.reason).filter((reason) => reason !== 'resume');
    expect(reasons).toEqual(['event', 'timeout', 'timeout']);
  });
});
