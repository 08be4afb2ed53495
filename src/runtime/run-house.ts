/** What every handle of an instance has of the engine it came from. */
import { act, preview } from './acting.ts';
import type { Endings } from './endings.ts';
import type { Run } from './run.ts';
import { sendTo } from './sending.ts';
import type { Worker, WorkerHouse } from './worker.ts';

export type RunHouse = ConstructorParameters<typeof Run>[0];

interface Engine {
  readonly endings: Endings;
  /** The one that is at work now. */
  readonly worker: () => Worker | null;
  readonly assertOpen: () => void;
}

export function runHouse(house: WorkerHouse, { endings, worker, assertOpen }: Engine): RunHouse {
  return {
    ...{ store: house.store, endings },
    send: (to, sending) => {
      assertOpen();
      return sendTo(house, worker(), to, sending);
    },
    act: (on, action, acting) => {
      assertOpen();
      return act(house, worker(), on, { action, acting });
    },
    preview: (on, action) => {
      assertOpen();
      return preview(house, on, action);
    },
  };
}
