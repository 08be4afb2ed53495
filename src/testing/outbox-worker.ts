/**
 * A program for the tests to kill: runs mailings, and sends what they have to say to a webhook.
 * Told to close, it does so in good order and ends.
 *
 *     node src/testing/outbox-worker.ts PLACE URL SECRET [SECRET]
 */
import { assert } from '../base/assert.ts';
import { webhook } from '../calls/webhook.ts';
import { createEngine } from '../runtime/engine.ts';
import type { Logger } from '../runtime/logger.ts';
import { ATTEMPTS_MAX, mailing } from './outbox-flow.ts';
import { storeAt } from './place.ts';
import { hear, say, sayAtWork } from './program-side.ts';

const [place, url, ...secrets] = process.argv.slice(2);
assert(place !== undefined && url !== undefined, 'a place and a URL are named');

const logger: Logger = {
  debug: () => {},
  info: () => {},
  warn: (details, message) => say(`warn ${message} ${JSON.stringify(details)}`),
  error: (details) => say(`dead ${(details as { letter: string }).letter}`),
};

const engine = await createEngine({
  store: storeAt(place),
  flows: [mailing],
  logger,
  worker: { lease: '2s', poll: '200ms' },
  outbox: {
    to: webhook({ url, secrets }),
    timeout: '1s',
    maxAttempts: ATTEMPTS_MAX,
    backoff: { base: '50ms', max: '500ms' },
  },
});
hear((line) => {
  if (line === 'close') void engine.close().then(() => process.exit());
});
sayAtWork();
