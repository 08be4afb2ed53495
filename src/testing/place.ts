/** Where a store lies, as a text that one process can hand to another. */
import { assert } from '../base/assert.ts';
import { postgres } from '../stores/postgres/postgres.ts';
import { sqlite } from '../stores/sqlite/sqlite.ts';
import type { Store } from '../stores/store.ts';

const SQLITE = 'sqlite:';

/** `sqlite:PATH`, or `postgres://…?schema=NAME`. Not open yet. */
export function storeAt(place: string): Store {
  const file = fileOf(place);
  if (file !== undefined) return sqlite(file);
  const schema = new URL(place).searchParams.get('schema');
  assert(schema !== null, 'a place in Postgres names its schema');
  return postgres(urlOf(place), { schema });
}

/** The server and the database of a place in Postgres, as any client of it takes them. */
export function urlOf(place: string): string {
  const url = new URL(place);
  url.searchParams.delete('schema');
  return url.href;
}

/** Undefined if it is in no file of its own. */
export function fileOf(place: string): string | undefined {
  return place.startsWith(SQLITE) ? place.slice(SQLITE.length) : undefined;
}

export function placeIn(file: string): string {
  return `${SQLITE}${file}`;
}

export function placeAt(url: string, schema: string): string {
  const place = new URL(url);
  place.searchParams.set('schema', schema);
  return place.href;
}
