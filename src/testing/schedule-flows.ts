/** Flows for tests of schedules, which note the moments they were started for. */
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import type { Store } from '../stores/store.ts';
import type { Lab } from './lab.ts';

export interface Moment {
  readonly schedule: string;
  readonly at: string;
}

/** What was fired, as `name after so many minutes`, in the order in which it ran. */
export class Fired {
  readonly moments: Moment[] = [];
  /** Called with each. */
  onMoment: (moment: Moment) => void = () => {};

  /** A flow that notes what it was given, and ends. */
  flow(name = 'tick'): Flow<Moment> {
    return flow<Moment>(name)
      .step('note', ({ input }) => {
        this.moments.push(input);
        this.onMoment(input);
      })
      .end();
  }

  /** Minutes from when the labs begin. */
  minutes(schedule?: string): number[] {
    return this.moments
      .filter((moment) => schedule === undefined || moment.schedule === schedule)
      .map(({ at }) => (Date.parse(at) - LAB_BEGINS) / 60_000);
  }

  /** What has come since this was last asked. */
  take(): number[] {
    const minutes = this.minutes();
    this.moments.length = 0;
    return minutes;
  }
}

export const LAB_BEGINS: number = Date.UTC(2026, 0);

/** Nobody is there for a while, and then somebody is again. */
export async function downFor(lab: Lab, duration: string | number): Promise<void> {
  lab.engine.parts.worker?.abandon();
  await lab.tick(duration);
  lab.crash();
  await lab.settle();
}

export async function instancesIn(store: Store): Promise<number> {
  return (await store.scan(null, 10_000)).length;
}
