/** What work for remote workers needs of the engine. */
import type { Worker, WorkerHouse } from '../worker.ts';

export interface RemoteHouse extends WorkerHouse {
  /** The one that is at work now: it may go on with what a remote worker's answer makes ready. */
  readonly worker: () => Worker | null;
  readonly assertOpen: () => void;
  /** How often those who wait look, if no bell rings. */
  readonly pollMs: number;
}
