/**
 * Messages of one tenant: kept for its instances alone, and under ids of its own. What two tenants
 * publish under the same id are two messages, and each sees the id that it gave.
 */
import type { Message } from '../model/input.ts';
import { givenName, ownName } from '../model/own-names.ts';
import type { NewMessage } from '../stores/store.ts';

/** For everyone if there is no tenant. */
export function ofTenant(message: NewMessage, tenant: string | null): NewMessage {
  if (tenant === null) return message;
  return { ...message, tenant, id: ownName(message.id, tenant) };
}

/** The id that whoever published it gave. */
export function idGiven({ id, tenant }: Message): string {
  return givenName(id, tenant ?? null);
}
