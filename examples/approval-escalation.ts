/**
 * An approval that goes up when nobody answers. A manager has two days, then a director decides,
 * and what nobody has decided after five days is rejected. No process has to stay alive for that:
 * the moments are in the database, and one that passed during a downtime is acted on after it.
 *
 * Days pass at once here, by the clock of the test kit. In a program it is `createEngine` with a
 * database, and real time.
 *
 * Prints:
 *
 *     the desk waits for managers, and max approves it
 *     the car waits for managers, and dora has no say (task.forbidden)
 *     the car waits for directors, and dora approves it
 *     desk: approve by max
 *     car: approve by dora
 *     boat: rejected, nobody answered
 */
import { type EngineError, flow } from 'perdure';
import { createTestEngine } from 'perdure/testing';

const purchase = flow<{ what: string }>('purchase')
  .race('decision', {
    people: (b) =>
      b.approve('release', {
        title: ({ input }) => `Shall we buy a ${input.what}?`,
        approvers: ['managers'], // a group: whoever of it answers first
        timeout: '2d',
        onTimeout: { escalate: ['directors'] },
      }),
    nobody: (b) => b.sleep('patience', '5d'), // when it is over, so is the approval
  })
  .end(({ results: { release } }) =>
    release === undefined ? 'rejected, nobody answered' : `${release.decision} by ${release.by}`,
  );

const test = createTestEngine({ flows: [purchase] });
const things = ['desk', 'car', 'boat'];
const runs = await Promise.all(things.map((what) => test.start(purchase, { what }, { key: what })));

async function approve(key: string, actor: string, group: string): Promise<void> {
  const [task] = (await test.engine.tasks.list({ key, kind: 'approval' })).tasks;
  if (task?.kind !== 'approval') throw new Error(`nothing is asked about the ${key}`);
  const said = await test.engine.tasks
    .decide(task.id, { actor, groups: [group], decision: 'approve' })
    .then(() => 'approves it')
    .catch(({ code }: EngineError) => `has no say (${code})`);
  console.log(`the ${key} waits for ${task.waitsFor.join()}, and ${actor} ${said}`);
}

await test.advance('1d');
await approve('desk', 'max', 'managers');
await approve('car', 'dora', 'directors');
await test.advance('2d');
await approve('car', 'dora', 'directors');
await test.advance('2d');
for (const [n, run] of runs.entries()) console.log(`${things[n]}: ${await run.result()}`);
await test.close();
