/**
 * A program that carries the flow of the relay one commit further, and is gone: a result, a time
 * that has come, or a message. To take back what the one before it held does not count.
 *
 *     node src/testing/baton-runner.ts PLACE exit|kill
 */
import { assert } from '../base/assert.ts';
import { createEngine } from '../runtime/engine.ts';
import type { Commit, CommitOutcome } from '../stores/store.ts';
import { storeAt } from './place.ts';
import { hear, sayAtWork } from './program-side.ts';
import { batonFlow } from './baton-flow.ts';
import { wrappedStore } from './wrapped-store.ts';

const [place, how] = process.argv.slice(2);
assert(place !== undefined, 'a place is named');
hear();

const store = storeAt(place);
const commit = async (commits: readonly Commit[]): Promise<readonly CommitOutcome[]> => {
  const outcomes = await store.commit(commits);
  const isFurther = commits.some(
    ({ fence }, index) => fence?.expired !== true && outcomes[index]?.outcome === 'committed',
  );
  if (!isFurther) return outcomes;
  if (how === 'kill') process.kill(process.pid, 'SIGKILL');
  process.exit();
};
await createEngine({
  store: wrappedStore(store, { commit }),
  flows: [batonFlow()],
  worker: { lease: '200ms', poll: '50ms', concurrency: 1 },
});
sayAtWork();
