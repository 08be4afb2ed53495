/**
 * A program that works on the flow of a crowd.
 *
 *     node src/testing/crowd-worker.ts PLACE FOLDER
 */
import { assert } from '../base/assert.ts';
import { createEngine } from '../runtime/engine.ts';
import { crowdFlow } from './crowd-flow.ts';
import { storeAt } from './place.ts';
import { hear, say, sayAtWork } from './program-side.ts';

const [place, folder] = process.argv.slice(2);
assert(place !== undefined && folder !== undefined, 'a place and a folder are named');
hear();
await createEngine({
  store: storeAt(place),
  flows: [crowdFlow(folder)],
  worker: { lease: '1s', poll: '200ms', concurrency: 16 },
});
say(`pid ${process.pid}`);
sayAtWork();
