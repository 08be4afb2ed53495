/**
 * What the schema of the language is built of.
 *
 * It is JSON Schema 2020-12, written so that each mistake is found by one keyword: a shape is
 * chosen by the word that makes it (`if` … `then`), and only that shape is looked at. Titles and
 * descriptions are parts of sentences ("an HTTP call", "is a whole number"), since diagnostics are
 * made of them. Two words are our own:
 *
 * - `x-choice`: the properties of which there is one. Two of them are one mistake, not two.
 * - `x-open`: the language leaves the object open, so that a property that is not known there is
 *   worth a warning and no more.
 */

export interface Schema {
  readonly $schema?: string;
  readonly $id?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: TypeWord | readonly TypeWord[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
  readonly not?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly 'x-choice'?: readonly string[];
  readonly 'x-open'?: true;
}

export type TypeWord = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';
export type Properties = Readonly<Record<string, Schema>>;

export const ANYTHING: Schema = {};

/** An object of which every property is known. */
export function shape(
  title: string,
  properties: Properties,
  required: readonly string[] = [],
  more: Schema = {},
): Schema {
  return { type: 'object', title, properties, required, additionalProperties: false, ...more };
}

/** The same where the language lets other properties pass. */
export const OPEN: Schema = { 'x-open': true };

/** An object whose keys are names, or any data. */
export function map(description: string, each: Schema = ANYTHING, more: Schema = {}): Schema {
  return { type: 'object', description, additionalProperties: each, ...more };
}

export function list(description: string, items: Schema, more: Schema = {}): Schema {
  return { type: 'array', description, items, ...more };
}

export const text = (description = 'text'): Schema => ({ type: 'string', description });
export const flag: Schema = { type: 'boolean', description: 'true or false' };

export function oneWord(words: readonly string[]): Schema {
  return { type: 'string', description: `one of ${words.join(', ')}`, enum: words };
}

/** Text of a form; the description says which. */
function written(description: string, pattern: string): Schema {
  return { type: 'string', description, pattern };
}

export function wholeNumber(least?: number, most?: number): Schema {
  const from = least === undefined ? '' : `, ${least} or more`;
  const description = most === undefined ? `a whole number${from}` : `${least} to ${most}`;
  return {
    type: 'integer',
    description,
    ...(least !== undefined && { minimum: least }),
    ...(most !== undefined && { maximum: most }),
  };
}

export function ref(name: string): Schema {
  return { $ref: `#/$defs/${name}` };
}

/** One of these properties, and no more of them. */
export function exactlyOne(keys: readonly string[]): Schema {
  return { 'x-choice': keys, oneOf: keys.map((key) => ({ required: [key] })) };
}

/** One shape if a condition holds, and another, if there is one, where it does not. */
export function given(condition: Schema, holds: Schema, otherwise?: Schema): Schema {
  // oxlint-disable-next-line unicorn/no-thenable -- A word of JSON Schema; nobody awaits it.
  return { if: condition, then: holds, ...(otherwise && { else: otherwise }) };
}

/** A property that makes sense only beside another; the title says so. */
export function only(title: string, key: string, beside: string): Schema {
  return given({ required: [key] }, { title, required: [beside] });
}

/** Several shapes told apart by their type: what is no object has to be the other. */
export function objectOr(
  description: string,
  { object, other }: { readonly object: Schema; readonly other: Schema },
): Schema {
  const type: readonly TypeWord[] = [
    'object',
    ...(Array.isArray(other.type) ? other.type : [other.type]),
  ];
  return { type, description, ...given({ type: 'object' }, object, { ...other, description }) };
}

/** The first of the shapes whose condition holds; else the last. */
export function firstOf(
  cases: readonly (readonly [condition: Schema, shape: Schema])[],
  otherwise: Schema,
): Schema {
  return cases.reduceRight<Schema>(
    (rest, [condition, holds]) => given(condition, holds, rest),
    otherwise,
  );
}

/** Patterns of JSON Schema find what they say anywhere, so all of ours begin and end. */
const EXPRESSION = String.raw`^\s*\$\{[\s\S]+\}\s*$`;
const URI = String.raw`^(?!\s*\$\{)\S+$`;
const NUMBER = String.raw`\d+(?:\.\d+)?`;
const units = (letters: string): string =>
  Array.from(letters, (letter) => `(?:${NUMBER}${letter})?`).join('');
const ISO_DURATION = String.raw`^P(?!$)${units('YMWD')}(?:T(?=\d)${units('HMS')})?$`;
const COUNT = String.raw`(?:0|[1-9]\d*)`;
const EARLIER = String.raw`(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)`;
const BUILD = '[0-9A-Za-z-]+';
const SEMVER =
  String.raw`^${COUNT}\.${COUNT}\.${COUNT}(?:-${EARLIER}(?:\.${EARLIER})*)?` +
  String.raw`(?:\+${BUILD}(?:\.${BUILD})*)?$`;
const LABEL = '^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$';
const HOST = '^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,61}[A-Za-z0-9])?$';
const MOMENT = String.raw`^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$`;
const POINTER = '^(?:/(?:[^~/]|~[01])*)*$';

const or = (...patterns: readonly string[]): string => patterns.join('|');

export const version: Schema = written('a semantic version in quotes, such as "1.0.0"', SEMVER);
export const label: Schema = written(
  'letters, digits and "-" (not first or last), at most 63 of them',
  LABEL,
);
export const uriOrExpression: Schema = written(
  'a URI without spaces (a template may have {names}), or an expression "${ … }"',
  or(EXPRESSION, URI),
);
export const hostOrExpression: Schema = written(
  'the name or address of a host, without a scheme or a port',
  or(EXPRESSION, HOST),
);
export const momentOrExpression: Schema = written(
  'a moment such as 2026-01-31T12:00:00Z, or an expression "${ … }"',
  or(EXPRESSION, MOMENT),
);
export const pointerOrExpression: Schema = written(
  'a JSON pointer such as /do/0/getPet, or an expression "${ … }"',
  or(EXPRESSION, POINTER),
);
export const durationText: Schema = { type: 'string', pattern: or(EXPRESSION, ISO_DURATION) };
export const expression: Schema = text('an expression');
export const expressionMark: Schema = { type: 'string', pattern: EXPRESSION };
