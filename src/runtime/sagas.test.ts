/** Sagas, by the engine and on every store (scenario 14; B-60..B-72, X-10). */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import { broken, did, type Diary, ended, noted, undone } from '../testing/diary.ts';
import { type Begun, onEveryStore } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';

/** Three in a row, and the third fails. */
function row(diary: Diary, saga: 'none' | 'scope' | 'instance' = 'instance'): Flow {
  const [a, b] = [noted(diary, 'a'), noted(diary, 'b')];
  return flow('row', { saga })
    .step('a', a.run, { undo: a.undo })
    .step('b', b.run, { undo: b.undo })
    .step('c', broken, { undo: () => void diary.push('undo c') })
    .end();
}

onEveryStore('scenario 14: A, B and C in order, and C fails', (open) => {
  test('B-61 B-62 B-64: what completed is undone, last first; what failed is not', async () => {
    const diary: Diary = [];
    const { run, view } = await ended(open, row(diary));
    expect(diary).toEqual(['a', 'b', 'undo b', 'undo a']);
    expect(view).toMatchObject({
      status: 'failed',
      outcome: 'compensated',
      fault: { code: 'broken', node: 'c' },
      undos: [],
    });
    expect([await did(run, 'start-saga'), await did(run, 'end-saga')]).toEqual([1, 1]);
    await expect(run.result()).rejects.toMatchObject({ code: 'instance.failed' });
  });

  test('B-71: a crash after every commit changes nothing: each is undone once', async () => {
    const diary: Diary = [];
    const { run } = await ended(open, row(diary), { chaos: { crashAfterEveryCommit: true } });
    expect(undone(diary)).toEqual(['undo b', 'undo a']);
    expect(await did(run, 'settle-undo')).toBe(2);
  });

  test('a commit handed over twice starts no second saga', async () => {
    const diary: Diary = [];
    const { run } = await ended(open, row(diary), { chaos: { duplicateDeliveries: true } });
    expect(undone(diary)).toEqual(['undo b', 'undo a']);
    expect(await did(run, 'start-saga')).toBe(1);
  });

  test('B-60: with saga none nothing is undone', async () => {
    const diary: Diary = [];
    const { view } = await ended(open, row(diary, 'none'));
    expect([undone(diary), view.outcome, view.status]).toEqual([[], null, 'failed']);
  });

  test('B-72: with nothing to undo there is no saga', async () => {
    const { run, view } = await ended(open, flow('bare').step('c', broken).end());
    expect([view.status, view.outcome, await did(run, 'start-saga')]).toEqual(['failed', null, 0]);
  });

  test('B-62: a success after a retry is recorded once, its failures are not', async () => {
    const diary: Diary = [];
    let runs = 0;
    const job = flow('flaky')
      .step(
        'a',
        () => {
          runs += 1;
          if (runs < 3) throw new Error('not yet');
          return runs;
        },
        {
          retry: { maxAttempts: 3 },
          undo: ({ result }) => void diary.push(`undo a ${result}`),
        },
      )
      .step('b', broken)
      .end();
    const { run } = await ended(open, job);
    expect(diary).toEqual(['undo a 3']);
    expect(await did(run, 'record-undo')).toBe(1);
  });
});

onEveryStore('scenario 14: an undo that fails', (open) => {
  function job(diary: Diary, runs: string[], halt = false): Flow {
    const [a, c] = [noted(diary, 'a'), noted(diary, 'c')];
    return flow('stuck', halt ? { onUndoFailure: 'halt' } : {})
      .step('a', a.run, { undo: a.undo })
      .step('b', () => 1, {
        undo: () => {
          runs.push('undo b');
          throw new Error('stuck');
        },
      })
      .step('c', c.run, { undo: c.undo })
      .step('d', broken)
      .end();
  }

  test('B-67: is kept as failed after its five executions, and the rest go on', async () => {
    const [diary, runs]: [Diary, string[]] = [[], []];
    const { view } = await ended(open, job(diary, runs));
    expect(runs).toHaveLength(5);
    expect(undone(diary)).toEqual(['undo c', 'undo a']);
    expect(view).toMatchObject({ status: 'failed', outcome: 'compensated' });
    expect(view.fault?.code).toBe('broken');
    expect(view.undos).toMatchObject([
      { node: 'b', status: 'failed', fault: { code: 'handler.threw', message: 'stuck' } },
    ]);
  });

  test('with halt it waits there for someone, who has it tried again', async () => {
    const [diary, runs]: [Diary, string[]] = [[], []];
    const { lab, run, view } = await ended(open, job(diary, runs, true));
    expect(undone(diary)).toEqual(['undo c']);
    expect(view).toMatchObject({ status: 'compensating', incidents: [{ node: 'b' }] });
    await run.retry();
    await lab.advance('1d');
    expect(runs).toHaveLength(10);
    await run.skip(view.incidents[0]?.token ?? 0);
    await lab.advance('1d');
    expect(undone(diary)).toEqual(['undo c', 'undo a']);
    expect(await run.inspect()).toMatchObject({ status: 'failed', outcome: 'compensated' });
  });

  test('B-66: has a retry policy of its own', async () => {
    const runs: number[] = [];
    const undo = {
      do: () => {
        runs.push(lab.now);
        throw new Error('stuck');
      },
      retry: { maxAttempts: 2, delay: '7s' },
    };
    const own = flow('own')
      .step('a', () => 1, { undo })
      .step('b', broken)
      .end();
    const lab = await open([own]);
    await lab.engine.start(own, null);
    await lab.advance('1d');
    expect(runs.map((at) => at - (runs[0] ?? 0))).toEqual([0, 7_000]);
  });
});

onEveryStore('scenario 14: parallel branches', (open) => {
  test('B-69 X-10: are undone in the reverse of the order of their commits', async () => {
    const diary: Diary = [];
    const step = (name: string) => noted(diary, name);
    const [a, b, c, d] = [step('a'), step('b'), step('c'), step('d')];
    const job = flow('both')
      .parallel('p', {
        x: (p) =>
          p
            .step('a', a.run, { undo: a.undo })
            .sleep('long', '2h')
            .step('b', b.run, { undo: b.undo }),
        y: (p) => p.sleep('short', '1h').scope('s', (s) => s.step('c', c.run, { undo: c.undo })),
        z: (p) => p.sleep('later', '5h').step('d', d.run, { undo: d.undo }),
      })
      .step('e', broken)
      .end();
    await ended(open, job);
    expect(diary).toEqual(['a', 'c', 'b', 'd', 'undo d', 'undo b', 'undo c', 'undo a']);
  });

  test('B-69: a branch that has not completed its step has nothing to undo', async () => {
    const diary: Diary = [];
    const [a, b] = [noted(diary, 'a'), noted(diary, 'b')];
    const job = flow('uneven')
      .parallel('p', {
        x: (p) => p.step('a', a.run, { undo: a.undo }),
        y: (p) => p.sleep('wait', '3h').step('b', b.run, { undo: b.undo }),
        z: (p) => p.sleep('soon', '1h').step('c', broken),
      })
      .end();
    const { view } = await ended(open, job);
    expect(diary).toEqual(['a', 'undo a']);
    expect(view.tokens).toEqual([]);
  });
});

/** A flow in which b is at work when c fails, and how b ends is up to the test. */
function besides(diary: Diary, gate: Gate<string>): Flow {
  const a = noted(diary, 'a');
  return flow('besides')
    .step('a', a.run, { undo: a.undo })
    .parallel('p', {
      x: (p) =>
        p.step(
          'b',
          async ({ signal }) => {
            signal.addEventListener('abort', () => diary.push('b is told'));
            const of = await gate.opened;
            if (of === 'fails') throw new Error('b failed');
            diary.push('b');
            return { of };
          },
          { undo: ({ result, inDoubt }) => void diary.push(`undo b ${inDoubt || result.of}`) },
        ),
      y: (p) => p.sleep('soon', '1s').step('c', broken),
    })
    .end();
}

onEveryStore('D12: a step that is at work when the saga begins', (open) => {
  async function begun(diary: Diary, gate: Gate<string>): Promise<Begun> {
    const job = besides(diary, gate);
    const lab = await open([job]);
    const run = await lab.engine.start(job, null as never);
    await lab.tick('1s');
    expect(await run.status()).toBe('compensating');
    expect(undone(diary)).toEqual([]);
    return { lab, run };
  }

  test('is told, is waited for, and is undone if it completes after all', async () => {
    const [diary, gate]: [Diary, Gate<string>] = [[], new Gate()];
    const { lab, run } = await begun(diary, gate);
    expect(diary).toEqual(['a', 'b is told']);
    gate.open('b');
    await lab.settle();
    expect(diary).toEqual(['a', 'b is told', 'b', 'undo b b', 'undo a']);
    expect(await run.inspect()).toMatchObject({ status: 'failed', fault: { code: 'broken' } });
  });

  test('has nothing to undo if it fails, and its failure starts no second saga', async () => {
    const [diary, gate]: [Diary, Gate<string>] = [[], new Gate()];
    const { lab, run } = await begun(diary, gate);
    gate.open('fails');
    await lab.settle();
    expect(undone(diary)).toEqual(['undo a']);
    expect(await did(run, 'start-saga')).toBe(1);
    expect((await run.inspect()).fault?.code).toBe('broken');
  });

  test('is in doubt if its lease runs out, and is undone as such', async () => {
    const [diary, gate]: [Diary, Gate<string>] = [[], new Gate()];
    const { lab, run } = await begun(diary, gate);
    lab.crash();
    await lab.advance('1h');
    expect(undone(diary)).toEqual(['undo b true', 'undo a']);
    expect((await run.inspect()).status).toBe('failed');
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });
});

onEveryStore('D12: a step that can be undone and that nobody has claimed', (open) => {
  test('is put down unrun when the saga begins, and is not undone', async () => {
    const diary: Diary = [];
    const [a, b] = [noted(diary, 'a'), noted(diary, 'b')];
    const job = flow('idle')
      .step('a', a.run, { undo: a.undo })
      .parallel('p', {
        x: (p) => p.step('c', broken),
        y: (p) => p.step('b', b.run, { undo: b.undo }),
      })
      .end();
    const { run, view } = await ended(open, job, { concurrency: 1 });
    expect(diary).toEqual(['a', 'undo a']);
    expect(view.status).toBe('failed');
    const ends = (await run.history()).flatMap(({ changes }) => changes);
    expect(ends).toContainEqual(expect.objectContaining({ did: 'end-token', why: 'cancelled' }));
  });
});
