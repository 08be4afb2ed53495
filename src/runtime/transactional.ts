/**
 * A step in a transaction (P4): its handler is given one, and what it does there commits together
 * with its result, or not at all.
 *
 * The handler may run more than once: a transaction that is lost took everything with it, and so
 * the handler is simply run again, which is no attempt of its own unless it happens too often. If
 * the answer to the last word is lost, the commit is asked for by its id. One that is not found may
 * still come about; then the next one is refused, and the first is found after all (D3).
 */
import { EngineError } from '../base/engine-error.ts';
import type { Outcome } from '../model/input.ts';
import type { Transaction } from '../stores/store.ts';
import { pauseMs } from './backoff.ts';
import { failedWith, type Handler } from './handlers.ts';
import { isRetryable, isUnsure } from './move.ts';
import type { Applied, Request } from './strides.ts';
import { UNSURE_MS_MAX, UNSURE_PAUSES } from './unsure.ts';
import { strideWithin, type Written } from './within.ts';
import type { WorkerHouse } from './worker.ts';

/** A handler that loses its connection this often in a row may well be the reason. */
const LOSSES_MAX = 10;

export type Brought =
  /** It is known what came of it: committed, or refused for good. */
  | { readonly came: 'applied'; readonly applied: Applied }
  /** The handler's own doing: to be brought as any other failure is. */
  | { readonly came: 'failed'; readonly outcome: Outcome | null }
  /** Nothing of it is left, through no fault of the handler's. */
  | { readonly came: 'undone'; readonly error: unknown };

/** One claim, however many transactions it takes. */
export class Transactional {
  readonly #house: WorkerHouse;
  /** Written, and nobody knows whether they are durable. */
  readonly #unsure: Written[] = [];
  #losses = 0;

  constructor(house: WorkerHouse) {
    this.#house = house;
  }

  /** Takes back what a handler did that failed, perhaps because its connection was lost. */
  async takeBack(transaction: Transaction, outcome: Outcome | null): Promise<Brought> {
    const error = await abandon(transaction);
    // It may have failed because an earlier one, of which nobody knew, had come about.
    const found = await this.#recall();
    if (found !== null) return { came: 'applied', applied: found };
    return this.#mayRunAgain(error) ? { came: 'undone', error } : { came: 'failed', outcome };
  }

  /** Brings a result into its transaction, and ends that. */
  async bring(
    transaction: Transaction,
    request: Request,
    ask: Handler | undefined,
  ): Promise<Brought> {
    let written: Written | null = null;
    try {
      const within = await strideWithin(this.#house, transaction, request);
      if (within.outcome !== 'written') {
        await abandon(transaction);
        return { came: 'applied', applied: (await this.#recall()) ?? within };
      }
      written = within;
      await transaction.end();
      return { came: 'applied', applied: this.#house.strides.absorb(written) };
    } catch (thrown) {
      await abandon(transaction);
      return this.#lost(written, thrown, ask);
    }
  }

  async #lost(
    written: Written | null,
    thrown: unknown,
    ask: Handler | undefined,
  ): Promise<Brought> {
    if (written !== null && isUnsure(thrown)) this.#unsure.push(written);
    const found = await this.#recall();
    if (found !== null) return { came: 'applied', applied: found };
    // What was lost on its way out says nothing about the handler.
    const isOurs = written !== null && isRetryable(thrown);
    if (isOurs || this.#mayRunAgain(thrown)) return { came: 'undone', error: thrown };
    if (!(thrown instanceof EngineError)) throw thrown;
    // A constraint that is looked at last, or an error in the transaction that was swallowed.
    const code = 'handler.transaction-failed';
    const error = Object.assign(new Error(thrown.message, { cause: thrown }), { code });
    return { came: 'failed', outcome: failedWith(error, ask, this.#house) };
  }

  /** What is lost through no fault of the handler's is no attempt, but not without end. */
  #mayRunAgain(error: unknown): boolean {
    this.#losses += 1;
    return isRetryable(error) && this.#losses <= LOSSES_MAX;
  }

  /** Of those of which nobody knew the one that came about; null if none did. */
  async #recall(): Promise<Applied | null> {
    if (this.#unsure.length === 0) return null;
    const found = await this.#ask();
    const written = this.#unsure.find((_written, index) => found[index] !== undefined);
    return written === undefined ? null : this.#house.strides.absorb(written);
  }

  /** Nothing is run again before it is known: the store is asked until it answers. */
  async #ask(): Promise<readonly unknown[]> {
    const { store, alarm } = this.#house;
    const until = store.now() + UNSURE_MS_MAX;
    for (let losses = 1; ; losses += 1) {
      try {
        return await store.recall(this.#unsure.map(({ commit }) => commit));
      } catch (thrown) {
        if (!isRetryable(thrown) || store.now() >= until) throw thrown;
      }
      const ms = pauseMs(UNSURE_PAUSES, losses, `${this.#unsure[0]?.commit.commitId} ${losses}`);
      await new Promise<void>((resolve) => void alarm.set(ms, resolve));
    }
  }
}

/** It may be lost already, and that is given back; then so is all that was done in it. */
async function abandon(transaction: Transaction): Promise<unknown> {
  const [cancelled] = await Promise.allSettled([transaction.cancel()]);
  return cancelled.status === 'rejected' ? cancelled.reason : null;
}
