/**
 * What a JavaScript script finds when it begins, written in JavaScript and evaluated before it: a
 * console, its arguments, its environment, its standard input, and a way to end. It is what a small
 * script for Node uses, and no more: nothing here leads out of the sandbox.
 *
 * It is a function of three of the host's and a JSON text, and returns what the host needs of the
 * script later. It only hands texts to the host.
 */

/** Sources of the modules that a script may import, by name without `node:`. */
export const MODULES: Readonly<Record<string, string>> = {
  fs: `const fs = require('fs'); export const { readFileSync } = fs; export default fs;`,
  process: `
    const it = require('process');
    export const { argv, env, stdin, stdout, stderr, exit } = it;
    export default it;
  `,
};

export const PRELUDE = `(function (write, flood, leave, told) {
  'use strict';
  const { parse, stringify } = JSON;
  const { argv, env, stdin, variables, charsMax } = parse(told);

  const hand = (stream, kind, text) => {
    // As JSON it may be longer than as it is written; how long that is the host sees.
    if (text.length > (kind === 'text' ? charsMax : charsMax * 16)) flood();
    write(stream, kind, text);
  };
  const storyOf = (error) => (String(error) + '\\n' + String(error.stack ?? '')).trimEnd();
  // Whatever is no JSON is shown as a text of ours.
  const shown = (value) => {
    if (typeof value === 'number' && !Number.isFinite(value)) return stringify([1, String(value)]);
    if (typeof value === 'bigint') return stringify([1, value + 'n']);
    if (typeof value === 'function') return stringify([1, '[Function: ' + value.name + ']']);
    if (value instanceof Error) return stringify([1, storyOf(value)]);
    try {
      const json = stringify(value);
      if (json !== undefined) return '[0,' + json + ']';
    } catch {}
    return stringify([1, String(value)]);
  };
  const say =
    (stream) =>
    (...values) =>
      hand(stream, 'values', '[' + values.map(shown).join() + ']');
  const [out, err] = [say('stdout'), say('stderr')];
  const outlet = (stream) => ({
    write: (text) => {
      hand(stream, 'text', String(text));
      return true;
    },
  });

  const readFileSync = (from) => {
    if (from === 0 || from === '/dev/stdin') return stdin;
    throw new Error('a script can read its standard input and no files: readFileSync(0)');
  };
  const input = {
    fd: 0,
    isTTY: false,
    setEncoding: () => input,
    resume: () => input,
    on(event, listen) {
      const heard = Promise.resolve();
      if (event === 'data' && stdin !== '') heard.then(() => listen(stdin));
      if (event === 'end' || event === 'close') heard.then(() => {}).then(() => listen());
      return input;
    },
    async *[Symbol.asyncIterator]() {
      if (stdin !== '') yield stdin;
    },
  };
  input.once = input.on;
  const process = {
    argv,
    env,
    stdin: input,
    stdout: outlet('stdout'),
    stderr: outlet('stderr'),
    exitCode: undefined,
    exit: (code = process.exitCode ?? 0) => leave(Number(code)),
  };
  const modules = { fs: { readFileSync }, process };
  const require = (name) => {
    const found = String(name).replace(/^node:/, '');
    if (Object.hasOwn(modules, found)) return modules[found];
    throw new Error('a script has the modules "fs" and "process"; it asked for "' + name + '"');
  };
  const console = { log: out, info: out, debug: out, error: err, warn: err, trace: err };

  for (const [name, value] of Object.entries({ console, process, require, ...variables })) {
    try {
      Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
    } catch {
      // undefined, NaN and Infinity stay what they are.
    }
  }
  return {
    finish: (value) => {
      const json = stringify(value);
      if (json !== undefined && json.length > charsMax) flood();
      return stringify([process.exitCode & 255, json ?? null]);
    },
    describe: (thrown) => {
      const isError = thrown instanceof Error;
      const stack = isError ? String(thrown.stack ?? '') : '';
      const isText = isError || typeof thrown === 'string';
      const text = isText ? String(thrown) : (stringify(thrown) ?? String(thrown));
      const name = isError ? thrown.name : '';
      const wantsMemory = name === 'InternalError' && /^out of memory/.test(thrown.message);
      return stringify({ text, stack, wantsMemory });
    },
  };
})`;
