import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { flow } from '../../src/index.ts';
import { serverless } from '../../src/serverless.ts';
import { expectAccessible, type House, openHouse, shoot } from '../testing/house.ts';

const MARKUP = '<img src=x onerror=alert(1)>';

const input = z.object({
  customer: z
    .string()
    .min(2)
    .meta({ title: MARKUP, description: `Who pays ${MARKUP}` }),
  card: z.string().refine((card) => card !== '4000', 'this card is not taken'),
  items: z.array(z.object({ sku: z.string(), price: z.number() })),
  express: z.boolean(),
});

const order = flow('order', { input })
  .step('reserve', () => 'A7')
  .task('pack', { candidates: { groups: ['store'] } })
  .step('charge', () => 'charged')
  .end();
const newer = flow('order', { version: 2, input })
  .step('reserve', () => 'A7', { retry: { maxAttempts: 9 } })
  .approve('release', { approvers: ['finance'] })
  .step('charge', () => 'charged')
  .end();
const free = flow<{ name: string; times: number }>('free')
  .step('greet', ({ input: { name } }) => name)
  .end();

const WORKFLOW = `document:
  dsl: '1.0.3'
  namespace: play
  name: hello
  version: '0.1.0'
do:
  - greet:
      set:
        text: Hello \${ .name }
  - pause:
      wait: { milliseconds: 1 }
`;
const BROKEN = WORKFLOW.replace('name: hello', 'name: broken').replace('wait:', 'wiat:');

let house: House;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'perdure-flows-'));
  const files = [join(folder, 'hello.yaml'), join(folder, 'broken.yaml')];
  writeFileSync(files[0] ?? '', WORKFLOW);
  writeFileSync(files[1] ?? '', BROKEN);
  house = await openHouse({ flows: [order, newer, free, serverless(WORKFLOW)], files });
  await house.engine.start(free, { name: MARKUP, times: 3 });
  await house.engine.start(free, { name: 'Grace', times: 1 });
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await house.close();
});

test('every flow is there, and a broken file with its first problem', async () => {
  const page = await house.page('/flows');
  const card = page.getByRole('listitem').filter({ hasText: 'order' }).first();
  await card.getByText('version 2', { exact: true }).waitFor();
  const broken = page.getByRole('region', { name: /broken\.yaml defines nothing/ });
  await broken.getByText(/wiat/).first().waitFor();
  await expectAccessible(page);
  await shoot(page, 'flows');
  await page.keyboard.press('/');
  await page.keyboard.type('fre');
  await page.waitForURL('**/flows?q=fre');
  await page.getByText('1 of 3 flows').waitFor();
  expect(await page.getByRole('link', { name: 'order', exact: true }).count()).toBe(0);
});

test('a start is refused at its field, and lands on the instance once it is mended', async () => {
  const page = await house.page('/flows/order');
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  await page.keyboard.press('s');
  const dialog = page.getByRole('dialog', { name: 'Start order' });
  await dialog.getByLabel(MARKUP).fill('A');
  await dialog.getByLabel('card').fill('4000');
  await dialog.getByRole('button', { name: 'Add to items' }).click();
  await dialog.getByLabel('sku').fill('A1');
  await dialog.getByLabel('price').fill('x');
  await page.keyboard.press('Control+Enter');
  await dialog.getByText('must have 2 characters or more').waitFor();
  await dialog.getByText('must be a number').waitFor();
  await expectAccessible(page);
  await shoot(page, 'start');
  await dialog.getByLabel(MARKUP).fill('Ada');
  await dialog.getByLabel('price').fill('4.5');
  await page.keyboard.press('Control+Enter');
  await dialog.getByText('this card is not taken').waitFor();
  const card = dialog.getByLabel('card');
  expect(await card.getAttribute('aria-invalid')).toBe('true');
  await card.fill('4242');
  await dialog.getByLabel('Business key').fill('order-1');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await page.waitForURL('**/instances/*');
  const { instances } = await house.engine.list({ flow: 'order' });
  expect(instances.map(({ key }) => key)).toEqual(['order-1']);
  const run = await house.engine.get(instances[0]?.id ?? '');
  expect((await run?.inspect())?.input).toEqual({
    ...{ customer: 'Ada', card: '4242', express: false },
    items: [{ sku: 'A1', price: 4.5 }],
  });
});

test('recent inputs fill in a form where there is no schema, or JSON', async () => {
  const page = await house.page('/flows/free');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Start free' });
  await dialog.getByRole('button', { name: /onerror/ }).click();
  expect(await dialog.getByLabel('name').inputValue()).toBe(MARKUP);
  await dialog.getByLabel('times').fill('7');
  await dialog.getByRole('button', { name: 'JSON' }).click();
  const json = dialog.getByLabel('Input as JSON');
  expect(JSON.parse(await json.inputValue())).toEqual({ name: MARKUP, times: 7 });
  await json.fill('{ "name": ');
  await dialog.getByText(/this is not JSON/).waitFor();
  await dialog.getByRole('button', { name: 'JSON' }).click();
  expect(await json.inputValue()).toBe('{ "name": ');
  await json.fill('{ "name": "Ida", "times": 1 }');
  const before = (await house.engine.list({ flow: 'free' })).instances.length;
  // Pressed twice before anybody can answer: one start is meant.
  await page.evaluate(() => {
    const form = document.querySelector('dialog form');
    if (form instanceof HTMLFormElement) for (const _ of [1, 2]) form.requestSubmit();
  });
  await page.waitForURL('**/instances/*');
  expect((await house.engine.list({ flow: 'free' })).instances.length).toBe(before + 1);
});

test('what is wrong stands below its line, and lines and nodes are chosen together', async () => {
  const page = await house.page('/flows/play.hello');
  const source = page.getByRole('region', { name: /Source: / });
  await source.locator('.code-line.marked-warning[data-line="9"]').waitFor();
  await source.locator('[data-line="9"] + .code-problems').getByText('Warning').waitFor();
  await page.getByRole('region', { name: 'Problems' }).getByText('Line 9').click();
  await source.locator('.code-line.lit[data-line="9"]').waitFor();
  await source.getByRole('button', { name: /^Line 10: select/ }).click();
  await page.waitForURL(/node=.*pause/);
  await page.getByRole('region', { name: /^Node .*pause/ }).waitFor();
  await source.locator('.code-line.lit[data-line="10"]').waitFor();
  await expectAccessible(page);
  await shoot(page, 'flow');
});

test('two versions are compared by what they mean, with marks in both graphs', async () => {
  const page = await house.page('/flows/order/2?compare=1');
  await page
    .getByText('nothing breaks')
    .or(page.getByText(/\d+ breaking/))
    .waitFor();
  await page
    .getByRole('region', { name: 'Breaks what stands there' })
    .getByText(/"pack" is gone/)
    .waitFor();
  const marked = (side: string, mark: string) =>
    page.getByRole('region', { name: side }).locator(`[class*="${mark}"]`).first();
  await marked('Before: version 1', 'removed').waitFor();
  await marked('After: version 2', 'added').waitFor();
  await expectAccessible(page);
  await shoot(page, 'flow-diff');
});

test('a definition is written, mended where it is wrong, and deployed', async () => {
  const page = await house.page('/flows/play.hello/1000?edit=1');
  await page.getByText(/is not changed/).waitFor();
  const text = page.getByLabel('Definition');
  const deploy = page.getByRole('button', { name: 'Deploy' });
  const next = WORKFLOW.replace('0.1.0', '0.2.0');
  await text.fill(next.replace('wait:', 'wiat:'));
  await page.getByRole('list', { name: 'Problems' }).getByText(/wiat/).waitFor();
  await page.locator('.editor-row.wrong').waitFor();
  expect(await deploy.isDisabled()).toBe(true);
  await expectAccessible(page);
  await shoot(page, 'flow-edit');
  await page.reload();
  await page.getByText('This is what you wrote before.').waitFor();
  await text.fill(next);
  await page.getByText('Nothing is wrong with it.').waitFor();
  await deploy.click();
  await page.waitForURL('**/flows/play.hello/2000');
  await page.getByText(/The source is not known here/).waitFor();
});

test('a version is suspended once it is said how many that is, also on a phone', async () => {
  const page = await house.page('/flows/order/1', { width: 390, height: 844 });
  await page.getByRole('button', { name: 'Suspend' }).click();
  const dialog = page.getByRole('dialog', { name: 'Suspend order' });
  await dialog.getByText(/would stand still/).waitFor();
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  const isWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth;
  expect(await page.evaluate(isWide)).toBe(false);
  await page.getByRole('tab', { name: 'Source' }).click();
  await page.getByText(/This is\s+its plan/).waitFor();
  expect(await page.evaluate(isWide)).toBe(false);
  await expectAccessible(page);
  await shoot(page, 'flow-phone');
});
