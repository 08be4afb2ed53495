/**
 * What a schema may say, as a schema of schemas: the keywords of JSON Schema from draft 4 to
 * 2020-12, each as what it has to be. Keywords that nobody knows are left alone, as in any dialect;
 * the one that the interpreter does not follow is refused, since it would check nothing.
 */
import type { SchemaDraft } from '@cfworker/json-schema';
import type { JsonObject } from '../../base/json.ts';

/** By what `$schema` says. */
export const DRAFTS: ReadonlyMap<string, SchemaDraft> = new Map<string, SchemaDraft>(
  (
    [
      ['http://json-schema.org/draft-04/schema', '4'],
      ['http://json-schema.org/draft-07/schema', '7'],
      ['https://json-schema.org/draft/2019-09/schema', '2019-09'],
      ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
    ] as const
  ).flatMap(([url, draft]) => [
    [url, draft],
    [`${url}#`, draft],
  ]),
);

const ANY = { $ref: '#' };
const TEXT = { type: 'string' };
const NUMBER = { type: 'number' };
const COUNT = { type: 'integer', minimum: 0 };
const LIST = { type: 'array', items: ANY, minItems: 1 };
const NAMES = { type: 'array', items: TEXT };
const BY_NAME = { type: 'object', additionalProperties: ANY };
const TYPE = { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] };
/** Draft 4 says of a bound that it is excluded; the others say the bound itself. */
export const RULES: { readonly fourth: JsonObject; readonly later: JsonObject } = {
  fourth: schemaOf({ type: 'boolean' }),
  later: schemaOf(NUMBER),
};

function schemaOf(bound: JsonObject): JsonObject {
  return {
    type: ['object', 'boolean'],
    properties: {
      $schema: { enum: [...DRAFTS.keys()] },
      ...{ $id: TEXT, $ref: TEXT, $anchor: TEXT, $dynamicRef: false },
      ...{ $defs: BY_NAME, definitions: BY_NAME },
      type: { anyOf: [TYPE, { type: 'array', items: TYPE, minItems: 1 }] },
      enum: { type: 'array' },
      ...{ allOf: LIST, anyOf: LIST, oneOf: LIST, not: ANY },
      ...Object.fromEntries(['if', 'then', 'else'].map((keyword) => [keyword, ANY])),
      ...{ properties: BY_NAME, additionalProperties: ANY, unevaluatedProperties: ANY },
      patternProperties: { ...BY_NAME, propertyNames: { format: 'regex' } },
      ...{ propertyNames: ANY, required: NAMES, minProperties: COUNT, maxProperties: COUNT },
      dependentRequired: { type: 'object', additionalProperties: NAMES },
      dependentSchemas: BY_NAME,
      dependencies: { type: 'object', additionalProperties: { anyOf: [ANY, NAMES] } },
      items: { anyOf: [ANY, { type: 'array', items: ANY }] },
      ...{ prefixItems: LIST, additionalItems: ANY, unevaluatedItems: ANY, contains: ANY },
      ...{ minContains: COUNT, maxContains: COUNT, minItems: COUNT, maxItems: COUNT },
      uniqueItems: { type: 'boolean' },
      ...{ minimum: NUMBER, maximum: NUMBER, exclusiveMinimum: bound, exclusiveMaximum: bound },
      multipleOf: { type: 'number', exclusiveMinimum: 0 },
      ...{ minLength: COUNT, maxLength: COUNT, format: TEXT },
      pattern: { type: 'string', format: 'regex' },
    },
  };
}
