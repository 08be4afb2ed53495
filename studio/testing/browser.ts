/** Chromium as npm brings it: nothing has to be installed on the machine. */
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/**
 * It asks its maker for nothing, and a sandbox is not to be had in most containers. What the
 * package itself proposes is not taken: that is all in one process, and without web security.
 */
const ARGUMENTS = [
  ...['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  '--disable-quic',
];

export async function openBrowser(): Promise<Browser> {
  const executablePath = await sparticuz.executablePath();
  return chromium.launch({ executablePath, args: ARGUMENTS, headless: true });
}
