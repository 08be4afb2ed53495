/**
 * Names that each tenant has for itself: business keys, and the ids of messages. What two tenants
 * call the same is kept under two names, each of which has its tenant in it. Of what belongs to no
 * tenant the name is kept as it was given.
 *
 * Stored rows are found by this, and migrations have the same rule as SQL: it is for ever.
 */
import { sha256 } from '../base/hash.ts';

/** Stands before the names of tenants, and hardly ever begins any other. */
const MARK = '\u001f';
/** Names stand in indexes, which take no long ones: of a longer tenant only the hash is there. */
const TENANT_CHARS_MAX = 60;

/** What a name of a tenant's is kept as. */
export function ownName(name: string, tenant: string | null): string {
  return tenant === null ? name : prefixOf(tenant) + name;
}

/** What the tenant calls it. */
export function givenName(own: string, tenant: string | null): string {
  return tenant === null ? own : own.slice(prefixOf(tenant).length);
}

/** The length keeps apart what would read the same when put together; a hash is longer than all. */
function prefixOf(tenant: string): string {
  const short = charsIn(tenant) <= TENANT_CHARS_MAX ? tenant : sha256(tenant);
  return `${MARK}${charsIn(short)} ${short}`;
}

/** As databases count them: not in units of UTF-16. */
function charsIn(text: string): number {
  return Array.from(text).length;
}
