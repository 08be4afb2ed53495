/**
 * A step that can be undone is taken from whoever has it, because its instance goes on by another
 * version or from an earlier point. It is run again by the same key; or nobody wants it by then,
 * and what it may have done is undone.
 */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import { broken } from '../testing/diary.ts';
import { isSound } from '../testing/fragile.ts';
import { type Begun, onEveryStore, type OpenLab } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';

interface Charging {
  readonly gate: Gate;
  readonly charged: string[];
  readonly undone: string[];
}

function charging(): Charging {
  return { gate: new Gate(), charged: [], undone: [] };
}

/** A step that charges when its gate opens, with a branch beside it. */
function charges(
  { gate, charged, undone }: Charging,
  version: number,
  beside: 'fails' | 'waits',
): Flow {
  return flow('job', { version })
    .parallel('both', {
      a: (b) =>
        b.step(
          'charge',
          async ({ idempotencyKey }) => {
            await gate.opened;
            charged.push(idempotencyKey);
          },
          { undo: ({ inDoubt }) => void undone.push(inDoubt ? 'in doubt' : 'done') },
        ),
      b: (b) =>
        beside === 'fails'
          ? b.sleep('nap', '1s').step('bad', broken)
          : b.set('x', () => ({})).waitFor('go', { event: 'go', key: () => 'k' }),
    })
    .end();
}

/** Of the first version, with its step at work. */
async function atWork(open: OpenLab, way: Charging, beside: 'fails' | 'waits'): Promise<Begun> {
  const one = charges(way, 1, beside);
  const lab = await open([one, charges(way, 2, beside)]);
  const run = await lab.engine.start(one, undefined as never);
  await lab.tick(0);
  return { lab, run };
}

/** The handler ends before the instance is cancelled with its saga, and nobody hears of it. */
async function cancelled({ lab, run }: Begun, { gate, undone }: Charging): Promise<unknown> {
  gate.open();
  await lab.tick(0);
  await run.cancel({ saga: true });
  await run.resume();
  await lab.settle();
  await isSound(lab);
  return [await run.status(), undone];
}

onEveryStore('a step that is taken from whoever has it', (open) => {
  test('was never undone if its instance was migrated while it drained', async () => {
    const way = charging();
    const { lab, run } = await atWork(open, way, 'fails');
    await lab.tick('2s');
    expect(await run.status()).toBe('compensating');
    await run.migrate({ version: 2 });
    way.gate.open();
    await lab.settle();
    const { status, outcome } = await run.inspect();
    expect({ status, outcome }).toEqual({ status: 'failed', outcome: 'compensated' });
    expect([way.charged.length, way.undone]).toEqual([1, ['in doubt']]);
    await isSound(lab);
  });

  test.each(['migrate', 'rerun'] as const)(
    'was never undone if a %s came before its instance was cancelled',
    async (verb) => {
      const way = charging();
      const { lab, run } = await atWork(open, way, 'waits');
      await run.suspend();
      if (verb === 'migrate') await run.migrate({ version: 2 });
      else await run.rerun('x');
      expect(await cancelled({ lab, run }, way)).toEqual(['canceled', ['in doubt']]);
      expect(way.charged).toHaveLength(1);
    },
  );

  test('was never undone if its instance had been cancelled, run again and cancelled', async () => {
    const way = charging();
    const { lab, run } = await atWork(open, way, 'waits');
    await run.cancel();
    await lab.engine.flows.suspend('job');
    await run.rerun('x');
    expect(await cancelled({ lab, run }, way)).toEqual(['canceled', ['in doubt']]);
  });

  test.each(['migrate', 'rerun'] as const)(
    'by a %s and runs again is in no doubt',
    async (verb) => {
      const way = charging();
      const { lab, run } = await atWork(open, way, 'waits');
      if (verb === 'migrate') await run.migrate({ version: 2 });
      else await run.rerun('x');
      way.gate.open();
      await lab.settle();
      await run.cancel({ saga: true });
      await lab.settle();
      expect([new Set(way.charged).size, way.undone]).toEqual([1, ['done']]);
      await isSound(lab);
    },
  );

  test('is not undone by a copy, which has not begun it', async () => {
    const way = charging();
    const { lab, run } = await atWork(open, way, 'waits');
    await run.suspend();
    const copy = await run.rerun('x', { copy: true });
    const errors = (await copy.tokens()).map(({ lastError }) => lastError?.unanswered);
    expect(errors).not.toContain(true);
    way.gate.open();
    await lab.settle();
    await copy.cancel({ saga: true });
    await lab.settle();
    expect(way.undone).toEqual(['done']);
    await isSound(lab);
  });
});
