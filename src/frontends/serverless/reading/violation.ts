/**
 * What a validator made by ajv says, and what is meant by it: which part of the schema does not
 * hold, and for what.
 */
import type { Json } from '../../../base/json.ts';
import { findPart, stepsOf } from './pointer.ts';
import { WORKFLOW_SCHEMA } from './schema.ts';
import type { Schema } from './schema-parts.ts';

/** One keyword of the schema that does not hold. */
export interface Violation {
  /** Where in the value, as a pointer. */
  readonly instancePath: string;
  /** Which keyword, as a pointer into the schema that begins with `#`. */
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Keeps what it found last in `errors`, as ajv's functions do. */
export interface Validate {
  (value: unknown): boolean;
  errors?: readonly Violation[] | null;
}

/** A violation with everything that is said of it. */
export interface Offence {
  readonly keyword: string;
  /** What the keyword stands in. */
  readonly schema: Schema;
  readonly pointer: string;
  readonly value: Json | undefined;
  /** The property that is missing or not known, if it is about one. */
  readonly property: string;
}

export function offenceOf(document: Json, violation: Violation): Offence {
  const { keyword, schemaPath, instancePath, params } = violation;
  const property = params['missingProperty'] ?? params['additionalProperty'];
  return {
    keyword,
    schema: schemaAt(schemaPath),
    pointer: instancePath,
    value: findPart(document, ...stepsOf(instancePath)) as Json | undefined,
    property: typeof property === 'string' ? property : '',
  };
}

function schemaAt(schemaPath: string): Schema {
  return Object(findPart(WORKFLOW_SCHEMA, ...stepsOf(schemaPath).slice(0, -1))) as Schema;
}

/** What a schema refers to, if it does nothing but refer. */
export function resolved(schema: Schema): Schema {
  const name = schema.$ref?.slice('#/$defs/'.length);
  return name === undefined ? schema : (WORKFLOW_SCHEMA.$defs?.[name] ?? schema);
}
