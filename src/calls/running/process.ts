/**
 * A process, from its start to its end, with everything it has started.
 *
 * It leads a group of its own. If nobody waits for it any more, or if it writes too much, the whole
 * group is asked to end, and what is still there after a moment is killed. It is over when it has
 * ended and its output has: what it has left in the background is waited for while that can still
 * write, as it is by `$(…)` of a shell.
 *
 * What Node says of a process that could not be started holds all of its arguments; so it is told
 * anew here, without them.
 */
import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { WorkflowError } from '../../model/workflow-error.ts';
import type { RunLimits } from './run-options.ts';

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Null: it finds nothing there. */
  readonly stdin: string | null;
  /** What it finds behind descriptor 3. */
  readonly handed?: string;
}

/** Which of its outputs are wanted whole. Of stderr the end is there anyway, for errors. */
export interface Outputs {
  readonly stdout: boolean;
  readonly stderr: boolean;
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** As much as an error can show, and enough before it for a secret to be found whole. */
const TAIL_BYTES = 65_536;
/** By custom, what was killed by a signal has this and its number. */
const KILLED_CODE = 128;

/** Undefined: there is no such program. With no outputs it writes to nowhere. */
export async function startProcess(
  { file, args, env, stdin, handed }: Program,
  outputs: Outputs | null,
): Promise<ChildProcess | undefined> {
  const parts = [...args, ...Object.values(env)];
  if (parts.some((text) => text.includes('\0'))) {
    throw unstartable(file, 'an argument or a variable of its environment has a NUL in it');
  }
  const stdio: StdioOptions = [
    stdin === null ? 'ignore' : 'pipe',
    outputs?.stdout === true ? 'pipe' : 'ignore',
    outputs === null ? 'ignore' : 'pipe',
    handed === undefined ? 'ignore' : 'pipe',
  ];
  try {
    const child = spawn(file, args, { env, stdio, detached: true, windowsHide: true });
    await once(child, 'spawn');
    feed(child.stdin, stdin);
    feed(child.stdio[3], handed ?? null);
    return child;
  } catch (thrown) {
    const { code = 'no reason is known' } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code !== 'E2BIG') throw unstartable(file, code);
    throw unstartable(file, 'its arguments and environment are too long; hand them in by stdin');
  }
}

/** Waits for its end, or has it end once the signal is aborted; then throws the signal's reason. */
export async function seeThrough(
  child: ChildProcess,
  wanted: Outputs,
  { signal, limits }: { readonly signal: AbortSignal; readonly limits: RunLimits },
): Promise<Ended> {
  const max = limits.OUTPUT_BYTES_MAX;
  let flooded: string | undefined;
  let isEnding = false;
  const stop = (): void => {
    if (!isEnding) endGroup(child, limits.KILL_GRACE_MS);
    isEnding = true;
  };
  const flood = (stream: string): void => {
    flooded ??= stream;
    stop();
  };
  const stdout = gather(child.stdout, max, () => flood('stdout'));
  const stderr = wanted.stderr
    ? gather(child.stderr, max, () => flood('stderr'))
    : keepLast(child.stderr);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const [code, killer] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (flooded !== undefined) {
    const detail = `the process wrote more than OUTPUT_BYTES_MAX ${max} bytes to ${flooded}`;
    throw new WorkflowError('runtime', { detail });
  }
  return { code: code ?? killedCode(killer), stdout: stdout(), stderr: stderr() };
}

/** From here on it is nobody's: it goes on when its task has ended, and when its host has. */
export function letGo(child: ChildProcess): void {
  child.on('error', () => {});
  child.unref();
}

export function unstartable(file: string, why: string): WorkflowError {
  return new WorkflowError('configuration', { detail: `"${file}" cannot be started: ${why}` });
}

/** What does not read its input breaks the pipe, which is its right. */
function feed(stream: ChildProcess['stdio'][number] | undefined, text: string | null): void {
  if (stream === null || stream === undefined || !('write' in stream) || text === null) return;
  stream.on('error', () => {});
  stream.end(text);
}

/** All that a stream says, unless it is more than may be: then `flood` is told. */
function gather(stream: Readable | null, bytesMax: number, flood: () => void): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream?.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > bytesMax) flood();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

/** The end of what a stream says. */
function keepLast(stream: Readable | null): () => string {
  let kept = Buffer.alloc(0);
  stream?.on('data', (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk]).subarray(-TAIL_BYTES);
  });
  return () => kept.toString('utf8');
}

function killedCode(killer: NodeJS.Signals | null): number {
  return KILLED_CODE + (killer === null ? 0 : constants.signals[killer]);
}

function endGroup(child: ChildProcess, graceMs: number): void {
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => {
    signalGroup(child, 'SIGKILL');
    // What has left the group may hold its output open for as long as it likes.
    child.stdout?.destroy();
    child.stderr?.destroy();
  }, graceMs);
  // Its leader has ended, but others of the group may not have heard us.
  child.once('close', () => {
    if (!signalGroup(child, 0)) clearTimeout(timer);
  });
}

/** False if nobody is there any more. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  if (process.platform === 'win32') return child.kill(signal);
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}
