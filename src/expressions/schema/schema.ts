/**
 * JSON Schemas that values of instances must fit: the forms of tasks, and what a Serverless
 * Workflow says of its data.
 *
 * Such a schema is data of a definition, so it is interpreted and never compiled to code (D16), and
 * what it refers to lies in it: nothing is fetched. Whether it is a schema at all is asked first,
 * of the same interpreter: most mistakes in one would otherwise check nothing, and the rest would
 * throw.
 */
import {
  dereference,
  format as formats,
  type Schema,
  type SchemaDraft,
  validate,
} from '@cfworker/json-schema';
import type { Json } from '../../base/json.ts';
import { no, ok, type Result } from '../../base/result.ts';
import { AS_FORMAT, forNames, gentle, NAMES_MAX, namesIn } from './gentle.ts';
import { Patterns } from './patterns.ts';
import { DRAFTS, RULES } from './rules.ts';

/** What is wrong, and where: a JSON pointer, empty for the whole. */
export interface SchemaProblem {
  readonly path: string;
  readonly message: string;
}

type Problems = readonly SchemaProblem[];
type Check = (value: Json) => Problems;

/** Schemas are read once; of very many, those that were used last. */
const KEPT_MAX = 200;
const kept = new Map<string, Result<Check, Problems>>();

/** What keeps the value from fitting: nothing, if it does. Or what is wrong with the schema. */
export function checkSchema(schema: Json, value: Json): Result<Problems, Problems> {
  const check = read(schema);
  if (!check.ok) return check;
  try {
    return ok(check.value(value));
  } catch (thrown) {
    // One that refers to itself and gets nowhere is known only by following it.
    return no([{ path: '', message: toldOf(thrown) }]);
  }
}

/** What is wrong with a schema, said when it comes and not when something is held against it. */
export function schemaProblems(schema: Json): Problems {
  const check = read(schema);
  return check.ok ? [] : check.problem;
}

export function toldIn({ path, message }: SchemaProblem): string {
  return path === '' ? message : `${path}: ${message}`;
}

function read(schema: Json): Result<Check, Problems> {
  const text = JSON.stringify(schema);
  const check = kept.get(text) ?? readAnew(text);
  kept.delete(text);
  kept.set(text, check);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  return check;
}

function readAnew(text: string): Result<Check, Problems> {
  // The interpreter writes into what it reads, and what it is given is frozen.
  const schema = JSON.parse(text) as Schema;
  try {
    const named = typeof schema === 'object' ? schema.$schema : undefined;
    const draft = DRAFTS.get(named ?? '') ?? '2020-12';
    const rules = draft === '4' ? FOURTH : LATER;
    const wrong = problemsOf(schema, rules.schema, rules.lookup, '2020-12');
    if (wrong.length > 0) return no(wrong);
    const lost = lostIn(dereference(schema));
    if (lost.length > 0) return no(lost);
    const compares = text.includes('"uniqueItems":true');
    const holds = checker(JSON.parse(text) as Json, draft);
    const check: Check = (value) => {
      const long = compares ? tooLong(value, '') : undefined;
      return long === undefined ? holds(value) : [long];
    };
    check(null);
    return ok(check);
  } catch (thrown) {
    return no([{ path: '', message: toldOf(thrown) }]);
  }
}

/** Its patterns are formats of the interpreter's for as long as a check takes. */
function checker(given: Json, draft: SchemaDraft): Check {
  const { schema: made, patterns: written } = gentle(given);
  const patterns = new Patterns();
  const fits = (pattern: string, text: string): boolean => patterns.test(pattern, text);
  const hasNames = JSON.stringify(made).includes('"patternProperties":');
  const ready = readyOf(made);
  // What no pattern can be asked is said when the schema comes.
  patterns.begin();
  for (const each of written) fits(each, '');
  forNames(made, new Set(['']), fits);
  return (value) => {
    patterns.begin();
    const names = hasNames ? namesIn(value) : NO_NAMES;
    if (names.size > NAMES_MAX) return [{ path: '', message: MANY_NAMES }];
    const { schema, lookup } = hasNames ? readyOf(forNames(made, names, fits)) : ready;
    for (const each of written) formats[AS_FORMAT + each] = (text) => fits(each, text);
    try {
      return problemsOf(value, schema, lookup, draft);
    } finally {
      for (const each of written) delete formats[AS_FORMAT + each];
    }
  };
}

const NO_NAMES: ReadonlySet<string> = new Set();
const MANY_NAMES = `Object has too many names to compare with patterns (more than ${NAMES_MAX}).`;

type Lookup = ReturnType<typeof dereference>;

const FOURTH = readyOf(RULES.fourth);
const LATER = readyOf(RULES.later);

function readyOf(rules: Json): { readonly schema: Schema; readonly lookup: Lookup } {
  const schema = JSON.parse(JSON.stringify(rules)) as Schema;
  return { schema, lookup: dereference(schema) };
}

/**
 * The interpreter compares each item with each, and whoever hands in a very long list would hold up
 * the process by it.
 */
const COMPARED_MAX = 5_000;

function tooLong(value: Json, path: string): SchemaProblem | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) && value.length > COMPARED_MAX) {
    return { path, message: `Array has too many items to compare (more than ${COMPARED_MAX}).` };
  }
  for (const [name, inner] of Object.entries(value)) {
    const step = name.replaceAll('~', '~0').replaceAll('/', '~1');
    const found = tooLong(inner as Json, `${path}/${step}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** References to what is not in it: nothing is ever fetched for it. */
function lostIn(lookup: Lookup): Problems {
  return Object.values(lookup).flatMap((schema) => {
    if (typeof schema === 'boolean') return [];
    const { $ref, __absolute_ref__: whole } = schema;
    if (whole === undefined || lookup[whole] !== undefined) return [];
    return [{ path: '', message: `"${$ref}" is not in it, and nothing is fetched` }];
  });
}

function problemsOf(value: unknown, schema: Schema, lookup: Lookup, draft: SchemaDraft): Problems {
  const { errors } = validate(value, schema, draft, lookup, false);
  const choices = new Set(errors.filter(isChoice).map(({ keywordLocation }) => keywordLocation));
  const wrong = errors.filter(
    ({ keyword, keywordLocation }) => !OUTER.has(keyword) && !isInside(choices, keywordLocation),
  );
  const told = wrong.slice(0, PROBLEMS_MAX).map(({ keyword, instanceLocation, error }) => ({
    path: instanceLocation.slice(1),
    message: wordsFor(keyword, error),
  }));
  const more = wrong.length - told.length;
  return more === 0 ? told : [...told, { path: '', message: `and ${more} more like these` }];
}

/** Nobody reads more of them, and they stand in the message of one error. */
const PROBLEMS_MAX = 100;

function isChoice({ keyword }: { readonly keyword: string }): boolean {
  return CHOICES.has(keyword);
}

function isInside(choices: ReadonlySet<string>, location: string): boolean {
  if (choices.size === 0) return false;
  for (let at = location.lastIndexOf('/'); at > 0; at = location.lastIndexOf('/', at - 1)) {
    if (choices.has(location.slice(0, at))) return true;
  }
  return false;
}

/** As the interpreter says it, but for three that would not be understood. */
function wordsFor(keyword: string, error: string): string {
  if (keyword === 'false') return 'Nothing is allowed here.';
  if (error.includes(`format "${AS_FORMAT}`)) return 'String does not match pattern.';
  return keyword === 'exclusiveMinimum' ? error.replace(' than ', ' than or equal to ') : error;
}

/** What none of the choices was is said of the choice, and not once for each of them. */
const CHOICES: ReadonlySet<string> = new Set(['anyOf', 'oneOf']);

/** These only say that something inside is wrong, which is said as well. */
const OUTER: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'allOf', 'if', '$ref'],
  ...['$recursiveRef', 'dependentSchemas', 'propertyNames'],
]);

function toldOf(thrown: unknown): string {
  if (thrown instanceof RangeError) return 'it refers to itself without an end, or goes too deep';
  const [first = ''] = (thrown instanceof Error ? thrown.message : String(thrown)).split('\n');
  return first;
}
