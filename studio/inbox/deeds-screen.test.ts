/** What else people do with a task: give it back, away or up, put it off, send it back. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { flow } from '../../src/index.ts';
import { type House, openHouse } from '../testing/house.ts';

const order = flow<{ item: string }>('order')
  .approve('release', {
    approvers: ['finance'],
    title: ({ input }) => `Release ${input.item}`,
    submitter: 'cleo',
    onReject: 'continue',
  })
  .end(({ results }) => results.release);

const intake = flow<{ item: string }>('intake')
  .task('inspect', {
    title: ({ input }) => `Inspect ${input.item}`,
    candidates: { users: ['ann'] },
  })
  .end(({ results }) => results.inspect);

let house: House;
let page: Page;

beforeAll(async () => {
  house = await openHouse({ flows: [order, intake] });
  page = await house.page('/inbox');
});

afterAll(() => house.close());

/** As somebody else from now on: as *Act as* keeps it. */
async function open(actor: string, groups: readonly string[], title: string): Promise<Locator> {
  const me = JSON.stringify({ actor, groups });
  await page.evaluate((text) => localStorage.setItem('perdure.me', text), me);
  await page.goto(`${house.url}/inbox?who=all`);
  await page.getByRole('link', { name: new RegExp(title) }).click();
  const task = page.getByRole('article', { name: title });
  await task.waitFor();
  return task;
}

test('taken, given back, put off, and given to somebody for good', async () => {
  const run = await house.engine.start(intake, { item: 'lamp' });
  const task = await open('ann', [], 'Inspect lamp');
  await task.getByRole('button', { name: 'Claim' }).click();
  await task.getByRole('button', { name: 'Unclaim' }).click();
  await task.getByRole('button', { name: 'Claim' }).waitFor();
  await task.getByRole('button', { name: 'Dates and priority …' }).click();
  const dates = page.getByRole('dialog', { name: 'Dates and priority' });
  await dates.getByLabel('Priority').fill('7');
  await dates.getByRole('button', { name: /^(Save|Change|Set)/ }).click();
  await dates.waitFor({ state: 'detached' });
  await task.getByRole('button', { name: 'Reassign …' }).click();
  await page.getByLabel('To whom').fill('bob');
  await page.getByRole('button', { name: 'Reassign', exact: true }).click();
  await task.getByText('bob').first().waitFor();
  const [open_] = (await house.engine.tasks.list({ instance: run.id })).tasks;
  expect(open_).toMatchObject({ assignee: 'bob', priority: 7 });
});

test('sent back, resubmitted, and decided without a say in it', async () => {
  const run = await house.engine.start(order, { item: 'tea' });
  let task = await open('finance', [], 'Release tea');
  await task.getByRole('button', { name: 'Send back', exact: true }).click();
  await expect
    .poll(async () => (await house.engine.tasks.list({ instance: run.id })).tasks[0])
    .toMatchObject({ returned: true });
  task = await open('cleo', [], 'Release tea');
  await task.getByRole('button', { name: 'Resubmit', exact: true }).click();
  await expect
    .poll(async () => (await house.engine.tasks.list({ instance: run.id })).tasks[0])
    .toMatchObject({ returned: false, round: 2 });
  task = await open('eve', [], 'Release tea');
  await task.getByLabel(/Do it all the same/).check();
  await task.getByRole('button', { name: 'Reject', exact: true }).click();
  expect(await run.result()).toMatchObject({ decision: 'reject' });
});

test('taken back by whoever asked for it', async () => {
  const run = await house.engine.start(order, { item: 'jam' });
  const task = await open('cleo', [], 'Release jam');
  await task.getByRole('button', { name: 'Recall …' }).click();
  await page.getByRole('button', { name: 'Recall it' }).click();
  await page.getByText(/Recalled: Release jam/).waitFor();
  expect(await run.status()).toBe('completed');
});
