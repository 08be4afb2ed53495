import { afterAll, beforeAll, expect, test } from 'vitest';
import { flow } from '../../src/index.ts';
import { expectAccessible, type House, openHouse, shoot } from '../testing/house.ts';

const order = flow('order')
  .emit('tell', { type: 'order.sent', data: () => 'A1' }, { outbox: true })
  .end(() => 'sent');

/** A step that is at work until the test has seen it. */
const gate = Promise.withResolvers<string>();
const slow = flow('slow')
  .step('dig', () => gate.promise)
  .end();

let house: House;
let isDown = true;
let sent = 0;

beforeAll(async () => {
  house = await openHouse({
    flows: [order, slow],
    outbox: {
      to: async () => {
        if (isDown) throw new Error('the <b>queue</b> is down');
        sent += 1;
      },
      maxAttempts: 1,
    },
  });
  await house.engine.schedule('nightly', { flow: 'order', every: '30d' });
});

afterAll(() => house.close());

test('who is at work is told, and a letter that was given up is sent again', async () => {
  await house.engine.start(order, null, { key: 'order-1' });
  const page = await house.page('/health');
  const workers = page.getByRole('region', { name: 'Workers' });
  await workers.getByText('order@1/', { exact: true }).first().waitFor();
  const doctor = page.getByRole('region', { name: 'What the doctor finds' });
  await doctor.getByRole('row').nth(1).waitFor();
  await page.getByText('something is wrong').waitFor();
  await page.getByText('the <b>queue</b> is down').waitFor();
  await expectAccessible(page);
  await shoot(page, 'health');
  isDown = false;
  await page.getByRole('button', { name: 'Requeue order.sent of order-1' }).click();
  await page.getByText('It is sent once more').waitFor();
  await page.getByText('all is well').waitFor();
  expect(sent).toBe(1);
  await page.getByRole('button', { name: 'Full check' }).click();
  await page.getByText('Everything was looked at.').waitFor();
});

test('what a worker is at is told, and leads to its instance', async () => {
  const run = await house.engine.start(slow, null);
  const page = await house.page('/health');
  const held = page.getByRole('region', { name: 'Workers' }).getByRole('link', { name: 'dig' });
  await held.waitFor();
  gate.resolve('deep');
  await held.waitFor({ state: 'detached' });
  await page.getByText('nothing just now').waitFor();
  expect(await run.result()).toEqual({ dig: 'deep' });
});

test('a schedule is paused, resumed and started by hand', async () => {
  const page = await house.page('/health', { width: 390, height: 844 });
  await page.getByRole('button', { name: 'Pause nightly' }).click();
  await page.getByRole('button', { name: 'Resume nightly' }).click();
  await page.getByRole('button', { name: 'Start now nightly' }).click();
  await page.getByText('nightly is started').waitFor();
  const started = await house.engine.list({ flow: 'order' });
  expect(started.instances.length).toBeGreaterThan(0);
  await expectAccessible(page);
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(isWide).toBe(false);
});

test('flows that are suspended as a whole are told, by whom and why', async () => {
  await house.engine.flows.suspend('order', undefined, {
    actor: 'ops',
    reason: 'the queue is mended',
  });
  const page = await house.page('/health');
  await page.getByText(/order is suspended, says ops \(the queue is mended\)/).waitFor();
});
