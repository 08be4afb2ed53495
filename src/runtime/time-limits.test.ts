/** Time limits of steps: `timeout` for one attempt, `deadline` for all of them together. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { begin, onEveryStore } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';

onEveryStore('a step with a timeout', (open) => {
  test('is told, fails as step.timeout, and its late answer changes nothing', async () => {
    const gate = new Gate<string>();
    const told: unknown[] = [];
    const job = flow('slow')
      .step(
        'work',
        async ({ signal }) => {
          signal.addEventListener('abort', () => told.push(signal.reason));
          return gate.opened;
        },
        { timeout: '30s' },
      )
      .end();
    const { lab, run } = await begin(open, job, { for: '29s' });
    expect(await run.status()).toBe('running');
    await lab.advance('2s');
    const { fault, version } = await run.inspect();
    expect(fault).toMatchObject({ code: 'step.timeout', node: 'work' });
    expect(fault?.message).toContain('30000 ms');
    expect(String(told[0])).toContain('took longer');
    gate.open('too late');
    await lab.settle();
    expect((await run.inspect()).version).toBe(version);
  });

  test('is run again as its policy says, each attempt with its own time', async () => {
    const starts: number[] = [];
    const job = flow('again')
      .step(
        'work',
        ({ attempt }) => {
          starts.push(lab.now);
          return attempt < 3 ? new Gate<string>().opened : 'done';
        },
        { timeout: '10s', retry: { maxAttempts: 3, delay: '5s' } },
      )
      .end();
    const lab = await open([job]);
    const run = await lab.engine.start(job, null);
    await lab.advance('1h');
    expect(await run.result()).toEqual({ work: 'done' });
    expect(starts.map((at) => at - (starts[0] ?? 0))).toEqual([0, 15_000, 30_000]);
  });

  test('keeps its lease for as long as it may take', async () => {
    const gate = new Gate<string>();
    const job = flow('long')
      .step('work', () => gate.opened, { timeout: '2m' })
      .end();
    const { lab, run } = await begin(open, job, { for: '100s' });
    gate.open('in time');
    await lab.settle();
    expect(await run.result()).toEqual({ work: 'in time' });
    expect(await run.history()).toHaveLength(2);
  });

  test('that can be undone is in doubt after it, and is undone as such', async () => {
    const undone: unknown[] = [];
    const job = flow('doubt')
      .step('work', () => new Gate<string>().opened, {
        timeout: '30s',
        undo: ({ inDoubt, result }) => void undone.push([inDoubt, result]),
      })
      .end();
    const { run } = await begin(open, job, { for: '1h' });
    expect(undone).toEqual([[true, null]]);
    expect(await run.inspect()).toMatchObject({
      status: 'failed',
      outcome: 'compensated',
      fault: { code: 'step.timeout' },
    });
  });

  test('is caught by its code', async () => {
    const job = flow('caught')
      .try('t', (t) => t.step('work', () => new Gate<string>().opened, { timeout: '1s' }), {
        catch: { errors: ['step.timeout'] },
        do: (c) => c.step('note', ({ results }) => results.t.code),
      })
      .end();
    const { run } = await begin(open, job, { for: '1m' });
    expect(await run.result()).toMatchObject({ note: 'step.timeout' });
  });
});

onEveryStore('a step with a deadline', (open) => {
  test('is not tried again past it: what failed last is what it failed with', async () => {
    let runs = 0;
    const job = flow('tries')
      .step(
        'work',
        () => {
          runs += 1;
          throw new Error(`no ${runs}`);
        },
        { deadline: '25s', retry: { maxAttempts: 100, delay: '10s' } },
      )
      .end();
    const { lab, run } = await begin(open, job, { for: '1h' });
    // At 0, 10 and 20 seconds; the next would have been at 30.
    expect(runs).toBe(3);
    expect((await run.inspect()).fault).toMatchObject({ code: 'handler.threw', message: 'no 3' });
    expect((await run.inspect()).endedAt).toBe(lab.now - 3_600_000 + 20_000);
  });

  test('ends the attempt that runs into it, and that is the last', async () => {
    let runs = 0;
    const job = flow('hangs')
      .step(
        'work',
        () => {
          runs += 1;
          return new Gate<string>().opened;
        },
        { deadline: '25s', timeout: '10s', retry: { maxAttempts: 100, delay: 0 } },
      )
      .end();
    const { run } = await begin(open, job, { for: '1h' });
    expect(runs).toBe(3);
    expect((await run.inspect()).fault?.code).toBe('step.deadline');
  });

  test('is not begun once it is over', async () => {
    let runs = 0;
    const job = flow('queued')
      .step('work', () => (runs += 1), { deadline: '1m' })
      .end();
    const lab = await open([job]);
    lab.engine.parts.worker?.abandon();
    const run = await lab.engine.start(job, null);
    await lab.tick('2m');
    lab.crash();
    await lab.settle();
    expect(runs).toBe(0);
    expect((await run.inspect()).fault?.code).toBe('step.deadline');
  });
});

onEveryStore('the "when" of a retry policy', (open) => {
  async function runs(when: (error: Error & { code?: string }) => boolean, thrown: unknown) {
    let count = 0;
    const job = flow('asks')
      .step(
        'work',
        () => {
          count += 1;
          throw thrown;
        },
        { retry: { maxAttempts: 3, delay: 0, when } },
      )
      .end();
    const { lab, run } = await begin(open, job);
    return { count, fault: (await run.inspect()).fault, log: lab.log.lines };
  }

  class Busy extends Error {
    readonly code = 'busy';
  }

  test('is asked about the very error that was thrown', async () => {
    const said = await runs((error) => error instanceof Busy && error.code === 'busy', new Busy());
    expect([said.count, said.fault?.code]).toEqual([3, 'busy']);
    expect((await runs((error) => error instanceof Busy, new Error('other'))).count).toBe(1);
  });

  test('is given an error even if something else was thrown', async () => {
    const { count } = await runs((error) => error.message === 'text', 'text');
    expect(count).toBe(3);
  });

  test('if it throws itself, there is no retry, and what failed is told as it was', async () => {
    const { count, fault, log } = await runs(() => {
      throw new Error('oops');
    }, new Error('down'));
    expect([count, fault?.message]).toEqual([1, 'down']);
    expect(log).toContainEqual(expect.objectContaining({ level: 'warn' }));
  });
});

onEveryStore('a step at work in an instance that is suspended', (open) => {
  const limits = [{ timeout: '30s' }, { deadline: '30s' }] as const;

  test.each(limits)('has its %o stand still, and is kept if it is done by then', async (limit) => {
    const gate = new Gate<string>();
    const job = flow('slow')
      .step('work', () => gate.opened, limit)
      .end();
    const { lab, run } = await begin(open, job, { for: '20s' });
    await run.suspend();
    await lab.advance('2m');
    gate.open('in time');
    await lab.settle();
    expect(await run.status()).toBe('suspended');
    await run.resume();
    await lab.settle();
    expect(await run.result()).toEqual({ work: 'in time' });
  });

  test.each(limits)('has what was left of its %o once it goes on', async (limit) => {
    const job = flow('slow')
      .step('work', () => new Gate<string>().opened, limit)
      .end();
    const { lab, run } = await begin(open, job, { for: '20s' });
    await run.suspend();
    await lab.advance('2m');
    await run.resume();
    await lab.advance('9s');
    expect(await run.status()).toBe('running');
    await lab.advance('3s');
    expect(await run.status()).toBe('failed');
    expect((await run.inspect()).fault?.code).toMatch(/^step\.(timeout|deadline)$/);
  });
});
