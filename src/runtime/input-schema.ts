/**
 * What a flow is started with, as JSON Schema, for whoever makes a form of it. It is told as far as
 * it is known and never asked: inputs are checked by the author's own schema.
 */
import type { StandardJSONSchemaV1 } from '@standard-schema/spec';
import { isJsonObject, type JsonObject, parseJson } from '../base/json.ts';
import type { Plan } from '../model/plan.ts';
import type { Registered } from './library.ts';

const TARGET = 'draft-2020-12';

export function inputSchemaOf({ definition, plan }: Registered): JsonObject | null {
  return definition.schema === undefined ? ofWorkflow(plan) : ofAuthor(definition.schema);
}

/** A Serverless Workflow has its own, in its first node. */
function ofWorkflow(plan: Plan): JsonObject | null {
  const start = plan.nodes.get(plan.start);
  if (start?.kind !== 'sw-workflow' || !isJsonObject(start.config)) return null;
  const input = start.config['input'];
  const schema = isJsonObject(input) ? input['schema'] : undefined;
  return isJsonObject(schema) ? schema : null;
}

/** Not every library can say it, nor any library of every schema: then it throws. */
function ofAuthor(schema: unknown): JsonObject | null {
  try {
    const { jsonSchema } = (schema as Partial<StandardJSONSchemaV1>)['~standard'] ?? {};
    const told = parseJson(JSON.stringify(jsonSchema?.input({ target: TARGET }) ?? null));
    return isJsonObject(told) ? told : null;
  } catch {
    return null;
  }
}
