/**
 * A Python script, as a process (SC-02). It has what its user has, as every process has: unlike
 * JavaScript it is in no sandbox, and only a host that trusts its workflows allows it.
 *
 * The script is handed over behind a descriptor of its own, so that its standard input is its own
 * and its code in no list of processes. Arguments that have names are variables of it. What it does
 * not catch is told as Python tells it, from the first line of the script on: without ours.
 */
import type { Program } from '../running/process.ts';
import { inheritedEnvironment } from '../running/process-arguments.ts';
import type { RunOptions } from '../running/run-options.ts';
import type { ScriptTold } from './script-told.ts';

const PYTHON = 'python3';

/** Nothing is found in the folder of the host by chance: `PYTHONPATH` says where modules are. */
const BOOTSTRAP = `
import sys
sys.path[:] = [place for place in sys.path if place != '']
import io, json, linecache, os, traceback, types

with os.fdopen(3, encoding='utf-8') as handed:
    told = json.load(handed)
code = told['code']
sys.argv[:] = told['argv']
linecache.cache['script.py'] = (len(code), None, code.splitlines(True), 'script.py')
sys.excepthook = lambda kind, error, trace: traceback.print_exception(kind, error, trace.tb_next)
main = sys.modules['__main__'] = types.ModuleType('__main__')
main.__dict__.update(told['variables'], __name__='__main__', __file__='script.py')
exec(compile(code, 'script.py', 'exec'), main.__dict__)
`;

export function pythonProgram(
  { code, argv, env, stdin, variables }: ScriptTold,
  options: RunOptions,
): Program {
  return {
    file: options.python ?? PYTHON,
    args: ['-X', 'utf8', '-c', BOOTSTRAP],
    env: { ...inheritedEnvironment(options), ...env },
    stdin: stdin === '' ? null : stdin,
    handed: JSON.stringify({ code, argv: ['script.py', ...argv], variables }),
  };
}
