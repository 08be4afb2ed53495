/** Removing what is over by the engine, on every store, while other work goes on. */
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { memory } from '../stores/memory/memory.ts';
import { onEveryStore } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';
import { createEngine } from './engine.ts';
import { Fatal } from './fatal.ts';
import type { PruneOptions, PruneResult } from './prune.ts';

const quick = flow<boolean>('quick')
  .step('work', ({ input }) => {
    if (input) throw new Fatal('no');
    return 1;
  })
  .end();

const slow = flow('slow').waitFor('mail', { event: 'mail', key: 'k' }).end();

onEveryStore('pruning', (open) => {
  test('removes what has been over for long, and leaves the rest as it was', async () => {
    const lab = await open([quick, slow]);
    const old = await lab.engine.start(quick, false, { key: 'k' });
    const waits = await lab.engine.start(slow, null);
    await lab.advance('10d');
    const young = await lab.engine.start(quick, true);
    await lab.advance('1d');
    const result = await lab.engine.prune({ olderThan: '5d' });
    expect(result).toEqual({ pruned: 1, kept: 0, messages: 0, receipts: 0, batches: 1 });
    expect(await lab.engine.get(old.id)).toBeUndefined();
    await expect(old.history()).rejects.toMatchObject({ code: 'instance.not-found' });
    const { instances } = await lab.engine.list();
    expect(instances.map(({ id }) => id)).toEqual([young.id, waits.id]);
    expect(await lab.engine.check()).toMatchObject({ ok: true, instances: 2 });
    expect(await lab.engine.prune({ olderThan: '5d' })).toMatchObject({ pruned: 0, batches: 0 });
    // The one that was there goes on.
    await lab.engine.publish({ type: 'mail', key: 'k' });
    await lab.settle();
    expect(await waits.status()).toBe('completed');
  });

  test('says what it would do, tells how far it is, and goes batch by batch', async () => {
    const lab = await open([quick]);
    for (let n = 0; n < 25; n += 1) await lab.engine.start(quick, n % 5 === 0);
    await lab.advance('2d');
    const options: PruneOptions = { olderThan: '1d', status: 'completed' };
    expect(await lab.engine.prune({ ...options, dryRun: true })).toMatchObject({ pruned: 20 });
    const told: PruneResult[] = [];
    const onProgress = (progress: PruneResult): void => void told.push(progress);
    const result = await lab.engine.prune({ ...options, batch: 3, onProgress });
    expect(result).toMatchObject({ pruned: 20, kept: 0, messages: 0 });
    expect(result.batches).toBe(told.length);
    expect(result.batches).toBeGreaterThanOrEqual(7);
    expect(told.at(-1)).toEqual(result);
    expect((await lab.engine.list()).instances.map(({ status }) => status)).toEqual(
      Array(5).fill('failed'),
    );
  });

  test('an id that was chosen again after a prune had the results of its first life', async () => {
    const gate = new Gate<string>();
    const held = flow<string>('held')
      .step('work', () => gate.opened)
      .end();
    const lab = await open([held, quick]);
    const first = await lab.engine.start(held, 'one', { id: 'order-1', key: 'k' });
    const other = await lab.engine.start(quick, false);
    await other.result();
    await first.cancel();
    await lab.tick('1s');
    expect(await lab.engine.prune({ olderThan: 0 })).toMatchObject({ pruned: 2 });
    const taken = {
      code: 'instance.exists',
      message: expect.stringContaining('order-1 was the id of an instance that has been removed'),
      details: { instance: 'order-1' },
    };
    const existing = { id: 'order-1', onConflict: 'existing' } as const;
    await expect(lab.engine.start(held, 'two', { id: 'order-1' })).rejects.toMatchObject(taken);
    await expect(lab.engine.start(held, 'two', existing)).rejects.toMatchObject(taken);
    // What the first one did comes late, and finds nobody.
    gate.open('done for the first');
    await lab.tick('1s');
    const again = await lab.engine.start(quick, false, { id: 'order-2', key: 'k' });
    await again.result();
    const copy = { copy: true, id: 'order-1' } as const;
    await expect(again.rerun('work', copy)).rejects.toMatchObject(taken);
    const preview = again.preview({ do: 'rerun', from: 'work', ...copy });
    await expect(preview).rejects.toMatchObject(taken);
    expect(await lab.store.scan(null, 9)).toEqual([again.id]);
    expect(await lab.store.dropped(first.id)).toEqual([]);
  });

  test('a child stays for as long as whoever called it is open', async () => {
    const parent = flow('parent')
      .call('ask', quick, () => false)
      .sleep('nap', '9d')
      .end();
    const lab = await open([parent, quick]);
    const run = await lab.engine.start(parent, null);
    await lab.advance('8d');
    expect(await lab.engine.prune({ olderThan: '1d' })).toMatchObject({ pruned: 0, kept: 1 });
    await lab.advance('8d');
    expect(await run.status()).toBe('completed');
    expect(await lab.engine.prune({ olderThan: '1d' })).toMatchObject({ pruned: 2, kept: 0 });
  });

  test('a child whose caller was removed meanwhile ends all the same', async () => {
    let isOpen = false;
    const booking = flow('booking')
      .step('book', () => 1, {
        undo: () => {
          if (!isOpen) throw new Error('closed');
        },
      })
      .waitFor('mail', { event: 'mail', key: 'k' })
      .end();
    const trip = flow('trip').call('ask', booking).end();
    const lab = await open([trip, booking]);
    const run = await lab.engine.start(trip, null);
    await lab.settle();
    await run.cancel({ saga: true });
    await lab.advance('1ms');
    const [child] = (await lab.engine.list({ parent: run.id })).instances;
    expect([child?.status, await run.status()]).toEqual(['compensating', 'canceled']);
    expect(await lab.engine.prune({ olderThan: 0 })).toMatchObject({ pruned: 1, kept: 0 });
    isOpen = true;
    await lab.advance('1d');
    expect((await lab.engine.list()).instances).toMatchObject([
      { id: child?.id, status: 'canceled', outcome: 'compensated' },
    ]);
    expect(await lab.store.posts(9)).toEqual([]);
  });

  test('messages go once nobody can have them, unless only some instances are meant', async () => {
    const lab = await open([slow]);
    const run = await lab.engine.start(slow, null);
    await lab.engine.publish({ id: 'm', type: 'mail', key: 'k' });
    await lab.engine.publish({ id: 'lost', type: 'mail', key: 'nobody', ttl: '1d' });
    await lab.engine.publish({ id: 'kept', type: 'mail', key: 'nobody', ttl: '99d' });
    await lab.advance('20d');
    expect(await run.status()).toBe('completed');
    expect(await lab.engine.prune({ olderThan: '9d', flow: 'none' })).toMatchObject({
      messages: 0,
    });
    expect(await lab.engine.prune({ olderThan: '9d' })).toMatchObject({ pruned: 1, messages: 2 });
    const again = await lab.engine.publish({ id: 'kept', type: 'mail', key: 'nobody' });
    expect(again.outcome).toBe('duplicate');
    const anew = await lab.engine.publish({ id: 'm', type: 'mail', key: 'k' });
    expect(anew.outcome).toBe('buffered');
  });
});

describe('an option that means nothing is said, and nothing is removed', () => {
  const BAD: readonly [string, object, string, string?][] = [
    ['no age', {}, 'prune needs olderThan'],
    ['an age that is none', { olderThan: 'old' }, 'a duration', 'duration.invalid'],
    ['a status that is open', { olderThan: 0, status: 'running' }, 'completed, failed, canceled'],
    ['a status that is misspelt', { olderThan: 0, status: 'cancelled' }, 'did you mean "canceled"'],
    ['a field that is misspelt', { olderThen: '30d' }, 'did you mean "olderThan"'],
    ['a batch of none', { olderThan: 0, batch: 0 }, 'batch is a whole number'],
    ['a batch too large', { olderThan: 0, batch: 10_001 }, 'at most 10000'],
    ['a rehearsal as text', { olderThan: 0, dryRun: 'yes' }, 'true or false'],
  ];

  test.each(BAD)('%s', async (_what, options, message, code = 'engine.option-invalid') => {
    const engine = await createEngine({ store: memory(), flows: [quick] });
    await (await engine.start(quick, false)).result();
    await expect(engine.prune(options as PruneOptions)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
    expect((await engine.list()).instances).toHaveLength(1);
    await engine.close();
  });
});
