/**
 * What somebody is given, as options say it: scopes or a role, a tenant, groups. Read once, where
 * it is configured, so that a word that nobody knows is found there, and not by somebody who is
 * refused.
 */
import { wrong } from '../wrong.ts';
import { ROLES, SCOPES, type Role, type Scope } from './principal.ts';

/** One of the two. */
export interface Grant {
  readonly role?: Role;
  readonly scopes?: readonly Scope[];
}

/** Of ids, tenants and groups: as long as the names of people that tasks have. */
export const NAME_CHARS_MAX = 250;
const NAME = new RegExp(String.raw`^[^\p{Cc}\p{Cs}]{1,${NAME_CHARS_MAX}}$`, 'u');

/** Something that can stand in histories and logs for who did it, or for whom. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value);
}

export function isRole(value: unknown): value is Role {
  return typeof value === 'string' && Object.hasOwn(ROLES, value);
}

export function isScope(value: unknown): value is Scope {
  return SCOPES.some((scope) => scope === value);
}

/** `what` is who is given it, for whoever has to mend it. */
export function readScopes(what: string, { role, scopes }: Grant): ReadonlySet<Scope> {
  if ((role === undefined) === (scopes === undefined)) {
    throw wrong(`${what} has either a role or scopes, so that it is said what it may`);
  }
  if (scopes === undefined) {
    if (isRole(role)) return new Set(ROLES[role]);
    throw wrong(`${what} has a role that is none of ${Object.keys(ROLES).join(', ')}`);
  }
  if (!Array.isArray(scopes) || scopes.length === 0 || !scopes.every(isScope)) {
    throw wrong(`${what} has a list of scopes, one or more of ${SCOPES.join(', ')}`);
  }
  return new Set(scopes);
}

/** Nobody is in charge of all tenants because a field was forgotten: null is said. */
export function readTenant(what: string, tenant: unknown): string | null {
  if (tenant === null || isName(tenant)) return tenant;
  throw wrong(
    `${what} has a tenant, a name of 1 to ${NAME_CHARS_MAX} characters; or null, for all of them`,
  );
}

export function readGroups(what: string, groups: unknown): readonly string[] {
  if (Array.isArray(groups) && groups.every(isName)) return [...groups];
  throw wrong(`${what} has groups, a list of names of 1 to ${NAME_CHARS_MAX} characters`);
}
