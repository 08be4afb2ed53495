/**
 * A trip: a flight, a hotel and a car are booked, the hotel only at the third try, and there is no
 * car to be had. So what was booked is cancelled again, the last first.
 *
 * Kill it at any moment and run it again, as with the order: nothing is booked and forgotten. The
 * file comes first on the command line, then the trip's name, then how many cars there are.
 */
import { createEngine, EngineError, Fatal, flow } from 'perdure';
import { sqlite } from 'perdure/sqlite';

const [, , file = 'trips.db', name = 'trip-1', cars = '0'] = process.argv;
const say = (line: string): void => console.log(`${name}  ${line}`);

const book = (what: string): { booking: string } => {
  say(`booked ${what}`);
  return { booking: `${what}-7` };
};

const cancel = ({ result, inDoubt, undoes }: { result: unknown } & Doubt): void => {
  // Without an answer nobody knows whether it was booked: the key it was asked with finds it.
  const which = inDoubt ? `whatever ${undoes} booked` : JSON.stringify(result);
  say(`cancelled ${which}`);
};

interface Doubt {
  readonly inDoubt: boolean;
  readonly undoes: string;
}

const trip = flow<{ cars: number }>('trip')
  .step('flight', async () => book('flight'), { undo: cancel })
  .step(
    'hotel',
    async ({ attempt }) => {
      if (attempt < 3) throw new Error('the hotel does not answer');
      return book('hotel');
    },
    { undo: cancel, timeout: '5s', retry: { maxAttempts: 5, delay: 50, backoff: 'exponential' } },
  )
  .step('car', async ({ input }) => {
    if (input.cars === 0) throw new Fatal('no car to be had', { code: 'car.none' });
    return book('car');
  })
  .end(({ results }) => [results.flight.booking, results.hotel.booking, results.car.booking]);

const engine = await createEngine({
  store: sqlite(file),
  flows: [trip],
  worker: { lease: '2s' },
});
const run = await engine.start(trip, { cars: Number(cars) }, { id: name, onConflict: 'existing' });
try {
  say(`done: ${(await run.result()).join(', ')}`);
} catch (thrown) {
  if (!(thrown instanceof EngineError)) throw thrown;
  const { status, outcome, fault } = await run.inspect();
  say(`${status} at ${fault?.node}: ${fault?.message}; ${outcome ?? 'nothing was undone'}`);
}
await engine.close();
