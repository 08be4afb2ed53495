/**
 * MCP by the standard streams of a process that is there for one call: a message is a line.
 *
 * Only a host that allows it has processes started. The process leads a group of its own, so that
 * whatever it starts ends with it; it is asked to end by the end of its input, and killed if it
 * stays, if nobody waits for the call any more, or if a line is too long to be kept. Of the host's
 * environment it has what programs need to be found and to find their way, and none of its secrets.
 * Lines that are no JSON are passed over: some servers greet.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../base/json.ts';
import type { WorkflowError } from '../../model/workflow-error.ts';
import { mapArgument, textArgument } from '../arguments.ts';
import type { Calling } from '../calling.ts';
import { brokenAs, notAskable } from '../http/failures.ts';
import { BODY_BYTES_MAX } from '../json-rpc.ts';
import { textsOf } from '../name-values.ts';
import type { RunOptions } from '../running/run-options.ts';
import { replyTo, type Transport } from './transport.ts';

/** How long a process may take to end once its input has. */
const STOP_MS_MAX = 2_000;
/** The last of what it wrote to its standard error, for whoever looks for the reason. */
export const STDERR_CHARS_MAX = 2_000;
/** Kept while it runs: enough before the last of it for a secret to be found whole. */
const STDERR_KEPT_CHARS = 65_536;
/** Shorter values are not worth hiding, and would hide others. */
const HIDDEN_CHARS_MIN = 8;
const INHERITED = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'LANG', 'TMPDIR'],
  ...['APPDATA', 'LOCALAPPDATA', 'PATHEXT', 'PROGRAMFILES', 'SYSTEMROOT', 'TEMP', 'USERPROFILE'],
];

interface Waiter {
  readonly resolve: (answer: JsonObject) => void;
  readonly reject: (error: WorkflowError) => void;
}

export function openStdio(
  calling: Calling,
  settings: JsonObject,
  { path }: RunOptions = {},
): Transport {
  const command = textArgument('transport.stdio.command', settings['command']);
  const environment = environmentOf(settings['environment']);
  calling.permits('process', command);
  calling.signal.throwIfAborted();
  const found = path === undefined ? environment : { PATH: path, ...environment };
  const child = start(command, argumentsOf(settings['arguments']), found);
  const waiters = new Map<Json, Waiter>();
  let over: WorkflowError | undefined;

  const fail = (error: WorkflowError): void => {
    over ??= error;
    for (const { reject } of waiters.values()) reject(over);
    waiters.clear();
  };
  const send = (message: JsonObject): void => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
  };
  const hear = (message: JsonObject): void => {
    const reply = replyTo(message);
    if (reply !== undefined) send(reply);
    const id = 'method' in message ? null : (message['id'] ?? null);
    waiters.get(id)?.resolve(message);
    waiters.delete(id);
  };

  const kill = (): void => killGroup(child);
  readLines(child.stdout, hear, () => {
    fail(brokenAs(`${command} wrote a line of more than ${BODY_BYTES_MAX} bytes`));
    kill();
  });
  const complaints = keepLast(child.stderr);
  const closed = whenClosed(child, (how) => {
    const said = hideAll(calling.hide(complaints()), Object.values(environment));
    const last = said.slice(-STDERR_CHARS_MAX).trim();
    fail(brokenAs(`${command} ${how}${last === '' ? '' : `, and wrote: ${last}`}`));
  });
  calling.signal.addEventListener('abort', kill, { once: true });

  return {
    request: (message) =>
      new Promise((resolve, reject) => {
        if (over !== undefined) return reject(over);
        waiters.set(message['id'] ?? null, { resolve, reject });
        send(message);
      }),
    notify: (message) => Promise.resolve(send(message)),
    speak: () => {},
    close: async () => {
      child.stdin.end();
      const timer = setTimeout(kill, STOP_MS_MAX);
      await closed;
      clearTimeout(timer);
      calling.signal.removeEventListener('abort', kill);
    },
    authorization: () => undefined,
  };
}

function start(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): ChildProcessWithoutNullStreams {
  const inherited = INHERITED.map((name) => [name, process.env[name]] as const);
  const env = { ...Object.fromEntries(inherited), ...environment };
  try {
    const child = spawn(command, args, { env, stdio: 'pipe', detached: true, windowsHide: true });
    // Broken pipes: that it is gone, its end tells.
    child.stdin.on('error', () => {});
    return child;
  } catch {
    throw notAskable(`${command} cannot be started: a text has a character that none may have`);
  }
}

/** Resolves once it has ended, or was never there. */
function whenClosed(
  child: ChildProcessWithoutNullStreams,
  tell: (how: string) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const leave = (how: string): void => {
      tell(how);
      resolve();
    };
    child.on('error', (error: NodeJS.ErrnoException) => {
      const isMissing = error.code === 'ENOENT';
      const why = isMissing ? 'there is no such command' : (error.code ?? error.message);
      leave(`could not be started: ${why}`);
    });
    // Whatever it has left behind would keep its streams open.
    child.once('exit', () => killGroup(child));
    child.once('close', (code, signal) =>
      leave(`ended (${signal ?? `exit code ${code}`}) before it had answered`),
    );
  });
}

/** With everything it has started. What has left the group cannot keep us by its streams. */
function killGroup(child: ChildProcessWithoutNullStreams): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nobody is there any more.
  }
  if (child.exitCode === null && child.signalCode === null) {
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

function readLines(
  stream: NodeJS.ReadableStream,
  hear: (message: JsonObject) => void,
  refuse: () => void,
): void {
  let parts: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...parts, chunk.subarray(from, end)]);
      if (line.length > BODY_BYTES_MAX) return refuse();
      readMessage(line.toString('utf8'), hear);
      parts = [];
      size = 0;
      from = end + 1;
    }
    parts.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > BODY_BYTES_MAX) refuse();
  });
}

function readMessage(line: string, hear: (message: JsonObject) => void): void {
  let message: Json;
  try {
    message = parseJson(line);
  } catch {
    return;
  }
  if (isJsonObject(message)) hear(message);
}

function keepLast(stream: NodeJS.ReadableStream): () => string {
  let kept = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    kept = (kept + text).slice(-STDERR_KEPT_CHARS);
  });
  return () => kept;
}

function hideAll(text: string, values: readonly string[]): string {
  const long = values.filter((value) => value.length >= HIDDEN_CHARS_MIN);
  return long.reduce((shown, value) => shown.replaceAll(value, '***'), text);
}

function argumentsOf(given: Json | undefined): string[] {
  if (given === undefined || given === null) return [];
  if (Array.isArray(given)) return textsOf('transport.stdio.arguments', given);
  throw notAskable('transport.stdio.arguments is a list of texts');
}

function environmentOf(given: Json | undefined): Record<string, string> {
  const map = mapArgument('transport.stdio.environment', given);
  const texts = Object.entries(map).flatMap(([name, value]) => {
    const [text] = textsOf(`the environment variable "${name}"`, value);
    return text === undefined ? [] : [[name, text] as const];
  });
  return Object.fromEntries(texts);
}
