/** One action for many instances: by query, with a dry run, progress, and an outcome for each. */
import { expect, test } from 'vitest';
import { InvariantError } from '../base/assert.ts';
import { EngineError } from '../base/engine-error.ts';
import { flow } from '../frontends/builder/flow.ts';
import { onEveryStore } from '../testing/lab.ts';
import type { BulkProgress } from './bulk.ts';

const nap = flow<{ n: number }>('nap').sleep('rest', '1d').end();
const ship = flow('ship')
  .step('send', () => 1)
  .end();
const other = flow('other').sleep('rest', '1d').end();

onEveryStore('a bulk', (open) => {
  async function started(count: number) {
    const lab = await open([nap, other]);
    const runs = [];
    for (let n = 0; n < count; n += 1) runs.push(await lab.engine.start(nap, { n }));
    const bystander = await lab.engine.start(other, undefined as never);
    await lab.settle();
    return { lab, runs, bystander };
  }

  test('does it to all that are meant and nobody else, and says who did', async () => {
    const { lab, runs, bystander } = await started(120);
    const told: BulkProgress[] = [];
    const onProgress = (progress: BulkProgress): void => void told.push(progress);
    const shown = await lab.engine.bulk({ flow: nap }, { do: 'cancel' }, { dryRun: true });
    expect(shown).toMatchObject({ matched: 120, done: 120, refused: 0, failed: 0 });
    expect(await runs[0]?.status()).toBe('waiting');
    const done = await lab.engine.bulk(
      { flow: 'nap', status: 'waiting' },
      { do: 'cancel' },
      { actor: 'ada', reason: 'closing down', onProgress },
    );
    expect(done).toMatchObject({ matched: 120, done: 120, cursor: null });
    expect(told.map(({ done: so }) => so)).toEqual([
      ...[0, 16, 32, 48, 64, 80, 96, 100],
      ...[116, 120],
    ]);
    const statuses = await Promise.all(runs.map((run) => run.status()));
    expect(new Set(statuses)).toEqual(new Set(['canceled']));
    expect(await bystander.status()).toBe('waiting');
    expect((await runs[7]?.history())?.at(-1)?.changes[0]).toEqual({
      did: 'act',
      act: { verb: 'cancel', by: 'ada', why: 'closing down', bulk: expect.any(String) },
    });
  });

  test('says of each that it makes no sense for, and goes on with the others', async () => {
    const { lab, runs } = await started(5);
    await runs[2]?.cancel();
    const done = await lab.engine.bulk({ flow: 'nap' }, { do: 'suspend' });
    expect(done).toMatchObject({ matched: 5, done: 4, refused: 1, failed: 0 });
    expect(done.items.filter(({ outcome }) => outcome === 'refused')).toMatchObject([
      { id: runs[2]?.id, error: { code: 'instance.over' } },
    ]);
  });

  test('that was cut short goes on where it stopped', async () => {
    const { lab, runs } = await started(7);
    const stop = new AbortController();
    const first = await lab.engine.bulk({ flow: 'nap' }, { do: 'suspend' }, { limit: 3 });
    expect(first).toMatchObject({ matched: 3, cursor: expect.any(String) });
    stop.abort();
    const still = { cursor: first.cursor ?? '', signal: stop.signal };
    const none = await lab.engine.bulk({ flow: 'nap' }, { do: 'suspend' }, still);
    expect(none).toMatchObject({ matched: 0, cursor: first.cursor });
    const rest = { cursor: none.cursor ?? '' };
    const last = await lab.engine.bulk({ flow: 'nap' }, { do: 'suspend' }, rest);
    expect(last).toMatchObject({ matched: 4, done: 4, cursor: null });
    const statuses = await Promise.all(runs.map((run) => run.status()));
    expect(statuses).toEqual(Array(7).fill('suspended'));
  });

  test('met its own copies, and shipped everything again and again', async () => {
    const lab = await open([ship]);
    const names = Array.from({ length: 150 }, (_, n) => `order-${n}`);
    for (const id of names) await lab.engine.start(ship, null, { id });
    await lab.settle();
    await lab.advance('1ms');
    // Ids of copies come after these, where the walk is still to go.
    const again = { do: 'rerun', from: 'send', copy: true } as const;
    const first = await lab.engine.bulk({ flow: 'ship' }, again, { limit: 60 });
    await lab.advance('1h');
    const late = await lab.engine.start(ship, null, { id: 'a-later-one' });
    await lab.settle();
    const rest = { cursor: first.cursor ?? '' };
    const second = await lab.engine.bulk({ flow: 'ship' }, again, rest);
    await lab.settle();
    expect([first.done, second.done, second.cursor]).toEqual([60, 90, null]);
    const copied = [...first.items, ...second.items].map(({ id }) => id);
    expect(copied.toSorted()).toEqual(names.toSorted());
    expect(copied).not.toContain(late.id);
    expect(await lab.store.scan(null, 1_000)).toHaveLength(301);
  });

  test('with a createdBefore of its own goes no further than that', async () => {
    const { lab, runs } = await started(3);
    await lab.advance('1m');
    await lab.engine.start(nap, { n: 9 });
    const before = { flow: 'nap', createdBefore: lab.now };
    const done = await lab.engine.bulk(before, { do: 'suspend' });
    expect(done.items.map(({ id }) => id).toSorted()).toEqual(runs.map(({ id }) => id).toSorted());
  });

  test('said of instances that were over that it had canceled them', async () => {
    const { lab, runs } = await started(5);
    await runs[2]?.cancel();
    const shown = await lab.engine.bulk({ flow: 'nap' }, { do: 'cancel' }, { dryRun: true });
    const done = await lab.engine.bulk({ flow: 'nap' }, { do: 'cancel' });
    for (const result of [shown, done]) {
      expect(result).toMatchObject({ matched: 5, done: 4, unchanged: 1, refused: 0, failed: 0 });
      const same = result.items.filter(({ outcome }) => outcome === 'unchanged');
      expect(same).toEqual([{ id: runs[2]?.id, outcome: 'unchanged' }]);
    }
  });

  test('that is stopped before its first page has everything before it', async () => {
    const { lab } = await started(2);
    const signal = AbortSignal.abort();
    const none = await lab.engine.bulk({ flow: 'nap' }, { do: 'suspend' }, { signal });
    expect(none).toMatchObject({ matched: 0, cursor: expect.any(String) });
    const rest = { cursor: none.cursor ?? '' };
    const all = await lab.engine.bulk({ flow: 'nap' }, { do: 'suspend' }, rest);
    expect(all).toMatchObject({ matched: 2, cursor: null });
  });

  test('was ended by one instance that could not be read', async () => {
    let odd: Error | null = null;
    let loads = 0;
    const around = (verb: string, call: () => Promise<unknown>): Promise<unknown> => {
      if (verb === 'load') loads += 1;
      return verb === 'load' && loads === 2 && odd !== null ? Promise.reject(odd) : call();
    };
    const lab = await open([nap], { around });
    for (const id of ['a', 'b', 'c']) await lab.engine.start(nap, { n: 1 }, { id });
    await lab.settle();
    const trouble = [
      [new InvariantError('a bug'), 'InvariantError'],
      [new EngineError('store.corrupt', 'edited by hand'), 'store.corrupt'],
    ] as const;
    const oneByOne = { dryRun: true, concurrency: 1 };
    for (const [error, code] of trouble) {
      [odd, loads] = [error, 0];
      const done = await lab.engine.bulk({ flow: 'nap' }, { do: 'suspend' }, oneByOne);
      expect(done).toMatchObject({ matched: 3, done: 2, failed: 1, cursor: null });
      const failed = done.items.find(({ outcome }) => outcome === 'failed');
      expect(failed).toMatchObject({ id: 'b', error: { code } });
    }
    [odd, loads] = [new EngineError('store.unreachable', 'away', { retryable: true }), 0];
    const away = lab.engine.bulk({ flow: 'nap' }, { do: 'suspend' }, oneByOne);
    await expect(away).rejects.toMatchObject({ code: 'store.unreachable' });
  });

  test('of a filter that leaves out nobody was done to everybody', async () => {
    const { lab, runs } = await started(2);
    const filters = [
      ...[{ flow: undefined }, { stalled: false }, { attributes: {} }, null, 'nap', []],
      ...[{ status: 'waiting', flow: undefined }],
    ];
    for (const filter of filters) {
      await expect(lab.engine.bulk(filter as never, { do: 'cancel' })).rejects.toMatchObject({
        code: 'engine.option-invalid',
      });
    }
    const options = [
      ...[null, { dryrun: true }, { dryRun: 'yes' }, { cursor: 'x' }, { limit: 0 }],
      ...[{ onProgress: 1 }, { actor: 7 }, { concurrency: 0 }],
    ];
    for (const option of options) {
      await expect(
        lab.engine.bulk({ flow: 'nap' }, { do: 'cancel' }, option as never),
      ).rejects.toMatchObject({ code: 'engine.option-invalid' });
    }
    const meant = lab.engine.bulk({ flow: 'nap' }, { do: 'cancel' }, { dryrun: true } as never);
    await expect(meant).rejects.toThrow('did you mean "dryRun"');
    for (const tenant of [{ flow: undefined }, { tenant: undefined }, { status: undefined }]) {
      await expect(lab.engine.prune({ olderThan: 0, ...tenant } as never)).rejects.toMatchObject({
        code: 'engine.option-invalid',
      });
    }
    expect(await Promise.all(runs.map((run) => run.status()))).toEqual(['waiting', 'waiting']);
  });

  test('without a filter, or with one that means nothing, is refused', async () => {
    const { lab } = await started(1);
    const invalid = { code: 'engine.option-invalid' };
    await expect(lab.engine.bulk({}, { do: 'cancel' })).rejects.toMatchObject(invalid);
    const typo = { flwo: 'nap' } as never;
    await expect(lab.engine.bulk(typo, { do: 'cancel' })).rejects.toMatchObject(invalid);
    const unknown = { do: 'explode' } as never;
    await expect(lab.engine.bulk({ flow: 'nap' }, unknown)).rejects.toMatchObject(invalid);
  });
});
