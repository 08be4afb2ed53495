/** Values that fit a JSON Schema, more or less, and values that fit nothing. */
import type { Json } from '../base/json.ts';
import type { Dice } from './dice.ts';

export type Schema = Readonly<Record<string, unknown>>;

const DEPTH_MAX = 6;

/** Draws what a schema asks for; texts are often one of `names`, so that they mean something. */
export class RandomJson {
  readonly #dice: Dice;
  readonly #names: () => readonly string[];

  constructor(dice: Dice, names: () => readonly string[]) {
    this.#dice = dice;
    this.#names = names;
  }

  fitting(schema: Schema, root: Schema = schema, depth = 0): Json {
    const { $ref, anyOf, oneOf, enum: values, const: only, type } = schema;
    if (typeof $ref === 'string') return this.fitting(referred(root, $ref), root, depth);
    const arms = (anyOf ?? oneOf) as readonly Schema[] | undefined;
    if (arms !== undefined) return this.fitting(this.#dice.pick(arms), root, depth);
    if (only !== undefined) return only as Json;
    if (Array.isArray(values)) return this.#dice.pick(values as readonly Json[]);
    switch (type) {
      case 'string':
        return this.name();
      case 'integer':
      case 'number':
        return this.#dice.pick([1, 2, 3, 3, 10, 1_000]);
      case 'boolean':
        return this.#dice.roll(2) === 0;
      case 'array':
        return this.#list(schema, root, depth);
      case 'object':
        return this.#object(schema, root, depth);
      default:
        return this.any(depth);
    }
  }

  name(): string {
    const words = ['1h', '10s', '5ms', '@daily', 'UTC', 'paid', 'ann', '2026-01-01T00:00:00Z'];
    return this.#dice.pick([...this.#names(), ...words]);
  }

  /** Any JSON at all. */
  any(depth = 0): Json {
    const kinds = depth < DEPTH_MAX ? 6 : 4;
    switch (this.#dice.roll(kinds)) {
      case 0:
        return null;
      case 1:
        return this.#dice.roll(1_000);
      case 2:
        return this.#dice.roll(2) === 0;
      case 3:
        return this.name();
      case 4:
        return Array.from({ length: this.#dice.roll(3) }, () => this.any(depth + 1));
      default:
        return { [this.name()]: this.any(depth + 1) };
    }
  }

  /** What hardly anybody would send. */
  odd(): Json {
    return this.#dice.pick<Json>([
      ...[null, true, -1, 0, 1.5, 1e21, -1e308, 2 ** 53, '', ' ', 'x'.repeat(501)],
      ...['\ud800', 'a\u0000b', '__proto__', 'constructor', '😀'.repeat(300), '\u202e', '%00'],
      ...['../../etc/passwd', "'; drop table instance; --", '{{input}}', '$secret', '-0', 'NaN'],
      ...[
        [],
        {},
        [[]],
        [{}],
        { length: 1 },
        { toJSON: 1 },
        { hasOwnProperty: 1 },
        { valueOf: null },
      ],
      ...[nested(300), Array.from({ length: 2_000 }, () => 0), { '': '' }, '9'.repeat(400)],
    ]);
  }

  #list(schema: Schema, root: Schema, depth: number): Json {
    const items = (schema['items'] ?? {}) as Schema;
    const length = this.#dice.roll(3) + (schema['minItems'] === undefined ? 0 : 1);
    return Array.from({ length }, () => this.fitting(items, root, depth + 1));
  }

  #object(schema: Schema, root: Schema, depth: number): Json {
    const { properties = {}, required = [], additionalProperties } = schema;
    const drawn: Record<string, Json> = {};
    for (const [name, each] of Object.entries(properties as Record<string, Schema>)) {
      const isNeeded = (required as readonly string[]).includes(name);
      if (isNeeded || this.#dice.roll(3) === 0) drawn[name] = this.fitting(each, root, depth + 1);
    }
    if (typeof additionalProperties === 'object' && this.#dice.roll(2) === 0) {
      drawn[this.name()] = this.fitting(additionalProperties as Schema, root, depth + 1);
    }
    return drawn;
  }
}

function referred(root: Schema, ref: string): Schema {
  const defs = (root['$defs'] ?? {}) as Readonly<Record<string, Schema>>;
  return defs[ref.slice('#/$defs/'.length)] ?? {};
}

function nested(depth: number): Json {
  let value: Json = 1;
  for (let count = 0; count < depth; count += 1) value = [value];
  return value;
}
