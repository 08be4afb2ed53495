/** Where the time went, what was tried, and where two instances differ: in a browser. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Fatal, flow, memory, type Run } from '../../src/index.ts';
import { expectAccessible, type House, openHouse, shoot } from '../testing/house.ts';
import { until } from '../testing/histories.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

interface Order {
  readonly customer: string;
  readonly card: string;
  readonly items: readonly string[];
}

const failures = new Map<string, number>();

const order = flow<Order>('order', { onFailure: 'incident' })
  .step(
    'reserve',
    ({ input }) => {
      const count = failures.get(input.customer) ?? 0;
      failures.set(input.customer, count + 1);
      if (count < 2) throw new Error('the warehouse is busy');
      return { shelf: 'A7' };
    },
    { retry: { maxAttempts: 5, delay: '20ms' } },
  )
  .waitFor('paid', { event: 'paid' })
  .map('pack', { over: ({ input }) => input.items }, (b) => b.step('wrap', ({ item }) => item))
  .step('charge', ({ input }) => {
    if (input.card === '4000') throw new Fatal('the card was declined');
    return { charged: true, card: input.card };
  })
  .end();

const skew = { ms: -(3 * DAY_MS + 2 * HOUR_MS) };
let house: House;
let good: Run;
let bad: Run;

/** Begun three days ago, and paid just now. */
beforeAll(async () => {
  const store = memory({ clock: () => Date.now() + skew.ms });
  house = await openHouse({ flows: [order], store });
  const { engine } = house;
  const items = ['book', 'lamp', 'chair'];
  good = await engine.start(order, { customer: 'Ada', card: '4242', items }, { key: 'good' });
  bad = await engine.start(order, { customer: 'Bob', card: '4000', items }, { key: 'bad' });
  for (const run of [good, bad]) {
    await until(async () => (await run.tokens()).some(({ wait }) => wait?.on === 'message'));
  }
  skew.ms = 0;
  for (const run of [good, bad]) await run.send('paid', { amount: 42 });
  await good.result();
  const incident = await until(async () => (await bad.inspect()).incidents[0]);
  await bad.retry(incident.token, { actor: 'ann', reason: 'the bank was down' });
  await until(async () => (await bad.history()).length > 9 && (await bad.inspect()).incidents[0]);
});

afterAll(() => house.close());

test('two instances are compared at their first difference', async () => {
  const page = await house.page(`/compare?${new URLSearchParams({ a: good.id, b: bad.id })}`);
  await page.getByRole('heading', { level: 2, name: 'charge failed in B only' }).waitFor();
  const input = page.getByRole('group', { name: 'Input, field by field' });
  await expect
    .poll(() => input.getByRole('rowheader').allTextContents())
    .toEqual(['customer', 'card']);
  await page.getByRole('region', { name: /^A: order v1/ }).waitFor();
  const second = page.getByRole('region', { name: /^B: order v1/ });
  await second
    .getByText(/the card was declined/)
    .first()
    .waitFor();
  await second.locator('.compare-graph .react-flow__node').first().waitFor();
  await expectAccessible(page);
  await shoot(page, 'compare');
  await second.getByRole('link', { name: /^Open at commit \d+$/ }).click();
  await page.waitForURL(/\/instances\/[^?]+\?at=\d+$/);
});

test('one is picked by its id, and one that is the same as itself went the same way', async () => {
  const page = await house.page(`/compare?a=${good.id}`);
  await page.getByText('Pick two instances.').waitFor();
  await expectAccessible(page);
  await expect.poll(() => page.locator('datalist option').count()).toBe(1);
  await page.getByLabel('Instance B').fill(good.id);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByText('They went the same way.').waitFor();
  await page.getByLabel('Instance B').fill('nobody');
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByRole('alert').getByText('instance.not-found').waitFor();
  expect(await page.getByLabel('Instance B').inputValue()).toBe('nobody');
});

test('three idle days are a notch, and a line opens its visit', async () => {
  const page = await house.page(`/instances/${bad.id}?tab=timeline`);
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByText('3 d 2 h idle').waitFor();
  const reserve = timeline.getByRole('button', { name: /^reserve .*, done/ });
  await reserve.focus();
  await page.keyboard.press('ArrowDown');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toMatch(/^paid/);
  await expectAccessible(page);
  await shootThere(page, 'timeline');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await timeline.getByRole('heading', { level: 2, name: 'reserve' }).waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get('node')).toBe('reserve');
  const axis = timeline.getByRole('slider');
  await axis.focus();
  await page.keyboard.press('Home');
  await expect.poll(() => new URL(page.url()).searchParams.get('at')).toBe('1');
  await timeline.getByRole('button', { name: 'As a table' }).click();
  await timeline.getByRole('table').first().waitFor();
  await expectAccessible(page);
});

test('a visit shows what it saw, what it tried and what went wrong', async () => {
  const page = await house.page(`/instances/${bad.id}?tab=visits`);
  const visits = page.getByRole('region', { name: 'Visits' });
  await visits.getByRole('button', { name: 'reserve' }).click();
  const attempts = visits.getByRole('group', { name: 'Attempts' });
  await expect.poll(() => attempts.getByText('the warehouse is busy').count()).toBe(2);
  await visits.getByRole('group', { name: 'output', exact: true }).getByText('“A7”').waitFor();
  await visits.getByRole('button', { name: 'Variables it saw' }).click();
  await visits.getByRole('group', { name: 'results', exact: true }).waitFor();
  await expectAccessible(page);
  await shootThere(page, 'visits');
  expect(new URL(page.url()).searchParams.get('visit')).not.toBeNull();
  await visits.getByRole('button', { name: /^Failed 1$/ }).click();
  await expect.poll(() => visits.getByRole('row').count()).toBe(2);
  await visits.getByText('the card was declined').waitFor();
});

test('the history is told in words, and what people did stands out', async () => {
  const page = await house.page(`/instances/${bad.id}?tab=history`);
  const history = page.getByRole('region', { name: 'History' });
  const act = history.getByRole('listitem').filter({ hasText: 'ann had it tried again' });
  await act.getByText('the bank was down').waitFor();
  expect(await act.getAttribute('class')).toContain('is-act');
  await history
    .getByText(/reserve failed: the warehouse is busy; tried again in/)
    .first()
    .waitFor();
  await history.getByRole('button', { name: 'Changes of commit 1', exact: true }).click();
  await history.getByRole('group', { name: 'changes of commit 1' }).waitFor();
  await history.getByRole('button', { name: 'What was dropped' }).click();
  await history.getByText(/Nothing came too late/).waitFor();
  await expectAccessible(page);
  await shootThere(page, 'history');
  await history.getByRole('button', { name: 'Go to commit 2', exact: true }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('at')).toBe('2');
});

test('all of it is readable on a phone', async () => {
  const page = await house.page(`/compare?a=${good.id}&b=${bad.id}`, { width: 390, height: 844 });
  await page.locator('.compare-graph .react-flow__node').first().waitFor();
  expect(await overflow(page)).toBe(0);
  for (const name of ['Timeline', 'Visits', 'History']) {
    await page.goto(`${house.url}/instances/${bad.id}?tab=${name.toLowerCase()}`);
    await page.getByRole('region', { name, exact: true }).waitFor();
    expect(await overflow(page), name).toBe(0);
  }
});

/** So much is wider than the window. */
function overflow(page: Awaited<ReturnType<House['page']>>): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));
}

/** What is below the graph is what is meant. */
async function shootThere(page: Awaited<ReturnType<House['page']>>, name: string): Promise<void> {
  await page.getByRole('tablist', { name: 'In detail' }).scrollIntoViewIfNeeded();
  await page.getByRole('tablist', { name: 'In detail' }).evaluate((tabs) => tabs.scrollIntoView());
  await shoot(page, name);
}
