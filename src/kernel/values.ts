/**
 * The results or the variables of one scope while the instance is worked on.
 *
 * A step adds one value and most handlers read few of them or none. So a write only notes what it
 * writes, on top of what was there, and one plain object is put together when somebody reads it,
 * once. A loop that writes the same name again takes the place of its own note.
 *
 * Notes pile up to a limit and then become a block. Blocks of one size pile up as well, and become
 * one of the next size: so they are few, and a value is copied once for each size there is.
 */
import { EMPTY, type Json, type JsonObject } from '../base/json.ts';

/** More notes than this are put together before the next is added. */
const NOTES_MAX = 32;
/** As many blocks of one size become one of the next. */
const BLOCKS_MAX = 8;
/** Of what was there first: it is put together with nothing. */
const LARGEST = 100;

export class Values {
  readonly #below: Values | null;
  readonly #name: string;
  readonly #value: Json;
  /** Of a block: what it has on top of what is below. Null for a note. */
  readonly #block: JsonObject | null;
  /** Notes since the last block; of a block: blocks of its size, up to it. */
  readonly #count: number;
  /** Of a block: how often blocks have become a larger one in it. */
  readonly #size: number;
  #object: JsonObject | null;

  private constructor(
    below: Values | null,
    name: string,
    value: Json,
    count: number,
    block: JsonObject | null = null,
    size = 0,
  ) {
    this.#below = below;
    this.#name = name;
    this.#value = value;
    this.#count = count;
    this.#block = block;
    this.#size = size;
    this.#object = below === null ? block : null;
  }

  static readonly none: Values = new Values(null, '', null, 1, EMPTY, LARGEST);

  /** From a frozen object. */
  static of(object: JsonObject): Values {
    for (const _ in object) return new Values(null, '', null, 1, object, LARGEST);
    return Values.none;
  }

  with(name: string, value: Json): Values {
    const isNote = this.#block === null;
    if (isNote && this.#name === name) {
      return new Values(this.#below, name, value, this.#count);
    }
    if (!isNote) return new Values(this, name, value, 1);
    if (this.#count < NOTES_MAX) return new Values(this, name, value, this.#count + 1);
    return new Values(Values.#packed(this), name, value, 1);
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
    // The lowest is a block, the largest.
    let at = top;
    for (; at.#block === null; at = at.#below as Values) layers.push(at);
    let size = 0;
    for (; at.#size === size && at.#count === BLOCKS_MAX - 1; size += 1) {
      for (let left = at.#count; left > 0; left -= 1, at = at.#below as Values) layers.push(at);
    }
    const count = at.#size === size ? at.#count + 1 : 1;
    return new Values(at, '', null, count, Values.#together(EMPTY, layers), size);
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
