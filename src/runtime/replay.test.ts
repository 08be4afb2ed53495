/** An instance as a file, and back: every moment of it is as the store shows it. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../base/json.ts';
import { chain } from '../frontends/chain/chain.ts';
import { completed, waiting } from '../frontends/chain/results.ts';
import { flow } from '../frontends/builder/flow.ts';
import { onEveryStore } from '../testing/lab.ts';
import { createTestEngine } from '../testing/test-engine.ts';
import type { ExportedInstance } from './export.ts';
import { replay } from './replay.ts';
import type { Run } from './run.ts';

const busy = flow<{ n: number }>('busy')
  .set('begin', ({ input }) => ({ total: input.n }), { in: 'instance' })
  .parallel('fork', {
    loop: (b) => b.repeat('three', { times: 3 }, (b) => b.step('tick', ({ index }) => index)),
    nap: (b) => b.sleep('nap', '1h').step('woken', () => 'up', { undo: () => {} }),
  })
  .step('fails', () => {
    throw new Error('it broke');
  })
  .end();

async function sameAtEveryCommit(run: Run): Promise<ExportedInstance> {
  const file = await run.export();
  const shown = replay(JSON.stringify(file));
  expect(shown.length).toBe((await run.history()).length);
  const steps = [...shown.steps()];
  for (const [index, { n, changes, view }] of steps.entries()) {
    expect(n).toBe(index + 1);
    expect(view).toEqual(await run.at(n));
    expect(shown.at(n)).toEqual(view);
    expect(changes).toEqual((await run.history())[index]?.changes);
  }
  expect(steps.at(-1)?.view).toEqual(await run.inspect());
  expect(shown.check()).toEqual({ ok: true, violations: [] });
  return file;
}

onEveryStore('an exported instance', (open) => {
  test('is what it was at every commit, also while it is open', async () => {
    const lab = await open([busy]);
    const run = await lab.engine.start(busy, { n: 7 }, { key: 'k', tenant: 't' });
    await lab.settle();
    expect((await sameAtEveryCommit(run)).exportedAt).toBe(lab.now);
    await lab.advance('2h');
    expect(await run.inspect()).toMatchObject({ status: 'failed', outcome: 'compensated' });
    await sameAtEveryCommit(run);
  });

  test('that was removed while it was read was half a file', async () => {
    let isArmed = false;
    const around = async (verb: string, call: () => Promise<unknown>): Promise<unknown> => {
      if (isArmed && verb === 'history') {
        isArmed = false;
        await lab.engine.prune({ olderThan: 0 });
      }
      return call();
    };
    const lab = await open([busy], { around });
    const run = await lab.engine.start(busy, { n: 7 });
    await lab.advance('2h');
    isArmed = true;
    await expect(run.export()).rejects.toMatchObject({ code: 'instance.not-found' });
  });

  test('a chain, too, and what people did to it', async () => {
    const line = chain('line', 1, ['ONE', 'TWO']);
    const handlers = { ONE: async () => waiting('go', '1h'), TWO: async () => completed() };
    const lab = await open([line], { handlers });
    const run = await lab.engine.start(line, { a: 1 });
    await lab.settle();
    await run.suspend({ actor: 'ann', reason: 'lunch' });
    await run.resume({ actor: 'ann' });
    await sameAtEveryCommit(run);
  });

  test('results that came too late come with it', async () => {
    const lab = await open([busy]);
    const run = await lab.engine.start(busy, { n: 1 });
    const note = { instance: run.id, token: 3, version: 1, worker: 'w', reason: 'fenced', at: 9 };
    await lab.store.drop(note as never);
    expect(replay(await run.export()).file.dropped).toEqual([note]);
  });
});

test('one that is not there cannot be exported', async () => {
  const kit = createTestEngine({ flows: [busy] });
  const run = await kit.start(busy, { n: 1 });
  await kit.advance('2h');
  await kit.engine.prune({ olderThan: 0 });
  await expect(run.export()).rejects.toMatchObject({ code: 'instance.not-found' });
});

test('a long history is shown at any commit, and not from the beginning each time', async () => {
  const long = flow('long')
    .repeat('many', { times: 1_100 }, (b) => b.step('tick', ({ index }) => index))
    .end();
  const kit = createTestEngine({ flows: [long] });
  const run = await kit.start(long, null);
  await run.result();
  const shown = replay(await run.export());
  expect(shown.length).toBeGreaterThan(1_050);
  for (const n of [1, 999, 1_000, 1_001, 1_050]) expect(shown.at(n)).toEqual(await run.at(n));
});

describe('a file that is damaged or none of ours', () => {
  const exported = async (): Promise<ExportedInstance> => {
    const kit = createTestEngine({ flows: [busy] });
    const run = await kit.start(busy, { n: 1 });
    await kit.advance('2h');
    return run.export();
  };
  type Loose = { [name: string]: Json } & { history: Loose[]; changes: Loose[]; plan: Loose };
  const damages: readonly [string, (file: Loose) => unknown, string, string][] = [
    ['nothing', () => undefined, '', 'no object'],
    ['a list', () => [], '', 'no object'],
    ['text that is no JSON', () => '{"format":', '', 'no JSON'],
    ['a file cut short', (file) => JSON.stringify(file).slice(0, -9), '', 'no JSON'],
    ['a file of something else', () => ({ name: 'x' }), 'format', 'run.export()'],
    [
      'one of a newer program',
      (file) => ({ ...file, format: 'perdure.instance/2' }),
      'format',
      'newer',
    ],
    ['without its id', (file) => ({ ...file, instance: 7 }), 'instance', 'no id'],
    ['without its plan', (file) => ({ ...file, plan: null }), 'plan', 'no plan'],
    ['without history', (file) => ({ ...file, history: [] }), 'history', 'no commits'],
    ['of another instance', (file) => ({ ...file, instance: 'x' }), 'history[0]', 'not x'],
    ['notes that are none', (file) => ({ ...file, dropped: {} }), 'dropped', 'no list'],
    [
      'a commit missing',
      (file) => ({ ...file, history: file.history.toSpliced(2, 1) }),
      'history[2]',
      'commit 3 is missing, there is 4',
    ],
    ['a moment that is none', (file) => set(file, 1, { at: 'now' }), 'history[1].at', '"now"'],
    [
      'a commit without id',
      (file) => set(file, 1, { commitId: null }),
      'history[1].commitId',
      'no text',
    ],
    [
      'changes that are none',
      (file) => set(file, 0, { changes: {} }),
      'history[0].changes',
      'no list',
    ],
    [
      'a change that is none',
      (file) => set(file, 1, { changes: [7] }),
      'history[1].changes[0]',
      'no change',
    ],
    [
      'a change that nobody knows',
      (file) => set(file, 1, { changes: [{ did: 'dance' }] }),
      'history[1].changes[0]',
      '"dance" cannot have happened there',
    ],
    [
      'a change that does not follow',
      (file) => set(file, 1, { changes: [{ did: 'end-token', token: 99, why: 'done' }] }),
      'history[1].changes[0]',
      'token 99',
    ],
    [
      'a change with a part missing',
      (file) => set(file, 1, { changes: [{ did: 'birth-token' }] }),
      'history[1].changes[0]',
      '"birth-token"',
    ],
  ];

  function set(file: Loose, index: number, fields: object): object {
    const history = file.history.map((row, at) => (at === index ? { ...row, ...fields } : row));
    return { ...file, history };
  }

  test.each(damages)('%s', async (_what, damage, path, message) => {
    const file = damage((await exported()) as unknown as Loose);
    const wrong = { code: 'export.invalid', message: expect.stringContaining(message) };
    expect(() => replay(file)).toThrow(expect.objectContaining({ ...wrong, details: { path } }));
  });

  test('a commit that is not in it', async () => {
    const shown = replay(await exported());
    for (const n of [0, -1, 1.5, shown.length + 1]) {
      expect(() => shown.at(n)).toThrow(expect.objectContaining({ code: 'instance.not-found' }));
    }
  });

  test('another plan than its own, or one that was altered, is found by a check', async () => {
    const file = await exported();
    const body = { ...(file.plan.body as object), version: 9 };
    const altered = replay({ ...file, plan: { ...file.plan, body } }).check();
    expect(altered).toMatchObject({ ok: false, violations: [{ promise: 'plan' }] });
    const other = replay({ ...file, plan: { hash: 'x', body: {} } }).check();
    expect(other.violations.map(({ promise }) => promise)).toEqual(['plan', 'plan']);
  });

  test('a history that breaks a promise is found by a check', async () => {
    const file = await exported();
    // Nothing says how the instance ended: so it is open, and nothing in it will ever move.
    const history = file.history.map((row) => ({
      ...row,
      changes: row.changes.filter(({ did }) => did !== 'finish'),
    }));
    const { ok, violations } = replay({ ...file, history }).check();
    expect(ok).toBe(false);
    expect(violations.length).toBeGreaterThan(0);
  });

  test('what becomes of the value afterwards does not matter', async () => {
    const file = structuredClone(await exported()) as unknown as Loose;
    const shown = replay(file);
    const before = shown.at(1);
    file.history.length = 0;
    expect(shown.at(1)).toEqual(before);
  });
});
