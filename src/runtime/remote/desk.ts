/**
 * `engine.work`: where workers elsewhere, in any language, fetch work and answer for it.
 *
 * Nothing is kept here that matters: an assignment is a claim in the store, and its id says which.
 * Any process on the same store can take the answer, also after the one that handed it out is gone.
 */
import type { Instant } from '../../model/ids.ts';
import type { Assignment } from './assignment.ts';
import { Fetching } from './fetching.ts';
import type { RemoteHouse } from './house.ts';
import {
  type CompleteOptions,
  type ExtendOptions,
  type FailOptions,
  type FetchOptions,
  readFetch,
} from './options.ts';
import { Overtime } from './overtime.ts';
import { type Settled, Settling } from './settling.ts';

export interface RemoteWork {
  /** Hands out work, at most so much, or waits until there is some. */
  fetch(options: FetchOptions): Promise<readonly Assignment[]>;
  /** The worker is still at it: the lease is renewed, from now on. */
  extend(id: string, options: ExtendOptions): Promise<{ readonly until: Instant }>;
  /** What came of it. The same answer again is no second one. */
  complete(id: string, options: CompleteOptions): Promise<Settled>;
  /** It went wrong: its policy says whether it is tried again. */
  fail(id: string, options: FailOptions): Promise<Settled>;
}

export class Desk implements RemoteWork {
  readonly #house: RemoteHouse;
  readonly #overtime: Overtime;
  readonly #fetching: Fetching;
  readonly #settling: Settling;

  constructor(house: RemoteHouse) {
    this.#house = house;
    this.#overtime = new Overtime(house);
    this.#fetching = new Fetching(house, this.#overtime);
    this.#settling = new Settling(house, this.#overtime);
  }

  async fetch(options: FetchOptions): Promise<readonly Assignment[]> {
    this.#house.assertOpen();
    return this.#fetching.fetch(readFetch(options));
  }

  async extend(id: string, options: ExtendOptions): Promise<{ readonly until: Instant }> {
    this.#house.assertOpen();
    return this.#settling.extend(id, options);
  }

  async complete(id: string, options: CompleteOptions): Promise<Settled> {
    this.#house.assertOpen();
    return this.#settling.complete(id, options);
  }

  async fail(id: string, options: FailOptions): Promise<Settled> {
    this.#house.assertOpen();
    return this.#settling.fail(id, options);
  }

  /** Something may be ready: for these handlers, or for whichever if nobody knows. */
  ring(handlers: readonly string[] | null): void {
    this.#fetching.ring(handlers);
  }

  /** A flow has come, and code with it. */
  noteDeployed(): void {
    this.#fetching.noteDeployed();
  }

  async close(timeoutMs: number): Promise<void> {
    await this.#fetching.close(timeoutMs);
    this.#overtime.close();
  }
}
