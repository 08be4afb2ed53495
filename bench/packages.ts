/**
 * The peers: installed beside this file on first use, never part of the package.
 *
 * They are imported by name and not by a literal, and typed by the little we use of them, so that
 * checking our code needs none of them.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Exact versions by name, as package.json pins them. */
export function packageVersions(): Readonly<Record<string, string>> {
  const text = readFileSync(new URL('package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { dependencies: Record<string, string> }).dependencies;
}

/** For whoever runs the program without npm, which does this first. Stdout is for the result. */
export function installPackages(): void {
  const setup = fileURLToPath(new URL('../scripts/setup.mjs', import.meta.url));
  const { fd } = process.stderr;
  const { status } = spawnSync(process.execPath, [setup, 'bench'], { stdio: ['ignore', fd, fd] });
  if (status !== 0) process.exit(status ?? 1);
}

export async function importPackage<Module>(name: string): Promise<Module> {
  return (await import(name)) as Module;
}
