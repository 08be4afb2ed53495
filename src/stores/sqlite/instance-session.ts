/** The verbs about looking for instances and removing them: what the thread does. */
import type { WalkName } from '../finding.ts';
import { chosenOf, REMOVALS } from '../pruning.ts';
import { readId, type Row } from '../rows.ts';
import type { TallyRows } from '../tallying.ts';
import type { Cell } from '../writes.ts';
import type { Driver } from './driver.ts';
import * as queries from './queries.ts';
import { reading, writing, writingAt } from './transaction.ts';

type Cells = readonly Cell[];
type Told = number | null;

export class InstanceSession {
  readonly #driver: Driver;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  walk(_told: Told, name: WalkName, cells: Cells): readonly Row[] {
    return this.#driver.all(queries[name], ...cells);
  }

  isBeyond(_told: Told, cells: Cells): boolean {
    return this.#driver.get(queries.rangeBeyond, ...cells) !== undefined;
  }

  /** And what they are found by. */
  match(
    _told: Told,
    cells: Cells,
  ): { readonly rows: readonly Row[]; readonly tags: readonly Row[] } {
    return reading(this.#driver, () => {
      const rows = this.#driver.all(queries.matching, ...cells);
      const ids = JSON.stringify(rows.map(({ id }) => id));
      return { rows, tags: this.#driver.all(queries.tagsOf, ids) };
    });
  }

  tally(_told: Told, meant: Cells, walk: number, cells: Cells): TallyRows {
    return reading(this.#driver, () => {
      const floor = this.#driver.get(queries.tallyFloor, ...meant, walk);
      const above = [...meant, floor === undefined ? '' : readId(floor)];
      const groups = this.#driver.all(queries.tallyGroups, ...above);
      return { floor, groups, causes: this.#driver.all(queries.tallyCauses, ...above, ...cells) };
    });
  }

  /** `ids` is a JSON text. */
  prunable(_told: Told, ids: string, cells: Cells): readonly Row[] {
    return this.#driver.all(queries.prunable, ids, ...cells);
  }

  /** Those of them that can still be removed; how many there were. */
  remove(told: Told, ids: string, cells: Cells): number {
    return writingAt(this.#driver, told, (now) => {
      const rows = this.#driver.all(queries.prunable, ids, ...cells);
      const free = rows.filter(({ held }) => held === 0).map(readId);
      for (const name of REMOVALS) this.#driver.run(queries[name], JSON.stringify(free));
      this.#driver.run(queries.putPruned, JSON.stringify(chosenOf(free)), now);
      return free.length;
    });
  }

  wasPruned(_told: Told, id: string): boolean {
    return this.#driver.get(queries.prunedById, id) !== undefined;
  }

  messages(_told: Told, cells: Cells): readonly Row[] {
    return this.#driver.all(queries.messagesAfter, ...cells);
  }

  /** `ids` is a JSON text. */
  removeMessages(_told: Told, ids: string): void {
    writing(this.#driver, () => {
      this.#driver.run(queries.removeDeliveries, ids);
      this.#driver.run(queries.removeUnheard, ids);
      this.#driver.run(queries.removeMessages, ids);
    });
  }
}
