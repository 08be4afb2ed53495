/**
 * What instances are found by (`Plan.search`): of each name the variable of the whole instance, and
 * for as long as there is none the field of the input. Of a chain, the field of its context.
 *
 * It is told at the end of a stride, once for each name that came to mean something else in it. The
 * changes are read and not the instance, since the stride that ends one takes its variables along.
 * Nobody but who looks for instances has a use for it: it alters nothing.
 */
import { EMPTY, isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { type Attribute, attributeOf } from '../model/attribute.ts';
import type { Change } from '../model/change.ts';
import type { ScopeId } from '../model/ids.ts';
import type { Instance } from './instance.ts';
import { aboutOf, isChain } from './chain.ts';
import type { Stride } from './stride.ts';

/** The first number that an instance gives. */
const ROOT = 1 as ScopeId;

export function recordTags(stride: Stride, before: Instance): void {
  const { search } = stride.machine.plan;
  if (search.length === 0) return;
  const told = new Map<string, Json>();
  for (const change of stride.changes) {
    const said = wordOf(stride, change, before);
    if (said === null) continue;
    for (const name of search) {
      if (Object.hasOwn(said.values, name)) told.set(name, said.values[name] ?? null);
      else if (said.isAll) told.set(name, null);
    }
  }
  for (const [name, value] of told) {
    const { KEY_CHARS_MAX } = stride.machine.limits;
    const tag = attributeOf(value, KEY_CHARS_MAX);
    if (tag === knownBefore(stride, before, name)) continue;
    stride.record({ did: 'tag', name, value: tag });
  }
}

/** The instance is no longer found by these: it goes on by a plan that does not name them. */
export function forgetTags(stride: Stride, names: readonly string[]): void {
  for (const name of names) {
    if (stride.machine.plan.search.includes(name)) continue;
    stride.record({ did: 'tag', name, value: null });
  }
}

/** Values, and whether there are no others. */
interface Word {
  readonly values: JsonObject;
  readonly isAll: boolean;
}

function wordOf(stride: Stride, change: Change, before: Instance): Word | null {
  switch (change.did) {
    case 'set-output':
      return isChain(stride) ? { values: fieldsOf(change.output), isAll: true } : null;
    case 'start-instance':
      return { values: fieldsOf(change.instance.input), isAll: false };
    case 'open-scope':
      return change.scope.id === ROOT ? { values: change.scope.vars ?? EMPTY, isAll: false } : null;
    case 'write': {
      const { scope, space, name, value } = change;
      const isOurs = scope === ROOT && space === 'vars';
      return isOurs ? { values: { [name]: value }, isAll: false } : null;
    }
    case 'restore': {
      const { output, scopes, tokens } = change.as;
      const { input } = stride.scratch.head;
      if (isChain(stride)) {
        return { values: fieldsOf(aboutOf({ output, input }, tokens)), isAll: true };
      }
      const vars = scopes.find(({ id }) => id === ROOT)?.vars ?? EMPTY;
      return { values: { ...fieldsOf(input), ...vars }, isAll: true };
    }
    case 'migrate':
      return { values: valuesOf(before, isChain(stride)), isAll: true };
    default:
      return null;
  }
}

/** Undefined if it is not sure what the store has: then it is told in any case. */
function knownBefore(stride: Stride, before: Instance, name: string): Attribute | null | undefined {
  const { machine } = stride;
  const { version, plan, endedAt } = before.head;
  // Nothing is known of one that starts, and so there is nothing to forget.
  if (version === 0) return null;
  if (plan !== machine.plan.hash || endedAt !== null) return undefined;
  const values = valuesOf(before, isChain(stride));
  return attributeOf(values[name], machine.limits.KEY_CHARS_MAX);
}

function valuesOf(instance: Instance, chained: boolean): JsonObject {
  if (chained) return fieldsOf(aboutOf(instance.head, instance.tokens.values()));
  const { head, scopes } = instance;
  return { ...fieldsOf(head.input), ...scopes.get(ROOT)?.vars.object };
}

function fieldsOf(value: Json): JsonObject {
  return isJsonObject(value) ? value : EMPTY;
}
