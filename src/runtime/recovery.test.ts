/** What a restart finds and does, on every store (B-80..B-87). */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import { Dice } from '../testing/dice.ts';
import { type Begun, onEveryStore, type OpenLab } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';
import { Fatal } from './fatal.ts';

/** A process that dies while its first handler is at work, and the next one. */
async function crashed(open: OpenLab, job: Flow): Promise<Begun> {
  const lab = await open([job]);
  const run = await lab.engine.start(job, null as never);
  await lab.tick(0);
  lab.crash();
  return { lab, run };
}

onEveryStore('after a crash', (open) => {
  test('B-80: instance, token, timer, post and undo are rows: nothing is lost', async () => {
    const told: string[] = [];
    const hearer = flow('hearer').waitFor('news', { event: 'news' }).end();
    const job = flow('job')
      .step('a', () => 'a', { undo: ({ result }) => void told.push(`undo ${result}`) })
      .emit('tell', { type: 'news', key: 'h', data: 'told' })
      .sleep('nap', '1h')
      .step('b', () => Promise.reject(new Fatal('no')))
      .end();
    const lab = await open([job, hearer], { chaos: { crashAfterEveryCommit: true } });
    const heard = await lab.engine.start(hearer, null, { key: 'h' });
    const run = await lab.engine.start(job, null);
    await lab.advance('2h');
    expect(await heard.result()).toEqual({ news: 'told' });
    expect(told).toEqual(['undo a']);
    expect(await run.inspect()).toMatchObject({ status: 'failed', outcome: 'compensated' });
  });

  test('B-81 B-83: what was executing runs again, with one attempt more', async () => {
    const attempts: number[] = [];
    const job = flow('job')
      .step('work', ({ attempt }) => {
        attempts.push(attempt);
        return attempt === 1 ? new Gate<string>().opened : 'done';
      })
      .end();
    const { lab, run } = await crashed(open, job);
    await lab.advance('1m');
    expect([await run.result(), attempts]).toEqual([{ work: 'done' }, [1, 2]]);
    const changes = (await run.history()).flatMap((entry) => entry.changes);
    expect(changes).toContainEqual(
      expect.objectContaining({ did: 'recover-token', error: expect.anything() }),
    );
  });

  test('B-82: what was ready is run, what waits is left alone', async () => {
    const job = flow('job')
      .parallel('p', {
        a: (b) => b.step('ready', () => 'ran'),
        b: (b) => b.waitFor('word', { event: 'word' }),
      })
      .end();
    const lab = await open([job]);
    lab.engine.parts.worker?.abandon();
    const run = await lab.engine.start(job, null, { key: 'k' });
    lab.crash();
    await lab.settle();
    expect((await run.tokens()).filter(({ wait }) => wait?.on === 'message')).toHaveLength(1);
    expect((await run.tokens()).some(({ status }) => status === 'ready')).toBe(false);
  });

  test('B-42 B-84: an overdue timer fires at once, another at its time', async () => {
    const job = flow<string>('job')
      .sleep('nap', ({ input }) => input)
      .end();
    const lab = await open([job]);
    const short = await lab.engine.start(job, '1m');
    const long = await lab.engine.start(job, '3h');
    lab.engine.parts.worker?.abandon();
    await lab.tick('2h');
    lab.crash();
    await lab.settle();
    expect([await short.status(), await long.status()]).toEqual(['completed', 'waiting']);
    await lab.advance('59m');
    expect(await long.status()).toBe('waiting');
    await lab.advance('1m');
    expect(await long.status()).toBe('completed');
  });

  test('B-84: what was posted and not carried is carried', async () => {
    const child = flow<number>('child').end(({ input }) => input + 1);
    const job = flow('job').call('c', child, 1).end();
    const lab = await open([job]);
    lab.engine.parts.worker?.abandon();
    const run = await lab.engine.start(job, null);
    expect(await lab.store.posts(10)).toMatchObject([{ post: { do: 'start' } }]);
    lab.crash();
    await lab.settle();
    expect(await run.result()).toEqual({ c: 2 });
  });

  test('B-87: a result whose lease is gone is dropped, not guessed at', async () => {
    const gates: Gate<string>[] = [];
    const job = flow('job')
      .step('work', () => {
        const gate = new Gate<string>();
        gates.push(gate);
        return gate.opened;
      })
      .end();
    const { lab, run } = await crashed(open, job);
    await lab.tick('11s');
    await lab.tick(0);
    expect(gates).toHaveLength(2);
    gates[0]?.open('from the dead');
    gates[1]?.open('alive');
    await lab.settle();
    expect(await run.result()).toEqual({ work: 'alive' });
  });
});

onEveryStore('B-86: killed again and again at random', (open) => {
  test.each([1, 2, 3, 4, 5, 6])(
    'it ends as it must, and nothing is lost (seed %i)',
    async (seed) => {
      const dice = new Dice(seed);
      const undone: string[] = [];
      const step = (name: string) => () => {
        if (dice.roll(3) === 0) lab.crash();
        return name;
      };
      const undo = ({ result }: { result: string }): void => {
        if (dice.roll(3) === 0) lab.crash();
        undone.push(result);
      };
      const fails = seed % 2 === 0;
      const job = flow('job')
        .step('a', step('a'), { undo })
        .parallel('p', {
          x: (b) =>
            b.step('b', step('b'), { undo }).sleep('s', '1m').step('c', step('c'), { undo }),
          y: (b) => b.step('d', step('d'), { undo }),
        })
        .choose(
          'end',
          { bad: { when: () => fails, do: (b) => b.fail('f', { code: 'bad' }) } },
          {
            otherwise: (b) => b,
          },
        )
        .end();
      const lab = await open([job], { limits: { CRASHES_MAX: 1_000 } });
      const run = await lab.engine.start(job, null);
      await lab.advance('1d');
      const view = await run.inspect();
      expect(view.status).toBe(fails ? 'failed' : 'completed');
      expect([...new Set(undone)].toSorted()).toEqual(fails ? ['a', 'b', 'c', 'd'] : []);
      expect(await lab.engine.check()).toMatchObject({ ok: true });
    },
  );
});
