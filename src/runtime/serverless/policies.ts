/**
 * Authentication policies of a call, made whole: a name stands for a policy of the definition, and
 * `use` in a scheme for a secret that has what the scheme would.
 *
 * Only what the author has written is read that way, where a policy can stand. What looks like one
 * in the data of an instance is data: whoever sends it would else be told secrets.
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Template } from '../../model/serverless.ts';
import { WorkflowError } from '../../model/workflow-error.ts';

export interface PolicyBook {
  /** A policy of the definition's, and what it came to; undefined if there is none. */
  policy(name: string): Written | undefined;
  /** A secret; throws if it is not to be had. */
  secret(name: string): Json;
}

/** A value, and how the author has written it. */
export interface Written {
  readonly template: Template;
  readonly value: Json;
}

/** What lies around a policy in the arguments of any call. */
const WAYS: ReadonlySet<string> = new Set([
  ...['endpoint', 'document', 'proto', 'service', 'transport', 'http', 'agentCard', 'server'],
  'source',
]);

/** The same arguments with every policy in them whole. */
export function wholePolicies({ template, value }: Written, book: PolicyBook): Json {
  if (!isJsonObject(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => {
    const written = memberOf(template, name);
    if (written === undefined) return [name, part] as const;
    const whole = { template: written, value: part };
    if (name === 'authentication') return [name, wholePolicy(whole, book)] as const;
    return [name, WAYS.has(name) ? wholePolicies(whole, book) : part] as const;
  });
  return Object.fromEntries(parts);
}

function wholePolicy(written: Written, book: PolicyBook): Json {
  if (!isJsonObject(written.value)) return written.value;
  const use = usedIn(written);
  const { template, value } = (use === undefined ? written : book.policy(use)) ?? NONE;
  if (!isJsonObject(value)) {
    const detail = `there is no policy ${JSON.stringify(use)}`;
    throw new WorkflowError('configuration', { detail });
  }
  const schemes = Object.entries(value).map(([scheme, given]) => {
    const how = memberOf(template, scheme);
    const secret = how === undefined ? undefined : usedIn({ template: how, value: given });
    return [scheme, secret === undefined ? given : book.secret(secret)] as const;
  });
  return Object.fromEntries(schemes);
}

const NONE: Written = { template: { lit: null }, value: null };

function usedIn({ template, value }: Written): string | undefined {
  const { use }: JsonObject = isJsonObject(value) ? value : {};
  return typeof use === 'string' && memberOf(template, 'use') !== undefined ? use : undefined;
}

/** What the author has written under a name; undefined where an expression makes it. */
function memberOf(template: Template, name: string): Template | undefined {
  if ('map' in template) return template.map.find(([each]) => each === name)?.[1];
  if (!('lit' in template) || !isJsonObject(template.lit)) return undefined;
  return Object.hasOwn(template.lit, name) ? { lit: template.lit[name] as Json } : undefined;
}
