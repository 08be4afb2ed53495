/**
 * Authentication policies of a call, made whole: a name stands for a policy of the definition, and
 * `use` in a scheme for a secret that has what the scheme would.
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';

export interface PolicyBook {
  /** A policy of the definition's, evaluated. */
  policy(name: string): Json;
  /** A secret; throws if it is not to be had. */
  secret(name: string): Json;
}

/** The same arguments with every policy in them whole. */
export function wholePolicies(value: Json, book: PolicyBook): Json {
  if (Array.isArray(value))
    return (value as readonly Json[]).map((part) => wholePolicies(part, book));
  if (!isJsonObject(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => {
    const isPolicy = name === 'authentication' && isJsonObject(part);
    return [name, isPolicy ? wholePolicy(part, book) : wholePolicies(part, book)] as const;
  });
  return Object.fromEntries(parts);
}

function wholePolicy(policy: JsonObject, book: PolicyBook): JsonObject {
  const { use } = policy;
  const named = typeof use === 'string' ? book.policy(use) : policy;
  if (!isJsonObject(named)) {
    throw new WorkflowError('configuration', {
      detail: `there is no policy ${JSON.stringify(use)}`,
    });
  }
  const schemes = Object.entries(named).map(([scheme, given]) => {
    const { use: secret } = isJsonObject(given) ? given : {};
    return [scheme, typeof secret === 'string' ? book.secret(secret) : given] as const;
  });
  return Object.fromEntries(schemes);
}
