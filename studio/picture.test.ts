/**
 * The picture of the README: an order on its way, as the studio shows it. It is taken with every
 * run, so that it can be taken; `npm run picture` puts it where the README has it from.
 */
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { flow } from '../src/index.ts';
import { type House, openHouse, shoot } from './testing/house.ts';

const KEPT = join(import.meta.dirname, '..', 'docs', 'pictures', 'studio.png');
/** As wide as a README is shown, twice over, and as high as the screen needs. */
const WINDOW = { width: 1200, height: 1060 };

let bankAnswers = false;

const order = flow<{ sku: string; price: number }>('order')
  .step('reserve', ({ input }) => ({ shelf: `${input.sku}-7` }), { undo: () => null })
  .step(
    'charge',
    ({ input, log }) => {
      if (!bankAnswers) {
        bankAnswers = true;
        throw new Error('the bank does not answer');
      }
      log.info('charged', { amount: input.price });
      return { receipt: 'R-81' };
    },
    { retry: { maxAttempts: 5, delay: '10ms' }, undo: () => null },
  )
  .approve('release', { approvers: ['finance'], timeout: '7d' })
  .parallel('fulfil', {
    goods: (b) =>
      b.waitFor('pickup', { event: 'carrier.pickup' }).step('ship', () => ({ tracking: 'T-1' })),
    paper: (b) => b.sleep('cool-off', '14d').step('invoice', ({ input }) => input.price),
  })
  .end(({ results }) => ({ tracking: results.ship.tracking, due: results.invoice }));

let house: House;

beforeAll(async () => {
  house = await openHouse({ flows: [order] });
});

afterAll(() => house.close());

test('the picture of the README shows an order that waits in two places', async () => {
  const run = await house.engine.start(order, { sku: 'A1', price: 42 }, { key: 'order-42' });
  await expect.poll(async () => (await house.engine.tasks.list()).tasks.length).toBe(1);
  const { tasks } = await house.engine.tasks.list();
  const ann = { actor: 'ann', groups: ['finance'], decision: 'approve' } as const;
  await house.engine.tasks.decide(tasks[0]?.id ?? '', ann);
  const page = await house.page(`/instances/${run.id}`, WINDOW);
  for (const node of ['pickup', 'cool-off'])
    await page.locator(`.react-flow__node[data-id="${node}"] .graph-token`).waitFor();
  await page.getByRole('button', { name: /fit/i }).click();
  const [light] = await shoot(page, 'readme');
  if (process.env['PERDURE_PICTURE'] === 'keep') copyFileSync(light, KEPT);
  expect(sizeOf(KEPT), 'npm run picture takes it anew').toEqual(sizeOf(light));
});

/** Width and height of a PNG, as its first chunk says. */
function sizeOf(file: string): readonly number[] {
  const bytes = readFileSync(file);
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}
