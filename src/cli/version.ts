/** The version of the package, from the one place that has it. */
import { readFileSync } from 'node:fs';

/** As far from the sources as from what is built of them. */
const MANIFEST = new URL('../../package.json', import.meta.url);

export function versionText(): string {
  const { version } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string };
  return version;
}
