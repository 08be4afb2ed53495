/** Maps by the engine, on every store: restarts, people, crashes (scenario 17; O-75..O-79). */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { broken, type Diary, undone } from '../testing/diary.ts';
import { fragile, isSound, tokenAt } from '../testing/fragile.ts';
import { begin, onEveryStore, type OpenLab } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';
import { replay } from './replay.ts';
import type { Run } from './run.ts';

const letters = ['a', 'b', 'c'] as const;

/** Each letter is asked for, and what is answered comes back with it. */
function asking(limit: number) {
  return flow('asking')
    .map('each', { over: [...letters, 'd'], limit }, (b) =>
      b
        .step('ask', ({ item, index }) => `${item}${index}?`)
        .waitFor('answer', { event: 'answer', key: ({ item }) => item })
        .step('thank', ({ item, results }) => [item, results.ask, results.answer]),
    )
    .end(({ results }) => results.each);
}

const answered = letters.map((letter, index) => [letter, `${letter}${index}?`, `${letter}!`]);
const all = [...answered, ['d', 'd3?', 'd!']];

async function waitersOf(run: Run): Promise<readonly number[]> {
  return (await run.tokens()).filter(({ node }) => node === 'answer').map(({ id }) => id);
}

onEveryStore('a map', (open) => {
  test('O-75 O-76 O-78: items pause, the engine restarts, and each goes on by itself', async () => {
    const job = asking(2);
    const { lab, run } = await begin(open, job);
    const { engine } = lab;
    expect(await waitersOf(run)).toHaveLength(2);
    await engine.publish({ type: 'answer', key: 'b', data: 'b!' });
    await lab.settle();
    const other = await lab.beside([job]);
    lab.crash();
    await other.engine.publish({ type: 'answer', key: 'c', data: 'c!' });
    await other.settle();
    expect(await waitersOf(run)).toHaveLength(2);
    for (const key of ['d', 'a']) {
      await engine.publish({ type: 'answer', key, data: `${key}!` });
      await lab.settle();
    }
    expect(await run.result()).toEqual(all);
    await other.close();
    await isSound(lab);
  });

  test('a crash after every commit, and commits handed over twice, change nothing', async () => {
    for (const chaos of [{ crashAfterEveryCommit: true }, { duplicateDeliveries: true }]) {
      const job = flow('chaos')
        .map('each', { over: [1, 2, 3, 4, 5], limit: 2 }, (b) =>
          b
            .step('double', ({ item }) => item * 2)
            .step('more', ({ results }) => results.double + 1),
        )
        .end(({ results }) => results.each);
      const { lab, run } = await begin(open, job, { chaos, for: '1h' });
      expect(await run.result()).toEqual([3, 5, 7, 9, 11]);
      await isSound(lab);
    }
  });

  test('so many are at work at a time, and never more', async () => {
    let [now, most] = [0, 0];
    const gates = new Map<number, Gate<null>>();
    const job = flow('busy')
      .map('each', { over: [0, 1, 2, 3, 4, 5, 6], limit: 3 }, (b) =>
        b.step('work', async ({ item }) => {
          most = Math.max(most, ++now);
          const gate = new Gate<null>();
          gates.set(item, gate);
          await gate.opened;
          now -= 1;
          return item;
        }),
      )
      .end(({ results }) => results.each);
    const lab = await open([job]);
    const run = await lab.engine.start(job, null);
    for (let item = 0; item < 7; item += 1) {
      await lab.tick(0);
      expect(now).toBe(Math.min(3, 7 - item));
      // The youngest first: the last of those that have begun.
      const [youngest, gate] = [...gates].at(-1) ?? [0, new Gate<null>()];
      gates.delete(youngest);
      gate.open(null);
    }
    await lab.tick(0);
    expect([await run.result(), most]).toEqual([[0, 1, 2, 3, 4, 5, 6], 3]);
    await isSound(lab);
  });

  test('O-77: the first that fails fails it, in turn the later never begin', async () => {
    const ran: string[] = [];
    const job = flow('failing')
      .map('each', { over: letters, mode: 'sequential' }, (b) =>
        b.step('work', ({ item }) => (ran.push(item), item === 'b' ? broken() : item)),
      )
      .end();
    const { lab, run } = await begin(open, job);
    await expect(run.result()).rejects.toMatchObject({ code: 'instance.failed' });
    expect([ran, (await run.inspect()).fault]).toMatchObject([
      ['a', 'b'],
      { code: 'broken', node: 'work' },
    ]);
    await isSound(lab);
  });

  test('a failed item of one at once takes the others along, and a handler is told', async () => {
    const [gate, told] = [new Gate<null>(), new Gate<null>()];
    const job = flow('failing')
      .map('each', { over: [1, 2] }, (b) =>
        b.step('work', async ({ item, signal }) => {
          if (item === 1) await gate.opened.then(broken);
          signal.addEventListener('abort', () => told.open(null));
          await told.opened;
        }),
      )
      .end();
    const lab = await open([job]);
    const run = await lab.engine.start(job, null);
    await lab.tick(0);
    gate.open(null);
    await told.opened;
    await lab.tick(0);
    expect(await run.status()).toBe('failed');
    await isSound(lab);
  });

  test('with saga scope each failed item is undone before its error is kept', async () => {
    const diary: Diary = [];
    const job = flow('trips')
      .map('each', { over: letters, limit: 2, onError: 'collect', saga: 'scope' }, (b) =>
        b
          .step('hotel', ({ item }) => `hotel ${item}`, {
            undo: ({ item, index, result }) => void diary.push(`undo ${index} ${item} ${result}`),
          })
          .step('car', ({ item }) => (item === 'a' ? `car ${item}` : broken())),
      )
      .end(({ results }) => results.each);
    const { lab, run } = await begin(open, job);
    const reason = { code: 'broken', message: 'broken', node: 'car' };
    expect(await run.result()).toMatchObject([
      { status: 'fulfilled', value: 'car a' },
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
    expect(undone(diary).toSorted()).toEqual(['undo 1 b hotel b', 'undo 2 c hotel c']);
    await isSound(lab);
  });

  test('what its items did is undone newest first, each with its own item', async () => {
    const diary: Diary = [];
    const job = flow('trips')
      .map('each', { over: letters, mode: 'sequential' }, (b) =>
        b.step('hotel', ({ item }) => item, {
          undo: ({ item, index, result }) => void diary.push(`undo ${index} ${item} ${result}`),
        }),
      )
      .step('last', broken)
      .end();
    const { lab, run } = await begin(open, job, { for: '1d' });
    expect(await run.inspect()).toMatchObject({ status: 'failed', outcome: 'compensated' });
    expect(diary).toEqual(['undo 2 c c', 'undo 1 b b', 'undo 0 a a']);
    await isSound(lab);
  });

  test('until ends it early, and what is at work in other items ends', async () => {
    const job = flow('first-yes')
      .map('each', { over: letters, until: ({ results }) => results['answer'] === 'yes' }, (b) =>
        b.waitFor('answer', { event: 'answer', key: ({ item }) => item }),
      )
      .end(({ results }) => results.each);
    const { lab, run } = await begin(open, job);
    await lab.engine.publish({ type: 'answer', key: 'c', data: 'no' });
    await lab.settle();
    await lab.engine.publish({ type: 'answer', key: 'b', data: 'yes' });
    await lab.settle();
    expect(await run.result()).toEqual(['yes', 'no']);
    await isSound(lab);
  });

  test('a map of 2,500 items takes several commits and loses none', {
    timeout: 60_000,
  }, async () => {
    const numbers = Array.from({ length: 2_500 }, (_, index) => index);
    const job = flow('many')
      .map('each', { over: () => numbers }, (b) => b.set('next', ({ item }) => item + 1))
      .end(({ results }) => results.each);
    const { lab, run } = await begin(open, job);
    expect(await run.result()).toEqual(numbers.map((number) => number + 1));
    expect((await run.history()).length).toBeGreaterThan(4);
    await isSound(lab);
  });

  test('cancelled while items are at work ends them all', async () => {
    const { lab, run } = await begin(open, asking(3));
    await run.cancel();
    expect(await run.inspect()).toMatchObject({ status: 'canceled', tokens: [] });
    await lab.engine.publish({ type: 'answer', key: 'a', data: 'late' });
    await lab.settle();
    await isSound(lab);
  });

  test('suspended it begins no item, and goes on where it was', async () => {
    const { lab, run } = await begin(open, asking(1));
    await run.suspend();
    await lab.engine.publish({ type: 'answer', key: 'a', data: 'a!' });
    await lab.settle();
    expect(await waitersOf(run)).toHaveLength(1);
    await run.resume();
    await lab.settle();
    for (const key of ['b', 'c', 'd']) {
      await lab.engine.publish({ type: 'answer', key, data: `${key}!` });
      await lab.settle();
    }
    expect(await run.result()).toEqual(all);
    await isSound(lab);
  });
});

async function wakeAll(lab: Awaited<ReturnType<OpenLab>>, run: Run): Promise<void> {
  for (let waiters = await waitersOf(run); waiters.length > 0; waiters = await waitersOf(run)) {
    const [token = 0] = waiters;
    const { scopes } = await run.inspect();
    const own = (await run.tokens()).find(({ id }) => id === token)?.scope;
    const item = scopes.find(({ id }) => id === own)?.item;
    await run.wake(token, `${item as string}!`);
    await lab.settle();
  }
}

onEveryStore('people and a map', (open) => {
  test('O-79: wake each item by its number, and never the map itself', async () => {
    const { lab, run } = await begin(open, asking(2));
    for (const node of ['each', 'each/:item']) {
      await expect(run.wake(await tokenAt(run, node))).rejects.toMatchObject({
        code: 'operation.refused',
      });
    }
    await wakeAll(lab, run);
    expect(await run.result()).toEqual(all);
    await isSound(lab);
  });

  test('skip the map, or what is at work in an item, and not what runs the items', async () => {
    const { lab, run } = await begin(open, asking(1));
    await expect(run.skip(await tokenAt(run, 'each/:item'))).rejects.toMatchObject({
      code: 'operation.refused',
    });
    await run.skip(await tokenAt(run, 'answer'), 'skipped');
    await lab.settle();
    expect(await waitersOf(run)).toHaveLength(1);
    await run.skip(await tokenAt(run, 'each'), []);
    await lab.settle();
    expect(await run.result()).toEqual([]);
    await isSound(lab);
  });

  test.each(['each', 'ask', 'answer', 'thank'])(
    'rerun from "%s" loses and doubles none',
    async (node) => {
      const job = asking(2);
      const { lab, run } = await begin(open, job);
      const [first = 0] = await waitersOf(run);
      await run.wake(first, 'a!');
      await lab.settle();
      // In the middle, when everything is over, and as another instance.
      for (const copy of [false, false, true]) {
        const again = await run.rerun(node, { copy });
        await lab.settle();
        await wakeAll(lab, again);
        expect(await again.result()).toEqual(all);
      }
      await isSound(lab);
    },
  );

  test.each([1, 2, 3])('revive what failed in an item, with %s at a time', async (limit) => {
    const { state, work } = fragile();
    const job = flow('fragile')
      .map('each', { over: letters, limit }, (b) =>
        b
          .step('before', ({ item }) => item)
          .step('work', (context) => (context.item === 'b' ? work(context) : 'fine'))
          .set('after', ({ item, results }) => [item, results.before, results.work]),
      )
      .end(({ results }) => results.each);
    const { lab, run } = await begin(open, job);
    expect(await run.status()).toBe('failed');
    state.mended = true;
    await run.revive();
    await lab.settle();
    expect(await run.result()).toEqual([
      ['a', 'a', 'fine'],
      ['b', 'b', 'worked'],
      ['c', 'c', 'fine'],
    ]);
    await isSound(lab);
  });

  test('bring it to another version, with another limit and another name', async () => {
    const two = flow('asking', { version: 2 })
      .map('all', { over: ['x'], limit: 4, collect: ({ item }) => `v2 ${item}` }, (b) =>
        b
          .step('ask', () => 'never')
          .waitFor('answer', { event: 'answer', key: ({ item }) => item })
          .step('thank', () => null),
      )
      .end(({ results }) => results.all);
    const one = asking(1);
    const lab = await open([one, two]);
    const run = await lab.engine.start(one, null);
    await lab.settle();
    await wakeOne(run, 'a!');
    await lab.settle();
    await run.migrate({ version: 2, nodes: { each: 'all' } });
    await wakeOne(run, 'b!');
    await lab.settle();
    expect(await waitersOf(run)).toHaveLength(2);
    await wakeAll(lab, run);
    expect(await run.result()).toEqual([all[0], 'v2 b', 'v2 c', 'v2 d']);
    await isSound(lab);
  });

  test('look at any commit of it, export it and replay it', async () => {
    const { lab, run } = await begin(open, asking(2));
    await wakeAll(lab, run);
    const shown = replay(JSON.stringify(await run.export()));
    const commits = (await run.history()).length;
    for (let n = 1; n <= commits; n += 1) {
      const at = await run.at(n);
      expect(shown.at(n)).toEqual(at);
      const running = at.scopes.filter(({ node }) => node === 'each/:item').length;
      expect(running).toBeLessThanOrEqual(2);
    }
    expect(await run.result()).toEqual(all);
    await isSound(lab);
  });
});

async function wakeOne(run: Run, data: string): Promise<void> {
  await run.wake(await tokenAt(run, 'answer'), data);
}
