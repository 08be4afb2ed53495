/**
 * A JavaScript script in QuickJS, which knows nothing of the world and cannot hold on to it.
 *
 * What a script wants is counted: the memory it has, the depth of its calls, what it writes and how
 * long it runs. The clock is looked at between its own instructions; whoever started the thread
 * looks, too, since a built-in function may be at work for minutes without any. After `exit` and
 * after a limit nothing of the script is heard any more, and it is interrupted.
 *
 * A sandbox is for one script: nothing is given back, and the thread ends with it.
 */
import { format, inspect } from 'node:util';
import type {
  QuickJSContext,
  QuickJSHandle,
  QuickJSRuntime,
  QuickJSWASMModule,
  VmCallResult,
} from 'quickjs-emscripten-core';
import { assert } from '../../base/assert.ts';
import { MODULES, PRELUDE } from './sandbox-prelude.ts';
import { formsOf } from './script-forms.ts';
import type { ScriptEnd, ScriptEnded, ScriptLimit, ScriptTold } from './script-told.ts';

/** Of the interpreter's own stack; beyond it a script is told that it calls too deep. */
const STACK_BYTES_MAX = 262_144;
/** What there is beyond the script's memory to tell why it failed. */
const LAST_WORDS_BYTES = 1_048_576;
/** Promises that go on between two looks at the clock. */
const JOBS_AT_ONCE = 1_000;
/** What the code of a script is called in its stacks. */
const FILE = 'script.js';
const LINE = new RegExp(`\\b${FILE}:(\\d+)`);
/** As Node has it: something is waited for that never comes. */
const NEVER_SETTLED_CODE = 13;

interface Sandbox {
  readonly runtime: QuickJSRuntime;
  readonly context: QuickJSContext;
  readonly memory: { readonly buffer: ArrayBufferLike };
  readonly told: ScriptTold;
  readonly stdout: Outlet;
  readonly stderr: Outlet;
  readonly deadline: number;
  /** By which it was ended before its time. */
  left: { readonly code: number } | { readonly limit: ScriptLimit } | undefined;
}

interface Outlet {
  text: string;
  bytes: number;
}

/** What the prelude keeps for us: functions of the sandbox. */
type Later = Readonly<Record<'finish' | 'describe', QuickJSHandle>>;

type Settled =
  | { readonly value: QuickJSHandle }
  | { readonly thrown: QuickJSHandle }
  | { readonly isPending: true };

interface Described {
  readonly text: string;
  readonly stack: string;
  readonly wantsMemory: boolean;
}

export function runSandboxed(quickjs: QuickJSWASMModule, told: ScriptTold): ScriptEnd {
  const runtime = quickjs.newRuntime();
  const sandbox: Sandbox = {
    ...{ runtime, context: runtime.newContext(), memory: quickjs.getWasmMemory(), told },
    stdout: { text: '', bytes: 0 },
    stderr: { text: '', bytes: 0 },
    deadline: performance.now() + told.limits.SCRIPT_MS_MAX,
    left: undefined,
  };
  runtime.setMemoryLimit(told.limits.SCRIPT_MEMORY_BYTES_MAX);
  runtime.setMaxStackSize(STACK_BYTES_MAX);
  runtime.setInterruptHandler(() => isOver(sandbox));
  runtime.setModuleLoader(moduleOf);
  const later = furnish(sandbox);
  try {
    return endOf(sandbox, later, start(sandbox, told.code));
  } catch (thrown) {
    // The interpreter itself went too deep: the stack of the thread is not its own.
    if (!(thrown instanceof RangeError)) throw thrown;
    return threw(sandbox, String(thrown), 1);
  }
}

function isOver(sandbox: Sandbox): boolean {
  if (performance.now() > sandbox.deadline) sandbox.left ??= { limit: 'SCRIPT_MS_MAX' };
  return sandbox.left !== undefined;
}

/** Throws, so that the script goes no further; should it catch that, it is interrupted. */
function leave(sandbox: Sandbox, why: NonNullable<Sandbox['left']>): never {
  sandbox.left ??= why;
  throw new Error('the script is over');
}

function moduleOf(name: string): string | { error: Error } {
  const found = name.replace(/^node:/, '');
  if (Object.hasOwn(MODULES, found)) return MODULES[found] ?? '';
  const why = `a script has the modules "fs" and "process"; it asked for "${name}"`;
  return { error: new Error(why) };
}

/** Gives the script all it has of the world. */
function furnish(sandbox: Sandbox): Later {
  const { context, told } = sandbox;
  const { argv, env, stdin, variables, limits } = told;
  const given = { argv, env, stdin, variables, charsMax: limits.OUTPUT_BYTES_MAX };
  const prelude = unwrap(context.evalCode(PRELUDE, 'prelude.js', { type: 'global' }));
  const kept = unwrap(
    context.callFunction(
      prelude,
      context.undefined,
      context.newFunction('write', (stream, kind, text) => {
        const [name, how, said] = [stream, kind, text].map((part) => context.getString(part));
        const outlet = name === 'stdout' ? sandbox.stdout : sandbox.stderr;
        write(sandbox, outlet, how === 'values' ? shown(said ?? '') : (said ?? ''));
      }),
      context.newFunction('flood', () => leave(sandbox, { limit: 'OUTPUT_BYTES_MAX' })),
      context.newFunction('leave', (code) =>
        leave(sandbox, { code: Math.trunc(context.getNumber(code)) & 0xff }),
      ),
      context.newString(JSON.stringify(given)),
    ),
  );
  const later = (name: keyof Later): QuickJSHandle => context.getProp(kept, name);
  return { finish: later('finish'), describe: later('describe') };
}

function unwrap(result: VmCallResult<QuickJSHandle>): QuickJSHandle {
  assert(result.error === undefined, 'a sandbox has room for what every script has');
  return result.value;
}

/** As Node's console would write them, as far as the values are JSON. */
function shown(json: string): string {
  const values = JSON.parse(json) as readonly (readonly [0 | 1, unknown])[];
  const told = values.map(([isText, value]) =>
    isText === 1 ? { [inspect.custom]: (): unknown => value } : value,
  );
  return `${format(...told)}\n`;
}

function write(sandbox: Sandbox, outlet: Outlet, text: string): void {
  if (isOver(sandbox)) return;
  outlet.bytes += Buffer.byteLength(text);
  const max = sandbox.told.limits.OUTPUT_BYTES_MAX;
  if (outlet.bytes > max) leave(sandbox, { limit: 'OUTPUT_BYTES_MAX' });
  outlet.text += text;
}

/** Runs the script until there is nothing left of it to be run. */
function start(sandbox: Sandbox, script: string): Settled {
  const { context } = sandbox;
  const { body, modules, isModule } = formsOf(script);
  const made = context.evalCode(body, FILE, { type: 'global' });
  if (made.error === undefined) {
    return settle(sandbox, context.callFunction(made.value, context.undefined));
  }
  let problem = made.error;
  for (const [n, source] of modules.entries()) {
    const compiled = context.evalCode(source, FILE, { type: 'module', compileOnly: true });
    if (compiled.error === undefined) {
      const settled = settle(sandbox, context.evalCode(source, FILE, { type: 'module' }));
      return 'value' in settled ? { value: context.getProp(settled.value, 'default') } : settled;
    }
    if (n === 0 && isModule) problem = compiled.error;
  }
  return { thrown: problem };
}

function settle(sandbox: Sandbox, begun: VmCallResult<QuickJSHandle>): Settled {
  if (begun.error !== undefined) return { thrown: begun.error };
  const { context, runtime } = sandbox;
  while (runtime.hasPendingJob() && !isOver(sandbox)) {
    const { error } = runtime.executePendingJobs(JOBS_AT_ONCE);
    if (error !== undefined) return { thrown: error };
  }
  const state = context.getPromiseState(begun.value);
  if (state.type === 'pending') return { isPending: true };
  return state.type === 'rejected' ? { thrown: state.error } : { value: state.value };
}

function endOf(sandbox: Sandbox, later: Later, settled: Settled): ScriptEnd {
  const { context, told } = sandbox;
  if (sandbox.left !== undefined) return leftEnd(sandbox, sandbox.left);
  if ('thrown' in settled) return failed(sandbox, later, settled.thrown);
  if ('isPending' in settled) {
    return threw(sandbox, 'it waits for something that never comes', NEVER_SETTLED_CODE);
  }
  const returned = told.wantsValue ? settled.value : context.undefined;
  const finished = context.callFunction(later.finish, context.undefined, returned);
  if (finished.error !== undefined) return failed(sandbox, later, finished.error);
  const text = context.getString(finished.value);
  const [code, value] = JSON.parse(text) as [number, string | null];
  return { ...ended(sandbox, code), value };
}

/** Looks at what was thrown, which may be anything, and may object to being looked at. */
function failed(sandbox: Sandbox, later: Later, thrown: QuickJSHandle): ScriptEnd {
  const { context, runtime, told, memory } = sandbox;
  const bytesMax = told.limits.SCRIPT_MEMORY_BYTES_MAX;
  runtime.setMemoryLimit(bytesMax + LAST_WORDS_BYTES);
  const said = context.callFunction(later.describe, context.undefined, thrown);
  if (sandbox.left !== undefined) return leftEnd(sandbox, sandbox.left);
  if (said.error !== undefined) return threw(sandbox, 'it threw what cannot be shown', 1);
  const { text, stack, wantsMemory } = JSON.parse(context.getString(said.value)) as Described;
  // Without memory for an error it throws null; and what it had has not been given back to us.
  const isFull = text === 'null' && memory.buffer.byteLength >= bytesMax;
  if (wantsMemory || isFull) return { end: 'limit', limit: 'SCRIPT_MEMORY_BYTES_MAX' };
  const [, line] = LINE.exec(stack) ?? [];
  return threw(sandbox, line === undefined ? text : `${text} (line ${line})`, 1);
}

function leftEnd(sandbox: Sandbox, left: NonNullable<Sandbox['left']>): ScriptEnd {
  return 'limit' in left ? { end: 'limit', limit: left.limit } : ended(sandbox, left.code);
}

/** To whoever reads its standard error, it is a program that has failed. */
function threw(sandbox: Sandbox, thrown: string, code: number): ScriptEnd {
  sandbox.stderr.text += `Uncaught ${thrown}\n`;
  return { ...ended(sandbox, code), thrown };
}

function ended({ stdout, stderr }: Sandbox, code: number): ScriptEnded {
  return {
    end: 'ended',
    code,
    stdout: stdout.text,
    stderr: stderr.text,
    value: null,
    thrown: null,
  };
}
