/**
 * The results or the variables of one scope while the instance is worked on.
 *
 * A step adds one value and most handlers read few of them or none. So a write only notes what it
 * writes, on top of what was there, and one plain object is put together when somebody reads it,
 * once. A loop that writes the same name again takes the place of its own note.
 *
 * Notes pile up to a limit and then become a block, together with the blocks below that are not
 * much larger: so blocks are few, and a value is copied a few times, however many there are.
 */
import { EMPTY, type Json, type JsonObject } from '../base/json.ts';

/** More notes than this are put together before the next is added. */
const NOTES_MAX = 32;

export class Values {
  readonly #below: Values | null;
  readonly #name: string;
  readonly #value: Json;
  /** Of a block: what it has on top of what is below. Null for a note. */
  readonly #block: JsonObject | null;
  /** Notes since the last block; of a block: how many values it has, where they were counted. */
  readonly #count: number;
  #object: JsonObject | null;

  private constructor(
    below: Values | null,
    name: string,
    value: Json,
    count: number,
    block: JsonObject | null,
  ) {
    this.#below = below;
    this.#name = name;
    this.#value = value;
    this.#count = count;
    this.#block = block;
    this.#object = below === null ? block : null;
  }

  static readonly none: Values = new Values(null, '', null, 0, EMPTY);

  /** From a frozen object. */
  static of(object: JsonObject): Values {
    for (const _ in object) return new Values(null, '', null, -1, object);
    return Values.none;
  }

  with(name: string, value: Json): Values {
    const isNote = this.#block === null;
    if (isNote && this.#name === name) {
      return new Values(this.#below, name, value, this.#count, null);
    }
    if (!isNote) return new Values(this, name, value, 1, null);
    if (this.#count < NOTES_MAX) return new Values(this, name, value, this.#count + 1, null);
    return new Values(Values.#packed(this), name, value, 1, null);
  }

  get isEmpty(): boolean {
    return this === Values.none;
  }

  /** Without putting anything together. */
  has(name: string): boolean {
    const known = this.#object ?? this.#block;
    if (known === null ? this.#name === name : Object.hasOwn(known, name)) return true;
    return this.#object === null && this.#below?.has(name) === true;
  }

  /** One of them, without putting anything together. */
  get(name: string): Json | undefined {
    const known = this.#object ?? this.#block;
    if (known === null && this.#name === name) return this.#value;
    if (known !== null && Object.hasOwn(known, name)) return known[name];
    return this.#object === null ? this.#below?.get(name) : undefined;
  }

  /** All of them, frozen; a name that was written again stands where it stood first. */
  get object(): JsonObject {
    this.#object ??= Values.#gather(this);
    return this.#object;
  }

  static #gather(top: Values): JsonObject {
    const layers: Values[] = [];
    let base = top;
    // The lowest has one.
    for (; base.#object === null; base = base.#below as Values) layers.push(base);
    return Values.#together(base.#object, layers);
  }

  /** The same, with its notes in a block. */
  static #packed(top: Values): Values {
    if (top.#object !== null) return Values.of(top.#object);
    const layers: Values[] = [];
    let at: Values | null = top;
    for (; at !== null && at.#block === null; at = at.#below) layers.push(at);
    let count = layers.length;
    for (; at !== null; at = at.#below) {
      const size = at.#count < 0 ? Object.keys(at.#block ?? EMPTY).length : at.#count;
      if (size > 2 * count) break;
      count += size;
      layers.push(at);
    }
    return new Values(at, '', null, count, Values.#together(EMPTY, layers));
  }

  /** What these layers, the topmost first, make of an object. */
  static #together(base: JsonObject, layers: readonly Values[]): JsonObject {
    const object: Record<string, Json> = { ...base };
    for (let at = layers.length - 1; at >= 0; at -= 1) {
      const layer = layers[at] as Values;
      const block = layer.#block;
      if (block === null) assign(object, layer.#name, layer.#value);
      else for (const name of Object.keys(block)) assign(object, name, block[name] as Json);
    }
    return Object.freeze(object);
  }
}

function assign(object: Record<string, Json>, name: string, value: Json): void {
  // Assigning to __proto__ would set the prototype instead of a key.
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true });
}
