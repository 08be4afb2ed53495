import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Fatal, flow, type Run } from '../../src/index.ts';
import { expectAccessible, type House, openHouse, shoot } from '../testing/house.ts';

const MARKUP = '<img src=x onerror="alert(1)"><script>alert(2)</script>';

/** Handlers that stay at work until the test lets them go. */
const gates = new Map<string, PromiseWithResolvers<void>>();

async function gated(name: string): Promise<string> {
  const gate = Promise.withResolvers<void>();
  gates.set(name, gate);
  await gate.promise;
  return name;
}

async function release(name: string): Promise<void> {
  await expect.poll(() => gates.has(name)).toBe(true);
  gates.get(name)?.resolve();
}

const held = flow('held')
  .step('pick', () => gated('pick'))
  .step('wrap', () => gated('wrap'))
  .step('ship', () => gated('ship'))
  .end();

const order = flow<{ note: string }, { card: string }>('order', {
  onFailure: 'incident',
  vars: { card: '4000' },
})
  .step('reserve', ({ input }) => input.note)
  .step('charge', ({ vars }) => {
    if (vars.card === '4000') throw new Fatal(`the card was declined ${MARKUP}`);
    return `charged ${vars.card}`;
  })
  .end(({ results }) => results.charge);

const waits1 = flow('waits')
  .step('begin', () => 1)
  .waitFor('paid', { event: 'paid' })
  .end();
const waits2 = flow('waits', { version: 2 })
  .step('begin', () => 1)
  .waitFor('payment', { event: 'paid' })
  .step('thank', () => 2)
  .end();

let house: House;

beforeAll(async () => {
  house = await openHouse({ flows: [held, order, waits1, waits2] });
});

afterAll(() => house.close());

function details(page: Page): ReturnType<Page['getByRole']> {
  return page.getByRole('complementary', { name: 'Details' });
}

async function broken(): Promise<Run> {
  const run = await house.engine.start(order, { note: MARKUP });
  await expect.poll(async () => (await run.inspect()).incidents.length).toBe(1);
  return run;
}

describe('the screen of an instance', () => {
  test('tokens move as commits happen, and nothing is loaded anew', async () => {
    const run = await house.engine.start(held, {});
    const page = await house.page(`/instances/${run.id}`);
    await details(page).getByRole('button', { name: 'pick', exact: true }).waitFor();
    await page.evaluate(() => Object.assign(globalThis, { isSame: true }));
    for (const [done, next] of [
      ['pick', 'wrap'],
      ['wrap', 'ship'],
    ] as const) {
      await release(done);
      await details(page).getByRole('button', { name: next, exact: true }).waitFor();
      await page.locator(`.react-flow__node[data-id="${next}"] .graph-token`).waitFor();
      expect(await page.locator(`.react-flow__node[data-id="${done}"] .graph-token`).count()).toBe(
        0,
      );
    }
    await shoot(page, 'instance');
    await release('ship');
    await page.locator('.screen-head .badge', { hasText: 'completed' }).waitFor();
    expect(await page.evaluate(() => Object.hasOwn(globalThis, 'isSame'))).toBe(true);
  });

  test('a failed step is mended and tried again, and each is seen before it is done', async () => {
    const run = await broken();
    const page = await house.page(`/instances/${run.id}`);
    const incident = page.getByRole('region', { name: 'Incident at charge' });
    await incident.getByText('the card was declined').waitFor();
    await expectAccessible(page);
    await shoot(page, 'incident');
    await incident.getByRole('button', { name: 'Edit variables' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Variable').fill('card');
    await dialog.getByLabel('Value').fill('4242 4242');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('this is no JSON').waitFor();
    await dialog.getByLabel('Value').fill('"4242"');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('variable card becomes "4242"').waitFor();
    await shoot(page, 'action-preview');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Set it' }).click();
    await dialog.getByText(/token \d+ goes on at charge/).waitFor();
    await dialog.getByLabel('Why, for the history').fill('another card');
    await dialog.getByRole('button', { name: 'Retry now' }).click();
    await page.locator('.screen-head .badge', { hasText: 'completed' }).waitFor();
    await details(page).getByText('charged 4242').waitFor();
    const acts = (await run.history()).flatMap(({ changes }) =>
      changes.flatMap((change) => (change.did === 'act' ? [change.act] : [])),
    );
    expect(acts).toMatchObject([{ verb: 'set' }, { verb: 'retry', why: 'another card' }]);
  });

  test('a moment of the past is an address that shows the same to everybody', async () => {
    const run = await broken();
    await run.set('card', '1111');
    const { version } = await run.inspect();
    const page = await house.page(`/instances/${run.id}?tab=variables`);
    const variables = page.getByRole('group', { name: 'variables of The whole instance' });
    await variables.getByText('1111').waitFor();
    await page.getByRole('slider', { name: 'Commit' }).focus();
    await page.keyboard.press('ArrowLeft');
    await variables.getByText('4000').waitFor();
    await page.getByText(`You look at commit ${version - 1} of ${version}`).waitFor();
    expect(await page.getByRole('button', { name: 'Actions' }).isDisabled()).toBe(true);
    await shoot(page, 'instance-past');
    const { pathname, search } = new URL(page.url());
    const other = await house.page(pathname + search);
    const same = other.getByRole('group', { name: 'variables of The whole instance' });
    await same.getByText('4000').waitFor();
    await other.getByRole('button', { name: 'Back to now' }).click();
    await same.getByText('1111').waitFor();
    expect(new URL(other.url()).searchParams.has('at')).toBe(false);
  });

  test('an instance goes on by another version, with a place for what it waits at', async () => {
    const run = await house.engine.start(waits1, {}, { key: 'order-42' });
    await expect.poll(async () => (await run.inspect()).tokens[0]?.node).toBe('paid');
    const page = await house.page(`/instances/${run.id}`);
    await details(page).getByText('waits for message paid with key order-42').waitFor();
    await page.keyboard.press('.');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Migrate/ }).click();
    await dialog.getByLabel('Goes on by').selectOption('2');
    const place = dialog.getByRole('combobox', { name: 'paid', exact: true });
    await place.selectOption('');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('alert').waitFor();
    await place.selectOption('payment');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('it goes on by version 2').waitFor();
    await dialog.getByRole('button', { name: 'Migrate it' }).click();
    await page.getByRole('link', { name: 'waits@2' }).waitFor();
    await page.locator('.react-flow__node[data-id="payment"] .graph-token').waitFor();
  });

  test('on a phone nothing is wider than the screen, and markup stays text', async () => {
    const run = await broken();
    const page = await house.page(`/instances/${run.id}`, { width: 390, height: 844 });
    await details(page).getByText(MARKUP).first().waitFor();
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(wider).toBe(0);
    expect(await page.locator('main img, main script').count()).toBe(0);
  });

  test('what is not there is said kindly', async () => {
    const page = await house.page('/instances/nobody');
    await page.getByText('There is no instance nobody.').waitFor();
  });
});
