/**
 * A program for the tests to stop and kill: a remote worker for the steps of the storm. It hears
 * `hold`, and stays in the execution that it begins next until it hears `go`.
 *
 *     node src/testing/remote-storm-worker.ts URL KEY LEDGER_FOLDER NAME
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../base/assert.ts';
import { remoteWorker } from '../client.ts';
import { hear, say, sayAtWork } from './program-side.ts';
import { LEASE_MS, stormHandlers } from './remote-storm-flow.ts';
import { Gate } from './stage.ts';

const [url, key, folder, name] = process.argv.slice(2);
assert(url !== undefined && key !== undefined, 'a server and a key are named');
assert(folder !== undefined && name !== undefined, 'a folder and a name are given');

let gate = new Gate();
let isToHold = false;
hear((line) => {
  isToHold = line === 'hold';
  if (line === 'go') gate.open();
  else gate = new Gate();
});

const ledger = join(folder, `${name}.ledger`);
remoteWorker({
  ...{ url, key, worker: name, concurrency: 8, lease: LEASE_MS, wait: '5s' },
  handlers: stormHandlers({
    ...{ name, say },
    note: (line) => appendFileSync(ledger, `${JSON.stringify(line)}\n`),
    hold: async ({ idempotencyKey, attempt }) => {
      if (!isToHold) return;
      isToHold = false;
      say(`held ${idempotencyKey} ${attempt}`);
      await gate.opened;
    },
  }),
  logger: { debug: () => {}, warn: () => {} },
  onError: ({ code }, { doing, work }) => say(`${code} ${doing} ${work?.idempotencyKey ?? ''}`),
});
sayAtWork();
