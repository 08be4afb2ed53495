/**
 * Cancelling from outside, with everything undone. A customer calls while two bookings are at work.
 * Their handlers are told to stop by `signal`, but an answer that is under way still comes. That of
 * a step with an undo is waited for, and undone like the rest; any other is dropped when it comes,
 * and the history has a note of it. If the process dies at it, another goes on; a step whose answer
 * died with it is undone as `inDoubt`.
 *
 * Prints:
 *
 *     compensating
 *     cancelled hotel
 *     cancelled flight
 *     canceled, compensated
 *     an answer came too late: token gone
 */
import { EventEmitter, once } from 'node:events';
import { createEngine, flow } from 'perdure';
import { sqlite } from 'perdure/sqlite';

// Stands for offices that answer when they like, and do not listen to a signal.
const world = new EventEmitter();
async function book(what: string): Promise<string> {
  world.emit(`${what} asked`);
  await once(world, `${what} answered`);
  return what;
}

const trip = flow('trip')
  .step('flight', () => 'flight', { undo: ({ result }) => console.log('cancelled', result) })
  .parallel('rest', {
    bed: (b) =>
      b.step('hotel', () => book('hotel'), {
        undo: ({ result, inDoubt, undoes }) =>
          console.log('cancelled', inDoubt ? `what was booked under ${undoes}` : result),
      }),
    paper: (b) => b.step('visa', () => book('visa')),
  })
  .end();

const engine = await createEngine({ store: sqlite('trips.db'), flows: [trip] });
const asked = ['hotel asked', 'visa asked'].map((both) => once(world, both));
const run = await engine.start(trip, null);
await Promise.all(asked);
await run.cancel({ saga: true, actor: 'ann', reason: 'the customer is ill' });
console.log(await run.status()); // it waits for the hotel
world.emit('hotel answered');
await run.result().catch(() => {});
const { status, outcome } = await run.inspect();
console.log(`${status}, ${outcome}`);
world.emit('visa answered');
await engine.close(); // when the handlers have ended

const later = await createEngine({ store: sqlite('trips.db'), worker: false });
const history = await (await later.get(run.id))?.history({ notes: true });
for (const { dropped } of history ?? []) {
  if (dropped !== undefined) console.log(`an answer came too late: ${dropped.reason}`);
}
await later.close();
