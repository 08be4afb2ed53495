/**
 * A kind that one process has and another does not, on every store: the other may end a pause or
 * answer it, and whoever has the kind goes on (D19).
 */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { isSound, tokenAt } from '../testing/fragile.ts';
import { gateKind, toldBy } from '../testing/gates.ts';
import { begin, type Lab, onEveryStore } from '../testing/lab.ts';
import type { Run } from './run.ts';

const gate = gateKind('acme.gate', 'any');

const job = flow('job')
  .node('hold', gate, { gate: 'a', timeout: '2h' })
  .step('after', () => 1)
  .end(({ results }) => results.hold);

interface Both {
  readonly lab: Lab;
  readonly run: Run;
  /** In a process that has neither the flow nor the kind. */
  readonly other: Lab;
  readonly there: Run;
}

/** It is killed, and that was long ago. */
async function killed({ engine, store }: Lab): Promise<void> {
  engine.parts.worker?.abandon();
  for (const { worker } of await store.servers.list()) await store.servers.remove(worker);
}

onEveryStore('a process that lacks a kind', (open) => {
  async function both(): Promise<Both> {
    const { lab, run } = await begin(open, job);
    const other = await lab.beside([]);
    const there = await other.engine.get(run.id);
    if (there === undefined) throw new Error('it is there');
    return { lab, run, other, there };
  }

  test('answers a pause, and the one that has it goes on', async () => {
    const { lab, run, there } = await both();
    await there.wake(await tokenAt(there, 'hold'), 5, { vars: { by: 'them' } });
    expect(await there.tokens()).toMatchObject([{ status: 'ready', handler: 'job@1/' }]);
    expect(await toldBy(run)).toEqual(['arm a 1']);
    await lab.settle();
    expect(await toldBy(run)).toEqual(['arm a 1', 'disarm done a 1']);
    expect(await run.result()).toMatchObject({ data: 5 });
    await isSound(lab);
  });

  test('answers it, and nobody has it: that is said', async () => {
    const { lab, other, there } = await both();
    await killed(lab);
    await there.wake(await tokenAt(there, 'hold'), 5);
    await other.tick('10s');
    const { stalled } = await there.inspect();
    expect(stalled).toMatchObject({ reason: 'handler.missing', handlers: ['job@1/'] });
    const able = await lab.beside([job]);
    await able.settle();
    expect(await there.inspect()).toMatchObject({ status: 'completed', stalled: null });
    expect(await toldBy(there)).toEqual(['arm a 1', 'disarm done a 1']);
  });

  test('cancels it, and the outside is told all the same', async () => {
    const { lab, run, there } = await both();
    await there.cancel({ actor: 'ada' });
    await isSound(lab);
    expect(await toldBy(run)).toEqual(['arm a 1', 'disarm cancelled a 1']);
  });

  test('answers it and cancels it before anybody went on: it was cancelled', async () => {
    const { lab, run, there } = await both();
    await killed(lab);
    await there.wake(await tokenAt(there, 'hold'), 5);
    await there.cancel();
    expect(await toldBy(run)).toEqual(['arm a 1', 'disarm cancelled a 1']);
    await isSound(lab);
  });

  test('moves its token away and back, and goes back in time', async () => {
    const { lab, run, there } = await both();
    await there.move(await tokenAt(there, 'hold'), 'after');
    await there.rerun('hold');
    await lab.settle();
    expect(await toldBy(run)).toEqual(['arm a 1', 'disarm cancelled a 1', 'arm a 1']);
    await there.wake(await tokenAt(there, 'hold'), 6);
    await lab.settle();
    expect(await run.result()).toMatchObject({ data: 6 });
    await isSound(lab);
  });

  test('does not skip it: how it goes on, only its kind knows', async () => {
    const { run, there } = await both();
    await expect(there.skip(await tokenAt(there, 'hold'), 1)).rejects.toMatchObject({
      code: 'operation.refused',
      message: expect.stringContaining('whose kind is not known here'),
    });
    expect(await toldBy(run)).toEqual(['arm a 1']);
  });

  test('has it tried again, when it waits to be mended', async () => {
    const mendable = flow('mendable', { onFailure: 'incident' })
      .node('hold', gate, { gate: 'a' })
      .end();
    const { lab, run } = await begin(open, mendable);
    await run.wake(await tokenAt(run, 'hold'), 'break');
    const other = await lab.beside([]);
    const there = await other.engine.get(run.id);
    await there?.retry();
    await lab.settle();
    expect(await toldBy(run)).toEqual(['arm a 1', 'disarm failed a 1', 'arm a 1']);
    await isSound(lab);
  });

  test('skips what comes before it, and leaves the rest to others', async () => {
    const late = flow('late')
      .waitFor('go', { event: 'go', key: () => 'k' })
      .node('hold', gate, { gate: 'a' })
      .end(({ results }) => results.go);
    const { lab, run } = await begin(open, late);
    await killed(lab);
    const other = await lab.beside([]);
    const there = await other.engine.get(run.id);
    await there?.skip(await tokenAt(run, 'go'), 'skipped');
    expect(await run.tokens()).toMatchObject([{ node: 'hold', status: 'ready', wait: null }]);
    lab.crash();
    await lab.settle();
    await run.wake(await tokenAt(run, 'hold'), 5);
    await lab.settle();
    expect(await run.result()).toBe('skipped');
    await isSound(lab);
  });
});
