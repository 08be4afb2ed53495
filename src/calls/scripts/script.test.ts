import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Json, JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import { serve } from '../../testing/called.ts';
import { errorOf, faultOf } from '../../testing/failing-call.ts';
import { namedPipe, testFolder } from '../../testing/named-pipe.ts';
import { plainCalling } from '../../testing/plain-calling.ts';
import type { Calling } from '../calling.ts';
import type { RunOptions } from '../running/run-options.ts';
import { runScript } from './script.ts';

interface How {
  readonly calling?: Partial<Calling>;
  readonly return?: string;
  readonly await?: boolean;
  readonly options?: RunOptions;
}

async function script(args: JsonObject, how: How = {}): Promise<Json> {
  const wanted = {
    await: how.await ?? true,
    ...(how.return === undefined ? {} : { return: how.return }),
  };
  const { output } = await runScript(plainCalling(how.calling), args, wanted, how.options);
  return output;
}

const js = (code: string, args: JsonObject = {}, how: How = {}): Promise<Json> =>
  script({ language: 'js', code, ...args }, how);
const python = (code: string, args: JsonObject = {}, how: How = {}): Promise<Json> =>
  script({ language: 'python', code, ...args }, how);

const hasPython = spawnSync('python3', ['--version']).status === 0;
const EXAMPLE = join(
  import.meta.dirname,
  '../../../../shared/dsl/examples/run-script-with-stdin-and-arguments.yaml',
);

describe('any script', () => {
  test('in a language that is not known is a configuration error [SC-05]', async () => {
    const detail = '"script.language" is one of js, javascript, python; came "ruby"';
    const call = script({ language: 'ruby', code: 'puts 1' });
    expect(await faultOf(call)).toEqual(['configuration', 400, detail]);
    expect((await errorOf(script({ language: 'toString', code: '' }))).kind).toBe('configuration');
  });

  test('runs only if the host allows its language [RU-07]', async () => {
    const asked: string[] = [];
    const permits: Calling['permits'] = (what, name) => {
      asked.push(`${what} ${name}`);
      throw new WorkflowError('configuration', { detail: 'set serverless.script' });
    };
    for (const language of ['js', 'javascript', 'python']) {
      const call = script({ language, source: { endpoint: 'nowhere' } }, { calling: { permits } });
      expect(await faultOf(call)).toEqual(['configuration', 400, 'set serverless.script']);
    }
    expect(asked).toEqual(['script js', 'script js', 'script python']);
  });

  test('is the text of a resource, if it has a source [SC-03]', async () => {
    const server = await serve({ body: 'return `from ${process.argv[2]}`' });
    const source = { name: 'greet', endpoint: { uri: `${server.url}/greet.js` } };
    expect(await script({ language: 'js', source, arguments: ['afar'] })).toBe('from afar');
    const short = { endpoint: `${server.url}/greet.js` };
    expect(await script({ language: 'javascript', source: short })).toBe('from undefined');
  });

  test.each<[JsonObject, string]>([
    [{ language: 'js' }, 'a script has either "code" or a "source"'],
    [{ language: 'js', code: 'x', source: {} }, 'a script has either "code" or a "source"'],
    [{ code: 'x' }, '"script.language" is a text, and is missing'],
    [{ language: 'js', code: 1 }, '"script.code" is a text, and was given a number'],
    [{ language: 'js', source: {} }, '"script.source.endpoint" is a text, and is missing'],
    [{ language: 'js', code: 'x', arguments: 1 }, '"script.arguments" is a list or an object'],
  ])('%j is a configuration error', async (args, detail) => {
    expect(await faultOf(script(args))).toEqual(['configuration', 400, detail]);
  });

  test('with another return is a configuration error', async () => {
    expect((await errorOf(js('1', {}, { return: 'value' }))).kind).toBe('configuration');
  });
});

describe('a JavaScript script', () => {
  test('reads its arguments, its input and its environment [SC-01]', async () => {
    const code = `
      // Reading
      import { readFileSync } from 'node:fs';
      const stdin = readFileSync(process.stdin.fd, 'utf8');
      console.log('stdin >', stdin)
      const [_, __, arg] = process.argv;
      console.log('arg >', arg);
      console.log('env >', process.env.foo, process.env.PATH);
    `;
    const args = { stdin: 'Hello', arguments: ['hello'], environment: { foo: 'bar' } };
    expect(await js(code, args)).toBe('stdin > Hello\narg > hello\nenv > bar undefined');
  });

  test.skipIf(!existsSync(EXAMPLE))(
    'runs as the example of the language has it [SC-01]',
    async () => {
      const { do: tasks } = parse(readFileSync(EXAMPLE, 'utf8')) as { do: [JsonObject] };
      const { run } = tasks[0]['runScript'] as { run: { script: JsonObject } };
      expect(await script(run.script)).toBe('stdin >  Hello Workflow\narg >  hello\nenv >  bar');
    },
  );

  test.each([
    ['a file of no name', `return require('fs').readFileSync(0).toString()`],
    ['the file of that name', `return require('node:fs').readFileSync('/dev/stdin', 'utf8')`],
    ['a stream', `let all = ''; for await (const part of process.stdin) all += part; return all`],
    [
      'events',
      `let all = '';
       process.stdin.setEncoding('utf8').on('data', (part) => (all += part));
       await new Promise((resolve) => process.stdin.once('end', resolve));
       return all`,
    ],
    ['an import that is awaited', `return (await import('fs')).default.readFileSync(0)`],
    [
      'an import of process',
      `import { stdin } from 'process'; for await (const a of stdin) return a`,
    ],
  ])('may read its input as %s', async (_, code) => {
    expect(await js(code, { stdin: 'Grüße\n' })).toBe('Grüße\n');
  });

  test('yields what it returns, unless the task says what to return', async () => {
    const code = `console.log('said'); return { a: [1, null, 'x'], u: undefined }`;
    expect(await js(code)).toEqual({ a: [1, null, 'x'] });
    expect(await js(code, {}, { return: 'stdout' })).toBe('said');
    expect(await js(code, {}, { return: 'none' })).toBe(null);
    const all = { code: 0, stdout: 'said', stderr: '' };
    expect(await js(code, {}, { return: 'all' })).toEqual(all);
    expect(await js('return null')).toBe(null);
    expect(await js('return false')).toBe(false);
    expect(await js('return undefined')).toBe('');
    expect(await js('return (await Promise.resolve(20)) + 1')).toBe(21);
    expect(await js('const x = 5;\nexport default x')).toBe(5);
  });

  test('has the names of its arguments as variables, and as options [SC-04]', async () => {
    const code = 'return [count + 1, who.name, process.argv.slice(2)]';
    expect(await js(code, { arguments: { count: 1, who: { name: 'n' } } })).toEqual([
      ...[2, 'n', ['--count', '1', '--who', '{"name":"n"}']],
    ]);
    expect(await js('const count = 7; return count', { arguments: { count: 1 } })).toBe(7);
    expect(await js('return typeof undefined', { arguments: { undefined: 1 } })).toBe('undefined');
  });

  test('writes as it does in Node', async () => {
    const code = `
      console.log('%s is %d', 'x', 5, { a: [1, { b: 2 }] }, [true], undefined, null, NaN, 7n);
      console.info(new Map().size, Symbol('s'), function named() {});
      process.stdout.write('no line feed');
      console.error('err'); console.warn({ w: 1 }); process.stderr.write('!');
      const knot = {}; knot.knot = knot; console.log(knot);
    `;
    expect(await js(code, {}, { return: 'all' })).toEqual({
      code: 0,
      stdout:
        'x is 5 { a: [ 1, { b: 2 } ] } [ true ] undefined null NaN 7n\n' +
        '0 Symbol(s) [Function: named]\nno line feed[object Object]',
      stderr: 'err\n{ w: 1 }\n!',
    });
  });

  test('ends where it says so, whatever it catches', async () => {
    const code = `
      console.log('a');
      try { process.exit(3) } finally { console.log('b'); for (;;); }
    `;
    expect(await js(code, {}, { return: 'all' })).toEqual({ code: 3, stdout: 'a', stderr: '' });
    expect(await js('process.exitCode = 4', {}, { return: 'code' })).toBe(4);
    const { title, detail } = await errorOf(js(`console.error('why'); process.exit(2)`));
    expect([title, detail]).toEqual(['The process ended with exit code 2', 'why']);
  });

  test.each([
    ['\n\nnull.foo', `TypeError: cannot read property 'foo' of null (line 3)`],
    ['throw new Error("no")', 'Error: no (line 1)'],
    [
      'const f = async () => {\n  throw new RangeError("r")\n}\nawait f()',
      'RangeError: r (line 2)',
    ],
    ['throw "plain"', 'plain'],
    ['throw { a: 1 }', '{"a":1}'],
    ['throw null', 'null'],
    ['\nlet x = ;', `SyntaxError: unexpected token in expression: ';' (line 2)`],
    [
      'import fs from "fs";\n\nlet x = ;',
      `SyntaxError: unexpected token in expression: ';' (line 3)`,
    ],
    [
      'import http from "node:http"',
      'Error: a script has the modules "fs" and "process"; it asked for "node:http"',
    ],
    [
      'require("child_process")',
      'Error: a script has the modules "fs" and "process"; it asked for "child_process" (line 1)',
    ],
    [
      'require("fs").readFileSync("/etc/passwd")',
      'Error: a script can read its standard input and no files: readFileSync(0) (line 1)',
    ],
    ['setTimeout(() => {}, 1)', 'ReferenceError: setTimeout is not defined (line 1)'],
    ['await new Promise(() => {})', 'it waits for something that never comes'],
    ['const o = {}; o.o = o; return o', 'TypeError: circular reference'],
    ['throw { get name() { throw 1 } }', 'it threw what cannot be shown'],
    ['throw { toJSON() { throw 1 }, toString() { throw 2 } }', 'it threw what cannot be shown'],
  ])('that throws is a runtime error with what and where: %j [SC-06]', async (code, detail) => {
    const error = await errorOf(js(code));
    expect([error.kind, error.status, error.title]).toEqual(['runtime', 500, 'The script failed']);
    expect(error.detail).toBe(detail);
  });

  test('that throws has ended with a code, to whoever asks for that', async () => {
    const code = 'console.log("a");\nthrow new Error("no")';
    expect(await js(code, {}, { return: 'code' })).toBe(1);
    const stderr = 'Uncaught Error: no (line 2)';
    expect(await js(code, {}, { return: 'all' })).toEqual({ code: 1, stdout: 'a', stderr });
  });

  test('tells no secrets as it fails', async () => {
    const hide = (text: string): string => text.replaceAll('hunter2', '***');
    const code = 'throw new Error(process.env.SECRET)';
    const args = { environment: { SECRET: 'hunter2' }, stdin: 'hunter2' };
    const error = await errorOf(js(code, args, { calling: { hide } }));
    expect(error.detail).toBe('Error: *** (line 1)');
  });

  test('has no way out of its sandbox', async () => {
    const names = ['fetch', 'WebAssembly', 'Worker', 'Deno', 'Bun', 'std', 'os', 'setInterval'];
    const code = `
      const world = new Function('return this')();
      const up = console.log.constructor('return this')();
      const own = Object.keys(process).concat(Object.keys(up.process));
      return [${JSON.stringify(names)}.filter((name) => name in world || name in up), own.sort()];
    `;
    const own = ['argv', 'env', 'exit', 'exitCode', 'stderr', 'stdin', 'stdout'];
    expect(await js(code)).toEqual([[], [...own, ...own].sort()]);
  });

  test('goes on without its task if it is not awaited [RU-02]', async () => {
    const wanted = { await: false, calling: { input: { a: 1 } } };
    expect(await js('for (let n = 0; n < 1e5; n += 1);', {}, wanted)).toEqual({ a: 1 });
    expect(await js('throw 1', {}, wanted)).toEqual({ a: 1 });
  });

  test('without QuickJS is a configuration error that says what to install', () => {
    const folder = testFolder();
    const sources = join(import.meta.dirname, '../..');
    for (const room of ['base', 'model', 'calls']) {
      cpSync(join(sources, room), join(folder, room), { recursive: true });
    }
    const program = `
      const { runScript } = await import('${folder}/calls/scripts/script.ts');
      const calling = { permits() {}, signal: new AbortController().signal };
      for (const wanted of [{ await: true }, { await: false }]) {
        const args = { language: 'js', code: 'return 1' };
        const { kind, detail } = await runScript(calling, args, wanted).catch((error) => error);
        console.log(kind, detail);
      }
    `;
    const line =
      'configuration JavaScript runs in QuickJS, which is not installed: ' +
      'npm install quickjs-emscripten-core @jitl/quickjs-ng-wasmfile-release-sync\n';
    const args = ['--input-type=module', '--eval', program];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe(`${line}${line}`);
  });
});

describe.skipIf(!hasPython)('a Python script', () => {
  test('has its arguments, its input and its environment [SC-02]', async () => {
    const code = 'import os, sys\nprint(sys.argv, sys.stdin.read(), os.environ["X"], "ü")';
    const args = { arguments: ['a b', 2], stdin: 'in', environment: { X: 'y' } };
    expect(await python(code, args)).toBe(`['script.py', 'a b', '2'] in y ü`);
    expect(await python('if __name__ == "__main__":\n  print(input())', { stdin: 'l\n' })).toBe(
      'l',
    );
    const leave = 'import sys\nprint("bye", file=sys.stderr)\nsys.exit(3)';
    const all = { code: 3, stdout: '', stderr: 'bye' };
    expect(await python(leave, {}, { return: 'all' })).toEqual(all);
  });

  test('has the names of its arguments as variables, and as options [SC-04]', async () => {
    const code = `
import argparse, dataclasses
parser = argparse.ArgumentParser()
parser.add_argument('--level', type=int)
print(parser.parse_known_args()[0].level + 1, level, who['name'], off)
@dataclasses.dataclass
class Point:
    x: 'int'
print(Point(1))
`;
    const given = { level: 1, who: { name: 'n' }, off: false };
    expect(await python(code, { arguments: given })).toBe('2 1 n False\nPoint(x=1)');
  });

  test('that throws is a runtime error with its own lines only [SC-06]', async () => {
    const error = await errorOf(python('x = 1\nraise ValueError("bad")'));
    expect([error.kind, error.status]).toEqual(['runtime', 500]);
    expect(error.detail).toBe(
      'Traceback (most recent call last):\n  File "script.py", line 2, in <module>\n' +
        '    raise ValueError("bad")\nValueError: bad',
    );
    const syntax = await errorOf(python('x = 1\ndef f(:\n'));
    expect(syntax.detail).toMatch(/^File "script.py", line 2\n[\s\S]*SyntaxError/);
  });

  test('has the limits of a process, and is ended with its task [RU-06]', async () => {
    const flood = python('while True: print("x" * 1000)');
    expect((await errorOf(flood)).detail).toContain('OUTPUT_BYTES_MAX');
    const pipe = namedPipe();
    const abort = new AbortController();
    const code =
      'import sys\nup = open(sys.argv[1], "w")\nprint("up", file=up, flush=True)\nwhile True: pass';
    const how = { calling: { signal: abort.signal } };
    const running = python(code, { arguments: [pipe.path] }, how);
    expect(await pipe.heard()).toBe('up');
    abort.abort(new Error('too late'));
    await expect(running).rejects.toThrow('too late');
    expect(await pipe.heard()).toBe(undefined);
  });
});

test('a Python script without Python is a configuration error', async () => {
  const options = { python: 'no-such-python' };
  expect(await faultOf(python('print(1)', {}, { options }))).toEqual([
    ...['configuration', 400],
    '"no-such-python" is not on the PATH: install it, or tell the engine where it is',
  ]);
});
