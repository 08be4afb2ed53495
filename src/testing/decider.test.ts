/**
 * O-70: there is no state in which something is decided and nobody goes on with it. Processes are
 * killed over a decision, before its commit and right after; others find the task still open, or
 * the instance on its way.
 */
import { expect, test } from 'vitest';
import { createEngine, type Engine } from '../runtime/engine.ts';
import type { Run } from '../runtime/run.ts';
import { type Bed, onBothDatabases } from './databases.ts';
import { type Errand, paidIn, paymentFlow, type Standing } from './decider-flow.ts';
import { storeAt } from './place.ts';
import { Program } from './program.ts';

const STANDINGS: readonly Standing[] = ['worker', 'office', 'stranger'];

/** An approval that lacks one vote, and the engine of the test, which has no worker. */
async function asked({ place, folder }: Bed): Promise<{ office: Engine; run: Run; task: string }> {
  const payment = paymentFlow(folder);
  const office = await createEngine({ store: storeAt(place), flows: [payment], worker: false });
  const run = await office.start(payment, null as never);
  const task = (await office.tasks.list({ instance: run.id })).tasks[0]?.id ?? '';
  await office.tasks.decide(task, { actor: 'fin', decision: 'approve' });
  return { office, run, task };
}

function launch(bed: Bed, errand: Omit<Errand, 'place' | 'folder'>): Program {
  const { place, folder } = bed;
  return new Program('decider', [JSON.stringify({ place, folder, ...errand })]);
}

/** By another process, which decides it first if that is still to be done. */
async function isFinished(
  bed: Bed,
  { office, run, ...decided }: { office: Engine; run: Run; task?: string },
): Promise<void> {
  const other = launch(bed, { standing: 'worker', death: 'never', ...decided });
  expect(await run.result()).toBe(2);
  expect(paidIn(bed.folder)).toEqual(['legal']);
  expect(await office.check()).toMatchObject({ ok: true });
  await other.kill();
  await office.close();
}

onBothDatabases('a process that dies over a decision', (make) => {
  test.each(STANDINGS)('right after it was committed, as %s: another goes on', async (standing) => {
    const bed = make();
    const { office, run, task } = await asked(bed);
    const { version } = await run.inspect();
    const dying = launch(bed, { standing, death: 'after', task });
    expect(await dying.ended()).toBe('SIGKILL');

    expect(await office.tasks.get(task)).toBeUndefined();
    expect((await office.tasks.list({ instance: run.id })).tasks).toEqual([]);
    const { version: after, tokens } = await run.inspect();
    expect(after).toBe(version + 1);
    const node = standing === 'stranger' ? 'release' : 'pay';
    expect(tokens.map((token) => [token.node, token.wait])).toEqual([[node, null]]);
    const again = office.tasks.decide(task, { actor: 'legal', decision: 'reject' });
    await expect(again).rejects.toMatchObject({ code: 'task.not-found' });
    expect(paidIn(bed.folder)).toEqual([]);

    await isFinished(bed, { office, run });
  });

  test.each(STANDINGS)('before it was committed, as %s: it can be decided', async (standing) => {
    const bed = make();
    const { office, run, task } = await asked(bed);
    const before = await run.inspect();
    const dying = launch(bed, { standing, death: 'before', task });
    expect(await dying.ended()).toBe('SIGKILL');

    expect(await run.inspect()).toEqual(before);
    expect(await office.tasks.get(task)).toMatchObject({ waitsFor: ['legal'] });
    expect((await office.tasks.list({ candidate: 'legal' })).tasks).toMatchObject([{ id: task }]);

    await isFinished(bed, { office, run, task });
  });
});
