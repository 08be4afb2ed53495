/** P4, when something comes in between: nothing of a transactional step is left, or all of it. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import { Till } from '../testing/postgres-till.ts';
import { Gate } from '../testing/stage.ts';
import { VirtualAlarm } from '../testing/virtual-alarm.ts';
import type { Run } from './run.ts';

const till = new Till();
beforeEach(() => till.open());
afterEach(() => till.close());
afterAll(() => till.drop());

/** The first execution puts an entry in and rests until the test lets it go on. */
class Paused {
  readonly entered: Gate = new Gate();
  readonly goOn: Gate = new Gate();
  readonly ran: number[] = [];
  /** What happened to the first after it went on. */
  readonly came: Gate<string> = new Gate();

  readonly job: Flow<null, number> = flow<null>('job')
    .step(
      'put',
      async ({ tx, attempt }) => {
        this.ran.push(attempt);
        await tx.query(till.put, [`execution ${this.ran.length}`]);
        if (this.ran.length > 1) return attempt;
        this.entered.open();
        await this.goOn.opened;
        try {
          await tx.query(till.put, ['late']);
          this.came.open('went on');
        } catch (thrown) {
          this.came.open(String(thrown));
          throw thrown;
        }
        return attempt;
      },
      { transactional: true },
    )
    .end(({ results }) => results.put);
}

async function dropped(run: Run): Promise<readonly string[]> {
  const entries = await run.history({ notes: true });
  return entries.flatMap(({ dropped: note }) => note?.reason ?? []);
}

/** The note is written after everything else. */
async function noted(run: Run): Promise<readonly string[]> {
  for (;;) {
    const notes = await dropped(run);
    if (notes.length > 0) return notes;
  }
}

describe('a handler that is past its time', () => {
  function hanging(seconds: number): Flow<null> {
    return flow<null>('job')
      .step(
        'put',
        async ({ tx, attempt }) => {
          await tx.query(`lock table ${till.schema}.till in exclusive mode`);
          await tx.query(till.put, [`attempt ${attempt}`]);
          if (attempt === 1) await tx.query('select pg_sleep($1)', [seconds]);
        },
        { transactional: true, timeout: '300ms', retry: { maxAttempts: 2, delay: 1 } },
      )
      .end();
  }

  test('leaves nothing, and its statement holds nobody up', async () => {
    const engine = await till.engine([hanging(600)]);
    const begin = performance.now();
    const runs = await Promise.all([1, 2, 3].map(() => engine.start('job', null)));
    await Promise.all(runs.map((run) => run.result()));
    expect(await till.entries()).toEqual(['attempt 2', 'attempt 2', 'attempt 2']);
    // Nobody waited for the statement, nor for the locks it held: it was stopped.
    expect(performance.now() - begin).toBeLessThan(20_000);
  });

  test('and lives on can do no more', async () => {
    const paused = new Paused();
    const { entered, goOn, came } = paused;
    const job = flow<null>('job')
      .step(
        'put',
        async ({ tx }) => {
          await tx.query(till.put, ['a']);
          entered.open();
          await goOn.opened;
          await tx.query(till.put, ['late']).then(
            () => came.open('went on'),
            (error: unknown) => came.open(String(error)),
          );
        },
        { transactional: true, timeout: '100ms' },
      )
      .end();
    const run = await (await till.engine([job])).start(job, null);
    await entered.opened;
    await expect(run.result()).rejects.toMatchObject({
      details: { fault: { code: 'step.timeout' } },
    });
    goOn.open();
    await expect(came.opened).resolves.toContain('the transaction is over');
    expect(await till.entries()).toEqual([]);
  });
});

describe('a step that nobody waits for any more', () => {
  test('because its lease was lost leaves nothing but a note', async () => {
    const { job, entered, goOn, ran } = new Paused();
    const time = new VirtualAlarm(Date.UTC(2026, 0));
    const clock = (): number => time.now;
    // The alarms of the first never ring, and it has its hands full: it is stalled.
    const full = { worker: { concurrency: 1 }, alarm: new VirtualAlarm(0) };
    const stalled = await till.engine([job], { clock, ...full });
    const run = await stalled.start(job, null);
    await entered.opened;
    time.now += 20_000;
    const other = await till.engine([job], { clock, alarm: time });
    // Slowly, so that no lease of the second is lost on the way.
    for (; ran.length < 2; await run.status()) time.moveTo(time.now + 100);
    expect(await (await other.get(run.id))?.result()).toBe(2);
    goOn.open();
    expect(await noted(run)).toEqual([expect.stringMatching(/lease lost|token gone/)]);
    expect(ran).toEqual([1, 2]);
    expect(await till.entries()).toEqual(['execution 2']);
    expect(await other.check()).toMatchObject({ ok: true });
    expect(await dropped(run)).toHaveLength(1);
  });

  test('because its instance was cancelled leaves nothing but a note', async () => {
    const { job, entered, goOn, ran } = new Paused();
    const engine = await till.engine([job]);
    const run = await engine.start(job, null);
    await entered.opened;
    await run.cancel();
    goOn.open();
    expect(await noted(run)).toEqual(['token gone']);
    expect(ran).toEqual([1]);
    expect(await till.entries()).toEqual([]);
    expect(await run.status()).toBe('canceled');
  });
});

describe('a connection that breaks', () => {
  test('while the handler runs has it run again, which is no other attempt', async () => {
    const { job, entered, goOn, ran, came } = new Paused();
    const proxy = await till.network();
    const engine = await till.engine([job], { url: proxy.url(till.url) });
    const run = await engine.start(job, null);
    await entered.opened;
    proxy.cut();
    goOn.open();
    expect(await run.result()).toBe(1);
    await expect(came.opened).resolves.toContain('onnection');
    expect(ran).toEqual([1, 1]);
    expect(await till.entries()).toEqual(['execution 2']);
    expect(await dropped(run)).toEqual([]);
  });

  test('before there is a transaction has it run when there is one', async () => {
    const { job, goOn } = new Paused();
    goOn.open();
    const proxy = await till.network();
    const engine = await till.engine([job], { url: proxy.url(till.url) });
    const before = till.log.lines.length;
    proxy.refuse();
    const starter = await till.engine([job], { worker: false });
    const run = await starter.start(job, null);
    proxy.cut();
    while (till.log.lines.length === before) await till.entries();
    proxy.accept();
    expect(await run.result()).toBe(1);
    expect(await engine.check()).toMatchObject({ ok: true });
  });

  test.each([
    ['and says so', false],
    ['and does not notice', true],
  ])('whenever the handler runs %s is taken for its fault in the end', async (_, isQuiet) => {
    let ran = 0;
    const job = flow<null>('job')
      .step(
        'put',
        async ({ tx }) => {
          ran += 1;
          const cut = tx.query('select pg_terminate_backend(pg_backend_pid())');
          await (isQuiet ? Promise.allSettled([cut]) : cut);
        },
        { transactional: true },
      )
      .end();
    const run = await (await till.engine([job])).start(job, null);
    await expect(run.result()).rejects.toMatchObject({ code: 'instance.failed' });
    expect(ran).toBe(11);
  });
});

describe('an engine that closes', () => {
  test('waits for a step in a transaction', async () => {
    const { job, entered, goOn } = new Paused();
    const engine = await till.engine([job]);
    await engine.start(job, null);
    await entered.opened;
    const closed = engine.close();
    goOn.open();
    await closed;
    expect(await till.entries()).toEqual(['execution 1', 'late']);
  });

  test('does not wait for ever, and what is left undone is free for others', async () => {
    const { job, entered } = new Paused();
    const engine = await till.engine([job], { poolSize: 3 });
    const run = await engine.start(job, null);
    // Those wait for a connection.
    await engine.start(job, null);
    await engine.start(job, null);
    await entered.opened;
    await engine.close({ timeout: 10 });
    expect(await till.entries()).toEqual([]);
    const other = await till.engine([job]);
    expect(await (await other.get(run.id))?.result()).toBe(1);
    while ((await till.entries()).length < 3) continue;
  });
});
