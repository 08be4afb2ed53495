/**
 * Who waits for which instance to end. An end in this process is heard at once; an end in another
 * is found by asking the store, each time after a longer pause. One timer serves all who wait.
 */
import { EngineError } from '../base/engine-error.ts';
import type { InstanceId } from '../model/ids.ts';
import type { Head } from '../model/instance.ts';
import type { Store } from '../stores/store.ts';
import type { Alarm } from './alarm.ts';
import type { Cache } from './cache.ts';

/** Asking starts at the poll interval and slows down to this. */
const PAUSE_MS_MAX = 5_000;
/** Instances asked for at once. */
const ASK_MAX = 100;
/** Bells of other processes may come one after the other; the store is asked no more often. */
const LOOK_MS = 50;

type Waiter = (head: Head | EngineError) => void;

/** All who wait for one instance. */
interface Vigil {
  readonly waiters: Set<Waiter>;
  pauseMs: number;
  /** When the store is asked again, by its own clock. */
  askAt: number;
}

export interface EndingsHouse {
  readonly store: Store;
  readonly cache: Cache;
  readonly alarm: Alarm;
  readonly pollMs: number;
  /** Without one, everything is worked on elsewhere, whatever is cached. */
  readonly hasWorker: boolean;
}

export class Endings {
  readonly #house: EndingsHouse;
  readonly #vigils = new Map<InstanceId, Vigil>();
  #cancelTick: (() => void) | null = null;
  #cancelLook: (() => void) | null = null;
  #closed = false;

  constructor(house: EndingsHouse) {
    this.#house = house;
  }

  /** The instance is over, and its last commit is durable. */
  tell(head: Head): void {
    this.#answer(head.id, head);
  }

  /** It ended a while ago; whether it is over still, the store knows. */
  ask(id: InstanceId): void {
    if (this.#vigils.has(id)) void this.#ask([id]);
  }

  /** Something happened in another process: perhaps one of them has ended. */
  look(): void {
    if (this.#vigils.size === 0 || this.#cancelLook !== null) return;
    this.#cancelLook = this.#house.alarm.set(LOOK_MS, () => {
      this.#cancelLook = null;
      const ids = [...this.#vigils.keys()].filter((id) => !this.#isOurs(id));
      // Where many are waited for, asking for all of them at every bell would be no help to anyone.
      if (ids.length > 0 && ids.length <= ASK_MAX) void this.#ask(ids);
    });
  }

  wait(id: InstanceId, timeoutMs: number | undefined): Promise<Head> {
    if (this.#closed) return Promise.reject(closed());
    const known = this.#house.cache.ended(id);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve, reject) => {
      let cancel = (): void => {};
      const waiter: Waiter = (head) => {
        cancel();
        this.#leave(id, waiter);
        if (head instanceof EngineError) reject(head);
        else resolve(head);
      };
      if (timeoutMs !== undefined) {
        cancel = this.#house.alarm.set(timeoutMs, () => waiter(late(id, timeoutMs)));
      }
      this.#join(id, waiter);
    });
  }

  /** The engine closes: nobody will tell them any more. */
  close(): void {
    this.#closed = true;
    for (const id of [...this.#vigils.keys()]) this.#answer(id, closed());
    this.#cancelTick?.();
    this.#cancelLook?.();
  }

  #join(id: InstanceId, waiter: Waiter): void {
    const vigil = this.#vigils.get(id);
    if (vigil !== undefined) return void vigil.waiters.add(waiter);
    const { pollMs, store } = this.#house;
    const askAt = store.now() + pollMs;
    this.#vigils.set(id, { waiters: new Set([waiter]), pauseMs: pollMs, askAt });
    this.#cancelTick ??= this.#house.alarm.set(pollMs, () => this.#tick());
    if (!this.#isOurs(id)) void this.#ask([id]);
  }

  /** An instance in the cache is worked on here: its end will be heard, asking can wait. */
  #isOurs(id: InstanceId): boolean {
    const { hasWorker, cache } = this.#house;
    return hasWorker && cache.holds(id);
  }

  #leave(id: InstanceId, waiter: Waiter): void {
    const waiters = this.#vigils.get(id)?.waiters;
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#vigils.delete(id);
  }

  #answer(id: InstanceId, head: Head | EngineError): void {
    const waiters = this.#vigils.get(id)?.waiters;
    this.#vigils.delete(id);
    for (const waiter of waiters ?? []) waiter(head);
  }

  #tick(): void {
    this.#cancelTick = null;
    const { pollMs, store } = this.#house;
    const now = store.now();
    const due: InstanceId[] = [];
    for (const [id, vigil] of this.#vigils) {
      if (vigil.askAt > now) continue;
      vigil.pauseMs = Math.max(pollMs, Math.min(vigil.pauseMs * 2, PAUSE_MS_MAX));
      vigil.askAt = now + vigil.pauseMs;
      due.push(id);
    }
    for (let at = 0; at < due.length; at += ASK_MAX) void this.#ask(due.slice(at, at + ASK_MAX));
    if (this.#vigils.size === 0) return;
    this.#cancelTick = this.#house.alarm.set(pollMs, () => this.#tick());
  }

  async #ask(ids: readonly InstanceId[]): Promise<void> {
    try {
      const found = await this.#house.store.load(ids);
      for (const [index, id] of ids.entries()) {
        const head = found[index]?.head;
        if (head === undefined) this.#answer(id, unknown(id));
        else if (isOver(head)) this.#answer(id, head);
      }
    } catch (thrown) {
      // The store may be away for a moment; the next time it is asked is soon enough.
      if (thrown instanceof EngineError && thrown.retryable) return;
      if (ids.length === 1) for (const id of ids) this.#answer(id, lost(id, thrown));
      else for (const id of ids) await this.#ask([id]);
    }
  }
}

function isOver({ status }: Head): boolean {
  return status === 'completed' || status === 'failed' || status === 'canceled';
}

function unknown(id: InstanceId): EngineError {
  return new EngineError('instance.not-found', `there is no instance ${id}`);
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
