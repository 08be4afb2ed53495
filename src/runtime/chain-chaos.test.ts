/** Chains in a world where every commit is the last one of its process, on every store. */
import { expect, test } from 'vitest';
import { chain } from '../frontends/chain/chain.ts';
import { completed, retry, waiting } from '../frontends/chain/results.ts';
import { type Lab, onEveryStore } from '../testing/lab.ts';
import type { ChainHandlers } from './links.ts';

const order = chain<{ seen: string[] }>('order', 1, ['VALIDATE', 'PAY', 'SHIP', 'TELL'], {
  maxAttempts: 4,
});

/** One fails twice, one waits for a message, one waits in vain. What they did is in the context. */
const handlers: ChainHandlers = {
  VALIDATE: ({ context, attempt }) => {
    context['seen'].push(`validate ${attempt}`);
    return attempt < 3 ? retry(null, 'not yet') : completed();
  },
  PAY: ({ context, wake, event }) => {
    context['seen'].push(`pay ${wake.reason} ${JSON.stringify(event)}`);
    return wake.reason === 'event' ? completed() : waiting('paid', '1h');
  },
  SHIP: ({ context, taskType }) => {
    context['seen'].push(`ship ${taskType}`);
    return taskType === 'WAITING_TIMEOUT' ? completed() : waiting('never', '1h');
  },
  TELL: () => completed(),
};

async function outcome(lab: Lab): Promise<unknown> {
  const run = await lab.engine.start(order, { seen: [] }, { key: 'k' });
  await lab.advance('10m');
  await lab.engine.publish({ type: 'paid', key: 'k', id: 'm', data: 7 });
  await lab.advance('2h');
  expect(await lab.engine.check()).toMatchObject({ ok: true });
  const { status, output, tokens } = await run.inspect();
  return { status, output, steps: tokens.map((token) => `${token.node} ${token.status}`) };
}

const ENDED = {
  status: 'completed',
  output: {
    seen: [
      ...['validate 1', 'validate 2', 'validate 3'],
      ...['pay first null', 'pay event 7', 'ship READY_STEP', 'ship WAITING_TIMEOUT'],
    ],
  },
  steps: ['VALIDATE completed', 'PAY completed', 'SHIP completed', 'TELL completed'],
};

onEveryStore('a chain', (open) => {
  test('ends as it must', async () => {
    expect(await outcome(await open([order], { handlers }))).toEqual(ENDED);
  });

  test('ends the same when every commit is handed in twice', async () => {
    const lab = await open([order], { handlers, chaos: { duplicateDeliveries: true } });
    expect(await outcome(lab)).toEqual(ENDED);
  });

  test('ends the same way when the process dies after every commit', async () => {
    // A death costs an attempt where a step had been handed over: so there are many.
    const patient = chain('order', 1, ['VALIDATE', 'PAY', 'SHIP', 'TELL'], { maxAttempts: 1_000 });
    const calm: ChainHandlers = {
      ...handlers,
      VALIDATE: ({ context }) => {
        context['seen'].push('validate');
        return context['seen'].length < 3 ? retry(null, 'not yet') : completed();
      },
    };
    const chaos = { crashAfterEveryCommit: true, duplicateDeliveries: true };
    const lab = await open([patient], { handlers: calm, chaos });
    const run = await lab.engine.start(patient, { seen: [] }, { key: 'k' });
    await lab.advance('30m');
    await lab.engine.publish({ type: 'paid', key: 'k', id: 'm', data: 7 });
    await lab.advance('3h');
    expect(await lab.engine.check()).toMatchObject({ ok: true });
    const { status, output } = await run.inspect();
    const seen = [...Array<string>(3).fill('validate'), ...ENDED.output.seen.slice(4)];
    expect({ status, output }).toMatchObject({
      status: 'completed',
      output: { seen: expect.arrayContaining(seen) },
    });
  });
});
