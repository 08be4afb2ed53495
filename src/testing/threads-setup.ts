/**
 * Has the types of our threads stripped once, instead of by every thread that is started.
 *
 * From a checkout a thread is TypeScript, and Node strips it by a module of WebAssembly that each
 * thread loads for itself. A run of the tests starts and ends thousands of threads, and V8 13.6
 * (Node 24.21) does not survive that: about one thread in a thousand frees code of one that has
 * ended, and the process dies (SIGSEGV, or `Check failed: jit_page.has_value()`). Node keeps what
 * it has stripped in its compile cache, and a thread that finds it there loads no WebAssembly: a
 * program of 60 threads that had died within 16 runs did not in 80, in half the time (2026-11).
 * Programs that tests start from the sources find it there, too.
 *
 * The published package is JavaScript and strips nothing.
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/perdure-tests');
const THREADS = [
  ...['../stores/sqlite/thread.ts', '../stores/postgres/thread.ts'],
  '../calls/scripts/thread.ts',
];
/** A thread that is told nothing is of no use, but by then all of it has been read. */
const READ = `import(require('node:worker_threads').workerData).finally(() => process.exit())`;

/** Threads and processes that are started later find the cache by the environment. */
export async function setup(): Promise<void> {
  process.env['NODE_COMPILE_CACHE'] ??= CACHE;
  for (const thread of THREADS) await read(new URL(thread, import.meta.url));
}

function read(thread: URL): Promise<void> {
  const worker = new Worker(READ, { eval: true, execArgv: [], workerData: thread.href });
  return new Promise((resolve, reject) => {
    worker.once('exit', () => resolve());
    worker.once('error', reject);
  });
}
