/** Every action of the menu, as a person does it: chosen, seen before it is done, and done. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Fatal, flow } from '../../../src/index.ts';
import type { Run } from '../../../src/index.ts';
import { type House, openHouse } from '../../testing/house.ts';

let isClosed = true;

const trip = flow('trip')
  .step('book', () => 'booked', { undo: () => {} })
  .waitFor('paid', { event: 'paid', key: 'none' })
  .step('pay', ({ results }) => ({ paid: results.paid }))
  .end(({ results }) => results.pay);

const bank = flow('bank')
  .step('charge', () => {
    if (isClosed) throw new Fatal('the bank is closed');
    return 'charged';
  })
  .end(({ results }) => results.charge);

const mended = flow('mended', { onFailure: 'incident' })
  .step('charge', (): string => {
    throw new Fatal('never');
  })
  .end(({ results }) => results.charge);

let house: House;
let page: Page;

beforeAll(async () => {
  house = await openHouse({ flows: [trip, bank, mended] });
  page = await house.page('/health');
});

afterAll(() => house.close());

async function look(run: Run): Promise<void> {
  await page.goto(`${house.url}/instances/${run.id}`);
  await page.getByRole('button', { name: 'Actions' }).waitFor();
}

async function waiting(): Promise<Run> {
  const run = await house.engine.start(trip, {});
  await expect.poll(() => run.status()).toBe('waiting');
  await look(run);
  return run;
}

/** Chooses from the menu, fills in, sees what will happen, and does it. */
async function act(
  label: string,
  doIt: string,
  fill: (dialog: Locator) => Promise<void> = async () => {},
): Promise<string> {
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('dialog', { name: 'What to do' }).getByText(label, { exact: true }).click();
  const dialog = page.getByRole('dialog', { name: label });
  await dialog.waitFor();
  await fill(dialog);
  const seen = dialog.getByRole('region', { name: 'What will happen' });
  const preview = dialog.getByRole('button', { name: 'Preview' });
  await seen.or(preview).first().waitFor();
  if (!(await seen.isVisible())) await preview.click();
  await seen.waitFor();
  const text = await seen.innerText();
  await dialog.getByRole('button', { name: doIt }).click();
  await dialog.waitFor({ state: 'detached' });
  return text;
}

async function choose(dialog: Locator, label: string, pattern: RegExp): Promise<void> {
  const select = dialog.getByLabel(label);
  const options = await select.locator('option').allInnerTexts();
  await select.selectOption({ label: options.find((text) => pattern.test(text)) ?? '' });
}

test('suspended, resumed, and canceled with what was done undone', async () => {
  const run = await waiting();
  await act('Suspend', 'Suspend it');
  await page.locator('.screen-head .badge', { hasText: 'suspended' }).waitFor();
  await act('Resume', 'Resume it');
  await page.locator('.screen-head .badge', { hasText: 'waiting' }).waitFor();
  const text = await act('Cancel', 'Cancel it', (dialog) =>
    dialog.getByLabel('First undo what was done').check(),
  );
  expect(text).toContain('book');
  await page.locator('.screen-head .badge', { hasText: 'canceled' }).waitFor();
  expect(await run.inspect()).toMatchObject({ status: 'canceled', outcome: 'compensated' });
});

test('woken with data, and sent a message', async () => {
  const woken = await waiting();
  await act('Wake', 'Wake it', async (dialog) => {
    await dialog.getByLabel('Data it is given').fill('{"by":"hand"}');
  });
  expect(await woken.result()).toEqual({ paid: { by: 'hand' } });
  const sent = await waiting();
  await act('Send a message', 'Send it', async (dialog) => {
    await dialog.getByLabel('Type of the message').fill('paid');
    await dialog.getByLabel('Data').fill('{"by":"letter"}');
  });
  expect(await sent.result()).toEqual({ paid: { by: 'letter' } });
});

test('a token is moved, and a copy goes back to a node', async () => {
  const run = await waiting();
  await act('Move a token', 'Move it', (dialog) => choose(dialog, 'Goes on at', /^pay/));
  await page.locator('.screen-head .badge', { hasText: 'completed' }).waitFor();
  expect(await run.result()).toEqual({});
  await look(run);
  await act('Rerun from a node', 'Rerun it', async (dialog) => {
    await choose(dialog, 'From the node', /^paid/);
    await dialog.getByLabel('As a copy: this one stays as it is').check();
  });
  await expect.poll(() => page.url()).not.toContain(run.id);
  const copy = await house.engine.get(decodeURIComponent(page.url().split('/').at(-1) ?? ''));
  await expect.poll(() => copy?.status()).toBe('waiting');
  expect(await run.status()).toBe('completed');
});

test('what failed for good is revived, and what waits to be mended is skipped', async () => {
  const run = await house.engine.start(bank, {});
  await run.result().catch(() => {});
  await look(run);
  isClosed = false;
  await act('Revive', 'Revive it');
  await page.locator('.screen-head .badge', { hasText: 'completed' }).waitFor();
  expect(await run.result()).toBe('charged');
  const stuck = await house.engine.start(mended, {});
  await expect.poll(async () => (await stuck.inspect()).incidents.length).toBe(1);
  await look(stuck);
  await act('Skip', 'Skip it', (dialog) => dialog.getByLabel('Its result').fill('"by hand"'));
  expect(await stuck.result()).toBe('by hand');
});
