/**
 * The peers: installed beside this file on first use, never part of the package.
 *
 * They are imported by name and not by a literal, and typed by the little we use of them, so that
 * `npm run check` needs none of them.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Exact versions by name, as package.json pins them. */
export function peerVersions(): Readonly<Record<string, string>> {
  return readManifest('package.json')?.dependencies ?? {};
}

export function installPeers(): void {
  if (areInstalled()) return;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  console.error(`bench: installing the peers that bench/package-lock.json names (npm ${args[0]})`);
  const { status } = runNpm(args);
  if (status === 0 && areInstalled()) return;
  console.error('bench: the peers could not be installed; what npm said is above');
  process.exit(1);
}

export async function importPeer<Module>(name: string): Promise<Module> {
  return (await import(name)) as Module;
}

function areInstalled(): boolean {
  return Object.entries(peerVersions()).every(
    ([name, version]) => readManifest(`node_modules/${name}/package.json`)?.version === version,
  );
}

function readManifest(file: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Manifest;
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined;
    throw thrown;
  }
}

/** The npm that runs this program, if one does. Stdout is kept for the last line of the bench. */
function runNpm(args: readonly string[]): { status: number | null } {
  const npm = process.env['npm_execpath'];
  const cwd = new URL('.', import.meta.url);
  const stdio: ['ignore', number, number] = ['ignore', 2, 2];
  if (npm?.endsWith('.js') === true) return spawnSync(process.execPath, [npm, ...args], { cwd, stdio });
  return spawnSync('npm', args, { cwd, stdio, shell: process.platform === 'win32' });
}
