/**
 * A studio for a test: an engine in this process, served as `perdure dev` serves it, and a real
 * browser that looks at it.
 *
 * Every page of it is watched: what a browser complains of (a mistake of ours, something that the
 * policy forbids) and what is asked of any other host fails the test when the house is closed.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import {
  type Engine,
  type EngineOptions,
  type Flow,
  type Handlers,
  memory,
  type Store,
} from '../../src/index.ts';
import { openBrowser } from './browser.ts';
import { type Served, serveStudio } from './serving.ts';

export interface HouseOptions {
  readonly flows: readonly Flow[];
  readonly handlers?: Handlers;
  readonly outbox?: EngineOptions['outbox'];
  /** In memory if not said. */
  readonly store?: Store;
  /** Definitions from files, as the command line would be given them. */
  readonly files?: readonly string[];
}

export interface House {
  readonly engine: Engine;
  readonly url: string;
  /** A page at this path, in a window of its own that has the start token. */
  page(path: string, window?: Window): Promise<Page>;
  close(): Promise<void>;
}

interface Window {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
}

export async function openHouse(options: HouseOptions): Promise<House> {
  const { store = memory(), flows, handlers = {}, outbox } = options;
  const sent = outbox === undefined ? {} : { outbox };
  const served = await serveStudio({ store, flows, handlers, ...sent }, options.files ?? []);
  const browser = await openBrowser();
  const complaints: string[] = [];
  const contexts: BrowserContext[] = [];
  return {
    engine: served.engine,
    url: served.url,
    page: async (path, window = {}) => {
      const context = await contextOf(browser, served, window);
      contexts.push(context);
      const page = await context.newPage();
      watch(page, served.url, complaints);
      await page.goto(served.url + path);
      return page;
    },
    close: async () => {
      for (const context of contexts) await context.close();
      await browser.close();
      await served.close();
      expect(complaints, 'what the browser complains of').toEqual([]);
    },
  };
}

async function contextOf(
  browser: Browser,
  { url, token }: Served,
  { width = 1280, height = 800, theme = 'light' }: Window,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    baseURL: url,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(20_000);
  await context.addInitScript(giveToken, token);
  return context;
}

/** As the address of the terminal does; a page that is empty has nowhere to keep it. */
function giveToken(token: string): void {
  if (location.protocol !== 'http:') return;
  if (localStorage.getItem('perdure.token') === null) localStorage.setItem('perdure.token', token);
}

/** What is refused by the API is told by the browser as well; that is for the test to look at. */
const REFUSALS = /Failed to load resource: the server responded with a status of 4\d\d/;

function watch(page: Page, url: string, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(`thrown: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    const isBad = message.type() === 'error' || message.type() === 'warning';
    if (isBad && !REFUSALS.test(text)) complaints.push(`console: ${text}`);
  });
  page.on('dialog', (dialog) => {
    complaints.push(`a dialog of the browser: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const isOurs = request.url().startsWith(`${url}/`) || /^(data|blob):/.test(request.url());
    if (!isOurs) complaints.push(`a request to elsewhere: ${request.url()}`);
  });
}

/** Everybody can use what is shown now, as far as a program can tell. */
export async function expectAccessible(page: Page): Promise<void> {
  // Evaluated and not added as a script: the policy of the page allows none but its own.
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { axe: inside } = globalThis as unknown as { axe: typeof axe };
    const { violations } = await inside.run(document, { resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => {
      const where = nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`);
      return `${id}: ${where.join(' | ')}`;
    });
  });
  expect(found, 'what axe finds').toEqual([]);
}

const FOLDER = process.env['PERDURE_SCREENSHOTS'] ?? join('.perdure', 'screenshots');

/** What is shown now, light and dark, as files to look at. */
export async function shoot(page: Page, name: string): Promise<readonly [string, string]> {
  mkdirSync(FOLDER, { recursive: true });
  const light = await shootIn('light', page, name);
  const dark = await shootIn('dark', page, name);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  return [light, dark];
}

async function shootIn(theme: 'light' | 'dark', page: Page, name: string): Promise<string> {
  const path = join(FOLDER, `${name}-${theme}.png`);
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.locator(`html[data-theme='${theme}']`).waitFor();
  await page.screenshot({ path });
  return path;
}
