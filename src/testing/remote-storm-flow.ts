/**
 * The flow of the remote storm, whose steps all run in programs elsewhere, and what they do there.
 * Every execution says so to a ledger that the engine knows nothing of, before it answers.
 */
import { setTimeout } from 'node:timers/promises';
import { chanceOf } from '../base/chance.ts';
import type { RemoteStep, StepHandler } from '../client/step.ts';
import { flow } from '../frontends/builder/flow.ts';
import { remote } from '../frontends/builder/remote.ts';
import type { Flow } from '../model/definition.ts';
import { Fatal } from '../runtime/fatal.ts';

export const LEASE_MS = 1_000;

export interface Parcel {
  readonly number: number;
}

export interface StormLine {
  readonly by: string;
  readonly step: string;
  readonly idempotencyKey: string;
  readonly attempt: number;
}

/** Parallel branches, one of which is tried again; and a trip that is undone if it fails. */
export const parcels: Flow<Parcel, readonly string[]> = flow<Parcel>('parcels')
  .step('reserve', remote<string>())
  .parallel('prepare', {
    goods: (b) => b.step('pack', remote<string>()),
    paper: (b) => b.step('bill', remote<string>(), { retry: { maxAttempts: 50, delay: '20ms' } }),
  })
  .try(
    'send',
    (b) =>
      b.scope(
        'trip',
        (b) => b.step('load', remote<string>(), { undo: remote() }).step('drive', remote<string>()),
        { saga: 'scope' },
      ),
    { do: (b) => b.step('mail', remote<string>()) },
  )
  .end(({ results }) => {
    const { reserve, pack, bill } = results;
    return [reserve, pack, bill, results.mail ?? results.drive ?? 'nothing came of it'];
  });

/** The name of a handler, and what history calls the step. */
const STEPS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['reserve', 'pack', 'bill', 'load', 'drive', 'mail'].map((step) => [`parcels/${step}`, step]),
  ),
  'parcels/load/:undo': 'unload',
};

const BREAKS_DOWN_ONE_IN = 4;
const MISPRINTS_ONE_IN = 3;

function breaksDown(number: number): boolean {
  return number % BREAKS_DOWN_ONE_IN === 1;
}

/** What must have come of a parcel. */
export function expectedOf(number: number): {
  readonly steps: readonly string[];
  readonly results: readonly string[];
  readonly output: readonly string[];
} {
  const way = breaksDown(number) ? ['load', 'mail'] : ['load', 'drive'];
  const also = breaksDown(number) ? ['drive', 'unload'] : [];
  const first = ['reserve', 'pack', 'bill'];
  const output = [...first, way[1] ?? ''].map((step) => `${step} of ${number}`);
  const caught = breaksDown(number) ? ['send'] : [];
  return { steps: [...first, ...way, ...also], results: [...first, ...way, ...caught], output };
}

export interface StormBook {
  readonly name: string;
  readonly note: (line: StormLine) => void;
  readonly say: (line: string) => void;
  /** Where an execution stays for as long as the test wants it to. */
  readonly hold: (step: RemoteStep) => Promise<void>;
}

export function stormHandlers(book: StormBook): Readonly<Record<string, StepHandler>> {
  return Object.fromEntries(
    Object.entries(STEPS).map(([name, step]) => [
      name,
      (work: RemoteStep<Parcel>) => act(step, work, book),
    ]),
  );
}

const HANDLER_MS_MAX = 30;

async function act(step: string, work: RemoteStep<Parcel>, book: StormBook): Promise<string> {
  const { idempotencyKey, attempt } = work;
  const { number } = work.input;
  book.say(`began ${idempotencyKey} ${attempt}`);
  await book.hold(work);
  await setTimeout(chanceOf(`${idempotencyKey} ${attempt}`) * HANDLER_MS_MAX);
  book.note({ by: book.name, step, idempotencyKey, attempt });
  if (step === 'bill' && attempt === 1 && number % MISPRINTS_ONE_IN === 0) {
    throw Object.assign(new Error('the printer is jammed'), { retryAfter: '5ms' });
  }
  if (step === 'drive' && breaksDown(number)) throw new Fatal('the truck has broken down');
  return `${step} of ${number}`;
}
