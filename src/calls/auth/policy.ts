/**
 * Reading an authentication policy whose expressions and secrets are in their places.
 *
 * What is wrong with one is said by its path and its type: its values are secrets.
 */
import { createHash } from 'node:crypto';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';

/** A part of a policy, and where it lies: `oauth2`, `oauth2.client`. */
export interface Part {
  readonly path: string;
  readonly values: JsonObject;
}

/** The text of that name; throws `configuration` if there is none. */
export function textOf(part: Part, name: string): string {
  const text = findText(part, name);
  if (text === undefined) throw wrong(`${part.path}.${name} is missing: it is a text`);
  return text;
}

/** The first of these names that there is. */
export function findText(part: Part, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = valueOf(part, name);
    if (value === undefined || value === null) continue;
    if (typeof value === 'string') return value;
    throw wrong(`${part.path}.${name} is a text; came ${kindOf(value)}`);
  }
  return undefined;
}

export function textsOf(part: Part, name: string): readonly string[] {
  const list = valueOf(part, name) ?? [];
  const isList = Array.isArray(list) && list.every((item) => typeof item === 'string');
  if (!isList) throw wrong(`${part.path}.${name} is a list of texts; came ${kindOf(list)}`);
  return list;
}

export function findPart(part: Part, name: string): Part | undefined {
  const values = valueOf(part, name) ?? undefined;
  const path = `${part.path}.${name}`;
  if (values === undefined) return undefined;
  if (!isJsonObject(values)) throw wrong(`${path} is an object; came ${kindOf(values)}`);
  return { path, values };
}

/** One of these texts, the first of them by default. */
export function choiceOf<Choice extends string>(
  part: Part,
  name: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const text = findText(part, name);
  if (text === undefined) return choices[0];
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw wrong(`${part.path}.${name} is one of ${choices.join(', ')}`);
  return found;
}

export function wrong(detail: string): WorkflowError {
  return new WorkflowError('configuration', { detail: `authentication: ${detail}` });
}

/** The same for the same policy; says nothing of what is in it. */
export function fingerprintOf(policy: Json): string {
  return createHash('sha256').update(canonicalJson(policy)).digest('base64url');
}

function valueOf({ values }: Part, name: string): Json | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
