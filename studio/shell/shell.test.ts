import { afterAll, beforeAll, expect, test } from 'vitest';
import { flow } from '../../src/index.ts';
import { expectAccessible, type House, openHouse, shoot } from '../testing/house.ts';

const hello = flow<{ name: string }>('hello')
  .step('greet', ({ input }) => `Hello, ${input.name}`)
  .end(({ results }) => results.greet);

let house: House;

beforeAll(async () => {
  house = await openHouse({ flows: [hello] });
});

afterAll(() => house.close());

test('the keyboard is told by ?, and goes everywhere', async () => {
  const page = await house.page('/flows');
  await page.getByRole('heading', { level: 1, name: 'Flows' }).waitFor();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard' });
  await help.getByText('Find a command').waitFor();
  await expectAccessible(page);
  await shoot(page, 'keyboard');
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  for (const [keys, title] of [
    ['gi', 'Instances'],
    ['gb', 'Inbox'],
    ['gh', 'Health'],
    ['gf', 'Flows'],
  ] as const) {
    for (const key of keys) await page.keyboard.press(key);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
  }
});

test('the palette finds flows and commands by a few letters', async () => {
  const page = await house.page('/inbox');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /What to do/ }).fill('hello');
  await page.getByRole('option', { name: /hello version 1/ }).waitFor();
  await expectAccessible(page);
  await shoot(page, 'palette');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/flows/hello/1');
});

test('what is not known says so, and the theme stays as it was chosen', async () => {
  const page = await house.page('/nowhere');
  await page.getByText('There is no such page.').waitFor();
  await page.keyboard.press('t');
  await page.locator("html[data-theme='dark']").waitFor();
  await page.reload();
  await page.locator("html[data-theme='dark']").waitFor();
  await expectAccessible(page);
});

test('a page without the start token is told where to find it', async () => {
  const page = await house.page('/flows');
  await page.getByRole('link', { name: /hello/ }).first().waitFor();
  await page.evaluate(() => localStorage.setItem('perdure.token', 'wrong'));
  await page.reload();
  await page
    .getByText(/has no valid start token/)
    .first()
    .waitFor();
  expect(await page.getByRole('link', { name: /hello/ }).count()).toBe(0);
});
