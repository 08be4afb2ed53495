/**
 * Forms: the JSON Schema that the output of a task must fit.
 *
 * A form is data of a definition, so it is interpreted and never compiled to code (D16), and what
 * it refers to lies in it: nothing is fetched. Whether it is a schema at all is asked first, of the
 * same interpreter: most mistakes in one would otherwise check nothing, and the rest would throw.
 */
import { dereference, type Schema, type SchemaDraft, validate } from '@cfworker/json-schema';
import type { Json, JsonObject } from '../base/json.ts';
import { no, ok, type Result } from '../base/result.ts';
import type { Diagnostic } from '../model/draft.ts';
import type { Plan } from '../model/plan.ts';
import { FORM_SCHEMA, FORM_DRAFTS } from './form-schema.ts';

/** What is wrong, and where: a JSON pointer, empty for the whole. */
export interface FormProblem {
  readonly path: string;
  readonly message: string;
}

type Problems = readonly FormProblem[];
type Check = (value: Json) => Problems;

/** Schemas are read once; of very many, those that were used last. */
const KEPT_MAX = 200;
const kept = new Map<string, Result<Check, Problems>>();

/** What keeps the value from fitting the form: nothing, if it does. Or what is wrong with that. */
export function checkForm(form: JsonObject, value: Json): Result<Problems, Problems> {
  const check = read(form);
  if (!check.ok) return check;
  try {
    return ok(check.value(value));
  } catch (thrown) {
    // One that refers to itself and gets nowhere is known only by following it.
    return no([{ path: '', message: toldOf(thrown) }]);
  }
}

/** Said when the flow comes, and not when somebody has filled the form in. */
export function formProblems({ nodes }: Plan): readonly Diagnostic[] {
  return [...nodes.values()].flatMap(({ id, kind, config }) => {
    const form = kind === 'task' ? fixedForm(config) : undefined;
    const check = form === undefined ? undefined : read(form);
    if (check === undefined || check.ok) return [];
    const message = `"form" of "${id}" is no JSON Schema: ${check.problem.map(toldIn).join('; ')}`;
    return [{ code: 'task.bad-form', message, node: id }];
  });
}

function fixedForm(config: Json): JsonObject | undefined {
  const { fixed } = config as { readonly fixed: { readonly form?: JsonObject } };
  return fixed.form ?? undefined;
}

export function toldIn({ path, message }: FormProblem): string {
  return path === '' ? message : `${path}: ${message}`;
}

function read(form: JsonObject): Result<Check, Problems> {
  const text = JSON.stringify(form);
  const check = kept.get(text) ?? readAnew(text);
  kept.delete(text);
  kept.set(text, check);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  return check;
}

function readAnew(text: string): Result<Check, Problems> {
  // The interpreter writes into what it reads, and a form is frozen.
  const schema = JSON.parse(text) as Schema;
  try {
    const wrong = problemsOf(schema, FORM, FORM_LOOKUP, '2020-12');
    if (wrong.length > 0) return no(wrong);
    const draft = FORM_DRAFTS.get(schema.$schema ?? '') ?? '2020-12';
    const lookup = dereference(schema);
    const lost = lostIn(lookup);
    if (lost.length > 0) return no(lost);
    const check: Check = (value) => problemsOf(value, schema, lookup, draft);
    check(null);
    return ok(check);
  } catch (thrown) {
    return no([{ path: '', message: toldOf(thrown) }]);
  }
}

type Lookup = ReturnType<typeof dereference>;

const FORM = structuredClone(FORM_SCHEMA) as Schema;
const FORM_LOOKUP = dereference(FORM);

/** References to what is not in the form: nothing is ever fetched for it. */
function lostIn(lookup: Lookup): Problems {
  return Object.values(lookup).flatMap((schema) => {
    if (typeof schema === 'boolean') return [];
    const { $ref, __absolute_ref__: whole } = schema;
    if (whole === undefined || lookup[whole] !== undefined) return [];
    return [{ path: '', message: `"${$ref}" is not in the form, and nothing is fetched` }];
  });
}

function problemsOf(value: unknown, schema: Schema, lookup: Lookup, draft: SchemaDraft): Problems {
  const { errors } = validate(value, schema, draft, lookup, false);
  const choices = errors.filter(({ keyword }) => CHOICES.has(keyword));
  return errors
    .filter(({ keyword, keywordLocation }) => {
      const isInside = choices.some((each) =>
        keywordLocation.startsWith(`${each.keywordLocation}/`),
      );
      return !isInside && !OUTER.has(keyword);
    })
    .map(({ keyword, instanceLocation, error }) => ({
      path: instanceLocation.slice(1),
      message: wordsFor(keyword, error),
    }));
}

/** As the interpreter says it, but for two that would not be understood. */
function wordsFor(keyword: string, error: string): string {
  if (keyword === 'false') return 'Nothing is allowed here.';
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
  if (thrown instanceof RangeError) return 'it refers to itself without an end';
  const [first = ''] = (thrown instanceof Error ? thrown.message : String(thrown)).split('\n');
  return first;
}
