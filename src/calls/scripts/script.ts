/**
 * `run: script`: JavaScript in a sandbox, or Python as a process.
 *
 * Arguments that are a list are those of the command line; a map is that as `--name value`, and
 * each name is a variable of the script as well. What a JavaScript script returns is the
 * output, unless the task says what is; otherwise that is what was written, as of any process. One
 * that throws has failed as a process does that ends with another code than 0.
 */
import { EMPTY, isJsonObject, type JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import { endpointArgument, mapArgument, textArgument } from '../arguments.ts';
import type { CallResult, Calling } from '../calling.ts';
import { argumentTexts, inputText, variablesOf } from '../running/process-arguments.ts';
import { limitsOf, returnOf, type RunOptions, type RunWanted } from '../running/run-options.ts';
import { runProgram } from '../running/run-program.ts';
import { runJavaScript } from './javascript.ts';
import { pythonProgram } from './python.ts';
import type { ScriptTold } from './script-told.ts';

/** By the names that definitions have for them; a host allows them by the names they have here. */
const LANGUAGES: Readonly<Record<string, 'js' | 'python'>> = {
  js: 'js',
  javascript: 'js',
  python: 'python',
};
/** What comes before the arguments of a script in Node. */
const ARGV_HEAD = ['quickjs', 'script.js'];

export async function runScript(
  calling: Calling,
  args: JsonObject,
  wanted: RunWanted,
  options: RunOptions = {},
): Promise<CallResult> {
  returnOf(wanted);
  const language = readLanguage(args);
  calling.permits('script', language);
  const given = args['arguments'];
  const told: ScriptTold = {
    code: await readCode(calling, args),
    argv: argumentTexts('script.arguments', given),
    env: variablesOf('script.environment', args['environment']),
    stdin: inputText(args['stdin']) ?? '',
    variables: isJsonObject(given) ? given : EMPTY,
    wantsValue: wanted.await && wanted.return === undefined,
    limits: limitsOf(options),
  };
  return language === 'python'
    ? runProgram(calling, pythonProgram(told, options), wanted, options)
    : runJavaScript(calling, { ...told, argv: [...ARGV_HEAD, ...told.argv] }, wanted);
}

function readLanguage(args: JsonObject): 'js' | 'python' {
  const name = textArgument('script.language', args['language']);
  const known = Object.hasOwn(LANGUAGES, name) ? LANGUAGES[name] : undefined;
  if (known !== undefined) return known;
  const names = Object.keys(LANGUAGES).join(', ');
  throw wrong(`"script.language" is one of ${names}; came "${name}"`);
}

async function readCode(calling: Calling, args: JsonObject): Promise<string> {
  const [code, source] = [args['code'] ?? null, args['source'] ?? null];
  if ((code === null) === (source === null)) {
    throw wrong('a script has either "code" or a "source"');
  }
  if (code !== null) return textArgument('script.code', code);
  const { name, endpoint } = mapArgument('script.source', source);
  const resource = {
    endpoint: endpointArgument('script.source.endpoint', endpoint),
    ...(typeof name === 'string' ? { name } : {}),
  };
  return (await calling.resources.text(resource, calling.signal)).text;
}

function wrong(detail: string): WorkflowError {
  return new WorkflowError('configuration', { detail });
}
