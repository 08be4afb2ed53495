/**
 * The command line of a container runtime: which one there is, and what is asked of it besides
 * running a container. What it is asked on the way out may fail: a container that is gone is gone.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { WorkflowError } from '../../model/workflow-error.ts';
import type { Cleanup } from './container-plan.ts';
import { type Ended, letGo, type Program, seeThrough, startProcess } from './process.ts';
import { inheritedEnvironment } from './process-arguments.ts';
import { RUN_LIMITS, type RunOptions } from './run-options.ts';

export interface Client {
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

const CLIENTS = ['docker', 'podman'];
/** Of the host's environment: which runtime its clients speak to. */
const OF_THE_HOST = /^(DOCKER_.+|CONTAINER_.+|CONTAINERS_.+|XDG_RUNTIME_DIR)$/;
/** How long a runtime may take for a word that is not the running of a container. */
const WORD_MS_MAX = 10_000;
/** `"$1"` the client and `$2` a label: what has it is removed, or what else the rest says. */
const FIND = 'ids=$("$1" ps --all --quiet --filter "label=$2")';
const WORD = `sleep "$1"; shift; ${FIND}; client=$1; shift 2; [ -z "$ids" ] || "$client" "$@" $ids`;
/** Runs the container, which is all but the first two words, and has it removed after a while. */
const RUN_AND_REAP = `
  after=$1 label=$2
  shift 2
  "$@"
  sleep "$after"
  set -- "$1" "$label"
  ${FIND}
  [ -z "$ids" ] || "$1" rm --force $ids
`;
const REMOVE = ['rm', '--force'];

/** The one the host has named, or the first of those that are usual. */
export function findClient(options: RunOptions): Client {
  const env = inheritedEnvironment(options);
  const names = options.containers === undefined ? CLIENTS : [options.containers];
  const file = names.find((name) => isThere(name, env['PATH'] ?? ''));
  if (file === undefined) {
    const asked = names.map((name) => `"${name}"`).join(' nor ');
    const many = names.length > 1 ? `neither ${asked} is` : `${asked} is not`;
    const detail = `no containers can be run here: ${many} on the PATH; install one of them`;
    throw new WorkflowError('configuration', { detail });
  }
  const own = Object.entries(process.env).filter(([name]) => OF_THE_HOST.test(name));
  return { file, env: { ...(Object.fromEntries(own) as Record<string, string>), ...env } };
}

/** What keeps the client from its runtime; undefined if nothing does. */
export async function findTrouble(client: Client): Promise<string | undefined> {
  const { code, stderr } = await ask(client, ['ps', '--quiet']);
  return code === 0 ? undefined : stderr;
}

/** Ends what may still be running, and removes it if it is to be removed always. */
export async function endContainer(client: Client, label: string, cleanup: Cleanup): Promise<void> {
  const verb = cleanup === 'always' ? REMOVE : ['kill'];
  await ask({ ...client, file: 'sh' }, wordFor(client, label, 0, verb));
}

/** Has a container removed in a while, by a process that does not need us for it. */
export async function reapLater(client: Client, label: string, cleanup: Cleanup): Promise<void> {
  if (typeof cleanup === 'string') return;
  const args = wordFor(client, label, cleanup.afterMs, REMOVE);
  const child = await startProcess({ file: 'sh', args, env: client.env, stdin: null }, null);
  if (child !== undefined) letGo(child);
}

/** The same in one process with the container, for one that nobody waits for. */
export function runAndReap(program: Program, label: string, cleanup: Cleanup): Program {
  if (typeof cleanup === 'string') return program;
  const words = [secondsOf(cleanup.afterMs), label, program.file, ...program.args];
  return { ...program, file: 'sh', args: ['-c', RUN_AND_REAP, 'sh', ...words] };
}

function wordFor(
  { file }: Client,
  label: string,
  afterMs: number,
  verb: readonly string[],
): readonly string[] {
  return ['-c', WORD, 'sh', secondsOf(afterMs), file, label, ...verb];
}

async function ask({ file, env }: Client, args: readonly string[]): Promise<Ended> {
  const outputs = { stdout: false, stderr: false };
  const signal = AbortSignal.timeout(WORD_MS_MAX);
  try {
    const child = await startProcess({ file, args, env, stdin: null }, outputs);
    if (child !== undefined)
      return await seeThrough(child, outputs, { signal, limits: RUN_LIMITS });
  } catch (thrown) {
    if (!signal.aborted && !(thrown instanceof WorkflowError)) throw thrown;
  }
  return { code: 1, stdout: '', stderr: `"${file} ${args[0]}" gave no answer` };
}

function isThere(name: string, path: string): boolean {
  const places = isAbsolute(name) ? [name] : path.split(delimiter).map((dir) => join(dir, name));
  return places.some((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Whole ones: not every `sleep` takes others. */
function secondsOf(ms: number): string {
  return `${Math.ceil(ms / 1_000)}`;
}
