/**
 * The thread of one JavaScript script. It loads the interpreter, says so, runs the script and says
 * how that ended. It holds no secrets but those the script was given, and ends with the script.
 */
import { parentPort } from 'node:worker_threads';
import type { QuickJSSyncVariant, QuickJSWASMModule } from 'quickjs-emscripten-core';
import { assert } from '../../base/assert.ts';
import { runSandboxed } from './sandbox.ts';
import type { ScriptTold, ThreadWord } from './script-told.ts';

/** A page of WebAssembly's memory. */
const PAGE_BYTES = 65_536;
/** What the interpreter is born with, and has for itself. */
const OWN_BYTES = 16_777_216;

/** Part of Node, but named by no types that we have. */
declare const WebAssembly: {
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => object;
};

assert(parentPort !== null, 'this file is started as a thread');
const port = parentPort;
const say = (word: ThreadWord): void => port.postMessage(word);
port.once('message', (told: ScriptTold) => void run(told));

/** What it throws is an error of the thread, and ends it. */
async function run(told: ScriptTold): Promise<void> {
  const quickjs = await loadQuickJs(told.limits.SCRIPT_MEMORY_BYTES_MAX);
  if (quickjs === undefined) return say({ end: 'missing' });
  say({ end: 'begun' });
  say(runSandboxed(quickjs, told));
}

/** Undefined if it is not installed. */
async function loadQuickJs(bytesMax: number): Promise<QuickJSWASMModule | undefined> {
  try {
    const core = await import('quickjs-emscripten-core');
    const variant = await import('@jitl/quickjs-ng-wasmfile-release-sync');
    const maximum = Math.ceil((OWN_BYTES + bytesMax) / PAGE_BYTES);
    const wasmMemory = new WebAssembly.Memory({ initial: OWN_BYTES / PAGE_BYTES, maximum });
    // Its types are those of CommonJS, where what is exported by default lies one deeper.
    const sync = variant.default as unknown as QuickJSSyncVariant;
    return await core.newQuickJSWASMModuleFromVariant(core.newVariant(sync, { wasmMemory }));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw thrown;
  }
}
