/**
 * O-50: however a pause of an application's kind ends, the outside is told so exactly once, in the
 * same commit; on every store.
 */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import { broken } from '../testing/diary.ts';
import { isSound, tokenAt } from '../testing/fragile.ts';
import { gateKind, toldBy } from '../testing/gates.ts';
import { type Begun, begin, type Lab, onEveryStore } from '../testing/lab.ts';
import type { Run } from './run.ts';

const gate = gateKind('acme.gate');

const lone = flow('lone')
  .node('hold', gate, { gate: 'a', timeout: '2h' })
  .step('after', () => 1)
  .end(({ results }) => results.hold);

const caught = flow('caught')
  .try('safe', (b) => b.node('hold', gate, { gate: 'a' }), { do: (b) => b.set('mended', () => 1) })
  .end(({ results }) => results.mended ?? null);

/** What happens beside the pause, once a message comes. */
const beside = (name: string, fate: 'terminate' | 'fail' | 'win'): Flow =>
  flow(name)
    .parallel('both', {
      a: (b) => b.node('hold', gate, { gate: 'a' }),
      b: (b) => {
        const told = b.waitFor('go', { event: 'go', key: () => 'k' });
        return fate === 'terminate' ? told.terminate('stop') : told.step('odd', () => broken());
      },
    })
    .end();

const raced = flow('raced')
  .race('first', {
    a: (b) => b.node('hold', gate, { gate: 'a' }),
    b: (b) => b.waitFor('go', { event: 'go', key: () => 'k' }),
  })
  .end(() => 'won');

interface Ending {
  readonly flow: Flow;
  readonly by: (run: Run, token: number, lab: Lab) => Promise<unknown>;
  readonly why: 'done' | 'cancelled' | 'failed';
  readonly status?: string;
}

const go = (_run: Run, _token: number, lab: Lab) =>
  lab.engine.publish({ type: 'go', key: 'k', id: 'go' });

const ENDINGS: Readonly<Record<string, Ending>> = {
  woken: { flow: lone, by: (run, token) => run.wake(token, 1, { as: gate }), why: 'done' },
  'its time over': { flow: lone, by: (_run, _token, lab) => lab.advance('2h'), why: 'done' },
  skipped: { flow: lone, by: (run, token) => run.skip(token, 1), why: 'done' },
  moved: { flow: lone, by: (run, token) => run.move(token, 'after'), why: 'cancelled' },
  canceled: { flow: lone, by: (run) => run.cancel(), why: 'cancelled', status: 'canceled' },
  'canceled with a saga': {
    flow: lone,
    by: (run) => run.cancel({ saga: true }),
    why: 'cancelled',
    status: 'canceled',
  },
  'failed when it was resumed': {
    flow: lone,
    by: (run, token) => run.wake(token, 'break', { as: gate }),
    why: 'failed',
    status: 'failed',
  },
  'failed, and caught': {
    flow: caught,
    by: (run, token) => run.wake(token, 'break', { as: gate }),
    why: 'failed',
  },
  'terminated beside': { flow: beside('stops', 'terminate'), by: go, why: 'cancelled' },
  'failed beside': { flow: beside('fails', 'fail'), by: go, why: 'cancelled', status: 'failed' },
  'a race lost': { flow: raced, by: go, why: 'cancelled' },
};

onEveryStore('a pause that is over', (open) => {
  for (const [name, { flow: job, by, why, status = 'completed' }] of Object.entries(ENDINGS)) {
    test(`${name}: the outside is told once that it is ${why}`, async () => {
      const { lab, run } = await begin(open, job);
      const token = await tokenAt(run, 'hold');
      expect(await toldBy(run)).toEqual(['arm a 1']);
      await by(run, token, lab);
      await lab.settle();
      expect(await run.status()).toBe(status);
      expect(await toldBy(run)).toEqual(['arm a 1', `disarm ${why} a 1`]);
      // A second time changes nothing, whatever it is.
      await by(run, token, lab).catch(() => undefined);
      await lab.settle();
      expect(await toldBy(run)).toEqual(['arm a 1', `disarm ${why} a 1`]);
      await isSound(lab);
    });
  }

  test('pausing again: the last one is over before the next begins', async () => {
    const { lab, run } = await begin(open, lone);
    const token = await tokenAt(run, 'hold');
    await run.wake(token, 'again', { as: gate });
    await run.wake(token, 'again', { as: gate });
    await run.cancel();
    await lab.settle();
    expect(await toldBy(run)).toEqual([
      ...['arm a 1', 'disarm done a 1'],
      ...['arm a 2', 'disarm done a 2'],
      ...['arm a 3', 'disarm cancelled a 3'],
    ]);
  });

  test('an incident: it has failed, and begins anew when it is mended', async () => {
    const mendable = flow('mendable', { onFailure: 'incident' })
      .node('hold', gate, { gate: 'a' })
      .end(({ results }) => results.hold);
    const { lab, run } = await begin(open, mendable);
    const token = await tokenAt(run, 'hold');
    await run.wake(token, 'break', { as: gate });
    expect((await run.inspect()).incidents).toMatchObject([{ token, node: 'hold' }]);
    expect(await toldBy(run)).toEqual(['arm a 1', 'disarm failed a 1']);
    await run.retry(token);
    await lab.settle();
    await run.wake(token, 'fine', { as: gate });
    await lab.settle();
    expect(await run.result()).toMatchObject({ data: 'fine' });
    expect((await toldBy(run)).slice(2)).toEqual(['arm a 1', 'disarm done a 1']);
    await isSound(lab);
  });

  test('a suspended instance: nothing, until it goes on', async () => {
    const { lab, run } = await begin(open, lone);
    const token = await tokenAt(run, 'hold');
    await run.suspend();
    await lab.advance('1d');
    await expect(run.wake(token, 1, { as: gate })).rejects.toMatchObject({
      code: 'instance.suspended',
    });
    expect(await toldBy(run)).toEqual(['arm a 1']);
    await run.resume();
    await lab.advance('1h');
    expect(await toldBy(run)).toEqual(['arm a 1']);
    await lab.advance('1h');
    expect(await toldBy(run)).toEqual(['arm a 1', 'disarm done a 1']);
  });
});

onEveryStore('a pause and another version or time', (open) => {
  const newer = flow('lone', { version: 2 })
    .node('held', gate, { gate: 'b', timeout: '2h' })
    .end(({ results }) => results.held);

  test('a migration: it stays the pause it was, under its other name', async () => {
    const { lab, run } = await begin(open, lone);
    await lab.engine.deploy(newer);
    await run.migrate({ version: 2, nodes: { hold: 'held' } });
    await lab.settle();
    expect(await toldBy(run)).toEqual(['arm a 1']);
    lab.crash();
    await run.wake(await tokenAt(run, 'held'), 5, { as: gate });
    await lab.settle();
    expect(await run.result()).toMatchObject({ data: 5 });
    expect(await toldBy(run)).toEqual(['arm a 1', 'disarm done a 1']);
    await isSound(lab);
  });

  test('a migration: it may be put into a scope that nobody wrote', async () => {
    const plain = flow('grown')
      .node('hold', gate, { gate: 'a' })
      .end(({ results }) => results.hold);
    const chosen = flow('grown', { version: 2 })
      .choose(
        'pick',
        { yes: { when: () => true, do: (b) => b.node('hold', gate, { gate: 'a' }) } },
        { otherwise: (b) => b },
      )
      .end(({ results }) => results.hold);
    const { lab, run } = await begin(open, plain);
    await lab.engine.deploy(chosen);
    await run.migrate({ version: 2 });
    await run.wake(await tokenAt(run, 'hold'), 5, { as: gate });
    await lab.settle();
    expect(await run.result()).toMatchObject({ data: 5 });
    await isSound(lab);
  });

  /** Begun, paused at `hold` and gone on to `after`, which waits. */
  async function goneOn(): Promise<Begun> {
    const job = flow('job')
      .parallel('both', {
        a: (b) => b.node('hold', gate, { gate: 'a' }),
        b: (b) => b.step('first', () => 1).waitFor('go', { event: 'go', key: () => 'k' }),
      })
      .waitFor('more', { event: 'more', key: () => 'k' })
      .end(({ results }) => results.hold);
    return begin(open, job);
  }

  test('a rerun from it ends what is open, and begins anew', async () => {
    const { lab, run } = await goneOn();
    await run.rerun('hold');
    await lab.settle();
    expect(await toldBy(run)).toEqual(['arm a 1', 'disarm cancelled a 1', 'arm a 1']);
    await run.wake(await tokenAt(run, 'hold'), 5, { as: gate });
    await lab.settle();
    expect((await toldBy(run)).slice(3)).toEqual(['disarm done a 1']);
    await isSound(lab);
  });

  test('a rerun from beside it leaves it as it is, if it is open still', async () => {
    const { lab, run } = await goneOn();
    await run.rerun('go');
    await lab.settle();
    expect(await toldBy(run)).toEqual(['arm a 1']);
    await run.wake(await tokenAt(run, 'hold'), 5, { as: gate });
    expect(await toldBy(run)).toEqual(['arm a 1', 'disarm done a 1']);
    await isSound(lab);
  });

  test('a rerun from beside it, once it is over, has it begin anew', async () => {
    const { lab, run } = await goneOn();
    await run.wake(await tokenAt(run, 'hold'), 5, { as: gate });
    await run.rerun('go');
    await lab.settle();
    expect(await toldBy(run)).toEqual(['arm a 1', 'disarm done a 1', 'arm a 1']);
    await run.cancel();
    expect((await toldBy(run)).slice(3)).toEqual(['disarm cancelled a 1']);
    await isSound(lab);
  });

  test('a copy has a pause of its own, and this one stays what it is', async () => {
    const { lab, run } = await goneOn();
    const copy = await run.rerun('go', { copy: true });
    await lab.settle();
    expect(await toldBy(copy)).toEqual(['arm a 1']);
    expect(await toldBy(run)).toEqual(['arm a 1']);
    await copy.cancel();
    expect(await toldBy(copy)).toEqual(['arm a 1', 'disarm cancelled a 1']);
    expect(await run.status()).toBe('waiting');
    await isSound(lab);
  });

  test('reviving what failed when it was resumed, or after it: nothing is told twice', async () => {
    let isMended = false;
    const job = flow('job')
      .node('hold', gate, { gate: 'a' })
      .step('odd', () => (isMended ? 1 : broken()))
      .end(({ results }) => results.hold);
    const { lab, run } = await begin(open, job);
    await run.wake(await tokenAt(run, 'hold'), 5, { as: gate });
    await lab.settle();
    expect(await run.status()).toBe('failed');
    isMended = true;
    await run.revive();
    await lab.settle();
    expect(await run.result()).toMatchObject({ data: 5 });
    expect(await toldBy(run)).toEqual(['arm a 1', 'disarm done a 1']);

    const again = await lab.engine.start(job, null);
    await lab.settle();
    await again.wake(await tokenAt(again, 'hold'), 'break', { as: gate });
    await lab.settle();
    expect(await toldBy(again)).toEqual(['arm a 1', 'disarm failed a 1']);
    // It is told the same once more, and fails by it: nothing of the pause is open any more.
    await again.revive();
    await lab.settle();
    expect(await again.status()).toBe('failed');
    expect(await toldBy(again)).toEqual(['arm a 1', 'disarm failed a 1']);
    await isSound(lab);
  });

  test('reviving what failed beside it: it was told to be over, and begins anew', async () => {
    const { lab, run } = await begin(open, beside('fails', 'fail'));
    await lab.engine.publish({ type: 'go', key: 'k', id: 'go' });
    await lab.settle();
    expect(await toldBy(run)).toEqual(['arm a 1', 'disarm cancelled a 1']);
    await run.revive();
    await lab.settle();
    const told = await toldBy(run);
    // The step fails again, and the pause is over again.
    expect(told.slice(2)).toEqual(['arm a 1', 'disarm cancelled a 1']);
    await isSound(lab);
  });
});
