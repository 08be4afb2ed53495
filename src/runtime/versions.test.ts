/** Versions of a flow side by side, and instances that go from one to another (D14, D19, X-20). */
import { describe, expect, test } from 'vitest';
import { chain } from '../frontends/chain/chain.ts';
import { completed } from '../frontends/chain/results.ts';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import { broken } from '../testing/diary.ts';
import { begin, type Begun, onEveryStore, type OpenLab } from '../testing/lab.ts';
import { Gate, settled } from '../testing/stage.ts';
import { World } from '../testing/world.ts';
import { diffPlans } from './flow-versions.ts';

const order = flow('order')
  .step('reserve', () => 'reserved')
  .waitFor('paid', { event: 'paid', key: () => 'k' })
  .step('ship', () => 'shipped')
  .end();

/** The wait has another name, and what was paid is approved. */
const order2 = flow('order', { version: 2 })
  .step('reserve', () => 'reserved')
  .waitFor('payment', { event: 'paid', key: () => 'k' })
  .step('approve', () => 'approved')
  .step('ship', () => 'shipped by air')
  .end();

/** An instance of the first version that waits to be paid; the second is there, too. */
async function paying(open: OpenLab): Promise<Begun> {
  const lab = await open([order, order2]);
  const run = await lab.engine.start(order, null);
  await lab.settle();
  return { lab, run };
}

onEveryStore('an instance that is moved to another version', (open) => {
  test('X-20: goes on by it with everything where it was', async () => {
    const { lab, run } = await paying(open);
    const { engine } = lab;
    expect(await engine.flows.diff('order', 1, 2)).toMatchObject({ mapping: { paid: 'payment' } });
    await run.migrate({ version: 2, nodes: { paid: 'payment' } }, { actor: 'ada', reason: 'v2' });
    expect(await run.inspect()).toMatchObject({ flowVersion: 2, status: 'waiting' });
    await engine.publish({ type: 'paid', key: 'k', data: 42 });
    await lab.settle();
    expect(await run.result()).toEqual({
      ...{ reserve: 'reserved', payment: 42, approve: 'approved', ship: 'shipped by air' },
    });
    const [act] = (await run.history()).flatMap(({ changes }) =>
      changes.filter(({ did }) => did === 'act'),
    );
    expect(act).toMatchObject({ act: { verb: 'migrate', by: 'ada', why: 'v2' } });
    expect(await engine.check()).toMatchObject({ ok: true, violations: [] });
  });

  test('has its handler aborted, and the same token is run again by the same key', async () => {
    const [gate, begun] = [new Gate(), new Gate()];
    const keys: string[] = [];
    const aborted = new Gate();
    const work = (version: number) =>
      flow('work', { version })
        .step('do', async ({ idempotencyKey, signal, attempt }) => {
          keys.push(`${version} ${attempt} ${idempotencyKey}`);
          if (version === 2) return 'by two';
          signal.addEventListener('abort', () => aborted.open());
          begun.open();
          await gate.opened;
          return 'by one';
        })
        .end();
    const lab = await open([work(1), work(2)]);
    const run = await lab.engine.start(work(1), null);
    await begun.opened;
    await run.migrate({ version: 2 });
    await aborted.opened;
    gate.open();
    expect(await run.result()).toEqual({ do: 'by two' });
    const [first, second] = keys.map((key) => key.split(' ').slice(1).join(' '));
    expect(keys.map((key) => key[0])).toEqual(['1', '2']);
    expect(second).toBe(first);
    expect(await lab.engine.check()).toMatchObject({ ok: true, violations: [] });
  });

  test('X-20: or is refused with every reason, and nothing is changed', async () => {
    const { lab, run } = await paying(open);
    const before = await run.inspect();
    const refusal = {
      code: 'migration.refused',
      details: { instance: run.id, reasons: [{ code: 'node.missing', node: 'paid', token: 4 }] },
    };
    await expect(run.migrate({ version: 2 })).rejects.toMatchObject(refusal);
    await expect(run.preview({ do: 'migrate', version: 2 })).rejects.toMatchObject(refusal);
    await expect(run.migrate({ version: 3 })).rejects.toMatchObject({
      code: 'definition.not-found',
      details: { versions: [1, 2] },
    });
    const bad = { do: 'migrate', version: 2 } as const;
    for (const nodes of [{ paid: 'nowhere' }, { nobody: 'payment' }]) {
      await expect(run.act({ ...bad, nodes })).rejects.toMatchObject({ code: 'node.not-found' });
    }
    for (const nodes of [7, [], { paid: 7 }]) {
      await expect(run.act({ ...bad, nodes: nodes as never })).rejects.toMatchObject({
        code: 'engine.option-invalid',
      });
    }
    expect(await run.inspect()).toEqual(before);
    await lab.engine.publish({ type: 'paid', key: 'k' });
    await lab.settle();
    await expect(run.migrate({ version: 2 })).rejects.toMatchObject({ code: 'instance.over' });
  });

  test('can be looked at beforehand, and is the same afterwards', async () => {
    const { run } = await paying(open);
    const nodes = { paid: 'payment' };
    const { after, changes } = await run.preview({ do: 'migrate', version: 2, nodes });
    expect(after).toMatchObject({ flowVersion: 2, tokens: [{ node: 'payment' }] });
    expect(changes.map(({ did }) => did)).toEqual(['act', 'migrate', 'place-token']);
    expect(await run.inspect()).toMatchObject({ flowVersion: 1 });
    await run.migrate({ version: 2, nodes });
    expect((await run.inspect()).tokens).toMatchObject([{ node: 'payment' }]);
    // Once more is no change.
    await run.migrate({ version: 2 });
    expect((await run.history()).filter(({ changes: all }) => all[0]?.did === 'act')).toHaveLength(
      1,
    );
  });

  test('may be suspended, and goes on by the other plan once it is resumed', async () => {
    const { lab, run } = await paying(open);
    await run.suspend();
    await run.migrate({ version: 2, nodes: { paid: 'payment' } });
    expect(await run.status()).toBe('suspended');
    await lab.engine.publish({ type: 'paid', key: 'k', data: 1 });
    await run.resume();
    await lab.settle();
    expect(await run.result()).toMatchObject({ approve: 'approved' });
  });

  /** A chain of another version while its first step is at work; what ran, in order. */
  async function migratedAtWork(one: Flow, two: Flow) {
    const ran: string[] = [];
    const [gate, begun] = [new Gate(), new Gate()];
    const note = (name: string) => () => (ran.push(name), completed());
    const first = async ({ signal }: { readonly signal: AbortSignal }) => {
      ran.push('A');
      begun.open();
      await gate.opened;
      if (signal.aborted) ran.push('A was told to stop');
      return completed();
    };
    const handlers = { A: first, B: note('B'), C: note('C'), D: note('D') };
    const lab = await open([one, two], { handlers });
    const run = await lab.engine.start(one, {} as never);
    await begun.opened;
    await run.migrate({ version: 2 });
    gate.open();
    await run.result();
    expect(await lab.engine.check()).toMatchObject({ ok: true, violations: [] });
    const notes = (await run.history({ notes: true })).filter(({ dropped }) => dropped);
    return { ran, notes };
  }

  test('is a chain whose steps to come are those of the other', async () => {
    const [one, two] = [chain('line', 1, ['A', 'B']), chain('line', 2, ['A', 'C', 'B', 'D'])];
    // The handler at work has the same name in both: whoever has it keeps it.
    expect(await migratedAtWork(one, two)).toEqual({ ran: ['A', 'C', 'B', 'D'], notes: [] });
  });

  test('ran the current step of a chain twice because it may be tried more often', async () => {
    const one = chain('line', 1, ['A', 'B'], { maxAttempts: 3, priority: 1 });
    const two = chain('line', 2, ['A', 'C', 'B'], { maxAttempts: 4, priority: 2 });
    expect(await migratedAtWork(one, two)).toEqual({ ran: ['A', 'C', 'B'], notes: [] });
  });

  test('by a process that has no code of either goes on where somebody has', async () => {
    const { lab, run } = await begin(open, order);
    const other = await lab.beside([order2]);
    const office = await lab.beside([]);
    const seen = await office.engine.get(run.id);
    await seen?.migrate({ version: 2, nodes: { paid: 'payment' } });
    await office.engine.publish({ type: 'paid', key: 'k', data: 1 });
    await office.tick(0);
    await other.tick(0);
    await other.settle();
    expect(await seen?.inspect()).toMatchObject({ output: { ship: 'shipped by air' } });
  });
});

onEveryStore('an instance that was moved while it was failing', (open) => {
  test('was revived by rows of the version it had left', async () => {
    const gate = new Gate();
    const job = (version: number) =>
      flow('job', { version })
        .parallel('both', {
          a: (b) => b.step('held', () => gate.opened, { undo: () => null }),
          b: (b) => (version === 1 ? b.step('bad', broken) : b.step('good', () => 1)),
        })
        .end();
    const lab = await open([job(1), job(2)]);
    const run = await lab.engine.start(job(1), undefined as never);
    await lab.tick(0);
    expect(await run.status()).toBe('compensating');
    await run.migrate({ version: 2 });
    gate.open();
    await lab.settle();
    expect(await run.status()).toBe('failed');
    await expect(run.revive()).rejects.toMatchObject({ code: 'operation.refused' });
    expect(await lab.engine.check()).toMatchObject({ ok: true, violations: [] });
  });
});

describe('many instances', () => {
  test('are moved by one action, and those that have no place are told', async () => {
    const world = new World();
    const engine = await world.open([order, order2]);
    for (let n = 0; n < 3; n += 1) await engine.start(order, null);
    await settled();
    const mapped = { do: 'migrate', version: 2, nodes: { paid: 'payment' } } as const;
    const done = await engine.bulk({ flow: 'order', version: 1 }, mapped, { actor: 'ada' });
    expect(done).toMatchObject({ done: 3, refused: 0 });
    const back = await engine.bulk({ flow: 'order' }, { do: 'migrate', version: 1 });
    expect(back).toMatchObject({ done: 0, refused: 3 });
    expect(back.items[0]?.error).toMatchObject({ code: 'migration.refused' });
  });
});

describe('versions side by side', () => {
  test('X-20: each run by its own code, and new ones by the newest', async () => {
    const world = new World();
    const engine = await world.open([order, order2]);
    const old = await engine.start(order, null);
    const young = await engine.start('order', null);
    await settled();
    await engine.publish({ type: 'paid', key: 'k' });
    expect(await old.result()).toMatchObject({ ship: 'shipped' });
    expect(await young.result()).toMatchObject({ ship: 'shipped by air' });
  });

  test('are listed with how many run by each, and who serves them here', async () => {
    const world = new World();
    const first = await world.open([order], { worker: false });
    for (let n = 0; n < 3; n += 1) await first.start(order, null);
    const done = flow('done').end();
    const three = flow('order', { version: 3, serves: [1, 2] })
      .step('reserve', () => 'r')
      .waitFor('paid', { event: 'paid', key: () => 'k' })
      .step('ship', () => 's')
      .end();
    const engine = await world.open([three, done]);
    await engine.start(three, null);
    await engine.start(done, null);
    await engine.flows.suspend('order', 1);
    await settled();
    const known = await engine.flows.list();
    const { hash } = known[1] ?? {};
    expect(known).toMatchObject([
      { name: 'done', version: 1, open: 0, registered: true, servedBy: 1, suspended: false },
      { name: 'order', version: 1, open: 3, registered: false, servedBy: 3, suspended: true },
      { name: 'order', version: 3, open: 1, registered: true, servedBy: 3, suspended: false },
    ]);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await first.flows.list('order')).toMatchObject([
      { version: 1, registered: true, servedBy: 1 },
      { version: 3, registered: false, servedBy: null },
    ]);
    expect(await engine.flows.list('nobody')).toEqual([]);
    await expect(engine.flows.diff('order', 1, 9)).rejects.toMatchObject({
      code: 'definition.not-found',
    });
  });

  test('stored plans can be laid beside each other', async () => {
    const world = new World();
    await world.open([order, order2], { worker: false });
    const plans = await world.store.plans();
    const [one, two] = await Promise.all(plans.map(({ hash }) => world.store.loadPlan(hash)));
    const { renames } = diffPlans(one?.body ?? null, two?.body ?? null);
    expect(renames).toMatchObject([{ from: 'paid', to: 'payment' }]);
    expect(() => diffPlans(null, { nodes: 3 })).toThrow(/a plan is an object/);
  });
});
