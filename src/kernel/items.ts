/**
 * What a node keeps of its items, by number, and what it knows besides, by name.
 *
 * There may be ten thousand of them and each is written in a commit of its own, so a write must not
 * cost what all of them cost: numbers lie in a table, of which a branch is made in constant time.
 */
import type { Json, JsonObject } from '../base/json.ts';
import { Table } from '../base/table.ts';
import { Values } from './values.ts';

export class Items {
  readonly #numbered: Table<number, Json>;
  readonly #named: Values;

  private constructor(numbered: Table<number, Json>, named: Values) {
    this.#numbered = numbered;
    this.#named = named;
  }

  static readonly none: Items = new Items(Table.empty(), Values.none);

  static of(object: JsonObject): Items {
    const numbered = Table.empty<number, Json>();
    let named = Values.none;
    for (const [name, value] of Object.entries(object)) {
      if (isNumber(name)) numbered.set(Number(name), value);
      else named = named.with(name, value);
    }
    return new Items(numbered, named);
  }

  with(name: string, value: Json): Items {
    if (!isNumber(name)) return new Items(this.#numbered, this.#named.with(name, value));
    const numbered = this.#numbered.branch();
    numbered.set(Number(name), value);
    return new Items(numbered, this.#named);
  }

  get isEmpty(): boolean {
    return this.#numbered.size === 0 && this.#named.isEmpty;
  }

  get(name: string): Json | undefined {
    return isNumber(name) ? this.#numbered.get(Number(name)) : this.#named.get(name);
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** In the order of their numbers. */
  get list(): readonly Json[] {
    return this.#numbered.values();
  }

  get object(): JsonObject {
    const values = this.#numbered.values();
    const numbered = this.#numbered.keys().map((key, at) => [`${key}`, values[at] as Json]);
    return Object.freeze({ ...Object.fromEntries(numbered), ...this.#named.object });
  }
}

function isNumber(name: string): boolean {
  return /^\d+$/.test(name);
}
