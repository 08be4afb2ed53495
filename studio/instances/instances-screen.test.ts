import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Fatal, flow } from '../../src/index.ts';
import { expectAccessible, type House, openHouse, shoot } from '../testing/house.ts';

const MARKUP = '<img src=x onerror=alert(1)>';

/** What is to come comes, on a busy machine, too. */
const SOON = { timeout: 15_000 };

/** What fails until somebody has mended it. */
const bank = { isOpen: false };

const wait = flow<{ sku: string }>('wait', { search: ['sku'] })
  .waitFor('paid', { event: 'paid' })
  .end();
const pay = flow<{ amount: number }>('pay')
  .step('charge', () => {
    if (!bank.isOpen) throw new Fatal('the bank is closed');
  })
  .end();
const park = flow<object>('park', { onFailure: 'incident' })
  .step('lift', () => {
    if (!bank.isOpen) throw new Fatal('the gate is stuck');
  })
  .end();

let house: House;

beforeAll(async () => {
  house = await openHouse({ flows: [wait, pay, park] });
  const { engine } = house;
  for (const n of [1, 2, 3]) await engine.start(wait, { sku: `A${n}` }, { key: `order-${n}` });
  await engine.start(wait, { sku: MARKUP }, { key: MARKUP });
  const started = [];
  for (const amount of [1, 2]) started.push(await engine.start(pay, { amount }));
  for (const run of started) await run.result().catch(() => null);
  await engine.start(park, {});
  await vi.waitUntil(async () => (await engine.list({ error: '*' })).instances.length === 3, SOON);
});

afterAll(() => house.close());

function rows(page: Page) {
  return page.locator('table.rows tbody tr');
}

/** How many the button of a status says there are. */
function count(page: Page, status: string) {
  return page.locator(`.status-count[data-status='${status}']`);
}

async function expectRows(page: Page, many: number): Promise<void> {
  await expect.poll(() => rows(page).count(), SOON).toBe(many);
}

async function seek(page: Page, words: string): Promise<void> {
  await page.getByRole('searchbox').fill(words);
  await page.getByRole('searchbox').press('Enter');
}

describe('instances', () => {
  it('are found by the address, by the box and by buttons, which all say the same', async () => {
    const page = await house.page('/instances?flow=wait&attribute=sku%3DA2');
    await expectRows(page, 1);
    expect(await rows(page).innerText()).toContain('order-2');
    expect(await page.getByRole('searchbox').inputValue()).toBe('flow:wait sku=A2');
    await seek(page, 'status:failed flow:pay');
    await expectRows(page, 2);
    expect(new URL(page.url()).search).toBe('?flow=pay&status=failed');
    expect(await page.getByRole('button', { name: /^failed/ }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    await page.getByRole('button', { name: 'No longer look for flow pay' }).click();
    await page.getByRole('button', { name: /^failed/ }).click();
    await expectRows(page, 7);
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
    await page.goBack();
    await expectRows(page, 2);
    await seek(page, 'status:odd');
    expect(await page.locator('.seek .field-problem').innerText()).toContain('status:odd');
    await seek(page, 'order-3');
    await expectRows(page, 1);
  });

  it('run nothing of what is written in them', async () => {
    const page = await house.page('/instances');
    await expectRows(page, 7);
    await seek(page, `key:"${MARKUP}"`);
    await expectRows(page, 1);
    expect(await rows(page).innerText()).toContain(`sku=${MARKUP}`);
    expect(await page.locator('img').count()).toBe(0);
  });

  it('can be looked for again by a view with a name, also after the page was closed', async () => {
    const page = await house.page('/instances?flow=wait&status=waiting');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByLabel('Name of the view').fill('My waits');
    await page.getByLabel('Name of the view').press('Enter');
    await page.getByRole('link', { name: 'Needs attention' }).click();
    await expectRows(page, 3);
    await rows(page).first().getByText('incident').waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'My waits' }).click();
    await expectRows(page, 4);
    expect(new URL(page.url()).search).toBe('?flow=wait&status=waiting');
    await page.getByRole('button', { name: 'Delete the view My waits' }).click();
    await expect.poll(() => page.getByRole('link', { name: 'My waits' }).count(), SOON).toBe(0);
  });

  it('are gone through by the keyboard alone, and two of them compared', async () => {
    const page = await house.page('/instances?flow=wait');
    await expectRows(page, 4);
    for (const key of ['j', 'j', 'x', 'ArrowDown', 'x']) await page.keyboard.press(key);
    await page.getByText('2 selected').waitFor();
    const ids = await rows(page).evaluateAll((all) => all.map((row) => row.dataset['id']));
    await page.getByRole('button', { name: 'Compare' }).click();
    expect(new URL(page.url()).search).toBe(`?a=${ids[1]}&b=${ids[2]}`);
    await page.goBack();
    await expectRows(page, 4);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).pathname).toBe(`/instances/${ids[0]}`);
  });

  it('change while one looks, and so do their counts', async () => {
    const page = await house.page('/instances');
    await expectRows(page, 7);
    await expect.poll(() => count(page, 'completed').innerText(), SOON).toBe('0');
    const run = await house.engine.start(wait, { sku: 'new' }, { key: 'fresh' });
    await expectRows(page, 8);
    expect(await rows(page).first().innerText()).toContain('fresh');
    await run.send('paid', {});
    await expect.poll(() => count(page, 'completed').innerText(), SOON).toBe('1');
    await expect.poll(() => rows(page).first().innerText(), SOON).toContain('completed');
    await shoot(page, 'instances');
    await expectAccessible(page);
  });
});

describe('what is done to many', () => {
  it('is tried out, and then done to all that the filter means', async () => {
    for (const n of [1, 2]) await house.engine.start(wait, { sku: 'gone' }, { key: `gone-${n}` });
    const page = await house.page('/instances?attribute=sku%3Dgone');
    await expectRows(page, 2);
    await page.getByRole('button', { name: 'Act on all that match' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Action').selectOption('cancel');
    await dialog.getByLabel(/^Why/).fill('no longer wanted');
    expect(await dialog.getByRole('button', { name: /Do it/ }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Dry run' }).click();
    await dialog.getByText('would do 2.').waitFor();
    await shoot(page, 'bulk');
    await expectAccessible(page);
    await dialog.getByLabel('Action').selectOption('suspend');
    expect(await dialog.getByRole('button', { name: /Do it/ }).count()).toBe(0);
    await dialog.getByLabel('Action').selectOption('cancel');
    await dialog.getByRole('button', { name: 'Do it to 2 instances' }).click();
    await dialog.getByText('did 2.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    const { instances } = await house.engine.list({ attributes: { sku: 'gone' } });
    expect(instances.map(({ status }) => status)).toEqual(['canceled', 'canceled']);
    await expect
      .poll(() => page.locator('.tone-off', { hasText: 'canceled' }).count(), SOON)
      .toBe(2);
  });

  it('is done to those that are selected, and told of those that refuse', async () => {
    const page = await house.page('/instances?key=gone-1');
    await expectRows(page, 1);
    await page.getByLabel('Select gone-1').check();
    await page.getByRole('button', { name: 'Act on them' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Dry run' }).click();
    await dialog.getByText('1 would be refused').waitFor();
    expect(await dialog.getByRole('button', { name: 'Do it to 0' }).isDisabled()).toBe(true);
  });

  it('is a retry of all that failed for the same cause, or that wait to be mended', async () => {
    const page = await house.page('/instances?tab=failures');
    await expect.poll(() => page.locator('.cause').count(), SOON).toBe(2);
    await shoot(page, 'failures');
    await expectAccessible(page);
    const failed = page.locator('.cause', { hasText: 'the bank is closed' });
    expect(await failed.innerText()).toContain('charge');
    await failed.getByRole('button', { name: 'Show them' }).click();
    await expectRows(page, 2);
    await page.goBack();
    bank.isOpen = true;
    for (const [message, many] of [
      ['the bank is closed', 2],
      ['the gate is stuck', 1],
    ] as const) {
      const cause = page.locator('.cause', { hasText: message });
      await cause.getByRole('button', { name: 'Retry the group' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Dry run' }).click();
      await dialog.getByText(`would do ${many}.`).waitFor();
      await dialog.getByRole('button', { name: `Do it to ${many} ` }).click();
      await dialog.getByText(`did ${many}.`).waitFor();
      await dialog.getByRole('button', { name: 'Close' }).last().click();
    }
    await page.getByText('Nothing has failed').waitFor();
    const { instances } = await house.engine.list({ flow: 'pay' });
    expect(instances.map(({ status }) => status)).toEqual(['completed', 'completed']);
  });
});
