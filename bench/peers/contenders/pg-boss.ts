/**
 * pg-boss, by the verbs that are its fastest: `fetch` of a batch and `complete` of the same, a few
 * loops of that side by side. Its `work` does the same with pauses and is slower. A message is
 * timed through `work`, with LISTEN/NOTIFY on, since nobody would write a loop to wait for one.
 */
import { importPackage } from '../../packages.ts';
import { Arrival, type Contender, type Setup } from '../contender.ts';

interface Job {
  readonly id: string;
}

interface PgBoss {
  on(event: 'error', listener: (error: Error) => void): void;
  start(): Promise<unknown>;
  stop(options: object): Promise<void>;
  createQueue(name: string, options: object): Promise<void>;
  send(name: string, data: object): Promise<unknown>;
  insert(name: string, jobs: readonly object[]): Promise<unknown>;
  fetch(name: string, options: { readonly batchSize: number }): Promise<readonly Job[]>;
  complete(name: string, ids: readonly string[]): Promise<unknown>;
  work(name: string, options: object, handler: () => Promise<void>): Promise<unknown>;
}

const STEPS = 'steps';
const TOLD = 'told';
/** Of 1, 2 and 4 what did best with large batches. */
const LOOPS = 2;
const ADDED_AT_A_TIME = 10_000;
/** Before it looks again for what is not there. */
const IDLE_MS = 50;

export async function openPgBoss({ place, lanes, works, onStep }: Setup): Promise<Contender> {
  const { PgBoss } = await importPackage<{ PgBoss: new (options: object) => PgBoss }>('pg-boss');
  const boss = new PgBoss({ connectionString: place, useListenNotify: true, schedule: false });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  await boss.createQueue(STEPS, { partition: true });
  await boss.createQueue(TOLD, { notify: true });
  const told = new Arrival();
  let isOpen = works;
  const loop = async (): Promise<void> => {
    while (isOpen) {
      const jobs = await boss.fetch(STEPS, { batchSize: lanes });
      const ids = jobs.map(({ id }) => id);
      if (ids.length === 0) await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
      else await boss.complete(STEPS, ids);
      for (let n = 0; n < ids.length; n += 1) onStep();
    }
  };
  const loops = works ? Array.from({ length: LOOPS }, loop) : [];
  if (works) await boss.work(TOLD, {}, async () => told.note());
  return {
    enqueue: async (count) => {
      for (let added = 0; added < count; added += ADDED_AT_A_TIME) {
        const length = Math.min(ADDED_AT_A_TIME, count - added);
        await boss.insert(
          STEPS,
          Array.from({ length }, () => ({ data: {} })),
        );
      }
    },
    message: async () => {
      const arrival = told.expect();
      const before = performance.now();
      await boss.send(TOLD, {});
      return (await arrival) - before;
    },
    close: async () => {
      isOpen = false;
      await Promise.all(loops);
      await boss.stop({ graceful: false });
    },
  };
}
