/**
 * The results or the variables of one scope while the instance is worked on.
 *
 * A step adds one value and most handlers read few of them or none. So a write only notes what it
 * writes, on top of what was there, and one plain object is put together when somebody reads it,
 * once. Notes pile up to a limit and no further: a loop that writes the same name again takes the
 * place of its own note.
 */
import { EMPTY, type Json, type JsonObject } from '../base/json.ts';

/** More notes than this are put together before the next is added. */
const NOTES_MAX = 32;

export class Values {
  readonly #below: Values | null;
  readonly #name: string;
  readonly #value: Json;
  readonly #notes: number;
  #object: JsonObject | null;

  private constructor(
    below: Values | null,
    name: string,
    value: Json,
    notes: number,
    object: JsonObject | null,
  ) {
    this.#below = below;
    this.#name = name;
    this.#value = value;
    this.#notes = notes;
    this.#object = object;
  }

  static readonly none: Values = new Values(null, '', null, 0, EMPTY);

  /** From a frozen object. */
  static of(object: JsonObject): Values {
    for (const _ in object) return new Values(null, '', null, 0, object);
    return Values.none;
  }

  with(name: string, value: Json): Values {
    const again = this.#below !== null && this.#name === name;
    const below = again ? this.#below : this.#notes < NOTES_MAX ? this : Values.of(this.object);
    return new Values(below, name, value, below.#notes + 1, null);
  }

  get isEmpty(): boolean {
    return this === Values.none;
  }

  /** Without putting anything together. */
  has(name: string): boolean {
    if (this.#object !== null) return Object.hasOwn(this.#object, name);
    return this.#name === name || this.#below?.has(name) === true;
  }

  /** One of them, without putting anything together. */
  get(name: string): Json | undefined {
    if (this.#object !== null) {
      return Object.hasOwn(this.#object, name) ? this.#object[name] : undefined;
    }
    return this.#name === name ? this.#value : this.#below?.get(name);
  }

  /** All of them, frozen; a name that was written again stands where it stood first. */
  get object(): JsonObject {
    this.#object ??= Values.#gather(this);
    return this.#object;
  }

  static #gather(top: Values): JsonObject {
    const notes: Values[] = [];
    let base = top;
    for (; base.#below !== null && base.#object === null; base = base.#below) notes.push(base);
    const object: Record<string, Json> = { ...base.#object };
    for (const note of notes.reverse()) assign(object, note.#name, note.#value);
    return Object.freeze(object);
  }
}

function assign(object: Record<string, Json>, name: string, value: Json): void {
  // Assigning to __proto__ would set the prototype instead of a key.
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true });
}
