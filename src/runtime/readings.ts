/**
 * What the store holds of an instance, read after it was asked for. An instance may have tens of
 * thousands of rows, and hundreds may ask for it at once: whoever asks while it is being read has
 * to wait for the next reading, since it may have changed after this one began, and shares that
 * with all who do.
 */
import { assemble, type Instance } from '../kernel/instance.ts';
import type { InstanceId } from '../model/ids.ts';
import type { Store } from '../stores/store.ts';

interface Reading {
  readonly found: Promise<Instance | undefined>;
  /** The one after it, for whoever came too late for this. */
  next: Promise<Instance | undefined> | null;
}

export class Readings {
  readonly #store: Pick<Store, 'load'>;
  readonly #readings = new Map<InstanceId, Reading>();

  constructor(store: Pick<Store, 'load'>) {
    this.#store = store;
  }

  read(id: InstanceId): Promise<Instance | undefined> {
    const reading = this.#readings.get(id);
    if (reading === undefined) return this.#begin(id);
    const begin = (): Promise<Instance | undefined> => this.#begin(id);
    reading.next ??= reading.found.then(begin, begin);
    return reading.next;
  }

  #begin(id: InstanceId): Promise<Instance | undefined> {
    const found = this.#load(id);
    const reading: Reading = { found, next: null };
    this.#readings.set(id, reading);
    const over = (): void => {
      if (reading.next === null) this.#readings.delete(id);
    };
    found.then(over, over);
    return found;
  }

  async #load(id: InstanceId): Promise<Instance | undefined> {
    const [rows] = await this.#store.load([id]);
    return rows && assemble(rows);
  }
}
