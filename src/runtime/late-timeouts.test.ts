/** A message that was kept in time against a timeout that nobody was there for, on every store. */
import { expect, test } from 'vitest';
import { chain } from '../frontends/chain/chain.ts';
import { completed, dead, waiting } from '../frontends/chain/results.ts';
import { type Lab, onEveryStore } from '../testing/lab.ts';
import { payment } from '../testing/payments.ts';
import type { ChainHandlers } from './links.ts';

const order = chain('order', 1, ['PAY', 'SHIP']);

const handlers: ChainHandlers = {
  PAY: ({ taskType, wake }) => {
    if (taskType === 'WAITING_TIMEOUT') return dead('nobody paid');
    return wake.reason === 'event' ? completed() : waiting('paid', '15m');
  },
  SHIP: () => completed(),
};

/** As someone does who dies before anybody is told. */
async function keepQuietly(lab: Lab): Promise<void> {
  const data = { amount: 5 };
  await lab.store.publish({ id: 'm', type: 'paid', key: 'k', data, ttlMs: 86_400_000 });
}

onEveryStore('a message that was kept in time', (open) => {
  test('wakes a chain, though its timeout was due before anybody looked', async () => {
    const lab = await open([order], { handlers });
    const run = await lab.engine.start(order, {}, { key: 'k' });
    await lab.settle();
    await keepQuietly(lab);
    await lab.tick('20m');
    await lab.settle();
    expect(await run.inspect()).toMatchObject({ status: 'completed', fault: null });
  });

  test('wakes a flow, though its timeout was due before anybody looked', async () => {
    const lab = await open([payment]);
    const run = await lab.engine.start(payment, null, { key: 'k' });
    await lab.settle();
    await keepQuietly(lab);
    await lab.tick('2h');
    await lab.settle();
    expect(await run.result()).toBe(5);
  });

  test('wakes one whose worker died as it began to wait', async () => {
    let isDead = false;
    const lab = await open([order], {
      handlers,
      around: (verb, call) =>
        !isDead && verb.startsWith('deliverable') ? new Promise(() => {}) : call(),
    });
    await keepQuietly(lab);
    const run = await lab.engine.start(order, {}, { key: 'k' });
    isDead = true;
    lab.crash();
    await lab.tick('20m');
    await lab.settle();
    expect(await run.status()).toBe('completed');
  });
});
