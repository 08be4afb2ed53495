/**
 * A program for the tests to kill: runs the steps of the storm's chains. Every execution is written
 * into a ledger of this process before it answers, and whoever begins to wait says so.
 *
 *     node src/testing/chain-storm-worker.ts PLACE LEDGER_FOLDER SEED NAME
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../base/assert.ts';
import { createEngine } from '../runtime/engine.ts';
import { LEASE_MS, stormChains, stormHandlers } from './chain-storm-flows.ts';
import { storeAt } from './place.ts';
import { hear, say, sayAtWork } from './program-side.ts';

const [place, folder, seed, name] = process.argv.slice(2);
assert(place !== undefined && folder !== undefined, 'a place and a folder are named');
assert(seed !== undefined && name !== undefined, 'a seed and a name are given');
hear();

const ledger = join(folder, `${name}.ledger`);
await createEngine({
  store: storeAt(place),
  flows: stormChains(),
  handlers: stormHandlers({
    seed: Number(seed),
    worker: name,
    note: (line) => appendFileSync(ledger, `${JSON.stringify(line)}\n`),
    want: (wanted) => say(`wants ${JSON.stringify(wanted)}`),
  }),
  worker: { id: name, lease: LEASE_MS, poll: '200ms', concurrency: 32 },
});
sayAtWork();
