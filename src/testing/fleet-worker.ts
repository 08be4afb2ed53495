/**
 * A program for the tests to kill: works on whatever the flows of the fleet have to do. Every
 * handler writes a line into a ledger of this process before it returns.
 *
 *     node src/testing/fleet-worker.ts PLACE LEDGER_FOLDER
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../base/assert.ts';
import { createEngine } from '../runtime/engine.ts';
import { fleetFlows } from './fleet-flows.ts';
import { storeAt } from './place.ts';
import { hear, sayAtWork } from './program-side.ts';

const [place, folder] = process.argv.slice(2);
assert(place !== undefined && folder !== undefined, 'a place and a folder are named');
hear();

const ledger = join(folder, `${process.pid}.ledger`);
await createEngine({
  store: storeAt(place),
  flows: fleetFlows((line) => appendFileSync(ledger, `${JSON.stringify(line)}\n`)),
  worker: { lease: '1s', poll: '200ms', concurrency: 16 },
});
sayAtWork();
