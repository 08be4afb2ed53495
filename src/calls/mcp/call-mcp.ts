/**
 * `call: mcp`: one method of a server of the Model Context Protocol.
 *
 * Every call is a conversation of its own: it opens the transport, introduces itself, says that it
 * is ready, asks once and ends what it has opened. The output is the result as it came, also where
 * a tool says in it that it failed: what that means, the workflow decides.
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import { mapArgument, textArgument } from '../arguments.ts';
import type { Calling, CallResult } from '../calling.ts';
import { durationArgument } from '../duration-argument.ts';
import { brokenAs, notAskable } from '../http/failures.ts';
import { patienceFor, unlessAborted } from '../http/patience.ts';
import { rpcMethod, rpcRequest, rpcResult } from '../json-rpc.ts';
import type { RunOptions } from '../running/run-options.ts';
import { packageIdentity } from '../version.ts';
import { HttpTransport } from './http-transport.ts';
import { openStdio } from './stdio-transport.ts';
import type { Transport } from './transport.ts';

const METHODS: readonly string[] = [
  ...['tools/list', 'tools/call', 'prompts/list', 'prompts/get'],
  ...['resources/list', 'resources/read', 'resources/templates/list'],
];

const REVISION_DEFAULT = '2025-06-18';
/** What a server may want to speak instead: in what we use of them, they are the same. */
const REVISIONS: readonly string[] = ['2024-11-05', '2025-03-26', REVISION_DEFAULT, '2025-11-25'];

interface Asked {
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly revision: string;
  readonly client: { readonly name: string; readonly version: string };
  readonly open: (calling: Calling) => Transport;
}

/** `args` is what the task has as `with`, every expression evaluated. */
export async function callMcp(
  calling: Calling,
  args: JsonObject,
  options: RunOptions = {},
): Promise<CallResult> {
  const asked = readAsked(args, options);
  const { timeout } = args;
  const patience = patienceFor(calling.signal);
  if (timeout !== undefined && timeout !== null) {
    const ms = durationArgument('timeout', timeout);
    patience.limit(ms, () => {
      const detail = `the MCP server did not answer ${asked.method} within ${ms} ms`;
      return new WorkflowError('timeout', { detail });
    });
  }
  try {
    const { signal } = patience;
    return await unlessAborted(signal, converse({ ...calling, signal }, asked));
  } finally {
    patience.end();
  }
}

async function converse(calling: Calling, asked: Asked): Promise<CallResult> {
  const { method, params } = asked;
  const transport = asked.open(calling);
  try {
    await introduce(calling, transport, asked);
    const answer = await transport.request(rpcRequest(1, method, params));
    const output = rpcResult(calling, method, answer);
    const authorization = transport.authorization();
    return authorization === undefined ? { output } : { output, authorization };
  } finally {
    await transport.close();
  }
}

/** Agrees on a revision; only then may anything be asked. */
async function introduce(calling: Calling, transport: Transport, asked: Asked): Promise<void> {
  const { revision, client } = asked;
  const params: JsonObject = {
    protocolVersion: revision,
    capabilities: {},
    clientInfo: { ...client },
  };
  const answer = await transport.request(rpcRequest(0, 'initialize', params));
  const result = rpcResult(calling, 'initialize', answer);
  const spoken = isJsonObject(result) ? result['protocolVersion'] : undefined;
  if (typeof spoken !== 'string' || (spoken !== revision && !REVISIONS.includes(spoken))) {
    const known = [...new Set([revision, ...REVISIONS])].join(', ');
    const other = typeof spoken === 'string' ? spoken.slice(0, 40) : 'no revision at all';
    throw brokenAs(`the MCP server speaks ${other}, and this engine ${known}`);
  }
  transport.speak(spoken);
  await transport.notify({ jsonrpc: '2.0', method: 'notifications/initialized' });
}

function readAsked(args: JsonObject, options: RunOptions): Asked {
  const { protocolVersion: revision = REVISION_DEFAULT, parameters = null } = args;
  return {
    method: rpcMethod('MCP', METHODS, args['method']),
    params: parameters === null ? undefined : mapArgument('parameters', parameters),
    revision: textArgument('protocolVersion', revision),
    client: readClient(args['client']),
    open: readTransport(args['transport'], options),
  };
}

function readClient(given: Json | undefined): Asked['client'] {
  if (given === undefined || given === null) return packageIdentity();
  const client = mapArgument('client', given);
  return {
    name: textArgument('client.name', client['name']),
    version: textArgument('client.version', client['version']),
  };
}

function readTransport(given: Json | undefined, options: RunOptions): Asked['open'] {
  const { http = null, stdio = null } = mapArgument('transport', given);
  if ((http === null) === (stdio === null)) {
    throw notAskable('"transport" is either http or stdio: name one of them');
  }
  return http === null
    ? (calling) => openStdio(calling, mapArgument('transport.stdio', stdio), options)
    : (calling) => new HttpTransport(calling, mapArgument('transport.http', http));
}
