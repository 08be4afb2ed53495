/**
 * What a search has left to try, the latest on top: where in the program, where in the text, and
 * how much more there is there. In between stands what slots had in them before they were written,
 * so that coming back over it takes the writing out again.
 */
import type { Meter } from '../budget.ts';
import { raise } from '../faults.ts';

export const ENTRY_SIZE = 3;
/** In place of how much more: only this once. */
export const ONCE = -1;

/** Twelve megabytes. */
const ITEMS_MAX = 1_048_576 * ENTRY_SIZE;
/** What is kept from one text to the next. */
const ITEMS_KEPT = 1_024 * ENTRY_SIZE;

export class RegexStack {
  items: Int32Array = new Int32Array(32 * ENTRY_SIZE);
  height = 0;

  private meter: Meter | null = null;

  begin(meter: Meter): void {
    this.meter = meter;
    this.height = 0;
    if (this.items.length > ITEMS_KEPT) this.items = new Int32Array(ITEMS_KEPT);
  }

  push(where: number, at: number, more: number): void {
    if (this.height === this.items.length) this.grow();
    const { items, height } = this;
    items[height] = where;
    items[height + 1] = at;
    items[height + 2] = more;
    this.height = height + ENTRY_SIZE;
  }

  /** What a slot has in it, before it is written. */
  pushSlot(slot: number, value: number): void {
    this.push(~slot, value, ONCE);
  }

  private grow(): void {
    const { items, meter } = this;
    if (items.length >= ITEMS_MAX && meter !== null) {
      raise(meter, 'Regex failure: match-stack limit over');
    }
    this.items = new Int32Array(Math.min(items.length * 4, ITEMS_MAX));
    this.items.set(items);
  }

  /** Forgets what was left to try since, but not what slots had in them. */
  cut(to: number): void {
    const { items, height } = this;
    let kept = to;
    // At the bottom there is nothing to come back to.
    for (let entry = to; entry < height && to > 0; entry += ENTRY_SIZE) {
      if ((items[entry] as number) >= 0) continue;
      items[kept] = items[entry] as number;
      items[kept + 1] = items[entry + 1] as number;
      kept += ENTRY_SIZE;
    }
    this.height = kept;
  }

  /** Forgets all since, and gives slots back what they had in them. */
  unwind(to: number, slots: Int32Array): void {
    for (let entry = this.height - ENTRY_SIZE; entry >= to; entry -= ENTRY_SIZE) {
      const where = this.items[entry] as number;
      if (where < 0) slots[~where] = this.items[entry + 1] as number;
    }
    this.height = to;
  }
}
