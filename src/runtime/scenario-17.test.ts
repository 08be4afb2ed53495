/**
 * Scenario 17 on every store: a map of three whose middle item pauses; a restart; an item that
 * fails; items at the same time that end in another order than they began (O-75..O-79).
 */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Run } from './run.ts';
import { onEveryStore } from '../testing/lab.ts';
import { Restarts } from '../testing/restarts.ts';

const begun: number[] = [];

function mapOf(mode: 'sequential' | 'parallel', fails: number | null) {
  return flow<null>(`${mode}-${fails}`)
    .map('each', { over: [10, 20, 30], mode }, (b) =>
      b
        .step('before', ({ index }) => {
          begun.push(index);
          if (index === fails) throw new Error('no');
          return null;
        })
        .choose(
          'middle',
          {
            yes: {
              when: ({ index }) => index === 1,
              do: (arm) => arm.waitFor('go', { event: 'go', key: 'k' }),
            },
          },
          { otherwise: (arm) => arm },
        )
        .step('after', ({ item, results }) => ({ item, told: results.go ?? null })),
    )
    .end(({ results }) => results.each);
}

async function pausedAt(run: Run): Promise<number> {
  const token = (await run.tokens()).find(({ wait }) => wait?.on === 'message');
  if (token === undefined) throw new Error('nobody waits');
  return token.id;
}

const DONE = [
  { item: 10, told: null },
  { item: 20, told: 'go on' },
  { item: 30, told: null },
];

onEveryStore('scenario 17: a map of three whose middle item pauses', (open) => {
  test('O-76, O-78: one after the other, the next item begins when it is woken', async () => {
    begun.length = 0;
    const map = mapOf('sequential', null);
    const program = await Restarts.of(open, [map]);
    const { id } = await program.lab.engine.start(map, null);
    await program.settled(id);
    expect(begun).toEqual([0, 1]);
    await program.again();
    const run = await program.settled(id);
    expect(begun).toEqual([0, 1]);
    await run.wake(await pausedAt(run), 'go on');
    // The step after it may have begun: it is run again when the lease of the first is over.
    await (await program.again()).advance('1m');
    expect(await (await program.run(id)).result()).toEqual(DONE);
    expect(begun).toEqual([0, 1, 2]);
  });

  test('at the same time, it ends last and stands in the middle all the same', async () => {
    const map = mapOf('parallel', null);
    const program = await Restarts.of(open, [map]);
    const { id } = await program.lab.engine.start(map, null);
    await program.settled(id);
    await program.again();
    const run = await program.run(id);
    // The first and the last are done.
    expect((await run.tokens()).filter(({ wait }) => wait?.on === 'message')).toHaveLength(1);
    await run.wake(await pausedAt(run), 'go on');
    await program.settled(id);
    expect(await (await program.run(id)).result()).toEqual(DONE);
  });

  test('O-77: the first that fails fails the map, and later ones do not begin', async () => {
    begun.length = 0;
    const map = mapOf('sequential', 1);
    const program = await Restarts.of(open, [map]);
    const { id } = await program.lab.engine.start(map, null);
    await program.settled(id);
    await program.again();
    const run = await program.settled(id);
    expect(await run.status()).toBe('failed');
    expect(begun).toEqual([0, 1]);
  });

  test('one that fails while another pauses takes the pause with it', async () => {
    const map = mapOf('parallel', 2);
    const program = await Restarts.of(open, [map]);
    const { id } = await program.lab.engine.start(map, null);
    const run = await program.settled(id);
    expect(await run.status()).toBe('failed');
    expect(await run.tokens()).toEqual([]);
    expect(await program.lab.engine.check()).toMatchObject({ ok: true });
  });

  test('O-79: the map itself is not to be woken past an item that waits', async () => {
    const map = mapOf('sequential', null);
    const program = await Restarts.of(open, [map]);
    const { id } = await program.lab.engine.start(map, null);
    const run = await program.settled(id);
    const before = await run.inspect();
    const owner = before.tokens.find(({ node }) => node === 'each');
    await expect(run.wake(owner?.id as number, 'past')).rejects.toMatchObject({
      code: 'operation.refused',
    });
    expect(await run.inspect()).toEqual(before);
  });
});
