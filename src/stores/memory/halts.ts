/** What was said of whole flows, in a map by what it was said of. */
import type { InstanceId, Instant } from '../../model/ids.ts';
import type { Halt, Halts, HaltScope, HeldInstance } from '../halts.ts';
import type { Tables } from './tables.ts';

export class MemoryHalts implements Halts {
  readonly #now: () => Instant;
  readonly #tables: Tables;
  readonly #rows = new Map<string, Halt>();

  constructor(now: () => Instant, tables: Tables) {
    this.#now = now;
    this.#tables = tables;
  }

  get hasAny(): boolean {
    return this.#rows.size > 0 || this.#tables.halted.size > 0;
  }

  async list(): Promise<readonly Halt[]> {
    return [...this.#rows.values()];
  }

  async put({ flow, version, suspended, by, why }: Omit<Halt, 'at'>): Promise<Halt> {
    const halt = Object.freeze({ flow, version, suspended, at: this.#now(), by, why });
    this.#rows.set(nameOf(halt), halt);
    return halt;
  }

  async remove(halt: Halt): Promise<boolean> {
    const said = this.#rows.get(nameOf(halt));
    if (said?.at !== halt.at || said.suspended !== halt.suspended) return false;
    return this.#rows.delete(nameOf(halt));
  }

  async held(after: InstanceId | null, limit: number): Promise<readonly HeldInstance[]> {
    const ids = [...this.#tables.halted].filter((id) => after === null || id > after).sort();
    return ids.slice(0, limit).flatMap((id) => {
      const head = this.#tables.find(id)?.head;
      if (head === undefined) return [];
      return [Object.freeze({ id, flow: head.flow, flowVersion: head.flowVersion })];
    });
  }
}

function nameOf({ flow, version }: HaltScope): string {
  return `${version} ${flow}`;
}
