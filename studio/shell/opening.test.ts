/** The command and its address, as somebody meets them: nothing of it is in this process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../testing/browser.ts';

const PROGRAM = join(import.meta.dirname, '../../src/cli/perdure.ts');
const FIRST_SCREEN_BYTES_MAX = 350 * 1024;

let child: ChildProcess;
let browser: Browser;
let address: string;

beforeAll(async () => {
  const args = ['--conditions=perdure-source', PROGRAM, 'dev', '--port', '0', '--json'];
  const env = { ...process.env, PERDURE_STORE: '' };
  child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.stdout === null) throw new Error('stdout is piped');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  address = (JSON.parse(line) as { url: string }).url;
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  child.kill('SIGKILL');
});

async function open(): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(address);
  await page.getByRole('heading', { level: 1, name: 'Flows' }).waitFor();
  return page;
}

test('three flows to play with, and the token is gone from the address', async () => {
  const page = await open();
  for (const name of ['order', 'claim', 'playground.onboarding']) {
    await page
      .getByRole('link', { name: new RegExp(name) })
      .first()
      .waitFor();
  }
  expect(page.url()).not.toContain('token');
  expect(page.url()).not.toContain('#');
});

test('the first screen is under 350 KB, gzipped', async () => {
  const page = await open();
  await page.getByRole('link', { name: /claim/ }).first().waitFor();
  const bytes = await page.evaluate(() => {
    const entries = [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ] as PerformanceResourceTiming[];
    const files = entries.filter(({ name }) => !/\/(api|dev)\//.test(name));
    return files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  });
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(FIRST_SCREEN_BYTES_MAX);
});

test('a browser that was never given the token is told where to find it', async () => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(new URL('/instances', address).href);
  await page
    .getByText(/no valid start token/)
    .first()
    .waitFor();
});
