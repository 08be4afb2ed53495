/**
 * A program that decides an approval and dies over it: before the decision is committed, or right
 * after, when nobody has been told yet.
 *
 *     node src/testing/decider.ts ERRAND
 */
import { assert } from '../base/assert.ts';
import { createEngine } from '../runtime/engine.ts';
import type { Commit, CommitOutcome } from '../stores/store.ts';
import { type Errand, paymentFlow } from './decider-flow.ts';
import { storeAt } from './place.ts';
import { hear, sayAtWork } from './program-side.ts';
import { wrappedStore } from './wrapped-store.ts';

const [text] = process.argv.slice(2);
assert(text !== undefined, 'what to do is told as JSON');
const { place, folder, standing, death, task } = JSON.parse(text) as Errand;
hear();

const store = storeAt(place);
const commit = async (commits: readonly Commit[]): Promise<readonly CommitOutcome[]> => {
  const isIt = commits.some(({ touched }) =>
    touched.changes.some(({ did }) => did === 'alter-task'),
  );
  if (isIt && death === 'before') process.kill(process.pid, 'SIGKILL');
  const outcomes = await store.commit(commits);
  if (isIt && death === 'after') process.kill(process.pid, 'SIGKILL');
  return outcomes;
};
const engine = await createEngine({
  store: wrappedStore(store, { commit }),
  flows: standing === 'stranger' ? [] : [paymentFlow(folder)],
  worker: standing === 'worker' && { lease: '500ms', poll: '50ms' },
});
sayAtWork();
if (task !== undefined) await engine.tasks.decide(task, { actor: 'legal', decision: 'approve' });
