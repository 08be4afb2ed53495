/**
 * Commits whose answer was lost: whether they came about, nobody here knows (D3).
 *
 * Each is handed in again under the same id until the store answers. If it comes about now, that is
 * the answer. If it is refused, it may be because it had come about before: the store is asked for
 * it by its id, and only if that finds nothing is the refusal believed.
 *
 * Several of one instance may be lost together, each built on the one before. They are handed in
 * again in their order and on one lineage: when the first is refused, the others are turned away.
 * What was refused once is never handed in again, only asked for: whoever made the version it was
 * built on may have made another state.
 */
import type { Commit, CommitOutcome, Store } from '../stores/store.ts';
import type { Alarm } from './alarm.ts';
import { pauseMs } from './backoff.ts';
import type { Lineage } from './committer.ts';
import { isRetryable, isUnsure } from './move.ts';

/** A connection that broke is back in a moment; a server that went away takes some seconds. */
export const UNSURE_PAUSES = { baseMs: 50, maxMs: 2_000 } as const;
/** For so long it is tried to find out; whoever waits for the answer is then told of the error. */
export const UNSURE_MS_MAX = 60_000;

export interface Doubt {
  /** When the answer was first lost, by the store's clock. */
  readonly since: number;
  /** Answers lost so far. */
  readonly losses: number;
  /** What came of it when it was handed in again, if it was refused. */
  readonly refusal: CommitOutcome | null;
}

interface Doubtful {
  readonly commit: Commit;
  readonly lineage: Lineage;
  /** Null unless its answer was lost. */
  doubt: Doubt | null;
}

interface Answer<Item> {
  /** To be handed in again, in this order and on a lineage of their own. */
  again(items: readonly Item[]): void;
  /** It is known what came of it. */
  done(item: Item, outcome: CommitOutcome): void;
  /** It will not be known. */
  lost(item: Item, error: unknown): void;
}

/** Those of one lineage, which wait for the same moment. */
interface Group<Item> {
  readonly items: Item[];
  readonly error: unknown;
  readonly cancel: () => void;
}

export interface UnsureHouse {
  readonly store: Store;
  readonly alarm: Alarm;
  /** That of this process: no other pauses in the same way. */
  readonly name: string;
}

export class Unsure<Item extends Doubtful> {
  readonly #house: UnsureHouse;
  readonly #answer: Answer<Item>;
  readonly #groups = new Map<Lineage, Group<Item>>();
  /** How many are in doubt, wherever they are. */
  #open = 0;
  #onNone: (() => void) | null = null;
  #pauses = 0;
  #closed = false;

  constructor(house: UnsureHouse, answer: Answer<Item>) {
    this.#house = house;
    this.#answer = answer;
  }

  /** The store did not answer. True if there is doubt, and the item is taken care of. */
  keep(item: Item, error: unknown): boolean {
    const { doubt } = item;
    // Once in doubt it stays so, also where a later try surely did not reach the store.
    if (this.#closed || !(doubt === null ? isUnsure(error) : isRetryable(error))) return false;
    const now = this.#house.store.now();
    const { since, losses, refusal } = doubt ?? { since: now, losses: 0, refusal: null };
    if (now - since >= UNSURE_MS_MAX) return false;
    if (doubt === null) this.#open += 1;
    item.doubt = { since, losses: losses + 1, refusal };
    const group = this.#groups.get(item.lineage);
    if (group !== undefined) group.items.push(item);
    else this.#groups.set(item.lineage, this.#wait(item, item.doubt, error));
    return true;
  }

  /** It was handed in again and refused: had it come about before? */
  refused(item: Item, doubt: Doubt, refusal: CommitOutcome): void {
    item.doubt = { ...doubt, refusal };
    this.#house.store.recall([item.commit]).then(
      ([found]) => this.#answer.done(item, found ?? refusal),
      (thrown: unknown) => {
        if (!this.keep(item, thrown)) this.#answer.lost(item, thrown);
      },
    );
  }

  /** One of them is in doubt no more, or nobody wants to know. */
  over(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#onNone?.();
  }

  /** Waits until none is in doubt, but not for ever; what is left then is not tried again. */
  async close(timeoutMs: number): Promise<void> {
    if (this.#open > 0 && timeoutMs > 0) {
      await new Promise<void>((resolve) => {
        const cancel = this.#house.alarm.set(timeoutMs, resolve);
        this.#onNone = () => {
          cancel();
          resolve();
        };
      });
    }
    this.#closed = true;
    const groups = [...this.#groups.values()];
    this.#groups.clear();
    for (const { items, cancel, error } of groups) {
      cancel();
      for (const item of items) this.#answer.lost(item, error);
    }
  }

  #wait(first: Item, { losses }: Doubt, error: unknown): Group<Item> {
    const items = [first];
    this.#pauses += 1;
    const ms = pauseMs(UNSURE_PAUSES, losses, `${this.#house.name} ${this.#pauses}`);
    const cancel = this.#house.alarm.set(ms, () => {
      this.#groups.delete(first.lineage);
      const lost = items.filter(({ doubt }) => doubt?.refusal === null);
      if (lost.length > 0) this.#answer.again(lost);
      for (const item of items) {
        const { doubt } = item;
        if (doubt !== null && doubt.refusal !== null) this.refused(item, doubt, doubt.refusal);
      }
    });
    return { items, error, cancel };
  }
}
