/**
 * A program that wakes tokens: for every line it is told, the number of an instance and of one of
 * its tokens, and then works on whatever follows from that. It says what came of each.
 *
 *     node src/testing/waking-worker.ts PLACE
 */
import { assert } from '../base/assert.ts';
import { EngineError } from '../base/engine-error.ts';
import { createEngine } from '../runtime/engine.ts';
import { pausingFlow } from './pausing-flow.ts';
import { storeAt } from './place.ts';
import { hear, say, sayAtWork } from './program-side.ts';

const [place] = process.argv.slice(2);
assert(place !== undefined, 'a place is named');

const engine = await createEngine({
  store: storeAt(place),
  flows: [pausingFlow()],
  worker: { lease: '30s', poll: '200ms', concurrency: 32 },
});
sayAtWork();

/** So many at a time, as a busy program would. */
const AT_ONCE = 16;
const told: string[] = [];
let under = 0;

hear((line) => {
  told.push(line);
  if (under < AT_ONCE) void lane();
});

async function lane(): Promise<void> {
  under += 1;
  for (let line = told.shift(); line !== undefined; line = told.shift()) {
    say(`${line} ${await wake(line)}`);
  }
  under -= 1;
}

async function wake(line: string): Promise<string> {
  const [id = '', token = ''] = line.split(' ');
  const run = await engine.get(id);
  assert(run !== undefined, `instance ${id} is there`);
  try {
    await run.wake(Number(token), Number(token));
    return 'woken';
  } catch (thrown) {
    if (thrown instanceof EngineError) return thrown.code;
    throw thrown;
  }
}
