/** Reviving what failed, in the places where that is hard (B-30, API §5), on every store. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { chain } from '../frontends/chain/chain.ts';
import { completed, dead } from '../frontends/chain/results.ts';
import { expectRows } from '../testing/chain-rows.ts';
import { fragile, isSound } from '../testing/fragile.ts';
import { begin, type Lab, onEveryStore } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';
import type { ChainHandler } from './links.ts';
import type { Run } from './run.ts';

onEveryStore('an instance that is revived', (open) => {
  test('long after it failed has what was left of its timeouts', async () => {
    const { state, work } = fragile();
    const job = flow('job')
      .parallel('both', {
        a: (b) => b.waitFor('answer', { event: 'answered', key: () => 'k', timeout: '1h' }),
        b: (b) => b.sleep('soon', '30m').step('charge', work),
      })
      .end(({ results }) => results.answer);
    const { lab, run } = await begin(open, job, { for: '31m' });
    expect(await run.status()).toBe('failed');
    state.mended = true;
    await lab.advance('7d');
    await run.revive();
    await lab.advance('29m');
    expect(await run.status()).toBe('waiting');
    await lab.engine.publish({ type: 'answered', key: 'k', data: 'in time' });
    await lab.settle();
    expect(await run.result()).toBe('in time');
    await isSound(lab);
  });

  test('gives a step that ran out of its deadline all of its time anew', async () => {
    const gates = [new Gate<string>(), new Gate<string>()];
    let runs = 0;
    const job = flow('job')
      .step('slow', () => gates[runs++]?.opened, { deadline: '20s' })
      .end(({ results }) => results.slow);
    const { lab, run } = await begin(open, job, { for: '30s' });
    expect((await run.inspect()).fault?.code).toBe('step.deadline');
    await run.revive();
    await lab.advance('15s');
    expect(await run.status()).toBe('running');
    gates[1]?.open('done');
    await lab.settle();
    expect(await run.result()).toBe('done');
  });

  test('a second time does what it did the first time', async () => {
    const one = fragile();
    const two = fragile();
    const job = flow('job')
      .scope('inner', (s) => s.step('one', one.work).step('two', two.work))
      .end(({ results }) => [results.one, results.two]);
    const { lab, run } = await begin(open, job);
    one.state.mended = true;
    await run.revive();
    await lab.settle();
    expect((await run.inspect()).fault?.node).toBe('two');
    two.state.mended = true;
    await run.revive();
    await lab.settle();
    expect(await run.result()).toEqual(['worked', 'worked']);
    expect([one.keys.length, two.keys.length]).toEqual([2, 2]);
    expect(new Set([...one.keys, ...two.keys]).size).toBe(2);
    await isSound(lab);
  });

  test('goes on with a step beside it, too, that had come to nothing', async () => {
    const gate = new Gate<string>();
    const { state, work } = fragile();
    let ships = 0;
    const ship = async (): Promise<string> => {
      ships += 1;
      if (ships > 1) return 'shipped';
      await gate.opened;
      throw new Error('no truck');
    };
    const job = flow('job')
      .parallel('both', {
        a: (b) => b.step('ship', ship, { undo: () => null }),
        b: (b) => b.sleep('soon', '1s').step('charge', work),
      })
      .end(({ results }) => [results.ship, results.charge]);
    const lab = await open([job]);
    const run = await lab.engine.start(job, null);
    await lab.tick('2s');
    expect(await run.status()).toBe('compensating');
    gate.open('');
    await lab.settle();
    expect(await run.inspect()).toMatchObject({ status: 'failed', outcome: null });
    state.mended = true;
    await run.revive();
    await lab.settle();
    expect(await run.result()).toEqual(['shipped', 'worked']);
    await isSound(lab);
  });

  test('and whose work was undone says that it cannot be', async () => {
    const { work } = fragile();
    const job = flow('job')
      .step('first', () => 1, { undo: () => null })
      .step('charge', work)
      .end();
    const { lab, run } = await begin(open, job);
    expect(await run.inspect()).toMatchObject({ status: 'failed', outcome: 'compensated' });
    const { version } = await run.inspect();
    await expect(run.revive()).rejects.toMatchObject({ code: 'operation.refused' });
    expect((await run.inspect()).version).toBe(version);
    await isSound(lab);
  });

  test('calls once more what it had called, if that failed', async () => {
    const { state, work } = fragile();
    const inner = flow('inner')
      .step('charge', work)
      .end(({ results }) => results.charge);
    const outer = flow('outer')
      .call('ask', inner, null)
      .end(({ results }) => results.ask);
    const { lab, run } = await begin(open, outer);
    expect(await run.status()).toBe('failed');
    state.mended = true;
    await run.revive();
    await lab.settle();
    expect(await run.result()).toBe('worked');
    // What had been called stays what it was; reviving it, too, changes nothing for its caller.
    const ids = (await lab.store.scan(null, 10)).filter((id) => id !== run.id);
    const children = (await Promise.all(ids.map((id) => lab.engine.get(id)))) as Run[];
    const statuses = (): Promise<string[]> => Promise.all(children.map((one) => one.status()));
    expect((await statuses()).sort()).toEqual(['completed', 'failed']);
    for (const child of children) await child.revive().catch(() => {});
    await lab.settle();
    expect([...(await statuses()), await run.status()]).toEqual(Array(3).fill('completed'));
    await isSound(lab);
  });

  test('asks people anew who had rejected it, and keeps what others had said', async () => {
    const pay = flow('pay')
      .parallel('both', {
        a: (b) => b.task('count', { assignee: 'cy' }),
        b: (b) => b.approve('ok', { approvers: ['ann'], onReject: 'fail', timeout: '1h' }),
      })
      .end(({ results }) => [results.count, results.ok.decision]);
    const { lab, run } = await begin(open, pay);
    const idOf = async (node: string): Promise<string> =>
      (await lab.engine.tasks.list({ node })).tasks[0]?.id ?? 'none';
    await lab.engine.tasks.complete(await idOf('count'), 7, 'cy');
    const id = await idOf('ok');
    await lab.engine.tasks.decide(id, { actor: 'ann', decision: 'reject' });
    expect((await run.inspect()).fault?.code).toBe('approval.rejected');
    await run.revive();
    expect(await run.status()).toBe('waiting');
    expect(await lab.engine.tasks.get(id)).toMatchObject({ votes: [], round: 1, trail: [] });
    await lab.engine.tasks.decide(await idOf('ok'), { actor: 'ann', decision: 'approve' });
    await lab.settle();
    expect(await run.result()).toEqual([7, 'approve']);
    await isSound(lab);
  });

  test('counts no worker that died of it before', async () => {
    let deaths = 0;
    const job = flow('job')
      .step('deadly', () => {
        if (deaths >= 3) return 'survived';
        deaths += 1;
        lab.crash();
        return new Promise<string>(() => {});
      })
      .end(({ results }) => results.deadly);
    const lab: Lab = await open([job], { limits: { CRASHES_MAX: 1 } });
    const run = await lab.engine.start(job, null);
    await lab.advance('1h');
    expect((await run.inspect()).fault?.code).toBe('LEASE_EXPIRED');
    await run.revive();
    await lab.advance('1h');
    expect(await run.result()).toBe('survived');
  });
});

const DONE = { status: 'DONE' };

onEveryStore('a chain', (open) => {
  const line = chain<{ seen: string[] }>('line', 1, ['A', 'B', 'C'], { maxAttempts: 1 });

  function staffed() {
    const keys: string[] = [];
    const state = { mended: false };
    const work: ChainHandler = ({ idempotencyKey, context, stepType }) => {
      keys.push(idempotencyKey);
      context['seen'].push(stepType);
      return stepType === 'B' && !state.mended ? dead('no paper') : completed();
    };
    return { keys, state, handlers: { A: work, B: work, C: work } };
  }

  test('that failed is revived at the step that did, with its rows as they were', async () => {
    const { keys, state, handlers } = staffed();
    const lab = await open([line], { handlers });
    const run = await lab.engine.start(line, { seen: [] });
    await lab.settle();
    expect(await run.status()).toBe('failed');
    await expectRows(lab, run, {
      steps: [{ status: 'DONE' }, { status: 'DEAD' }, { status: 'PENDING' }],
    });
    state.mended = true;
    await run.revive();
    await lab.settle();
    // What a step made of the context counts, whatever came of it.
    expect(await run.result()).toEqual({ seen: ['A', 'B', 'B', 'C'] });
    expect([keys.length, new Set(keys).size]).toEqual([4, 3]);
    await expectRows(lab, run, { steps: [DONE, DONE, DONE] });
    await isSound(lab);
  });

  test('is run again from a step, and no step after it has a key that it had before', async () => {
    const { keys, state, handlers } = staffed();
    state.mended = true;
    const lab = await open([line], { handlers });
    const run = await lab.engine.start(line, { seen: [] }, { key: 'k' });
    await lab.settle();
    for (const from of ['A', 'B', 'A']) {
      await run.rerun(from);
      await lab.settle();
      expect(await run.result()).toEqual({ seen: ['A', 'B', 'C'] });
    }
    expect([keys.length, new Set(keys).size]).toEqual([11, 11]);
    const copy = await run.rerun('C', { copy: true });
    await lab.settle();
    expect(await copy.result()).toEqual({ seen: ['A', 'B', 'C'] });
    await expectRows(lab, copy, { steps: [DONE, DONE, DONE] });
    // A copy knows where it began, and nothing of before.
    await copy.rerun('C');
    await expect(copy.rerun('A')).rejects.toMatchObject({ code: 'operation.refused' });
    await isSound(lab);
  });
});
