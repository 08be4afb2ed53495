/** Processes that stand still for longer than their leases, and one that never comes back. */
import { expect, test } from 'vitest';
import type { Engine } from '../runtime/engine.ts';
import type { Run } from '../runtime/run.ts';
import { onBothDatabases } from './databases.ts';
import type { Program } from './program.ts';
import { stopAtRest } from './standstill.ts';
import { idle, launch, openOffice } from './told.ts';
import type { Task } from './told-flow.ts';
import { runsIn } from './token-runs.ts';

/** Half of it is how long a busy machine may keep a process, or a thread of it, waiting. */
const LEASE_MS = 2_000;
const worker = { lease: LEASE_MS, poll: '100ms' };

async function begin(office: Engine, task: Task, by: Program): Promise<Run> {
  const run = await office.start('told', task);
  await by.said(/^began 1$/);
  return run;
}

onBothDatabases('a process that stands still', (make, database) => {
  test.concurrent('is overtaken, and what it brings later is dropped', async () => {
    const { place } = make();
    const office = await openOffice(place);
    const a = await launch({ place, name: 'A', worker });
    const run = await begin(office, { holdIn: 'A' }, a);
    const b = await launch({ place, name: 'B', worker });
    stopAtRest(a, place);
    expect(await run.result()).toBe('B');
    const before = await run.history();
    a.tell('go');
    a.signal('SIGCONT');
    await a.said(/a result came too late and was dropped$/);
    await b.said(/^began 2$/);
    expect(await run.history()).toEqual(before);
    const notes = (await run.history({ notes: true })).filter(({ n }) => n === null);
    expect(notes).toMatchObject([{ dropped: { instance: run.id, reason: 'token gone' } }]);
    expect((await run.inspect()).output).toBe('B');
    expect(await office.check()).toMatchObject({ ok: true, violations: [], stalled: [] });
    await office.close();
  });

  test.concurrent('because its handler computes keeps its work', async () => {
    const { place } = make();
    const office = await openOffice(place);
    const a = await launch({ place, name: 'A', worker });
    const run = await begin(office, { holdIn: 'A', blockMs: 2 * LEASE_MS }, a);
    // Idle, and looking for something to do all the while.
    const b = await launch({ place, name: 'B', worker });
    a.tell('go');
    expect(await run.result()).toBe('A');
    await Promise.all([a, b].map(idle));
    expect([a.lines, b.lines].flat().filter((line) => line.startsWith('began'))).toEqual([
      'began 1',
    ]);
    const history = await run.history({ notes: true });
    expect(runsIn(history)).toMatchObject([{ ends: 1, recoveries: 0, dropped: [] }]);
    await office.close();
  });

  if (database !== 'Postgres') return;
  test.concurrent('for ever, with the usual options, is replaced within 15 s', async () => {
    const { place } = make();
    const office = await openOffice(place);
    const a = await launch({ place, name: 'A' });
    const run = await begin(office, { holdIn: 'A' }, a);
    const b = await launch({ place, name: 'B' });
    const killed = performance.now();
    await a.kill();
    await b.said(/^began 2$/);
    expect(performance.now() - killed).toBeLessThan(15_000);
    expect(await run.result()).toBe('B');
    await office.close();
  });
});
