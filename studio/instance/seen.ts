/** What a visit could read: the values of its scope and of those around it, the nearest first. */
import type { Instance, Json, JsonObject } from '../api/shapes.ts';
import type { Visit } from './visit.ts';

export interface Seen {
  readonly results: JsonObject;
  readonly vars: JsonObject;
}

/**
 * `then` is the instance after the commit in which it was born; a scope that came and went within
 * that commit is not there any more, and those around it tell the rest.
 */
export function seenBy({ scopes }: Pick<Visit, 'scopes'>, then: Instance): Seen {
  const byId = new Map(then.scopes.map((scope) => [scope.id, scope]));
  const results: Record<string, Json> = {};
  const vars: Record<string, Json> = {};
  const around = scopes.flatMap((id) => byId.get(id) ?? []);
  for (const scope of around.toReversed()) {
    Object.assign(results, scope.results);
    Object.assign(vars, scope.vars);
  }
  return { results, vars };
}
