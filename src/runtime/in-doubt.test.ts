/** Whatever may have been done is undone: executions that nobody has the answer to. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import { broken } from '../testing/diary.ts';
import { begin, beginAtWork, type Lab, onEveryStore } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';
import type { Run } from './run.ts';

/** Cancelled with its saga while no worker is there; the next one does the rest. */
async function cancelled(lab: Lab, run: Run): Promise<string> {
  await run.cancel({ saga: true });
  lab.crash();
  await lab.advance('1h');
  return run.status();
}

const hang = (): Promise<string> => new Gate<string>().opened;

onEveryStore('a charge that was begun and had no answer is undone in doubt', (open) => {
  type Options = Parameters<ReturnType<typeof flow>['step']>[2];

  /** A step that hangs, and beside it one that fails after a while. */
  function charge(undone: boolean[], options: Options, failsAfter = '1m'): Flow {
    const undo = ({ inDoubt }: { inDoubt: boolean }): void => void undone.push(inDoubt);
    return flow('charge')
      .parallel('p', {
        a: (b) => b.step('charge', hang, { ...options, undo }),
        b: (b) => b.sleep('later', failsAfter).step('fails', broken),
      })
      .end();
  }

  const again = { maxAttempts: 3, delay: '1h' };

  test('when its attempt timed out and it waits for the next', async () => {
    const undone: boolean[] = [];
    const job = charge(undone, { timeout: '10s', retry: again });
    const { run } = await begin(open, job, { for: '1d' });
    expect([await run.status(), undone]).toEqual(['failed', [true]]);
  });

  test('when it is cancelled with its saga in that pause', async () => {
    const undone: boolean[] = [];
    const job = charge(undone, { timeout: '10s', retry: again }, '7d');
    const { lab, run } = await begin(open, job, { for: '1m' });
    await run.cancel({ saga: true });
    await lab.settle();
    expect([await run.status(), undone]).toEqual(['canceled', [true]]);
  });

  test('when its worker died and its deadline passed before it was run again', async () => {
    const undone: boolean[] = [];
    const job = charge(undone, { deadline: '5s' }, '7d');
    const { lab, run } = await beginAtWork(open, job, '1s');
    lab.crash();
    await lab.advance('1h');
    expect((await run.inspect()).fault?.code).toBe('step.deadline');
    expect(undone).toEqual([true]);
  });

  test('when the engine was closed while it ran, and it was cancelled afterwards', async () => {
    const undone: boolean[] = [];
    const job = charge(undone, {}, '7d');
    const { lab, run } = await beginAtWork(open, job, 0);
    const closing = lab.engine.parts.worker?.close(0);
    await lab.tick(0);
    await closing;
    expect([await cancelled(lab, run), undone]).toEqual(['canceled', [true]]);
  });

  test('when it waited to be mended, and was cancelled before its retry ran', async () => {
    const undone: boolean[] = [];
    const job = charge(undone, { timeout: '10s', onFailure: 'incident' }, '7d');
    const { lab, run } = await begin(open, job, { for: '1m' });
    lab.engine.parts.worker?.abandon();
    await run.retry();
    expect([await cancelled(lab, run), undone]).toEqual(['canceled', [true]]);
  });

  test('when it gave up because it was told to stop, as fetch does', async () => {
    const undone: boolean[] = [];
    const stopped = ({ signal }: { signal: AbortSignal }): Promise<string> =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    const job = flow('stopped')
      .race('r', {
        a: (b) => b.step('charge', stopped, { undo: ({ inDoubt }) => void undone.push(inDoubt) }),
        b: (b) => b.sleep('soon', '10s'),
      })
      .step('fails', broken)
      .end();
    const { lab, run } = await beginAtWork(open, job, '10s');
    await lab.settle();
    expect([await run.status(), undone]).toEqual(['failed', [true]]);
  });

  test('but not when nobody had begun it: then nothing is called compensated', async () => {
    const undone: boolean[] = [];
    const job = charge(undone, {}, '7d');
    const lab = await open([job]);
    lab.engine.parts.worker?.abandon();
    const run = await lab.engine.start(job, null as never);
    await run.cancel({ saga: true });
    lab.crash();
    await lab.advance('1h');
    expect(undone).toEqual([]);
    expect(await run.inspect()).toMatchObject({ status: 'canceled', outcome: null });
  });
});

onEveryStore('a scope that failed and has begun to undo itself', (open) => {
  /** How two steps are undone: the second only at another try, a minute later. */
  function undos(diary: string[], name: string) {
    const late = ({ attempt }: { attempt: number }): void => {
      if (attempt === 1) throw new Error('not now');
      diary.push(`undo ${name}2`);
    };
    return {
      one: (): void => void diary.push(`undo ${name}1`),
      two: { do: late, retry: { maxAttempts: 3, delay: '1m' } },
    };
  }

  test('finishes though the race around it is won', async () => {
    const diary: string[] = [];
    const r = undos(diary, 'r');
    const job = flow('raced')
      .race('r', {
        a: (b) =>
          b.scope(
            's',
            (s) =>
              s
                .step('r1', () => 1, { undo: r.one })
                .step('r2', () => 2, { undo: r.two })
                .step('rx', broken),
            { saga: 'scope' },
          ),
        b: (b) => b.sleep('soon', '30s'),
      })
      .end();
    const { lab, run } = await begin(open, job, { for: '1h' });
    expect(diary).toEqual(['undo r2', 'undo r1']);
    expect(await run.inspect()).toMatchObject({ status: 'completed', undos: [], scopes: [] });
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test('finishes though a try around it catches something else', async () => {
    const diary: string[] = [];
    const y = undos(diary, 't');
    const job = flow('tried')
      .try(
        't',
        (t) =>
          t.parallel('p', {
            a: (b) =>
              b.scope(
                's',
                (s) =>
                  s
                    .step('t1', () => 1, { undo: y.one })
                    .step('t2', () => 2, { undo: y.two })
                    .step('tx', broken),
                { saga: 'scope' },
              ),
            b: (b) => b.sleep('soon', '30s').step('y', broken),
          }),
        { do: (c) => c.step('caught', () => void diary.push('caught')) },
      )
      .end();
    const { lab, run } = await begin(open, job, {
      for: '1h',
      chaos: { crashAfterEveryCommit: true },
    });
    expect(diary.filter((line) => line !== 'caught')).toEqual(['undo t2', 'undo t1']);
    expect(await run.status()).toBe('completed');
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test('finishes though another one is done first and fails the instance', async () => {
    const diary: string[] = [];
    const w = undos(diary, 'w');
    const job = flow('both', { saga: 'scope' })
      .step('before', () => 0, { undo: () => void diary.push('undo before') })
      .parallel('p', {
        a: (b) =>
          b.scope(
            's',
            (s) =>
              s
                .step('w1', () => 1, { undo: w.one })
                .step('w2', () => 2, { undo: w.two })
                .step('wx', broken),
            { saga: 'scope' },
          ),
        b: (b) =>
          b
            .sleep('soon', '10s')
            .scope('q', (s) =>
              s.step('b1', () => 1, { undo: () => void diary.push('undo b1') }).step('y', broken),
            ),
      })
      .end();
    const { lab, run } = await begin(open, job, { for: '1h' });
    expect(diary).toEqual(['undo b1', 'undo w2', 'undo w1']);
    const ending = { status: 'failed', outcome: 'compensated', undos: [] };
    expect(await run.inspect()).toMatchObject(ending);
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });
});

onEveryStore('a step of a pass that lost its race', (open) => {
  test('is undone as of that pass', async () => {
    const undone: (number | null)[] = [];
    const gates: Gate<string>[] = [];
    const job = flow('passes')
      .repeat('r', { times: 2 }, (r) =>
        r.race('race', {
          work: (b) =>
            b.step(
              'charge',
              () => {
                const gate = new Gate<string>();
                gates.push(gate);
                return gate.opened;
              },
              { undo: ({ index }) => void undone.push(index) },
            ),
          time: (b) => b.sleep('minute', '1m'),
        }),
      )
      .sleep('hour', '1h')
      .step('fails', broken)
      .end();
    const { lab, run } = await beginAtWork(open, job, '1m');
    await lab.tick('1m');
    for (const gate of gates) gate.open('late');
    await lab.settle();
    await lab.advance('2h');
    expect([await run.status(), undone.toSorted((a, b) => Number(a) - Number(b))]).toEqual([
      'failed',
      [0, 1],
    ]);
  });
});
