/**
 * How far a saga reaches, and what happens when an undo fails. A band books a tour: the tickets of
 * a walk are sold out, so the walk alone is undone and replaced. Then the card is refused, and all
 * is cancelled, the newest first; the bus company does not answer, so the saga halts there until
 * somebody mends it. The hour passes at once here: in a program it is `createEngine` and real time.
 *
 * Prints:
 *
 *     booked hall
 *     booked bus
 *     booked guide
 *     cancelled guide
 *     booked park
 *     cancelled park
 *     compensating, halted at bus: no answer
 *     cancelled bus
 *     cancelled hall
 *     failed compensated
 */
import { Fatal, flow, type UndoTools } from 'perdure';
import { createTestEngine } from 'perdure/testing';

const book = (what: string) => () => (console.log(`booked ${what}`), what);
const cancel = ({ result }: UndoTools<string>) => console.log(`cancelled ${result}`);
const refuse = (code: string) => () => Promise.reject(new Fatal('no', { code }));

let isReachable = false;
const cancelBus = (undo: UndoTools<string>) =>
  isReachable ? cancel(undo) : Promise.reject(new Error('no answer'));

const tour = flow('tour', { onUndoFailure: 'halt' })
  .parallel('stage', {
    bus: (b) => b.sleep('queue', '1h').step('bus', book('bus'), { undo: cancelBus }),
    hall: (b) => b.step('hall', book('hall'), { undo: cancel }),
  })
  .try(
    'sights',
    (b) =>
      b.scope(
        'walk',
        (w) => w.step('guide', book('guide'), { undo: cancel }).step('tickets', refuse('sold-out')),
        { saga: 'scope' },
      ),
    { catch: { errors: ['sold-out'] }, do: (b) => b.step('park', book('park'), { undo: cancel }) },
  )
  .step('pay', refuse('card.refused'))
  .end();

const test = createTestEngine({ flows: [tour] });
const run = await test.start(tour, null);
await test.advance('2h');
const { status, incidents } = await run.inspect();
console.log(`${status}, halted at ${incidents[0]?.node}: ${incidents[0]?.fault?.message}`);
isReachable = true;
await run.retry();
await test.runUntilIdle();
const over = await run.inspect();
console.log(over.status, over.outcome);
await test.close();
