import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { createTestEngine } from '../testing/test-engine.ts';
import type { Logger } from './logger.ts';
import { hideLooks, redacting } from './redacting.ts';

const KEY = 'pdr_ci_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';
const JWT = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl';

function notebook(): { readonly lines: string[]; readonly logger: Logger } {
  const lines: string[] = [];
  const line = (details: object, message: string): void => {
    lines.push(`${message} ${JSON.stringify(details)}`);
  };
  return { lines, logger: { debug: line, info: line, warn: line, error: line } };
}

test.each([
  ['a key of ours', `sent ${KEY} along`],
  ['a token of an identity provider', `Authorization: Bearer ${JWT}`],
  ['a token by itself', `token ${JWT}.`],
  ['a bearer of another kind', 'Bearer abcdef0123456789'],
  ['a secret of a webhook', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  ['the password of a URL', 'postgres://ann:hunter2@db/orders'],
])('%s is hidden wherever it stands', (_, text) => {
  const hidden = hideLooks(text);
  expect(hidden).toContain('[redacted]');
  expect(hidden).not.toMatch(/hunter2|abcdef0123456789|MfKQ9r8|eyJ|0123456789abcdefghij/);
});

test('what is no credential stays as it is', () => {
  const plain =
    'instance 01a1ed86-4f7c-71e6 at "pay": the bearer of this letter, see http://a:80/x';
  expect(hideLooks(plain)).toBe(plain);
});

test('fields that are called like a credential are hidden, at any depth', () => {
  const { lines, logger } = notebook();
  const details = { instance: 'i', request: { headers: { authorization: 'x', accept: 'y' } } };
  redacting(logger).info({ ...details, password: 'hunter2', tokens: 3, accessToken: 't' }, 'asked');
  expect(lines).toEqual([
    'asked {"instance":"i","request":{"headers":{"authorization":"[redacted]","accept":"y"}},' +
      '"password":"[redacted]","tokens":3,"accessToken":"[redacted]"}',
  ]);
});

test('what goes round in circles is written as far as it goes', () => {
  const { lines, logger } = notebook();
  const circle: Record<string, unknown> = { name: 'a' };
  circle['self'] = circle;
  redacting(logger).warn(circle, 'odd');
  expect(lines[0]).toContain('[redacted]');
});

test('what a handler writes to its log has no credential in it', async () => {
  const { lines, logger } = notebook();
  const leaky = flow('leaky')
    .step('ask', ({ log }) => {
      log.info(`asking with ${KEY}`, { apiKey: KEY, url: `https://bank/?k=${KEY}` });
      return null;
    })
    .end();
  const kit = createTestEngine({ flows: [leaky], logger });
  await kit.start(leaky, null);
  await kit.runUntilIdle();
  const written = lines.filter((line) => line.startsWith('asking'));
  expect(written).toHaveLength(1);
  expect(written.join()).not.toContain(KEY);
  expect(written.join()).toContain('"node":"ask"');
});
