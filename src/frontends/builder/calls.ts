/** A call of another flow as a piece of the draft. */
import type { Flow } from '../../model/definition.ts';
import {
  begin,
  checkFlowName,
  complain,
  type Findings,
  isRecord,
  readOptions,
  show,
} from './checks.ts';
import { nodeIn, type Piece, type Region } from './path.ts';
import { given, readJson, readKey } from './readers.ts';

export function drawCall(
  region: Region,
  [name, flow, input, options]: readonly [
    name: unknown,
    flow: unknown,
    input: unknown,
    options: unknown,
  ],
): Piece {
  const found = begin(name);
  const id = found.node;
  const callee = readFlow(found, flow);
  const rule = { code: 'call.bad-input', what: `the input of "${id}"` };
  const data = readJson(found, rule, 'input', input);
  const { key } = readOptions(found, `call "${id}"`, ['key'], options);
  const known = readKey(found, { code: 'call.bad-key', what: `the key of "${id}"` }, 'key', key);
  const settings = given({
    flow: typeof callee === 'string' ? callee : callee.name,
    version: typeof callee === 'string' ? undefined : callee.version,
    input: data.fixed,
    inputCode: data.code && true,
    key: known.fixed,
    keyCode: known.code && true,
  });
  return {
    nodes: [nodeIn(region, id, 'call', settings)],
    code: [[id, { ...data.code, ...known.code }]],
    calls: typeof callee === 'string' ? [] : [callee],
    diagnostics: found.list,
    entry: id,
    exit: id,
  };
}

/** A flow that is here, or the name of one that will be when the call is made. */
function readFlow(found: Findings, flow: unknown): Flow | string {
  if (typeof flow === 'string' && checkFlowName(flow).length === 0) return flow;
  if (isFlow(flow)) return flow;
  const rule = `"${found.node}" calls a finished flow, made by .end(), or the name of one`;
  complain(found, 'call.no-flow', `${rule}; came ${show(flow)}`);
  return '';
}

function isFlow(value: unknown): value is Flow {
  if (!isRecord(value) || !isRecord(value['definition'])) return false;
  return typeof value['name'] === 'string' && typeof value['version'] === 'number';
}
