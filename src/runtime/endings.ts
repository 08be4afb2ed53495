/**
 * Who waits for which instance to end. An end in this process is heard at once; an end in another
 * is found by asking the store, each time after a longer pause.
 */
import { EngineError } from '../base/engine-error.ts';
import type { InstanceId } from '../model/ids.ts';
import type { Head } from '../model/instance.ts';
import type { Store } from '../stores/store.ts';
import type { Alarm } from './alarm.ts';
import type { Strides } from './strides.ts';

/** Asking starts at the poll interval and slows down to this. */
const ASK_MS_MAX = 5_000;

type Waiter = (head: Head | EngineError) => void;

export interface EndingsHouse {
  readonly store: Store;
  readonly strides: Strides;
  readonly alarm: Alarm;
  readonly pollMs: number;
}

export class Endings {
  readonly #house: EndingsHouse;
  readonly #waiters = new Map<InstanceId, Set<Waiter>>();
  #closed = false;

  constructor(house: EndingsHouse) {
    this.#house = house;
  }

  /** The instance is over, and its last commit is durable. */
  tell(head: Head): void {
    const waiters = this.#waiters.get(head.id);
    this.#waiters.delete(head.id);
    for (const waiter of waiters ?? []) waiter(head);
  }

  wait(id: InstanceId, timeoutMs: number | undefined): Promise<Head> {
    if (this.#closed) return Promise.reject(closed());
    return new Promise((resolve, reject) => {
      const cancels: (() => void)[] = [];
      const done: Waiter = (head) => {
        for (const cancel of cancels) cancel();
        this.#leave(id, done);
        if (head instanceof EngineError) reject(head);
        else resolve(head);
      };
      const waiters = this.#waiters.get(id) ?? new Set();
      this.#waiters.set(id, waiters.add(done));
      const known = this.#house.strides.settled(id)?.head;
      if (known !== undefined && isOver(known)) return done(known);
      if (timeoutMs !== undefined) {
        cancels.push(this.#house.alarm.set(timeoutMs, () => done(late(id, timeoutMs))));
      }
      let cancelled = false;
      cancels.push(() => {
        cancelled = true;
      });
      const ask = (pauseMs: number): void => {
        void this.#ask(id, done).then(() => {
          if (cancelled) return;
          const next = (): void => ask(Math.min(pauseMs * 2, ASK_MS_MAX));
          cancels.push(this.#house.alarm.set(pauseMs, next));
        });
      };
      // An instance in the cache is worked on here: its end will be heard, asking can wait.
      const { pollMs } = this.#house;
      if (known === undefined) ask(pollMs);
      else cancels.push(this.#house.alarm.set(pollMs, () => ask(pollMs)));
    });
  }

  /** The engine closes: nobody will tell them any more. */
  close(): void {
    this.#closed = true;
    const waiting = [...this.#waiters.values()].flatMap((waiters) => [...waiters]);
    for (const waiter of waiting) waiter(closed());
  }

  #leave(id: InstanceId, waiter: Waiter): void {
    const waiters = this.#waiters.get(id);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#waiters.delete(id);
  }

  async #ask(id: InstanceId, done: Waiter): Promise<void> {
    try {
      const [rows] = await this.#house.store.load([id]);
      if (rows === undefined) {
        done(new EngineError('instance.not-found', `there is no instance ${id}`));
      } else if (isOver(rows.head)) done(rows.head);
    } catch (thrown) {
      // The store may be away for a moment; the next time it is asked is soon enough.
      if (!(thrown instanceof EngineError && thrown.retryable)) done(lost(id, thrown));
    }
  }
}

function isOver({ status }: Head): boolean {
  return status === 'completed' || status === 'failed' || status === 'canceled';
}

function closed(): EngineError {
  return new EngineError('engine.closed', 'the engine closed before the instance ended');
}

function late(id: InstanceId, ms: number): EngineError {
  const message = `instance ${id} did not end within ${ms} ms; it goes on all the same`;
  return new EngineError('result.timeout', message, { retryable: true, details: { instance: id } });
}

function lost(id: InstanceId, cause: unknown): EngineError {
  return new EngineError('store.unreachable', `could not read instance ${id}`, { cause });
}
