/**
 * A pause takes effect at the boundary of a step (S-69): what was at work is kept, a failure too,
 * and nothing follows from it before the instance goes on.
 */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { chain } from '../frontends/chain/chain.ts';
import { completed } from '../frontends/chain/results.ts';
import type { Flow } from '../model/definition.ts';
import { isSound } from '../testing/fragile.ts';
import { type Begun, onEveryStore, type OpenLab } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';

interface Failing {
  readonly gate: Gate<string>;
  /** Opened once the step is at work. */
  readonly at: Gate;
  readonly work: () => Promise<string>;
}

/** A step that fails when its gate opens, and does better the next time. */
function failing(): Failing {
  const [gate, at] = [new Gate<string>(), new Gate()];
  let runs = 0;
  const work = async (): Promise<string> => {
    runs += 1;
    if (runs > 1) return 'mended';
    at.open();
    throw new Error(await gate.opened);
  };
  return { gate, at, work };
}

interface Held extends Begun {
  /** The one that failed. */
  readonly token: number;
}

/** Suspended while the step is at work, which then fails. */
async function suspendedBy(open: OpenLab, job: Flow, way: Failing): Promise<Held> {
  const lab = await open([job]);
  const run = await lab.engine.start(job, undefined as never);
  await way.at.opened;
  await run.suspend();
  way.gate.open('broken');
  await lab.settle();
  const { status, incidents } = await run.inspect();
  expect([status, incidents[0]?.fault?.message]).toEqual(['suspended', 'broken']);
  await isSound(lab);
  return { lab, run, token: incidents[0]?.token ?? 0 };
}

onEveryStore('an instance that is suspended', (open) => {
  test('and cancelled with its saga undoes nothing before it goes on', async () => {
    const undone: string[] = [];
    const undo = (): void => void undone.push('a');
    const job = flow('job', { saga: 'instance' })
      .step('a', () => 1, { undo })
      .sleep('nap', '1d')
      .end();
    const lab = await open([job]);
    const run = await lab.engine.start(job, null);
    await lab.settle();
    await run.suspend();
    await run.cancel({ saga: true });
    await lab.advance('2d');
    expect([await run.status(), undone]).toEqual(['suspended', []]);
    await run.resume();
    await lab.settle();
    expect([await run.status(), undone]).toEqual(['canceled', ['a']]);
    await isSound(lab);
  });

  test('does not fail by the step that was at work before it goes on', async () => {
    const way = failing();
    const job = flow('job')
      .parallel('both', {
        a: (b) => b.step('a', way.work),
        b: (b) => b.sleep('b', '1d'),
      })
      .end();
    const { lab, run } = await suspendedBy(open, job, way);
    expect((await run.tokens()).map(({ node }) => node)).toContain('b');
    await run.resume();
    await lab.settle();
    expect(await run.inspect()).toMatchObject({ status: 'failed', fault: { message: 'broken' } });
    await run.revive();
    await lab.advance('1d');
    expect(await run.status()).toBe('completed');
    await isSound(lab);
  });

  test('has what failed meanwhile caught once it goes on, and mended before that', async () => {
    const way = failing();
    const job = flow('job')
      .try('try', (b) => b.step('a', way.work), {
        catch: { when: ({ message }) => message === 'broken' },
        do: (b) => b.step('caught', () => 'caught'),
      })
      .end();
    const { lab, run } = await suspendedBy(open, job, way);
    await run.resume();
    await lab.settle();
    expect(await run.result()).toMatchObject({ caught: 'caught' });

    const other = failing();
    const mended = flow('mended').step('a', other.work).end();
    const held = await suspendedBy(open, mended, other);
    await held.run.retry(held.token);
    await held.run.resume();
    await held.lab.settle();
    expect(await held.run.result()).toEqual({ a: 'mended' });
  });

  test('has what failed meanwhile undo what was done only when it goes on', async () => {
    const way = failing();
    const undone: string[] = [];
    const job = flow('job')
      .step('first', () => 'first', { undo: () => void undone.push('first') })
      .step('a', way.work)
      .end();
    const { lab, run } = await suspendedBy(open, job, way);
    expect(undone).toEqual([]);
    await run.resume();
    await lab.settle();
    expect([await run.status(), undone]).toEqual(['failed', ['first']]);
  });

  test('is not over when the last step of a chain is done', async () => {
    const [gate, at] = [new Gate(), new Gate()];
    const line = chain('line', 1, ['ONLY']);
    const ONLY = async () => (at.open(), await gate.opened, completed());
    const lab = await open([line], { handlers: { ONLY } });
    const run = await lab.engine.start(line, { a: 1 });
    await at.opened;
    await run.suspend();
    gate.open();
    await lab.settle();
    expect(await run.status()).toBe('suspended');
    await isSound(lab);
    await run.resume();
    await lab.settle();
    expect(await run.status()).toBe('completed');
  });
});
