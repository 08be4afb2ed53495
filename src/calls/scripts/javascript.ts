/**
 * A JavaScript script, in a thread of its own (SC-01, SC-06).
 *
 * The thread is there for one script, and is ended with it: when the script is done, when nobody
 * waits for it any more, and when its time is over, whatever it is at. A script that is not awaited
 * goes on in its thread, with the same limits; unlike a process it ends with its host.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { unreachable } from '../../base/assert.ts';
import { type Json, parseJson } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import type { CallResult, Calling } from '../calling.ts';
import { returnOf, type RunWanted } from '../running/run-options.ts';
import { complaintOf, outputOf } from '../running/run-program.ts';
import type { ScriptEnd, ScriptEnded, ScriptLimit, ScriptTold, ThreadWord } from './script-told.ts';

/** Beside this file, as source or as compiled. */
const THREAD = new URL(`./thread${extname(import.meta.url)}`, import.meta.url);
/** What the thread itself needs, beside the script's memory: outputs, and what makes them. */
const THREAD_HEAP_MB_MAX = 256;
/** A script that sees the time itself is ended by itself, and says more. */
const LATE_MS = 1_000;
const PACKAGES = 'quickjs-emscripten-core @jitl/quickjs-ng-wasmfile-release-sync';

type Ending = ScriptEnd | { readonly end: 'missing' } | { readonly end: 'broken'; why: string };

const LIMITS: Readonly<Record<ScriptLimit, string>> = {
  SCRIPT_MS_MAX: 'it ran for more milliseconds than',
  SCRIPT_MEMORY_BYTES_MAX: 'it wanted more bytes of memory than',
  OUTPUT_BYTES_MAX: 'it wrote or returned more bytes than',
};

export async function runJavaScript(
  calling: Calling,
  told: ScriptTold,
  wanted: RunWanted,
): Promise<CallResult> {
  const { signal } = calling;
  signal.throwIfAborted();
  const thread = startThread(told);
  if (!wanted.await) {
    if ((await thread.begun) === 'missing') throw notInstalled();
    thread.worker.unref();
    return { output: calling.input };
  }
  const stop = (): void => void thread.worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  const ending = await thread.ended;
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  return { output: readEnding(calling, ending, told, wanted) };
}

interface Thread {
  readonly worker: Worker;
  /** How far it has come at first: the script runs, or never will. */
  readonly begun: Promise<'begun' | Ending['end']>;
  readonly ended: Promise<Ending>;
}

function startThread(told: ScriptTold): Thread {
  const worker = new Worker(THREAD, {
    // Without our own flags: a program started with `--eval` could not start it.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB_MAX },
    // What the interpreter says as it breaks is nobody's output. It is not even read: who reads it
    // keeps the process alive for it.
    stderr: true,
    name: 'perdure-script',
  });
  worker.postMessage(told);
  const ended = new Promise<Ending>((resolve) => {
    const end = (ending: Ending): void => {
      resolve(ending);
      void worker.terminate();
    };
    const late = (): void => end({ end: 'limit', limit: 'SCRIPT_MS_MAX' });
    worker.on('message', (word: ThreadWord) => {
      if (word.end !== 'begun') end(word);
      else setTimeout(late, told.limits.SCRIPT_MS_MAX + LATE_MS).unref();
    });
    worker.once('error', (thrown: NodeJS.ErrnoException) => end(brokenBy(thrown)));
    worker.once('exit', () => end({ end: 'broken', why: 'its thread has ended' }));
  });
  const first = new Promise<'begun'>((resolve) => {
    worker.once('message', (word: ThreadWord) => word.end === 'begun' && resolve('begun'));
  });
  return { worker, begun: Promise.race([first, ended.then(({ end }) => end)]), ended };
}

function brokenBy({ code, message }: NodeJS.ErrnoException): Ending {
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return { end: 'limit', limit: 'SCRIPT_MEMORY_BYTES_MAX' };
  }
  return { end: 'broken', why: message };
}

function readEnding(calling: Calling, ending: Ending, told: ScriptTold, wanted: RunWanted): Json {
  switch (ending.end) {
    case 'missing':
      throw notInstalled();
    case 'broken':
      throw failed(`the interpreter failed: ${calling.hide(ending.why)}`);
    case 'limit':
      throw failed(`${LIMITS[ending.limit]} ${ending.limit} ${told.limits[ending.limit]}`);
    case 'ended':
      return readEnded(calling, ending, wanted);
    default:
      return unreachable(ending);
  }
}

function readEnded(calling: Calling, ended: ScriptEnded, wanted: RunWanted): Json {
  const { code, value, thrown } = ended;
  if (wanted.return === undefined && code === 0 && value !== null) return parseJson(value);
  const returned = returnOf(wanted);
  const isFailure = returned === 'stdout' || returned === 'none';
  if (thrown !== null && isFailure) throw failed(complaintOf(calling, thrown));
  return outputOf(calling, ended, returned);
}

function failed(detail: string): WorkflowError {
  return new WorkflowError('runtime', { title: 'The script failed', detail });
}

function notInstalled(): WorkflowError {
  const detail = `JavaScript runs in QuickJS, which is not installed: npm install ${PACKAGES}`;
  return new WorkflowError('configuration', { detail });
}
