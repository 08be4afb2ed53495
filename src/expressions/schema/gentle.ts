/**
 * A schema in which nothing is matched by the platform's own regular expressions, which anyone who
 * sends a text could keep busy for days (see `patterns.ts`).
 *
 * A `pattern` becomes a format, since formats are all that the interpreter can be taught. The names
 * that `patternProperties` are for are looked for beforehand, and stand there themselves.
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';

/** What a pattern is called as a format. */
export const AS_FORMAT = 'pattern ';

/** The interpreter has a pattern for it that takes for ever. */
const URL_PATTERN = String.raw`^(?:https?|ftp):\/\/[^\s\/?#]+(?:[\/?#]\S*)?$`;

/** What is no schema, and has none in it. */
const PLAIN: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'required']);
/** What has schemas under names of the author's. */
const BY_NAME: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'],
  'dependencies',
]);

/** The same schema, with its patterns as formats; and those patterns. */
export function gentle(schema: Json): { readonly schema: Json; readonly patterns: Set<string> } {
  const patterns = new Set<string>();
  return { schema: softened(schema, patterns), patterns };
}

function softened(schema: Json, patterns: Set<string>): Json {
  if (Array.isArray(schema)) return schema.map((each: Json) => softened(each, patterns));
  if (!isJsonObject(schema)) return schema;
  const parts = eachIn(schema, (name, part) => {
    if (PLAIN.has(name)) return part;
    if (!BY_NAME.has(name) || !isJsonObject(part)) return softened(part, patterns);
    return eachIn(part, (_, inner) => softened(inner, patterns));
  });
  const { pattern, format, allOf } = parts;
  const found = [...(typeof pattern === 'string' ? [pattern] : [])];
  if (format === 'url') found.push(URL_PATTERN);
  if (found.length === 0) return parts;
  for (const each of found) patterns.add(each);
  const { pattern: _, ...rest } = parts;
  const formats = found.map((each) => ({ format: AS_FORMAT + each }));
  const kept = format === 'url' ? { ...rest, format: 'uri' } : rest;
  return { ...kept, allOf: [...(Array.isArray(allOf) ? (allOf as Json[]) : []), ...formats] };
}

/** Names that are compared with those of a value: each with each. */
export const NAMES_MAX = 2_000;

/** The schema with the names that its patterns are for, of those that a value has. */
export function forNames(
  schema: Json,
  names: ReadonlySet<string>,
  fits: (pattern: string, name: string) => boolean,
): Json {
  if (Array.isArray(schema)) return schema.map((each: Json) => forNames(each, names, fits));
  if (!isJsonObject(schema)) return schema;
  const inner = (part: Json): Json => forNames(part, names, fits);
  return eachIn(schema, (keyword, part) => {
    if (PLAIN.has(keyword)) return part;
    if (!BY_NAME.has(keyword) || !isJsonObject(part)) return inner(part);
    if (keyword !== 'patternProperties') return eachIn(part, (_, each) => inner(each));
    const parts = Object.entries(part).map(([pattern, each], n) => {
      const found = [...names].filter((name) => fits(pattern, name));
      // Two patterns may be for the same names, and are still two.
      return [anyOf(found) + '(?:)'.repeat(n), inner(each)] as const;
    });
    return Object.fromEntries(parts);
  });
}

function anyOf(names: readonly string[]): string {
  if (names.length === 0) return '(?!)';
  const texts = names.map((name) => name.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`));
  return `^(?:${texts.join('|')})$`;
}

/** Every name in a value, however deep. */
export function namesIn(value: Json, names: Set<string> = new Set()): Set<string> {
  if (typeof value !== 'object' || value === null) return names;
  for (const [name, part] of Object.entries(value as JsonObject)) {
    if (!Array.isArray(value)) names.add(name);
    namesIn(part, names);
  }
  return names;
}

function eachIn(object: JsonObject, change: (name: string, part: Json) => Json): JsonObject {
  const parts = Object.entries(object).map(([name, part]) => [name, change(name, part)] as const);
  return Object.fromEntries(parts);
}
