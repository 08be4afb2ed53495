/** The nodes that deal in messages: each method of the builder as a piece of the draft. */
import type { JsonObject } from '../../base/json.ts';
import type { CodeView, NodeCode } from '../../model/definition.ts';
import {
  begin,
  checkArmName,
  complain,
  type Findings,
  isRecord,
  readClosure,
  readOptions,
  show,
} from './checks.ts';
import { nodeIn, type Piece, type Region } from './path.ts';
import { given, readDuration, readEvent, readJson, readKey } from './readers.ts';

export function drawWait(region: Region, name: unknown, options: unknown): Piece {
  const found = begin(name);
  const id = found.node;
  const what = `waitFor "${id}"`;
  const { event, key, timeout } = readOptions(found, what, ['event', 'key', 'timeout'], options);
  const late = { code: 'wait.bad-timeout', what: `"${id}"` };
  const timeoutMs = timeout === undefined ? undefined : readDuration(found, late, timeout);
  const { fixed, code } = readKey(found, keyRule('wait', `"${id}"`), 'key', key);
  const settings = given({
    event: readEvent(found, 'wait.no-event', `"${id}" waits for`, event),
    key: fixed,
    keyCode: code && true,
    timeoutMs,
  });
  return pieceOf(region, found, { kind: 'wait', settings, code: code ?? {} });
}

export function drawFirstOf(region: Region, name: unknown, arms: unknown): Piece {
  const found = begin(name);
  const entries = isRecord(arms) ? Object.entries(arms) : [];
  if (entries.length === 0) {
    const rule = 'takes arms as { name: { event, key } } or { name: { after } }, one or more';
    complain(found, 'first.bad-arms', `"${found.node}" ${rule}; came ${show(arms)}`);
  }
  const read = entries.map(([arm, value]) => readArm(found, arm, value));
  return pieceOf(region, found, {
    kind: 'first',
    settings: { arms: read.map(({ settings }) => settings) },
    code: Object.assign({}, ...read.map(({ code }) => code)) as NodeCode,
  });
}

interface ReadArm {
  readonly settings: JsonObject;
  readonly code?: NodeCode;
}

function readArm(found: Findings, arm: string, value: unknown): ReadArm {
  checkArmName(found, 'first', arm);
  const what = `arm "${arm}" of "${found.node}"`;
  const { event, key, after } = readOptions(found, what, ['event', 'key', 'after'], value ?? null);
  if (isRecord(value) && (event === undefined) === (after === undefined)) {
    const came = event === undefined ? 'neither' : 'both';
    complain(found, 'first.bad-arm', `${what} has either an event or an after; came ${came}`);
  } else if (after !== undefined && key !== undefined) {
    complain(found, 'first.bad-key', `${what} waits for a time, which has no key`);
  } else if (after !== undefined) {
    return readTimer(found, arm, after);
  } else if (event !== undefined) {
    const { fixed, code } = readKey(found, keyRule('first', what), `key.${arm}`, key);
    const type = readEvent(found, 'first.no-event', `${what} waits for`, event);
    const settings = { arm, event: type, key: fixed ?? null, keyCode: code !== undefined };
    return code === undefined ? { settings } : { settings, code };
  }
  return { settings: { arm } };
}

function readTimer(found: Findings, arm: string, after: unknown): ReadArm {
  if (typeof after === 'function') {
    return { settings: { arm, afterMs: null }, code: readClosure(found, `after.${arm}`, after) };
  }
  const rule = { code: 'first.bad-after', what: `arm "${arm}" of "${found.node}"` };
  return { settings: { arm, afterMs: readDuration(found, rule, after) ?? null } };
}

export function drawEmit(
  region: Region,
  [name, event, asked]: readonly [name: unknown, event: unknown, options: unknown],
): Piece {
  const found = begin(name);
  const id = found.node;
  const outbox = readOutbox(found, asked);
  if (typeof event === 'function') {
    const { event: made } = readClosure(found, 'event', event);
    const code = made === undefined ? {} : { event: (view: CodeView) => spellType(made(view)) };
    const settings = given({ eventCode: true, outbox });
    return pieceOf(region, found, { kind: 'emit', settings, code });
  }
  const options = isRecord(event)
    ? readOptions(found, `emit "${id}"`, ['type', 'key', 'data'], event)
    : { type: event };
  const { type, ...rest }: Readonly<Record<string, unknown>> = options;
  const key = readKey(found, keyRule('emit', `"${id}"`), 'key', rest['key']);
  const rule = { code: 'emit.bad-data', what: `the data of "${id}"` };
  const data = readJson(found, rule, 'data', rest['data']);
  const settings = given({
    type: readEvent(found, 'emit.no-event', `"${id}" emits`, type),
    key: key.fixed,
    data: data.fixed,
    keyCode: key.code && true,
    dataCode: data.code && true,
    outbox,
  });
  return pieceOf(region, found, { kind: 'emit', settings, code: { ...key.code, ...data.code } });
}

/** Left out unless it is true: a flow that has none keeps its hash. */
function readOutbox(found: Findings, asked: unknown): true | undefined {
  const { outbox = false } = readOptions(found, `emit "${found.node}"`, ['outbox'], asked);
  if (typeof outbox !== 'boolean') {
    const rule = `"outbox" of "${found.node}" is true or false`;
    complain(found, 'emit.bad-outbox', `${rule}; came ${show(outbox)}`);
  }
  return outbox === true ? true : undefined;
}

/** A closure may name the type as `event()` made it; beyond the builder it is a text. */
function spellType(made: unknown): unknown {
  if (!isRecord(made) || !isRecord(made['type'])) return made;
  return { ...made, type: made['type']['type'] };
}

function keyRule(kind: string, what: string): { code: string; what: string } {
  return { code: `${kind}.bad-key`, what: `the key of ${what}` };
}

interface OneNode {
  readonly kind: string;
  readonly settings: JsonObject;
  readonly code: NodeCode;
}

function pieceOf(region: Region, found: Findings, { kind, settings, code }: OneNode): Piece {
  const { node: id, list: diagnostics } = found;
  const nodes = [nodeIn(region, id, kind, settings)];
  return { nodes, code: [[id, code]], diagnostics, entry: id, exit: id };
}
