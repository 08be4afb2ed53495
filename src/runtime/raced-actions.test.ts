/**
 * What people do is prepared from what was there, and someone else may be quicker: whatever has
 * become of the instance meanwhile, nothing is applied to a state that it was not made for.
 */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { isSound } from '../testing/fragile.ts';
import { type Lab, onEveryStore } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';
import type { Run } from './run.ts';

const go = { event: 'go', key: () => 'k' };
const [first, second, third] = [
  flow('job').waitFor('x', go).waitFor('y', go).end(),
  flow('job', { version: 2 }).waitFor('x2', go).waitFor('y2', go).end(),
  // The same names, the other way round.
  flow('job', { version: 3 }).waitFor('y', go).waitFor('x', go).end(),
];
const versions = [first, second, third];

/** Another program, and when it asks for this the next time, what happens before it goes on. */
async function slow(
  lab: Lab,
  run: Run,
  asked: string,
  meanwhile: () => Promise<unknown>,
): Promise<Run> {
  let isArmed = false;
  const other = await lab.beside(versions, {
    around: async (verb, call) => {
      const answer = await call();
      if (!isArmed || verb !== asked) return answer;
      isArmed = false;
      await meanwhile();
      return answer;
    },
  });
  const there = await other.engine.get(run.id);
  isArmed = true;
  return there as Run;
}

onEveryStore('a migration', (open) => {
  async function begun() {
    const lab = await open(versions);
    const run: Run = await lab.engine.start(first, null);
    await lab.settle();
    const place = async (): Promise<unknown> => {
      const { flowVersion, tokens } = await run.inspect();
      return [flowVersion, tokens.map(({ node }) => node)];
    };
    return { lab, run, place };
  }

  test('whose names were those of one version was applied to another', async () => {
    const { lab, run, place } = await begun();
    const there = await slow(lab, run, 'load', () =>
      run.migrate({ version: 3, nodes: { x: 'y', y: 'x' } }),
    );
    const late = there.migrate({ version: 2, nodes: { x: 'x2', y: 'y2' } });
    await expect(late).rejects.toMatchObject({
      code: 'operation.refused',
      details: { instance: run.id, version: 3, from: 1 },
    });
    expect(await place()).toEqual([3, ['y']]);
    await isSound(lab);
  });

  test('that names no nodes is prepared anew for the version it finds', async () => {
    const { lab, run, place } = await begun();
    const swapped = { version: 3, nodes: { x: 'y', y: 'x' } };
    const there = await slow(lab, run, 'load', () => run.migrate(swapped));
    await there.migrate({ version: 1 });
    expect(await place()).toEqual([1, ['y']]);
    await isSound(lab);
  });

  test('that someone else has made meanwhile is no change', async () => {
    const { lab, run, place } = await begun();
    const mapped = { version: 2, nodes: { x: 'x2', y: 'y2' } };
    const there = await slow(lab, run, 'load', () => run.migrate(mapped));
    await there.migrate(mapped);
    // Nor is the same call once more, by whoever has not heard that it was done.
    await run.migrate(mapped);
    expect(await place()).toEqual([2, ['x2']]);
    const acts = (await run.history()).filter(({ changes }) => changes[0]?.did === 'act');
    expect(acts).toHaveLength(1);
  });

  test('that says from which version is refused by any other', async () => {
    const { lab, run, place } = await begun();
    const mapped = { version: 2, from: 3, nodes: { x: 'x2', y: 'y2' } };
    const refused = { code: 'operation.refused', details: { version: 1, from: 3 } };
    await expect(run.migrate(mapped)).rejects.toMatchObject(refused);
    const preview = run.preview({ do: 'migrate', ...mapped });
    await expect(preview).rejects.toMatchObject(refused);
    const many = await lab.engine.bulk({ flow: 'job' }, { do: 'migrate', ...mapped });
    expect(many).toMatchObject({ matched: 1, refused: 1 });
    expect(await place()).toEqual([1, ['x']]);
    await run.migrate({ ...mapped, from: 1 });
    expect(await place()).toEqual([2, ['x2']]);
  });

  test('of many did to what had gone elsewhere what was meant for where it was', async () => {
    const { lab, run, place } = await begun();
    let isArmed = false;
    const other = await lab.beside(versions, {
      around: async (verb, call) => {
        const answer = await call();
        if (isArmed && verb === 'instances.find') {
          isArmed = false;
          await run.migrate({ version: 3, nodes: { x: 'y', y: 'x' } });
        }
        return answer;
      },
    });
    isArmed = true;
    const mapped = { do: 'migrate', version: 2, nodes: { x: 'x2', y: 'y2' } } as const;
    const done = await other.engine.bulk({ flow: 'job', version: 1 }, mapped);
    expect([isArmed, done.items]).toMatchObject([
      false,
      [{ id: run.id, outcome: 'refused', error: { code: 'operation.refused' } }],
    ]);
    expect(await place()).toEqual([3, ['y']]);
  });
});

onEveryStore('a copy', (open) => {
  test('of what was migrated while it was made ended with a bug', async () => {
    const before = flow('job')
      .sleep('rest', '1d')
      .step('x', () => 1)
      .end();
    const after = flow('job', { version: 2 })
      .sleep('rest', '1d')
      .parallel('both', { a: (b) => b.step('x', () => 2), b: (b) => b.sleep('long', '1d') })
      .end();
    const [asked, gate] = [new Gate(), new Gate()];
    let isArmed = false;
    const lab = await open([before, after]);
    const run = await lab.engine.start(before, null);
    await lab.settle();
    const other = await lab.beside([before, after], {
      around: async (verb, call) => {
        if (isArmed && verb === 'history') {
          isArmed = false;
          asked.open();
          await gate.opened;
        }
        return call();
      },
    });
    const there = await other.engine.get(run.id);
    isArmed = true;
    const copying = there?.rerun('rest', { copy: true });
    await asked.opened;
    await run.migrate({ version: 2 });
    await run.wake((await run.tokens())[0]?.id ?? 0);
    await lab.settle();
    gate.open();
    const copy = await copying;
    expect(await copy?.inspect()).toMatchObject({ flowVersion: 1, tokens: [{ node: 'rest' }] });
    await isSound(lab);
  });
});

onEveryStore('an instance that moves on all the time', (open) => {
  const job = flow('job')
    .step('first', () => 1)
    .waitFor('go', { event: 'go', key: () => 'k' })
    .end();

  /** It moves on so often, each time right after its history was read. */
  async function busy(times: number) {
    const lab = await open([job]);
    const run = await lab.engine.start(job, null);
    await lab.settle();
    for (let n = 0; n < 30; n += 1) await run.set('n', n);
    const read: number[] = [];
    let left = times;
    const other = await lab.beside([job], {
      around: async (verb, call) => {
        const answer = await call();
        if (verb !== 'history') return answer;
        read.push((answer as readonly unknown[]).length);
        left -= 1;
        if (left >= 0) await run.set('n', -left);
        return answer;
      },
    });
    const there = (await other.engine.get(run.id)) as Run;
    read.length = 0;
    return { lab, run, there, read };
  }

  test('is run again all the same, and its history is read once', async () => {
    const { lab, run, there, read } = await busy(5);
    await there.rerun('first', { actor: 'ada' });
    // All of it, what it was before it came there, and then what was new.
    const [all = 0, before = 0, ...rest] = read;
    expect([all > 30, before]).toEqual([true, 1]);
    expect(Math.max(...rest)).toBeLessThan(6);
    await lab.settle();
    const acts = (await run.history()).flatMap(({ changes }) => changes.filter(isRerun));
    expect(acts).toHaveLength(1);
    await isSound(lab);
  });

  test('was refused as if it were for good', async () => {
    const { run, there } = await busy(1_000);
    const tooBusy = {
      code: 'operation.refused',
      retryable: true,
      message: expect.stringContaining('suspend it'),
      details: { instance: run.id, busy: true },
    };
    await expect(there.rerun('first')).rejects.toMatchObject(tooBusy);
    await expect(there.preview({ do: 'rerun', from: 'first' })).rejects.toMatchObject(tooBusy);
  });
});

function isRerun(change: { readonly did: string; readonly act?: unknown }): boolean {
  return change.did === 'act' && (change.act as { verb: string }).verb === 'rerun';
}
