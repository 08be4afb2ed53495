/** What the page about security shows is in a program that is run, and its numbers are ours. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { KEY_ID_CHARS_MAX } from '../src/server/access/api-keys.ts';
import { SECRET_BYTES_MIN, TOLERANCE_MS_DEFAULT } from '../src/server/access/jwt-options.ts';
import { KEYS_COOLDOWN_MS, KEYS_MS_MAX, KEYS_PAUSE_MS } from '../src/server/access/key-sets.ts';
import { ROLES } from '../src/server/access/principal.ts';
import {
  BUCKETS_MAX,
  FAILURES_BURST,
  FAILURES_PER_SECOND,
  RATE_BURST_DEFAULT,
  RATE_PER_SECOND_DEFAULT,
} from '../src/server/access/rate.ts';
import { WEBHOOK_TOLERANCE_MS_DEFAULT } from '../src/server/webhooks.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
const program = join(root, 'examples/access.ts');

test('every block of the page stands in the example, word for word', () => {
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, body]) => body ?? '');
  const text = readFileSync(program, 'utf8');
  expect(blocks.length).toBe(4);
  for (const block of blocks) expect(text).toContain(block);
});

test('the example does what the page says', async () => {
  const args = ['--conditions=perdure-source', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout.trim().split('\n')).toEqual([
    'pdr_ci_',
    'id hash role tenant expiresAt groups',
    'GET /instances 401 access.unauthenticated',
    'GET /instances 200 fine',
    'POST /instances 403 access.forbidden',
    'POST /instances 201 fine',
    'GET /instances 403 access.origin',
    'POST /hooks/github 202 fine',
    'POST /hooks/github 409 webhook.repeated',
    'POST /hooks/github 401 webhook.forged',
  ]);
});

test('the table of roles is what roles are', () => {
  const [, table = ''] = /\| role \| scopes \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(page) ?? [];
  const rows = Object.entries(ROLES).map(
    ([role, scopes]) => `| \`${role}\` | ${scopes.map((scope) => `\`${scope}\``).join(', ')} |\n`,
  );
  expect(table).toBe(rows.join(''));
});

test('the numbers of the page are ours', () => {
  const words = page.replaceAll(/\s+/g, ' ');
  const seconds = (ms: number): string => `${ms / 1_000} s`;
  const minutes = (ms: number): string => `${ms / 60_000} minutes`;
  for (const claim of [
    `1 to ${KEY_ID_CHARS_MAX} letters`,
    `\`{ secret }\` of ${SECRET_BYTES_MIN} bytes or more`,
    `how far clocks may be apart | ${seconds(TOLERANCE_MS_DEFAULT)} |`,
    `kept for ${minutes(KEYS_MS_MAX)}`,
    `at most every ${seconds(KEYS_COOLDOWN_MS)}`,
    `asked again after ${seconds(KEYS_PAUSE_MS)}`,
    `may ask ${RATE_PER_SECOND_DEFAULT} times a second, and ${RATE_BURST_DEFAULT} times at once`,
    `after ${FAILURES_BURST} at once there is one every ${1 / FAILURES_PER_SECOND} s`,
    `for ${BUCKETS_MAX.toLocaleString('en-US')} at most`,
    `A time may be ${minutes(WEBHOOK_TOLERANCE_MS_DEFAULT)} away`,
  ]) {
    expect(words).toContain(claim);
  }
});
