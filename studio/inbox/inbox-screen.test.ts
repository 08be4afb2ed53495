import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { flow, form } from '../../src/index.ts';
import { expectAccessible, type House, openHouse, shoot } from '../testing/house.ts';

const HOSTILE = '<img src=x onerror="document.title=1"><script>alert(1)</script>';

const order = flow<{ item: string }>('order')
  .approve('release', {
    approvers: ['finance', 'legal'],
    rule: 'unanimous',
    title: ({ input }) => `Release ${input.item}`,
    submitter: 'cleo',
    data: ({ input }) => ({ item: input.item, note: 'first line\nsecond line' }),
    timeout: '7d',
  })
  .end(({ results }) => results.release.decision);

const intake = flow<{ item: string }>('intake')
  .task('inspect', {
    title: ({ input }) => `Inspect ${input.item}`,
    candidates: { users: ['ann'], groups: ['quality'] },
    form: form<{ score: number }>({
      type: 'object',
      required: ['score'],
      properties: { score: { type: 'integer', title: 'Score', minimum: 1, maximum: 5 } },
    }),
    data: ({ input }) => input,
  })
  .end(({ results }) => results.inspect);

let house: House;

beforeAll(async () => {
  house = await openHouse({ flows: [order, intake] });
});

afterAll(() => house.close());

async function actAs(page: Page, actor: string, groups = ''): Promise<void> {
  await page.locator('.whom').click();
  const dialog = page.getByRole('dialog', { name: 'Act as' });
  await dialog.getByLabel('Name').fill(actor);
  await dialog.getByLabel('Groups').fill(groups);
  await dialog.getByRole('button', { name: 'Act as this person' }).click();
}

test('an approval is released by two people, and the instance goes on', async () => {
  const run = await house.engine.start(order, { item: 'tea' });
  const page = await house.page('/inbox');
  await page.getByRole('link', { name: /Release tea/ }).click();
  const task = page.getByRole('article', { name: 'Release tea' });
  await task.getByText('you have no say in it').waitFor();
  await task.getByText('Both must approve.').waitFor();
  await task.getByText('second line').waitFor();
  await task.getByRole('button', { name: 'Act as finance' }).click();
  await task.locator('.graph-node').first().waitFor();
  await expectAccessible(page);
  await shoot(page, 'inbox');
  await page.keyboard.press('a');
  await page.keyboard.type('within budget');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Approved: Release tea. Still to speak: legal.').waitFor();
  await page.goto(`${house.url}/inbox?who=all`);
  await page.getByText('1 of 2 have spoken').waitFor();
  await page.getByRole('link', { name: /Release tea/ }).click();
  await task.getByText('within budget').first().waitFor();
  await task.getByRole('button', { name: 'Act as legal' }).click();
  await task.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText('It is decided, and the instance goes on.').waitFor();
  expect(await run.result()).toBe('approve');
});

test('what does not fit the form is told at its field, and what was typed survives', async () => {
  const run = await house.engine.start(intake, { item: 'lamp' });
  const page = await house.page('/inbox');
  await actAs(page, 'bob', 'quality');
  await page.getByRole('link', { name: /Inspect lamp/ }).click();
  const task = page.getByRole('article', { name: 'Inspect lamp' });
  await task.getByLabel('Score').fill('9');
  await page.reload();
  await task.getByRole('button', { name: 'Claim' }).click();
  await task.getByText('took it').waitFor();
  expect(await task.getByLabel('Score').inputValue()).toBe('9');
  await task.getByRole('button', { name: 'Complete' }).click();
  await task.getByText('task.invalid').waitFor();
  await task.locator('.field-problem').first().waitFor();
  await expectAccessible(page);
  await shoot(page, 'task');
  await task.getByLabel('Score').fill('4');
  await task.getByRole('button', { name: 'Complete' }).click();
  await page.getByText('Done: Inspect lamp.').waitFor();
  expect(await run.result()).toEqual({ score: 4 });
});

test('it is commented on and delegated, and says who finished it meanwhile', async () => {
  const run = await house.engine.start(intake, { item: 'chair' });
  const page = await house.page('/inbox', { width: 390, height: 844 });
  await actAs(page, 'ann');
  await page.getByRole('link', { name: /Inspect chair/ }).click();
  const task = page.getByRole('article', { name: 'Inspect chair' });
  await task.getByRole('button', { name: 'Claim' }).click();
  await task.getByLabel('Say something about it').fill('one leg is short');
  await task.getByRole('button', { name: 'Comment' }).click();
  await task.locator('.inbox-trail').getByText('one leg is short').waitFor();
  await task.getByRole('button', { name: 'Delegate …' }).click();
  await page.getByLabel('To whom').fill('bob');
  await page.getByRole('button', { name: 'Delegate', exact: true }).click();
  await task.getByText('It is bob’s to complete.').waitFor();
  await expectAccessible(page);
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(isWide).toBe(false);
  const [open] = (await house.engine.tasks.list({ assignee: 'bob' })).tasks;
  await house.engine.tasks.complete(open?.id ?? '', { score: 2 }, { actor: 'bob' });
  await page.getByText(/It is done: bob completed it/).waitFor();
  expect(await run.result()).toEqual({ score: 2 });
});

test('what looks like markup is text, and the keyboard goes through the list', async () => {
  await house.engine.start(order, { item: HOSTILE });
  await house.engine.start(order, { item: 'plain' });
  const page = await house.page('/inbox?kind=approval');
  await page.getByRole('link', { name: /Release plain/ }).waitFor();
  await page.keyboard.press('j');
  const task = page.getByRole('article');
  await task.getByRole('heading', { name: `Release ${HOSTILE}` }).waitFor();
  await task.locator('.graph-node').first().waitFor();
  expect(await page.locator('img, script:not([src])').count()).toBe(0);
  expect(await page.title()).toBe('Inbox · Perdure');
  await page.keyboard.press('j');
  await task.getByRole('heading', { name: 'Release plain' }).waitFor();
  await page.keyboard.press('k');
  await task.getByRole('heading', { name: `Release ${HOSTILE}` }).waitFor();
  await page.getByRole('searchbox').fill('nothing like it');
  await page.getByText('No open task is like that.').waitFor();
});
