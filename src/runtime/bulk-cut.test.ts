/** A bulk that is cut short and goes on: nothing is done twice, and nothing is left out. */
import { expect, test } from 'vitest';
import { EngineError } from '../base/engine-error.ts';
import { flow } from '../frontends/builder/flow.ts';
import type { Action } from '../model/action.ts';
import type { Flow } from '../model/definition.ts';
import { broken } from '../testing/diary.ts';
import { type Lab, onEveryStore, type OpenLab } from '../testing/lab.ts';
import { Trap } from '../testing/trap.ts';
import type { BulkOptions, BulkProgress } from './bulk.ts';

const ship = flow('ship')
  .step('send', () => 1)
  .end();

/** An engine whose store goes away at the nth time that it is asked something. */
async function opened(
  open: OpenLab,
  flows: readonly Flow[],
  asked: string,
): Promise<{ lab: Lab; breakAt: (n: number) => void; mend: () => void }> {
  let left = Number.POSITIVE_INFINITY;
  const around = (verb: string, call: () => Promise<unknown>): Promise<unknown> => {
    if (verb === asked) left -= 1;
    if (left > 0 || verb !== asked) return call();
    return Promise.reject(new EngineError('store.unreachable', 'away', { retryable: true }));
  };
  const lab = await open(flows, { around });
  const breakAt = (n: number): void => void (left = n);
  return { lab, breakAt, mend: () => breakAt(Number.POSITIVE_INFINITY) };
}

/** Cut short by its store; the error that it ended with. */
async function cut(lab: Lab, action: Action, options: BulkOptions = {}): Promise<EngineError> {
  const thrown = await lab.engine.bulk({ flow: 'ship' }, action, options).catch((error) => error);
  expect(thrown).toMatchObject({ code: 'store.unreachable', retryable: true });
  return thrown as EngineError;
}

const ONE_BY_ONE = { concurrency: 1 };
const COPY = { do: 'rerun', from: 'send', copy: true } as const;

onEveryStore('a bulk that was cut short', (open) => {
  async function shipped(count: number) {
    const place = await opened(open, [ship], 'history');
    for (let n = 0; n < count; n += 1) await place.lab.engine.start(ship, null, { id: `o-${n}` });
    await place.lab.settle();
    return place;
  }

  test('before its first page was through made eight copies of five', async () => {
    const { lab, breakAt, mend } = await shipped(5);
    await lab.advance('2m');
    breakAt(5);
    const { details } = await cut(lab, COPY, ONE_BY_ONE);
    expect(details).toMatchObject({ cursor: expect.any(String) });
    expect(details['done']).toBe(details['matched']);
    const before = details['done'] as number;
    expect([before > 0, before < 5]).toEqual([true, true]);
    mend();
    await lab.advance('1s');
    const rest = { cursor: details['cursor'] as string };
    const last = await lab.engine.bulk({ flow: 'ship' }, COPY, rest);
    expect(last).toMatchObject({ done: 5 - before, refused: 0, failed: 0, cursor: null });
    await lab.settle();
    expect(await lab.store.scan(null, 100)).toHaveLength(10);
  });

  test('and goes on from its very beginning makes each copy once', async () => {
    const { lab, breakAt, mend } = await shipped(5);
    const told: BulkProgress[] = [];
    const onProgress = (progress: BulkProgress): void => void told.push(progress);
    // In this very moment they were started, too: what is made now is no older than they are.
    breakAt(12);
    await cut(lab, COPY, { ...ONE_BY_ONE, onProgress });
    mend();
    expect(told[0]).toMatchObject({ matched: 0, done: 0, cursor: expect.any(String) });
    const cursor = told[0]?.cursor ?? '';
    const again = await lab.engine.bulk({ flow: 'ship' }, COPY, { cursor });
    expect(again).toMatchObject({ matched: 5, refused: 0, failed: 0, cursor: null });
    expect(again.unchanged).toBeGreaterThan(0);
    const once = await lab.engine.bulk({ flow: 'ship' }, COPY, { cursor });
    expect(once).toMatchObject({ matched: 5, done: 0, unchanged: 5 });
    await lab.settle();
    expect(await lab.store.scan(null, 100)).toHaveLength(10);
    // Another bulk is another matter.
    await lab.advance('2m');
    expect(await lab.engine.bulk({ flow: 'ship' }, COPY)).toMatchObject({ done: 10 });
  });

  test('retries nothing once more that the other one retries at the same time', async () => {
    let runs = 0;
    const job = flow('ship', { onFailure: 'incident' })
      .step('send', () => {
        runs += 1;
        return broken();
      })
      .end();
    const lab = await open([job]);
    await lab.engine.start(job, null);
    await lab.settle();
    const traps = [new Trap('commit'), new Trap('commit')] as const;
    const [first, second] = await Promise.all(
      traps.map(async ({ around }) => {
        const { engine } = await lab.beside([job], { around });
        engine.parts.worker?.abandon();
        return engine;
      }),
    );
    const told: BulkProgress[] = [];
    const onProgress = (progress: BulkProgress): void => void told.push(progress);
    for (const trap of traps) trap.arm();
    const early = first?.bulk({ flow: 'ship' }, { do: 'retry' }, { onProgress });
    await traps[0].sprung;
    // It is taken for dead, and is only slow.
    const cursor = told[0]?.cursor ?? '';
    const late = second?.bulk({ flow: 'ship' }, { do: 'retry' }, { cursor });
    await traps[1].sprung;
    traps[0].letGo();
    expect(await early).toMatchObject({ done: 1 });
    await lab.tick(0);
    expect(runs).toBe(2);
    traps[1].letGo();
    expect(await late).toMatchObject({ done: 0, unchanged: 1 });
    await lab.tick(0);
    expect(runs).toBe(2);
  });

  test('ran instances again that it had run again', async () => {
    const runs = new Map<string, number>();
    const job = flow<string>('ship')
      .step('send', ({ input }) => void runs.set(input, (runs.get(input) ?? 0) + 1))
      .end();
    const { lab, breakAt, mend } = await opened(open, [job], 'history');
    for (let n = 0; n < 5; n += 1) await lab.engine.start(job, `order ${n}`);
    await lab.settle();
    await lab.advance('2m');
    const told: BulkProgress[] = [];
    const onProgress = (progress: BulkProgress): void => void told.push(progress);
    const action = { do: 'rerun', from: 'send' } as const;
    breakAt(8);
    await cut(lab, action, { ...ONE_BY_ONE, onProgress, actor: 'ada' });
    mend();
    await lab.settle();
    await lab.advance('5m');
    const cursor = told[0]?.cursor ?? '';
    const rest = await lab.engine.bulk({ flow: 'ship' }, action, { cursor, actor: 'ada' });
    expect(rest).toMatchObject({ matched: 5, refused: 0, failed: 0 });
    expect([rest.done > 0, rest.unchanged > 0]).toEqual([true, true]);
    await lab.settle();
    expect([...runs.values()]).toEqual([2, 2, 2, 2, 2]);
  });

  test('tried again what had failed again since', async () => {
    let tries = 0;
    const job = flow('ship', { onFailure: 'incident' })
      .step('send', () => (tries++, broken()))
      .end();
    const lab = await open([job]);
    for (let n = 0; n < 3; n += 1) await lab.engine.start(job, null);
    await lab.settle();
    const first = await lab.engine.bulk({ flow: 'ship' }, { do: 'retry' }, { limit: 2 });
    await lab.settle();
    expect([first.done, tries]).toEqual([2, 5]);
    const [before, name] = (first.cursor ?? '').split('/');
    // As whoever has heard of nothing but the beginning.
    const rest = { cursor: `${before}/${name}/` };
    const shown = await lab.engine.bulk(
      { flow: 'ship' },
      { do: 'retry' },
      { ...rest, dryRun: true },
    );
    expect([shown.done, shown.unchanged]).toEqual([1, 2]);
    const last = await lab.engine.bulk({ flow: 'ship' }, { do: 'retry' }, rest);
    await lab.settle();
    expect([last.done, last.unchanged, tries]).toEqual([1, 2, 6]);
    await lab.engine.bulk({ flow: 'ship' }, { do: 'retry' });
    await lab.settle();
    expect(tries).toBe(9);
  });

  test('sent what it had sent to whoever waited once more', async () => {
    const wait = flow('ship')
      .waitFor('one', { event: 'go', key: () => 'k' })
      .waitFor('two', { event: 'go', key: () => 'k' })
      .end();
    const { lab, breakAt, mend } = await opened(open, [wait], 'publish');
    const runs = [];
    for (let n = 0; n < 4; n += 1) runs.push(await lab.engine.start(wait, null));
    await lab.settle();
    const send = { do: 'send', type: 'go', data: 1 } as const;
    const told: BulkProgress[] = [];
    const onProgress = (progress: BulkProgress): void => void told.push(progress);
    breakAt(3);
    const { details } = await cut(lab, send, { ...ONE_BY_ONE, onProgress });
    expect(details).toMatchObject({ matched: 2, done: 2 });
    mend();
    const cursor = told[0]?.cursor ?? '';
    const rest = await lab.engine.bulk({ flow: 'ship' }, send, { cursor });
    expect(rest).toMatchObject({ matched: 4, done: 2, unchanged: 2, cursor: null });
    await lab.settle();
    const nodes = await Promise.all(runs.map(async (run) => (await run.tokens())[0]?.node));
    expect(nodes).toEqual(['two', 'two', 'two', 'two']);
  });

  test('is told of every few that are through, and stops between them', async () => {
    const { lab } = await shipped(7);
    const told: BulkProgress[] = [];
    const stop = new AbortController();
    const onProgress = (progress: BulkProgress): void => {
      told.push(progress);
      if (progress.matched === 4) stop.abort();
    };
    const some = { concurrency: 2, onProgress, signal: stop.signal };
    const first = await lab.engine.bulk({ flow: 'ship' }, { do: 'cancel' }, some);
    expect(told.map(({ matched }) => matched)).toEqual([0, 2, 4]);
    expect(first).toMatchObject({ matched: 4, cursor: told.at(-1)?.cursor });
    const rest = { cursor: first.cursor ?? '' };
    const last = await lab.engine.bulk({ flow: 'ship' }, { do: 'cancel' }, rest);
    expect(last).toMatchObject({ matched: 3, cursor: null });
    const met = [...first.items, ...last.items].map(({ id }) => id);
    expect(new Set(met).size).toBe(7);
  });
});

onEveryStore('the cursor of a bulk', (open) => {
  const nap = flow<{ n: number }>('nap').sleep('rest', '1d').end();
  const job = flow('job').sleep('rest', '1d').end();

  /** Three that are suspended, and the cursor of the beginning of that. */
  async function suspended() {
    const lab = await open([nap, job]);
    for (let n = 0; n < 3; n += 1) await lab.engine.start(nap, { n });
    await lab.engine.start(job, null);
    await lab.settle();
    const told: BulkProgress[] = [];
    const onProgress = (progress: BulkProgress): void => void told.push(progress);
    const filter = { flow: 'nap', createdBefore: lab.now + 1 };
    await lab.engine.bulk(filter, { do: 'suspend' }, { onProgress });
    return { lab, filter, cursor: told[0]?.cursor ?? '' };
  }

  test('of a suspend had a cancel leave out whoever was suspended, as unchanged', async () => {
    const { lab, filter, cursor } = await suspended();
    const others: readonly Action[] = [{ do: 'cancel' }, { do: 'set', name: 'x', value: 1 }];
    for (const action of others) {
      await expect(lab.engine.bulk(filter, action, { cursor })).rejects.toMatchObject({
        code: 'engine.option-invalid',
        message: expect.stringContaining('another filter or another action'),
        details: { field: 'cursor' },
      });
    }
    const first = await lab.engine.bulk({ flow: 'nap' }, { do: 'cancel' }, { limit: 1 });
    const saga = lab.engine.bulk(
      { flow: 'nap' },
      { do: 'cancel', saga: true },
      {
        cursor: first.cursor ?? '',
      },
    );
    await expect(saga).rejects.toMatchObject({ code: 'engine.option-invalid' });
    const { instances } = await lab.engine.list({ status: 'canceled' });
    expect(instances).toHaveLength(1);
  });

  test('with another filter found nobody, and did not say so', async () => {
    const { lab, cursor } = await suspended();
    const filters = [{ flow: 'job' }, { flow: 'nap' }, { flow: nap, status: 'waiting' }] as const;
    for (const filter of filters) {
      const asked = lab.engine.bulk(filter, { do: 'suspend' }, { cursor });
      await expect(asked).rejects.toMatchObject({ code: 'engine.option-invalid' });
    }
  });

  test('goes on with the same said otherwise: another time, order, actor or pace', async () => {
    const { lab, cursor } = await suspended();
    const later = { createdBefore: new Date(lab.now + 5_000), flow: nap };
    const options = { cursor, actor: 'ada', reason: 'why not', concurrency: 1, limit: 9 };
    const shown = await lab.engine.bulk(later, { do: 'suspend' }, { ...options, dryRun: true });
    const done = await lab.engine.bulk(later, { do: 'suspend' }, options);
    for (const met of [shown, done]) expect(met).toMatchObject({ matched: 3, unchanged: 3 });
    const two = { status: ['suspended', 'waiting'], attributes: { a: 1, b: 2 } } as const;
    const none = await lab.engine.bulk(two, { do: 'resume' }, { signal: AbortSignal.abort() });
    const same = { attributes: { b: 2, a: 1 }, status: ['waiting', 'suspended'] } as const;
    const rest = await lab.engine.bulk(same, { do: 'resume' }, { cursor: none.cursor ?? '' });
    expect(rest).toMatchObject({ matched: 0, cursor: null });
  });
});

onEveryStore('a bulk with an id', (open) => {
  const wait = flow('wait')
    .waitFor('one', { event: 'go', key: () => 'k' })
    .sleep('rest', '1d')
    .end();

  async function waiting(count: number) {
    const lab = await open([wait]);
    const runs = [];
    for (let n = 0; n < count; n += 1) runs.push(await lab.engine.start(wait, null));
    await lab.settle();
    return { lab, runs };
  }

  test('sent one message to one of three, where a dry run said three', async () => {
    const { lab, runs } = await waiting(3);
    const send = { do: 'send', type: 'go', data: 1, id: 'm1' } as const;
    const shown = await lab.engine.bulk({ flow: 'wait' }, send, { dryRun: true });
    const done = await lab.engine.bulk({ flow: 'wait' }, send);
    for (const result of [shown, done]) expect(result).toMatchObject({ done: 3, unchanged: 0 });
    const nodes = await Promise.all(runs.map(async (run) => (await run.tokens())[0]?.node));
    expect(nodes).toEqual(['rest', 'rest', 'rest']);
    // The id says that it is the same, whoever sends it and however often.
    const again = await lab.engine.bulk({ flow: 'wait' }, send);
    expect(again).toMatchObject({ done: 0, unchanged: 3 });
  });

  test('makes copies with ids of their own, and not the same ones again', async () => {
    const { lab } = await waiting(3);
    await lab.advance('2m');
    const copy = { do: 'rerun', from: 'one', copy: true, id: 'again' } as const;
    const older = { flow: 'wait', createdBefore: lab.now - 1 };
    expect(await lab.engine.bulk(older, copy)).toMatchObject({ done: 3 });
    await lab.advance('1s');
    for (const dryRun of [true, false]) {
      const again = await lab.engine.bulk(older, copy, { dryRun });
      expect(again).toMatchObject({ done: 0, unchanged: 3 });
    }
    const ids = await lab.store.scan(null, 100);
    expect(ids.filter((id) => id.startsWith('again/'))).toHaveLength(3);
  });

  test('that is too long, or with a key that only one can have, is refused', async () => {
    const { lab } = await waiting(1);
    const invalid = { code: 'engine.option-invalid' };
    const copy = { do: 'rerun', from: 'one', copy: true } as const;
    const long = 'x'.repeat(470);
    for (const action of [
      { ...copy, key: 'k' },
      { ...copy, id: long },
      { do: 'send', type: 'go', id: long } as const,
    ]) {
      await expect(lab.engine.bulk({ flow: 'wait' }, action)).rejects.toMatchObject(invalid);
    }
    const send = { do: 'send', type: 'go', id: '' } as const;
    const [item] = (await lab.engine.bulk({ flow: 'wait' }, send)).items;
    expect(item).toMatchObject({ outcome: 'refused', error: { code: 'message.invalid' } });
  });
});
