/**
 * Arguments of a call, read by what they must be. Schemas have checked a definition before, so what
 * is wrong here has come out of an expression.
 */
import { EMPTY, isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { WorkflowError } from '../model/workflow-error.ts';

export interface Endpoint {
  readonly uri: string;
  readonly authentication?: JsonObject;
}

export function textArgument(name: string, value: Json | undefined): string {
  if (typeof value === 'string' && value !== '') return value;
  throw wrong(name, 'a text', value);
}

/** Empty if it is not given. */
export function mapArgument(name: string, value: Json | undefined): JsonObject {
  if (value === undefined || value === null) return EMPTY;
  if (isJsonObject(value)) return value;
  throw wrong(name, 'an object', value);
}

/** False if it is not given. */
export function flagArgument(name: string, value: Json | undefined): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'boolean') return value;
  throw wrong(name, 'true or false', value);
}

/** A URI, or that with an authentication policy. */
export function endpointArgument(name: string, value: Json | undefined): Endpoint {
  if (!isJsonObject(value)) return { uri: textArgument(name, value) };
  const uri = textArgument(`${name}.uri`, value['uri']);
  const policy = value['authentication'] ?? null;
  if (policy === null) return { uri };
  return { uri, authentication: mapArgument(`${name}.authentication`, policy) };
}

/** What came is told by its kind: it may hold a secret. */
function wrong(name: string, expected: string, value: Json | undefined): WorkflowError {
  return new WorkflowError('configuration', {
    detail: `"${name}" is ${expected}, and ${value === undefined ? 'is missing' : kindOf(value)}`,
  });
}

function kindOf(value: Json): string {
  if (value === null) return 'was given null';
  if (value === '') return 'was given an empty text';
  if (Array.isArray(value)) return 'was given a list';
  return `was given ${typeof value === 'object' ? 'an object' : `a ${typeof value}`}`;
}
