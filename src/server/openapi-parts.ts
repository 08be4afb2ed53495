/**
 * The schemas of a document: each that has a name stands once and is referred to, and each says
 * what it is said to be. JSON Schema as OpenAPI 3.1 has it, and so that generators that know only
 * 3.0 make good use of it.
 */
import { z } from 'zod';
import { NAMED, SHOWN } from './schemas.ts';

export type Schema = Record<string, unknown>;

const HOME = '#/components/schemas/';

export class Parts {
  readonly all: Record<string, Schema> = {};

  /** Where it has no name of its own, it stands where it is. */
  inline(of: z.ZodType, io: 'input' | 'output'): Schema {
    const made = z.toJSONSchema(of, { metadata: NAMED, io, unrepresentable: 'any', override });
    const { $defs = {}, $schema: _, id, ...own } = refer(made) as Schema;
    for (const [name, part] of Object.entries($defs as Record<string, Schema>)) {
      this.all[name] ??= finished(part);
    }
    if (typeof id !== 'string') return own;
    this.all[id] ??= finished(own);
    return { $ref: `${HOME}${id}` };
  }

  /** A generator makes a type of a name, and something nameless of anything else. */
  named(name: string, of: z.ZodType, io: 'input' | 'output'): Schema {
    const schema = this.inline(of, io);
    if ('$ref' in schema) return schema;
    this.all[name] = finished(schema);
    return { $ref: `${HOME}${name}` };
  }
}

type Override = Parameters<
  NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>
>[0];

/** Told of a schema by `.meta`, which zod keeps in another list than the names. */
function override({ zodSchema, jsonSchema }: Override): void {
  const schema: Schema = jsonSchema;
  const shown = SHOWN.get(zodSchema);
  if (shown !== undefined) {
    for (const key of Object.keys(schema)) delete schema[key];
    Object.assign(schema, shown.as);
  }
  Object.assign(schema, z.globalRegistry.get(zodSchema));
  // Many generators have not heard of `const`, and take it for any text.
  if ('const' in schema) schema['enum'] = [schema['const']];
}

/** Variants that are told apart by one word say by which. */
function finished(whole: Schema): Schema {
  const { id: _id, ...part } = whole;
  const { oneOf } = part as { readonly oneOf?: readonly { readonly $ref?: string }[] };
  const refs = oneOf?.map(({ $ref }) => $ref ?? '');
  if (refs === undefined || refs.some((ref) => ref === '')) return part;
  const mapping = Object.fromEntries(refs.map((ref) => [wordOf(ref), ref]));
  return { ...part, discriminator: { propertyName: 'do', mapping } };
}

/** `#/components/schemas/CancelAction` is `cancel`. */
function wordOf(ref: string): string {
  return ref
    .slice(HOME.length)
    .replace(/Action$/, '')
    .toLowerCase();
}

/** What zod puts beside a schema stands elsewhere in a document. */
function refer(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(refer);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      const isRef = key === '$ref' && typeof part === 'string';
      return [key, isRef ? part.replace('#/$defs/', HOME) : refer(part)];
    }),
  );
}
