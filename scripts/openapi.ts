/**
 * Makes `docs/openapi.json` from the routes of the HTTP API, for whoever generates a client without
 * having a server at hand.
 *
 *     node scripts/openapi.ts
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { documentOf } from '../src/server/openapi.ts';
import { ROUTES } from '../src/server/routes.ts';

const FILE = join(import.meta.dirname, '../docs/openapi.json');

/** What the file must hold. */
export function documentText(): string {
  return `${JSON.stringify(documentOf(ROUTES, ''), null, 2)}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(FILE, documentText());
}
