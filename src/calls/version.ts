/** Who we are, for servers that ask: the name and the version of the package. */
import { readFileSync } from 'node:fs';

/** As far from the sources as from what is built of them. */
const MANIFEST = new URL('../../package.json', import.meta.url);

export interface Identity {
  readonly name: string;
  readonly version: string;
}

let identity: Identity | undefined;

export function packageIdentity(): Identity {
  identity ??= JSON.parse(readFileSync(MANIFEST, 'utf8')) as Identity;
  const { name, version } = identity;
  return { name, version };
}
