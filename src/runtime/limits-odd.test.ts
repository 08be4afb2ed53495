/** Limits where something comes in between: restarts, sagas, ids of one's own, other workers. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { LimitOptions } from '../frontends/builder/limit-options.ts';
import type { Flow } from '../model/definition.ts';
import { Booths } from '../testing/booths.ts';
import { type Lab, onEveryStore } from '../testing/lab.ts';

interface Order {
  readonly name: string;
  readonly customer?: string;
}

/** A flow of one step that sits in a booth. */
function sitting(booths: Booths, limit: LimitOptions, name = 'job'): Flow<Order> {
  return flow<Order>(name)
    .step('work', ({ input }) => booths.sit(input.name), { limit })
    .end();
}

/** What can happen without time passing has happened; handlers may be at work. */
function still(lab: Lab): Promise<void> {
  return lab.tick(0);
}

/** The worker gives back what it has, as where a process ends. */
async function closeWorker(lab: Lab): Promise<void> {
  const closing = lab.engine.parts.worker?.close(1);
  await lab.pass('1ms');
  await closing;
}

onEveryStore('a process that ends under a limit', (open) => {
  test('leaves no more begun within a time than may be', async () => {
    const booths = new Booths();
    const at: number[] = [];
    const job = flow<Order>('job')
      .step('work', ({ input }) => (at.push(lab.now), booths.sit(input.name)), {
        limit: { rate: { max: 1, per: '10s' } },
      })
      .end();
    const lab = await open([job]);
    for (const name of ['a', 'b', 'c']) await lab.engine.start(job, { name });
    for (let second = 0; second < 25; second += 1) await lab.tick('1s');
    expect(at).toHaveLength(3);
    await closeWorker(lab);
    const other = await lab.beside([job]);
    for (let second = 0; second < 35; second += 1) await other.tick('1s');
    expect(at).toHaveLength(6);
    const pauses = at.slice(1).map((moment, n) => moment - (at[n] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(10_000);
    await other.close();
  });

  test('lets what it had of a tenant go on though it was suspended meanwhile', async () => {
    const booths = new Booths();
    const job = sitting(booths, { concurrency: 2 });
    const lab = await open([job]);
    const run = await lab.engine.start(job, { name: 'a' }, { tenant: 't' });
    await still(lab);
    await run.suspend();
    await closeWorker(lab);
    const other = await lab.beside([job]);
    await (await other.engine.get(run.id))?.resume();
    await still(other);
    expect(booths.begun).toEqual(['a', 'a']);
    expect(await other.engine.check()).toMatchObject({ ok: true });
    await other.close();
  });
});

onEveryStore('room that becomes free', (open) => {
  test('is for whoever can use it, and not for the next of one whose own is used up', async () => {
    const booths = new Booths();
    const job = flow<Order>('job', { limit: { concurrency: 2 } })
      .step('work', ({ input }) => booths.sit(input.name), {
        limit: { concurrency: 1, by: 'input.customer' },
      })
      .end();
    const lab = await open([job]);
    for (const name of ['p1', 'q1', 'x1', 'x2', 'x3', 'x4', 'y1']) {
      await lab.engine.start(job, { name, customer: name.slice(0, 1) }, { id: name });
      await still(lab);
    }
    expect(booths.atWork).toEqual(['p1', 'q1']);
    for (const name of ['p1', 'q1']) {
      booths.letGo(name);
      await still(lab);
    }
    expect(booths.atWork).toEqual(['x1', 'y1']);
  });

  test('is for the oldest instance, whatever its id', async () => {
    const booths = new Booths();
    const job = sitting(booths, { concurrency: 1 });
    const lab = await open([job]);
    await lab.engine.start(job, { name: 'first' });
    await lab.tick('1ms');
    await lab.engine.start(job, { name: 'own' }, { id: 'zz-1' });
    await lab.tick('1ms');
    await lab.engine.start(job, { name: 'later' });
    await still(lab);
    booths.letGo('first');
    await still(lab);
    expect(booths.atWork).toEqual(['own']);
  });
});

onEveryStore('a tenant with a backlog', (open) => {
  test('has another worker begin at once what only that one has a handler for', async () => {
    const booths = new Booths();
    const work = (name: string): Flow<Order> =>
      flow<Order>(name)
        .step('work', ({ input }) => booths.sit(input.name))
        .end();
    const [slow, fast] = [work('slow'), work('fast')];
    const lab = await open([slow], { concurrency: 1 });
    const other = await lab.beside([fast]);
    for (let n = 0; n < 50; n += 1) {
      await lab.engine.start(slow, { name: `slow ${n}` }, { tenant: 't' });
    }
    await still(lab);
    await other.engine.start(fast, { name: 'fast' }, { tenant: 't' });
    await still(other);
    expect(booths.atWork).toContain('fast');
    await other.close();
  });
});

onEveryStore('a saga', (open) => {
  test('does not wait for room for what has not begun', async () => {
    const booths = new Booths();
    const seen: string[] = [];
    const job = flow<Order & { readonly fails: boolean }>('job')
      .step('book', () => 1, { undo: () => void seen.push('book') })
      .parallel('all', {
        a: (b) =>
          b.step('limited', ({ input }) => booths.sit(input.name), {
            limit: { concurrency: 1 },
            undo: () => void seen.push('limited'),
          }),
        b: (b) =>
          b.step('fails', ({ input }) => {
            if (input.fails) throw new Error('no');
          }),
      })
      .end();
    const lab = await open([job]);
    await lab.engine.start(job, { name: 'one', fails: false });
    await still(lab);
    const two = await lab.engine.start(job, { name: 'two', fails: true });
    await still(lab);
    await still(lab);
    expect(await two.inspect()).toMatchObject({ status: 'failed', outcome: 'compensated' });
    expect([booths.begun, seen]).toEqual([['one'], ['book']]);
    expect(await lab.engine.lanes.list()).toMatchObject([{ atWork: 1, waiting: 0 }]);
  });
});

onEveryStore('what waits in a lane for a handler that nobody has', (open) => {
  test('is shown as such, all of it', async () => {
    const booths = new Booths();
    const job = sitting(booths, { concurrency: 1 });
    const office = await open([job]);
    await closeWorker(office);
    for (const name of ['a', 'b', 'c']) await office.engine.start(job, { name }, { id: name });
    const other = await office.beside([sitting(booths, { concurrency: 1 }, 'another')]);
    await other.tick('11s');
    const { unserved } = await office.engine.check();
    expect(unserved.map(({ instance }) => instance).toSorted()).toEqual(['a', 'b', 'c']);
    await other.close();
  });
});
