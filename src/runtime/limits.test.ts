/** Limits by the engine, on every store: how many at a time, how many per time, and whose turn. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { LimitOptions } from '../frontends/builder/limit-options.ts';
import { chain } from '../frontends/chain/chain.ts';
import { completed } from '../frontends/chain/results.ts';
import type { Flow } from '../model/definition.ts';
import { Booths } from '../testing/booths.ts';
import { type Lab, onEveryStore } from '../testing/lab.ts';
import type { StartOptions } from './options.ts';

interface Order {
  readonly name: string;
  readonly customer?: string;
}

/** A flow of one step that sits in a booth. */
function sitting(booths: Booths, limit: LimitOptions, of: 'flow' | 'step' = 'step'): Flow<Order> {
  return flow<Order>('job', of === 'flow' ? { limit } : {})
    .step('work', ({ input }) => booths.sit(input.name), of === 'step' ? { limit } : {})
    .end();
}

/** What can happen without time passing has happened; handlers may be at work. */
function still(lab: Lab): Promise<void> {
  return lab.tick(0);
}

/** Who is at work once that one is let go. */
async function without(name: string, lab: Lab, booths: Booths): Promise<readonly string[]> {
  booths.letGo(name);
  await still(lab);
  return booths.atWork;
}

async function startAll(
  lab: Lab,
  job: Flow<Order>,
  names: readonly string[],
  options: (name: string) => StartOptions = () => ({}),
): Promise<void> {
  // Their ids are in order of their names, as ids are in order of time.
  for (const name of names) {
    const customer = name.slice(0, 1);
    await lab.engine.start(job, { name, customer }, { id: name, ...options(name) });
  }
  await still(lab);
}

onEveryStore('a limit of how many at a time', (open) => {
  test.each(['flow', 'step'] as const)('of a %s lets so many at work and no more', async (of) => {
    const booths = new Booths();
    const job = sitting(booths, { concurrency: 3 }, of);
    const lab = await open([job]);
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    await startAll(lab, job, names);
    expect(booths.atWork).toEqual(['a', 'b', 'c']);
    expect(await without('b', lab, booths)).toEqual(['a', 'c', 'd']);
    while (booths.begun.length < names.length) {
      booths.letAllGo();
      await still(lab);
      expect(booths.atWork.length).toBeLessThanOrEqual(3);
    }
    booths.letAllGo();
    await lab.settle();
    expect(booths.begun).toEqual(names);
    expect(await lab.engine.lanes.list()).toEqual([]);
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test('holds for two processes together', async () => {
    const booths = new Booths();
    const job = sitting(booths, { concurrency: 3 });
    const lab = await open([job]);
    const other = await lab.beside([job]);
    await startAll(lab, job, ['a', 'b', 'c', 'd']);
    await still(other);
    await startAll(other, job, ['e', 'f', 'g']);
    for (let done = 0; done < 7; done += 1) {
      expect(booths.atWork.length).toBe(Math.min(3, 7 - done));
      booths.letGo(booths.atWork[0] ?? '');
      for (const one of [lab, other, lab, other]) await still(one);
    }
    expect(booths.begun.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    await other.close();
  });

  test('of each customer is no limit of another', async () => {
    const booths = new Booths();
    const job = sitting(booths, { concurrency: 1, by: 'input.customer' });
    const lab = await open([job]);
    await startAll(lab, job, ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
    expect(booths.atWork).toEqual(['a1', 'b1', 'c1']);
    expect(await without('a1', lab, booths)).toEqual(['b1', 'c1', 'a2']);
    expect(await lab.engine.lanes.list()).toEqual([
      { name: 'step:job/work=a', concurrency: 1, rate: null, atWork: 1, waiting: 1 },
      { name: 'step:job/work=b', concurrency: 1, rate: null, atWork: 1, waiting: 1 },
      { name: 'step:job/work=c', concurrency: 1, rate: null, atWork: 1, waiting: 0 },
    ]);
  });

  test('of a flow is for all its steps together', async () => {
    const booths = new Booths();
    const wide = flow('wide', { limit: { concurrency: 2 } })
      .parallel('all', {
        x: (b) => b.step('x', () => booths.sit('x')),
        y: (b) => b.step('y', () => booths.sit('y')),
        z: (b) => b.step('z', () => booths.sit('z')),
      })
      .end();
    const lab = await open([wide]);
    await lab.engine.start(wide, null);
    await still(lab);
    expect(booths.atWork).toEqual(['x', 'y']);
    expect(await without('x', lab, booths)).toEqual(['y', 'z']);
  });

  test('lets instances that have begun end before others begin', async () => {
    const seen: string[] = [];
    const line = flow<Order>('line', { limit: { concurrency: 1 } })
      .step('one', ({ input }) => void seen.push(`${input.name} one`))
      .step('two', ({ input }) => void seen.push(`${input.name} two`))
      .end();
    const lab = await open([line]);
    for (const name of ['a', 'b']) await lab.engine.start(line, { name }, { id: name });
    await lab.settle();
    expect(seen).toEqual(['a one', 'a two', 'b one', 'b two']);
  });

  test('is free while a step waits to be tried again', async () => {
    const booths = new Booths();
    const job = flow<Order>('job')
      .step('work', ({ input, attempt }) => booths.sit(`${input.name}${attempt}`), {
        limit: { concurrency: 1 },
        retry: { maxAttempts: 2, delay: '10s' },
      })
      .end();
    const lab = await open([job]);
    await startAll(lab, job, ['a', 'b']);
    booths.letGo('a1', new Error('not now'));
    await still(lab);
    expect(booths.atWork).toEqual(['b1']);
    await lab.tick('10s');
    expect(booths.atWork).toEqual(['b1']);
    expect(await without('b1', lab, booths)).toEqual(['a2']);
  });

  test('holds for the steps of a chain, and for each type of them', async () => {
    const booths = new Booths();
    const line = chain<{ name: string }>('line', 1, ['FIRST', 'SECOND'], {
      steps: { SECOND: { limit: { concurrency: 1 } } },
    });
    const handlers = {
      FIRST: () => completed(),
      SECOND: async ({ context }: { context: { name: string } }) => {
        await booths.sit(context.name);
        return completed();
      },
    };
    const lab = await open([line], { handlers: handlers as never });
    for (const name of ['a', 'b']) await lab.engine.start(line, { name }, { id: name });
    await still(lab);
    // Which of the two came first to its second step is not for a limit to say.
    const [first = '', ...more] = booths.atWork;
    expect(more).toEqual([]);
    const other = first === 'a' ? 'b' : 'a';
    expect(await without(first, lab, booths)).toEqual([other]);
    booths.letGo(other);
    await lab.settle();
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test('is not for what is undone', async () => {
    const booths = new Booths();
    const seen: string[] = [];
    const job = flow<Order>('job', { limit: { concurrency: 1 } })
      .step('work', () => 1, { undo: ({ input }) => void seen.push(`${input.name} undone`) })
      .step('fail', () => Promise.reject(new Error('no')))
      .end();
    const busy = flow('busy', { limit: { concurrency: 1 } })
      .step('sit', () => booths.sit('busy'))
      .end();
    const lab = await open([job, busy]);
    await lab.engine.start(busy, null);
    await startAll(lab, job, ['a']);
    expect(seen).toEqual(['a undone']);
  });
});

onEveryStore('what waits in a lane', (open) => {
  test('says so, and who is before it', async () => {
    const booths = new Booths();
    const job = sitting(booths, { concurrency: 1 });
    const lab = await open([job]);
    await startAll(lab, job, ['a', 'b', 'c']);
    const viewOf = async (id: string) => (await lab.engine.get(id))?.inspect();
    expect(await viewOf('a')).toMatchObject({ status: 'running', held: [] });
    const held = { token: expect.any(Number), lane: 'step:job/work' };
    expect(await viewOf('b')).toMatchObject({ status: 'running', held: [{ ...held, ahead: 0 }] });
    expect(await viewOf('c')).toMatchObject({ status: 'running', held: [{ ...held, ahead: 1 }] });
    booths.letGo('a');
    await still(lab);
    expect(await viewOf('a')).toMatchObject({ status: 'completed', held: [] });
  });

  test('goes when it is cancelled, and others take its place', async () => {
    const booths = new Booths();
    const job = sitting(booths, { concurrency: 1 });
    const lab = await open([job]);
    await startAll(lab, job, ['a', 'b', 'c']);
    await (await lab.engine.get('b'))?.cancel();
    await (await lab.engine.get('a'))?.cancel();
    await still(lab);
    expect(booths.begun).toEqual(['a', 'c']);
  });

  test('is passed over while its instance is suspended, and waits again afterwards', async () => {
    const booths = new Booths();
    const job = sitting(booths, { concurrency: 1 });
    const lab = await open([job]);
    await startAll(lab, job, ['a', 'b', 'c']);
    await (await lab.engine.get('b'))?.suspend();
    expect(await without('a', lab, booths)).toEqual(['c']);
    await (await lab.engine.get('b'))?.resume();
    await still(lab);
    expect(booths.atWork).toEqual(['c']);
    expect(await without('c', lab, booths)).toEqual(['b']);
  });

  test('goes by priority: that of the step, and else that of the instance', async () => {
    const booths = new Booths();
    const job = sitting(booths, { concurrency: 1 });
    const lab = await open([job]);
    const priorities: Readonly<Record<string, number>> = { b: 1, c: 5, d: 5, e: 0 };
    await startAll(lab, job, ['a']);
    await startAll(lab, job, ['b', 'c', 'd', 'e'], (name) => {
      return { priority: priorities[name] ?? 0 };
    });
    for (const name of ['a', 'c', 'd', 'b', 'e']) {
      expect(booths.atWork).toEqual([name]);
      booths.letGo(name);
      await still(lab);
    }
  });

  test('takes turns with what others have: tenants in a lane that is for all', async () => {
    const booths = new Booths();
    const job = sitting(booths, { concurrency: 1 }, 'flow');
    const lab = await open([job]);
    const tenant = (name: string) => ({ tenant: name.slice(0, 1) });
    await startAll(lab, job, ['a1', 'a2', 'a3', 'a4', 'a5'], tenant);
    await startAll(lab, job, ['b1', 'b2', 'c1'], tenant);
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4', 'a5']) {
      expect(booths.atWork).toEqual([name]);
      booths.letGo(name);
      await still(lab);
    }
    expect(await lab.engine.lanes.list()).toEqual([]);
  });

  test('is beside what is under no limit by its priority alone', async () => {
    const booths = new Booths();
    const urgent = flow<Order>('urgent')
      .step('work', ({ input }) => booths.sit(input.name), {
        priority: 5,
        limit: { concurrency: 9 },
      })
      .end();
    const usual = flow<Order>('usual')
      .step('work', ({ input }) => booths.sit(input.name), { priority: 3 })
      .end();
    const lab = await open([urgent, usual], { concurrency: 1 });
    await startAll(lab, usual, ['a', 'b']);
    await startAll(lab, urgent, ['c']);
    expect(await without('a', lab, booths)).toEqual(['c']);
    expect(await without('c', lab, booths)).toEqual(['b']);
  });

  test('is found by a worker that comes later, if the one that left it there dies', async () => {
    const booths = new Booths();
    const job = sitting(booths, { concurrency: 2 });
    const lab = await open([job]);
    await startAll(lab, job, ['a', 'b', 'c', 'd']);
    lab.crash();
    await lab.tick('11s');
    expect(booths.begun.slice(2)).toEqual(['a', 'b']);
    booths.letAllGo();
    await still(lab);
    expect(booths.begun.slice(4)).toEqual(['c', 'd']);
  });

  test('was started with its limit in a process that has no code of it', async () => {
    const booths = new Booths();
    const job = sitting(booths, { concurrency: 1 });
    const lab = await open([job]);
    await startAll(lab, job, ['a', 'b']);
    const operator = await lab.beside([]);
    await (await operator.engine.get('a'))?.cancel();
    // Its own worker may be just looking: one does at a time.
    await still(operator);
    await still(lab);
    expect(booths.begun).toEqual(['a', 'b']);
    await operator.close();
  });
});

onEveryStore('a limit of how many per time', (open) => {
  /** When each began, in ms since the beginning. */
  async function begins(rate: LimitOptions['rate'], count: number): Promise<readonly number[]> {
    const at: number[] = [];
    const job = flow<Order>('job')
      .step('call', () => void at.push(lab.now), { limit: { ...(rate && { rate }) } })
      .end();
    const lab = await open([job]);
    const other = await lab.beside([job]);
    const since = lab.now;
    for (let n = 0; n < count; n += 1) {
      const { engine } = n % 2 === 0 ? lab : other;
      await engine.start(job, { name: `${n}` });
    }
    for (let second = 0; second < 10; second += 1) {
      await lab.advance('500ms');
      await other.settle();
      await lab.advance('500ms');
    }
    await other.close();
    return at.map((moment) => moment - since);
  }

  test('is kept by two processes on one database: so many in each window', async () => {
    const at = await begins({ max: 4, per: '1s' }, 14);
    expect(at).toEqual([
      ...[0, 0, 0, 0],
      ...[1_000, 1_000, 1_000, 1_000],
      ...[2_000, 2_000, 2_000, 2_000],
      ...[3_000, 3_000],
    ]);
  });

  test('holds for any time of that length, wherever it begins', async () => {
    const at: number[] = [];
    const job = flow<Order>('job')
      .step('call', () => void at.push(lab.now), { limit: { rate: { max: 3, per: '1s' } } })
      .end();
    const lab = await open([job]);
    const since = lab.now;
    const start = (name: string) => lab.engine.start(job, { name });
    await start('a');
    await lab.advance('900ms');
    for (const name of ['b', 'c', 'd', 'e', 'f']) await start(name);
    await lab.advance('5s');
    expect(at.map((moment) => moment - since)).toEqual([0, 900, 900, 1_000, 1_900, 1_900]);
  });
});
