/** Transactional steps in the test kit: a mocked one works, one that needs a database says so. */
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Chaos } from './chaos-store.ts';
import { Gate } from './stage.ts';
import { createTestEngine } from './test-engine.ts';

const insert = 'insert into payment (amount) values ($1) returning id';

const pay = flow<{ amount: number }>('pay')
  .step(
    'book',
    async ({ tx, input }) => {
      const { rows } = await tx.query(insert, [input.amount]);
      return { id: Number(rows[0]?.['id']) };
    },
    { transactional: true, undo: ({ tx, result }) => void tx.query('delete', [result.id]) },
  )
  .step('ship', ({ results }) => `parcel of ${results.book.id}`)
  .end(({ results }) => results.ship);

const CHAOS: readonly (readonly [string, Chaos])[] = [
  ['with nothing in between', {}],
  ['with a crash after every commit', { crashAfterEveryCommit: true }],
  ['with every commit handed in twice', { duplicateDeliveries: true }],
];

describe.each(CHAOS)('a transactional step in the test kit, %s', (_name, chaos) => {
  test('that is mocked does as it is told', async () => {
    const kit = createTestEngine({ flows: [pay], chaos });
    kit.mock('book', () => ({ id: 7 }));
    const run = await kit.start(pay, { amount: 1 });
    await kit.runUntilIdle();
    expect(await run.result()).toBe('parcel of 7');
    expect(kit.path(run.id)).toEqual(['book', 'ship']);
    expect(await kit.engine.check()).toMatchObject({ ok: true });
  });

  test('that is not mocked says that there is no database', async () => {
    const kit = createTestEngine({ flows: [pay], chaos });
    const run = await kit.start(pay, { amount: 1 });
    await kit.runUntilIdle();
    await expect(run.result()).rejects.toMatchObject({
      message: expect.stringContaining('the test kit has no database: mock this step'),
      details: { fault: { code: 'test.no-database', node: 'book' } },
    });
  });

  test('and its undo can be mocked, too', async () => {
    const kit = createTestEngine({ flows: [pay], chaos });
    const undone: unknown[] = [];
    kit.mock('book', () => ({ id: 7 }));
    kit.mock('book/:undo', (context) => {
      undone.push(Reflect.get(context, 'result'));
    });
    kit.mock('ship', () => {
      throw new Error('no carrier');
    });
    const run = await kit.start(pay, { amount: 1 });
    await kit.advance('1m');
    expect((await run.inspect()).outcome).toBe('compensated');
    expect(undone).toEqual(expect.arrayContaining([{ id: 7 }]));
  });
});

test('a transactional step in the test kit has its time limit', async () => {
  const slow = flow('slow')
    .step('wait', () => new Gate().opened, { transactional: true, timeout: '20s' })
    .end();
  const kit = createTestEngine({ flows: [slow] });
  const run = await kit.start(slow, null);
  await kit.advance('30s');
  expect((await run.inspect()).fault?.code).toBe('step.timeout');
});
