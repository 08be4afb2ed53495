/**
 * What a contender is to this bench: something that is opened on a place of its own, runs flows of
 * a few shapes, and is closed again.
 *
 *     the bench ──asks──► a process for each (side.ts) ──opens──► a contender (contenders/)
 *
 * A contender does what it can: whatever verb it lacks it takes no part in. It is opened for every
 * lap and closed after it, so that nobody polls while somebody else is measured; its process stays,
 * so that its code is warm. Handlers do nothing, everywhere.
 */

/** Shapes of flows. Steps come one after another; branches have one step each. */
export type FlowName =
  | 'steps1'
  | 'steps5'
  | 'steps10'
  | 'chain5'
  | 'saga5'
  | 'join100'
  | 'join1000';

/** Where a contender keeps what it has to keep, and how it is set up. */
export interface Setup {
  /** The URL of a database, or the path of a file. In memory it is neither, and empty. */
  readonly place: string;
  /** How many flows are under way at a time: what has a limit of its own is set to it. */
  readonly lanes: number;
  /** Without a worker it only puts things in. */
  readonly works: boolean;
  /** Called by the handler of every flow of one step. */
  readonly onStep: () => void;
}

export interface Contender {
  /** One flow, from its start to its result. */
  readonly run?: (flow: FlowName) => Promise<unknown>;
  /** Puts in so many flows of one step, durably, for a worker to find. */
  readonly enqueue?: (count: number) => Promise<unknown>;
  /** Puts in so many flows that wait, half of them for a message and half for a moment. */
  readonly enqueueWaiting?: (count: number) => Promise<unknown>;
  /** Milliseconds from the call that sends a message to the first line of its handler. */
  readonly message?: () => Promise<number>;
  /** Transactions that wrote something, so far. */
  readonly commits?: () => number;
  /** Calls of the database of any kind, so far. */
  readonly calls?: () => number;
  close(): Promise<void>;
}

export type OpenContender = (setup: Setup) => Promise<Contender>;

/** Does something so many times, some of it at the same time. */
export async function inLanes(
  times: number,
  lanes: number,
  one: () => Promise<unknown>,
): Promise<void> {
  let left = times;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await one();
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, times) }, lane));
}

/** The moment of an answer that comes by another way than the call that asks for it. */
export class Arrival {
  #note: (at: number) => void = () => {};

  /** The next one. */
  expect(): Promise<number> {
    return new Promise((resolve) => {
      this.#note = resolve;
    });
  }

  readonly note = (): void => this.#note(performance.now());
}
