/** D15: an engine asks its store once per poll, and otherwise only for what is there. */
import { describe, expect, test } from 'vitest';
import { chain } from '../frontends/chain/chain.ts';
import { completed } from '../frontends/chain/results.ts';
import { flow } from '../frontends/builder/flow.ts';
import { onEveryStore } from '../testing/lab.ts';
import { Questions } from '../testing/questions.ts';
import { Gate, settled } from '../testing/stage.ts';
import { World } from '../testing/world.ts';

const naps = flow<null>('naps').sleep('nap', '10s').end();
const waits = flow<null>('waits').waitFor('w', { event: 'e', key: 'k' }).end();
const tells = flow<null>('tells').emit('tell', { type: 'news', key: 'n' }, { outbox: true }).end();
const child = flow<null>('child').end();
const calls = flow<null>('calls').call('c', child, null).end();
const linear = chain('linear', 1, ['WORK']);

onEveryStore('an engine with an outbox, schedules and chains', (open) => {
  test('makes at most two queries a second when it is idle', async () => {
    const questions = new Questions();
    const sent: string[] = [];
    const lab = await open([naps, waits, tells, calls, child, linear], {
      poll: '1s',
      handlers: { WORK: () => completed(), ELSEWHERE: () => completed() },
      outbox: { to: { news: ({ type }) => void sent.push(type) } },
      around: questions.around,
    });
    const { engine } = lab;
    await engine.schedule('daily', { every: '1d', flow: waits });
    for (const each of [waits, tells, calls]) await engine.start(each, null);
    await engine.start(linear, {});
    for (let n = 0; n < 20; n += 1) await engine.publish({ type: 'other', key: `${n}` });
    await lab.settle();
    expect(sent).toEqual(['news']);

    questions.counts();
    for (let second = 0; second < 60; second += 1) await lab.pass('1s');
    const { outlook, ...others } = questions.counts();
    expect(outlook).toBe(60);
    // Whether there are chains it has not heard of, letters that nobody here has a target for, and
    // once a minute that it is there.
    expect(others).toEqual({ links: 6, 'letters.list': 1, 'servers.put': 1 });
  });

  test('does what is left to it on time all the same', async () => {
    const questions = new Questions();
    const sent: number[] = [];
    const lab = await open([naps, tells], {
      poll: '1h',
      around: questions.around,
      outbox: {
        to: {
          news: ({ attempt }) => {
            sent.push(attempt);
            if (attempt < 3) throw new Error('not now');
          },
        },
        backoff: { base: '2s', max: '3s' },
      },
    });
    const run = await lab.engine.start(naps, null);
    await lab.engine.start(tells, null);
    await lab.pass(0);
    expect(sent).toEqual([1]);
    questions.counts();
    for (let second = 0; second < 12; second += 1) await lab.pass('1s');
    expect(sent).toEqual([1, 2, 3]);
    expect(await run.status()).toBe('completed');
    expect((await run.history()).at(-1)?.at).toBe(lab.now - 2_000);
    // When the next moment will be: of the letter before and after a send, and of the sleeper.
    expect(questions.counts().outlook).toBeLessThanOrEqual(6);
  });
});

describe('a worker that has more than it can do at once', () => {
  const SLOTS = 4;

  /** Whose steps run until the test lets one of them go. */
  async function busy(starter: 'itself' | 'another') {
    const world = new World();
    const questions = new Questions();
    const gates: Gate[] = [];
    const held = (): Promise<void> | undefined => gates[gates.push(new Gate()) - 1]?.opened;
    const job = flow<null>('job').step('work', held).end();
    const store = questions.to(world.store);
    const engine = await world.open([job, naps], { store, worker: { concurrency: SLOTS } });
    const office = await world.open([job], { worker: false });
    const from = starter === 'itself' ? engine : office;
    for (let n = 0; n < 200; n += 1) await from.start(job, null);
    await world.pass('1s');
    questions.counts();
    return { world, questions, gates, engine };
  }

  test.each(['itself', 'another'] as const)(
    'makes claims and nothing else, save one look per poll, for what %s has started',
    async (starter) => {
      const { world, questions, gates } = await busy(starter);
      for (let tenth = 0; tenth < 100; tenth += 1) {
        gates.shift()?.open();
        await world.pass(100);
      }
      const { outlook, claim, commit, renew, load = 0, ...others } = questions.counts();
      expect([outlook, claim, commit]).toEqual([10, 100, 100]);
      expect(renew).toBeLessThanOrEqual(4);
      expect(load).toBeLessThanOrEqual(100);
      expect(others).toEqual({});
    },
  );

  test('wakes who sleeps on time although every slot is taken', async () => {
    const { world, engine } = await busy('itself');
    const run = await engine.start(naps, null);
    await world.pass(9_999);
    expect(await run.status()).toBe('waiting');
    await world.pass(1);
    expect(await run.status()).toBe('completed');
  });
});

describe('what has nothing to do with a bell', () => {
  test('is not looked for when work becomes ready here', async () => {
    const world = new World();
    const questions = new Questions();
    const gate = new Gate();
    const pair = flow<null>('pair')
      .parallel('both', {
        a: (b) => b.step('a', () => gate.opened),
        b: (b) => b.step('b', () => gate.opened),
      })
      .end();
    const store = questions.to(world.store);
    const engine = await world.open([pair], { store, worker: { concurrency: 1, poll: '1d' } });
    await settled();
    questions.counts();
    const run = await engine.start(pair, null);
    await settled();
    gate.open();
    await settled();
    expect(await run.status()).toBe('completed');
    const { commit, load = 0, ...others } = questions.counts();
    // The second finds that nobody else waits.
    expect([commit, load <= 2, others]).toEqual([3, true, { claim: 2 }]);
  });
});
