/**
 * A schema for flows that have none, out of what they were started with before: enough for a form
 * to have fields. Nothing in it is required, and where inputs differ in kind it says nothing.
 */
import type { Json, JsonObject } from '../api/shapes.ts';
import { isObject } from '../parts/schema-rules.ts';

/** Null where a form would be no help. */
export function inferredSchema(inputs: readonly Json[]): JsonObject | null {
  if (inputs.length === 0 || !inputs.every((input) => isObject(input))) return null;
  const schema = schemaOf(inputs);
  return 'properties' in schema ? schema : null;
}

function schemaOf(values: readonly Json[]): JsonObject {
  const said = values.filter((value) => value !== null);
  const kinds = new Set(said.map(kindOf));
  const [kind] = kinds;
  if (kinds.size !== 1 || kind === undefined) return {};
  if (kind === 'object') return objectOf(said.filter(isObject));
  if (kind === 'array') return { type: 'array', items: schemaOf(said.flat()) };
  return said.length === values.length ? { type: kind } : { type: [kind, 'null'] };
}

function objectOf(objects: readonly JsonObject[]): JsonObject {
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  if (names.length === 0) return { type: 'object' };
  const pairs = names.map((name) => {
    const values = objects.flatMap((object) => {
      const value = object[name];
      return value === undefined ? [] : [value];
    });
    return [name, schemaOf(values)] as const;
  });
  return { type: 'object', properties: Object.fromEntries(pairs) };
}

function kindOf(value: Json): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}
