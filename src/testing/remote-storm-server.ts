/**
 * A program for the tests to kill: the engine of the remote storm and its API, always on the same
 * port. Its own worker has no handlers, and looks after leases, timers and posts.
 *
 *     node src/testing/remote-storm-server.ts PLACE PORT KEYS
 */
import { assert } from '../base/assert.ts';
import { createEngine } from '../runtime/engine.ts';
import { type ApiKey, api } from '../server.ts';
import { storeAt } from './place.ts';
import { hear, sayAtWork } from './program-side.ts';
import { LEASE_MS, parcels } from './remote-storm-flow.ts';

const [place, port, keys] = process.argv.slice(2);
assert(place !== undefined && port !== undefined, 'a place and a port are named');
assert(keys !== undefined, 'keys are given');
hear();

const engine = await createEngine({
  store: storeAt(place),
  flows: [parcels],
  worker: { lease: LEASE_MS, poll: '200ms' },
});
const access = { keys: JSON.parse(keys) as readonly ApiKey[] };
// All workers have one key, and are quicker than the one client that a key is usually for.
await api(engine, { access, rate: false }).listen({ port: Number(port) });
sayAtWork();
