/**
 * A program run as a task, and its end as the output of that (RU-02..RU-06).
 *
 * Standard output and error are texts, less one line feed at the end, whatever they look like
 * . A program that ends with another code than 0 has failed, unless the code or its standard
 * error is what was asked for. The task of one that is not awaited is over as soon as it has begun,
 * with its input as its output; the process then is on its own: neither a timeout nor the end of
 * the host ends it, and what it writes nobody reads.
 */
import type { Json } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import type { CallResult, Calling } from '../calling.ts';
import {
  type Ended,
  letGo,
  type Outputs,
  type Program,
  seeThrough,
  startProcess,
} from './process.ts';
import {
  limitsOf,
  returnOf,
  type RunOptions,
  type RunReturn,
  type RunWanted,
} from './run-options.ts';

/** Of standard error in an error's detail: the end, where the reason is. */
export const DETAIL_CHARS_MAX = 4_000;

export async function runProgram(
  calling: Calling,
  program: Program,
  wanted: RunWanted,
  options: RunOptions,
): Promise<CallResult> {
  calling.signal.throwIfAborted();
  const returned = returnOf(wanted);
  const outputs = wanted.await ? outputsOf(returned) : null;
  const child = await startProcess(program, outputs);
  if (child === undefined) throw notFound(program.file);
  if (outputs === null) {
    letGo(child);
    return { output: calling.input };
  }
  const { signal } = calling;
  const ended = await seeThrough(child, outputs, { signal, limits: limitsOf(options) });
  return { output: outputOf(calling, ended, returned) };
}

export function outputsOf(wanted: RunReturn): Outputs {
  const isAll = wanted === 'all';
  return { stdout: isAll || wanted === 'stdout', stderr: isAll || wanted === 'stderr' };
}

/** What a process has ended with, as what was wanted of it, or as an error. */
export function outputOf(calling: Calling, ended: Ended, wanted: RunReturn): Json {
  const { code } = ended;
  const [stdout, stderr] = [withoutLineFeed(ended.stdout), withoutLineFeed(ended.stderr)];
  if (wanted === 'code') return code;
  if (wanted === 'stderr') return stderr;
  if (wanted === 'all') return { code, stdout, stderr };
  if (code !== 0) {
    const title = `The process ended with exit code ${code}`;
    throw new WorkflowError('runtime', { title, detail: complaintOf(calling, stderr) });
  }
  return wanted === 'none' ? null : stdout;
}

/** Its last words, without secrets: these are looked for before anything is cut off. */
export function complaintOf(calling: Calling, stderr: string): string {
  const said = calling.hide(stderr).trim();
  if (said === '') return 'it wrote nothing to stderr';
  return said.length > DETAIL_CHARS_MAX ? `…${said.slice(1 - DETAIL_CHARS_MAX)}` : said;
}

function withoutLineFeed(text: string): string {
  return text.replace(/\r?\n$/, '');
}

function notFound(file: string): WorkflowError {
  const detail = `"${file}" is not on the PATH: install it, or tell the engine where it is`;
  return new WorkflowError('configuration', { detail });
}
