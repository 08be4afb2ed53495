/** Whole flows that are suspended (S-69). */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { onEveryStore } from '../testing/lab.ts';
import { wrappedStore } from '../testing/wrapped-store.ts';
import { Engine } from './engine.ts';

const job = flow('job')
  .sleep('nap', '1h')
  .step('work', () => 'done')
  .end();
const newer = flow('job', { version: 2 })
  .sleep('nap', '1h')
  .step('work', () => 'done')
  .end();
const other = flow('other').sleep('nap', '1h').end();

onEveryStore('a flow that is suspended', (open) => {
  async function started() {
    const lab = await open([job, newer, other]);
    const start = (which: typeof job) => lab.engine.start(which, undefined as never);
    const runs = [await start(job), await start(newer), await start(other as never)];
    await lab.settle();
    const statuses = async (): Promise<readonly string[]> =>
      Promise.all(runs.map((run) => run.status()));
    return { lab, runs, start, statuses };
  }

  test('is told beforehand how many that would be, and nothing is written', async () => {
    const { lab, runs, statuses } = await started();
    const { flows } = lab.engine;
    const versions = async (): Promise<readonly number[]> =>
      Promise.all(runs.map(async (run) => (await run.inspect()).version));
    const before = await versions();
    expect(await flows.preview('suspend', 'job')).toEqual({ suspended: 2, resumed: 0 });
    expect(await flows.preview('suspend', 'job', 2)).toEqual({ suspended: 1, resumed: 0 });
    expect(await flows.preview('suspend', '*')).toEqual({ suspended: 3, resumed: 0 });
    expect(await flows.preview('resume', 'job')).toEqual({ suspended: 0, resumed: 0 });
    expect([await flows.halts(), await versions()]).toEqual([[], before]);
    await flows.suspend('job');
    await runs[0]?.suspend();
    expect(await flows.preview('suspend', 'job')).toEqual({ suspended: 0, resumed: 0 });
    // One is suspended by its own name as well, and stays so.
    expect(await flows.preview('resume', 'job')).toEqual({ suspended: 0, resumed: 1 });
    expect(await flows.preview('resume', 'job', 1)).toEqual({ suspended: 0, resumed: 0 });
    expect(await statuses()).toEqual(['suspended', 'suspended', 'waiting']);
    await expect(flows.preview('suspend', 'jbo')).rejects.toMatchObject({
      code: 'definition.not-found',
    });
  });

  test('has all its instances stand still, and later ones, until it goes on', async () => {
    const { lab, runs, start, statuses } = await started();
    expect(await lab.engine.flows.suspend('job', undefined, { actor: 'ada' })).toMatchObject({
      suspended: 2,
    });
    expect(await statuses()).toEqual(['suspended', 'suspended', 'waiting']);
    const late = await start(job);
    await lab.advance('2h');
    expect(await late.status()).toBe('suspended');
    expect(await statuses()).toEqual(['suspended', 'suspended', 'completed']);
    // What is so already counts.
    expect(await lab.engine.flows.suspend('job')).toEqual({ suspended: 3, resumed: 0 });
    expect(await lab.engine.flows.resume('job')).toEqual({ suspended: 0, resumed: 3 });
    expect(await lab.engine.flows.resume('job')).toEqual({ suspended: 0, resumed: 0 });
    await lab.advance('2h');
    expect([await late.status(), ...(await statuses())]).toEqual(Array(4).fill('completed'));
    expect(await lab.engine.check()).toMatchObject({ ok: true });
    expect((await runs[0]?.history())?.flatMap(({ changes }) => changes)).toContainEqual({
      did: 'act',
      act: { verb: 'suspend', by: 'ada' },
    });
  });

  test('is the less specific word: a version or an instance counts for more', async () => {
    const { lab, runs, statuses } = await started();
    await lab.engine.flows.suspend('job');
    await lab.engine.flows.resume('job', 2);
    expect(await statuses()).toEqual(['suspended', 'waiting', 'waiting']);
    await runs[0]?.resume();
    expect(await lab.engine.flows.suspend('other', 1)).toMatchObject({ suspended: 1 });
    await runs[1]?.suspend();
    expect(await statuses()).toEqual(['waiting', 'suspended', 'suspended']);
    await lab.engine.flows.resume('job');
    await lab.engine.flows.resume('*');
    expect(await statuses()).toEqual(['waiting', 'suspended', 'suspended']);
    await lab.engine.flows.resume('other', 1);
    await runs[1]?.resume();
    expect(await statuses()).toEqual(['waiting', 'waiting', 'waiting']);
  });

  test('may be every flow there is', async () => {
    const { lab, statuses } = await started();
    await lab.engine.flows.suspend('*');
    expect(await statuses()).toEqual(Array(3).fill('suspended'));
    await lab.engine.flows.resume('job');
    expect(await statuses()).toEqual(['waiting', 'waiting', 'suspended']);
    await expect(lab.engine.flows.suspend('', 1)).rejects.toMatchObject({
      code: 'engine.option-invalid',
    });
  });

  test('that is suspended again right after it went on stands still again', async () => {
    const { lab, statuses } = await started();
    for (let round = 0; round < 3; round += 1) {
      expect(await lab.engine.flows.suspend('job')).toMatchObject({ suspended: 2 });
      expect(await lab.engine.flows.resume('job')).toMatchObject({ resumed: 2 });
    }
    await lab.engine.flows.suspend('job');
    expect(await statuses()).toEqual(['suspended', 'suspended', 'waiting']);
  });

  test('has what is revived, run again or copied stand still, too', async () => {
    let isDown = true;
    const fragile = flow('fragile')
      .step('work', () => {
        if (isDown) throw new Error('down');
        return 'up';
      })
      .end();
    const lab = await open([fragile]);
    const run = await lab.engine.start(fragile, undefined as never);
    await lab.settle();
    expect(await run.status()).toBe('failed');
    isDown = false;
    await lab.engine.flows.suspend('fragile');
    await run.revive();
    const copy = await run.rerun('work', { copy: true });
    await lab.advance('1h');
    expect([await run.status(), await copy.status()]).toEqual(['suspended', 'suspended']);
    await lab.engine.flows.resume('fragile');
    await lab.settle();
    expect([await run.status(), await copy.status()]).toEqual(['completed', 'completed']);
  });

  test('leaves no word behind once all goes on, so that the next one counts for all', async () => {
    const { lab, statuses } = await started();
    await lab.engine.flows.suspend('*');
    await lab.engine.flows.resume('job');
    expect(await lab.engine.flows.halts()).toMatchObject([
      { flow: '*', suspended: true },
      { flow: 'job', suspended: false },
    ]);
    await lab.engine.flows.resume('*');
    expect(await lab.engine.flows.halts()).toEqual([]);
    await lab.engine.flows.suspend('*');
    expect(await statuses()).toEqual(Array(3).fill('suspended'));
  });

  test('is one the store knows: what is misspelt is said', async () => {
    const { lab } = await started();
    const { flows } = lab.engine;
    const unknown = { code: 'definition.not-found', message: expect.stringContaining('"job"') };
    await expect(flows.suspend('jbo')).rejects.toMatchObject(unknown);
    await expect(flows.suspend('job', 7)).rejects.toMatchObject({ code: 'definition.not-found' });
    await expect(flows.suspend('*', 3)).rejects.toMatchObject({ code: 'engine.option-invalid' });
    expect(await flows.halts()).toEqual([]);
  });

  test('goes on although whoever said so died half way', async () => {
    const { lab, statuses } = await started();
    await lab.engine.flows.suspend('job');
    // All that is left of a process that died right after it had said so.
    await lab.store.halts.put({ flow: 'job', version: 0, suspended: false, by: null, why: null });
    lab.crash();
    await lab.tick('10s');
    expect(await statuses()).toEqual(['waiting', 'waiting', 'waiting']);
    expect(await lab.store.halts.list()).toEqual([]);
  });

  test('does not let what begins in a process without a worker run', async () => {
    const quick = flow('quick')
      .step('work', () => 'done')
      .end();
    const lab = await open([quick]);
    const api = new Engine(
      { store: wrappedStore(lab.store, { open: async () => {} }), flows: [quick], worker: false },
      { set: () => () => {} },
    );
    await api.open();
    const before = await api.start(quick, undefined as never);
    await lab.engine.flows.suspend('quick');
    await lab.advance('2s');
    const after = await api.start(quick, undefined as never);
    await lab.advance('1m');
    expect(await after.status()).toBe('suspended');
    await lab.engine.flows.resume('quick');
    await lab.advance('1m');
    const late = await api.start(quick, undefined as never);
    await lab.advance('1m');
    expect([await before.status(), await late.status()]).toEqual(['completed', 'completed']);
  });
});
