import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assert } from '../../base/assert.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import { errorOf, faultOf } from '../../testing/failing-call.ts';
import { listenLocally } from '../../testing/local-port.ts';
import { plainCalling } from '../../testing/plain-calling.ts';
import type { Calling } from '../calling.ts';
import { BODY_BYTES_MAX } from '../json-rpc.ts';
import { callMcp } from './call-mcp.ts';
import { STDERR_CHARS_MAX } from './stdio-transport.ts';

const PROGRAM = fileURLToPath(new URL('../../testing/mcp-program.ts', import.meta.url));

/** What every server of a few lines begins with: it answers by line, and can say it is alive. */
const SERVER = `
  const net = require('node:net');
  const alive = (port) => net.connect(port, '127.0.0.1').on('error', () => {});
  const write = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
  const answer = (id, result) => write({ jsonrpc: '2.0', id, result });
  const hear = (listen) =>
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      if (method === 'initialize') answer(id, { protocolVersion: '2025-06-18' });
      else listen(id, method);
    });
`;

let line: Server;

beforeEach(() => {
  line = createServer();
});

afterEach(() => {
  line.close();
});

function call(stdio: JsonObject, parts: Partial<Calling> = {}): Promise<Json> {
  const args = { method: 'tools/list', transport: { stdio } };
  return callMcp(plainCalling(parts), args).then(({ output }) => output);
}

function callLines(text: string, parts: Partial<Calling> = {}): Promise<Json> {
  const program = ['--eval', `${SERVER}\n${text}`];
  return call({ command: process.execPath, arguments: program }, parts);
}

/** Somebody who is alive for as long as this is open. */
async function caller(): Promise<Socket> {
  const [socket] = (await once(line, 'connection')) as [Socket];
  return socket.on('error', () => {}).resume();
}

test('a process has its arguments and environment, and none of our secrets [MC-03]', async () => {
  process.env['PERDURE_TEST_SECRET'] = 'do-not-tell';
  const command = process.execPath;
  const environment = { SLACK_TOKEN: 'for-you', LEVEL: 3, NOTHING: null };
  const names = ['SLACK_TOKEN', 'LEVEL', 'PERDURE_TEST_SECRET', 'NOTHING', 'PATH'];
  const seen: unknown[] = [];
  for (const name of names) {
    const parameters = { name: 'environment', arguments: { name } };
    const stdio = { command, arguments: ['--no-warnings', PROGRAM], environment };
    const args = { method: 'tools/call', parameters, transport: { stdio } };
    const { output } = await callMcp(plainCalling(), args);
    const { content } = output as { content: readonly { text: string }[] };
    seen.push(JSON.parse(content[0]?.text ?? ''));
  }
  delete process.env['PERDURE_TEST_SECRET'];
  expect(seen).toEqual(['for-you', '3', null, null, process.env['PATH']]);
});

test('a command is looked for where the host says that programs are', async () => {
  const stdio = { command: 'node', arguments: ['--no-warnings', PROGRAM] };
  const parameters = { name: 'environment', arguments: { name: 'PATH' } };
  const args = { method: 'tools/call', parameters, transport: { stdio } };
  const path = dirname(process.execPath);
  const { output } = await callMcp(plainCalling(), args, { path });
  expect(output).toMatchObject({ content: [{ text: JSON.stringify(path) }] });
  await expect(callMcp(plainCalling(), args, { path: '/nowhere' })).rejects.toThrow(
    'there is no such command',
  );
});

test('nothing is started where the host does not allow processes', async () => {
  const asked: unknown[] = [];
  const permits: Calling['permits'] = (...what) => {
    asked.push(what);
    throw new WorkflowError('configuration', { detail: 'set allow.processes' });
  };
  const calling = call({ command: 'no-such-command' }, { permits });
  expect(await faultOf(calling)).toEqual(['configuration', 400, 'set allow.processes']);
  expect(asked).toEqual([['process', 'no-such-command']]);
});

test('a command that is not there is a communication error that says so', async () => {
  expect(await faultOf(call({ command: 'perdure-no-such-command' }))).toEqual([
    ...['communication', 500],
    'perdure-no-such-command could not be started: there is no such command',
  ]);
});

test('arguments that are no list and texts that none may be are refused', async () => {
  const { execPath: command } = process;
  expect((await errorOf(call({ command, arguments: '-v' }))).detail).toBe(
    'transport.stdio.arguments is a list of texts',
  );
  expect((await errorOf(call({ command, arguments: ['a\0b'] }))).detail).toMatch(
    'cannot be started',
  );
});

test('a process that ends is a communication error with its last complaints', async () => {
  const long = `"${'x'.repeat(STDERR_CHARS_MAX)}y"`;
  const script = `process.stderr.write(${long}, () => process.exit(3));`;
  const { kind, detail = '' } = await errorOf(callLines(script));
  expect(kind).toBe('communication');
  const said = `${'x'.repeat(STDERR_CHARS_MAX - 1)}y`;
  expect(detail).toBe(
    `${process.execPath} ended (exit code 3) before it had answered, and wrote: ${said}`,
  );
});

test('what it complains of does not tell what it was given', async () => {
  const environment = { TOKEN: 'a-long-token', FLAG: 'yes' };
  const say = `process.env.TOKEN, process.env.FLAG, "hunter22"`;
  const script = `console.error(${say}); process.exit(1)`;
  const stdio = { command: process.execPath, arguments: ['--eval', script], environment };
  const hide = (text: string): string => text.replaceAll('hunter22', '(hidden)');
  const { detail } = await errorOf(call(stdio, { hide }));
  expect(detail).toMatch(/and wrote: \*\*\* yes \(hidden\)$/);
});

/** A server that answers by a line of so many bytes. */
function lineOf(bytes: number): string {
  const frame = JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'a line', pad: '' }).length;
  const pad = `'x'.repeat(${bytes - frame})`;
  return `hear((id) => write({ jsonrpc: '2.0', id: 1, result: 'a line', pad: ${pad} }))`;
}

test('a line is as long as may be, and no longer', async () => {
  expect(await callLines(lineOf(BODY_BYTES_MAX))).toBe('a line');
  const detail = `${process.execPath} wrote a line of more than ${BODY_BYTES_MAX} bytes`;
  expect(await faultOf(callLines(lineOf(BODY_BYTES_MAX + 1)))).toEqual([
    ...['communication', 500, detail],
  ]);
});

test('a call that is given up ends the process and whatever that has started', async () => {
  const port = await listenLocally(line);
  const giveUp = new AbortController();
  const grandchild = `require('node:net').connect(${port}, '127.0.0.1')`;
  const script = `
    process.on('SIGTERM', () => {});
    require('node:child_process')
      .spawn(process.execPath, ['--eval', ${JSON.stringify(grandchild)}]);
    hear(() => {});
  `;
  const calling = callLines(script, { signal: giveUp.signal });
  calling.catch(() => {});
  const socket = await caller();
  giveUp.abort(new Error('enough'));
  await expect(calling).rejects.toThrow('enough');
  await once(socket, 'close');
});

test('a process that stays is killed in the end, with what it has started', async () => {
  const port = await listenLocally(line);
  const child = `setInterval(() => {}, 1000); require('node:net').connect(${port}, '127.0.0.1')`;
  const script = `
    require('node:child_process')
      .spawn(process.execPath, ['--eval', ${JSON.stringify(child)}], { stdio: 'inherit' });
    setInterval(() => {}, 1000);
    hear((id) => answer(id, 'done'));
  `;
  const calling = callLines(script);
  const socket = await caller();
  const gone = once(socket, 'close');
  expect(await calling).toBe('done');
  await gone;
});

test('a call that was given up before it began starts nothing', async () => {
  const port = await listenLocally(line);
  line.on('connection', () => assert(false, 'nobody calls'));
  const signal = AbortSignal.abort(new Error('too late'));
  await expect(callLines(`alive(${port}); hear(() => {});`, { signal })).rejects.toThrow(
    'too late',
  );
});

test('a server that speaks a revision nobody knows here is not asked anything', async () => {
  const script = `
    process.stdin.once('data', () => answer(0, { protocolVersion: '1999-01-01' }));
  `;
  expect(await faultOf(callLines(script))).toEqual([
    ...['communication', 500],
    'the MCP server speaks 1999-01-01, and this engine ' +
      '2025-06-18, 2024-11-05, 2025-03-26, 2025-11-25',
  ]);
});
