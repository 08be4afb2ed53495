/** The nodes that raise an error and that catch one: each method as a piece of the draft. */
import type { JsonObject } from '../../base/json.ts';
import type { CodeView, NodeCode } from '../../model/definition.ts';
import { type Desk, drawHiddenScope, readBody } from './bodies.ts';
import {
  begin,
  complain,
  type Findings,
  isRecord,
  readClosure,
  readOptions,
  readPure,
  show,
} from './checks.ts';
import { edge, edgeId, hiddenIn, merge, nodeIn, type Piece, type Region } from './path.ts';
import { given, readJsonObject } from './readers.ts';
import { readRetry } from './retry-options.ts';

export function drawTry(
  desk: Desk,
  region: Region,
  [name, body, options]: readonly [name: unknown, body: unknown, options: unknown],
): Piece {
  const found = begin(name);
  const id = found.node;
  const [end, mend] = [`${id}/:end`, `${id}/:catch`];
  const asked = readOptions(found, `try "${id}"`, ['catch', 'do', 'retry'], options);
  const mends = asked['do'] !== undefined;
  if (!mends && asked['retry'] === undefined) {
    const rule = 'needs { do }, { retry } or both';
    const message = `"${id}" ${rule}: do: (b) => b swallows the error`;
    complain(found, 'try.no-answer', message);
  }
  const { errors, when } = readCatch(found, asked['catch']);
  const { retry, when: again } = readRetry(found, 'retry', asked['retry']);
  const { body: start, ...inner } = readBody(desk, found, body);
  const settings = given({
    body: start,
    done: edgeId(id, end),
    caught: mends ? edgeId(id, mend) : undefined,
    errors,
    asks: when && true,
    retry,
  });
  const code: NodeCode = {
    ...(when && { when: (view) => when(view.error, view) }),
    ...(again && { 'retry.when': (view) => again(view.error as never) }),
  };
  return {
    ...merge([
      { nodes: [nodeIn(region, id, 'try', settings)], code: [[id, code]], diagnostics: found.list },
      inner,
      ...(mends ? [drawHiddenScope(desk, region, mend, asked['do'])] : []),
      { nodes: [hiddenIn(region, end, 'pass', {})], edges: [edge(id, end)] },
      { nodes: [], edges: mends ? [edge(id, mend), edge(mend, end)] : [] },
    ]),
    entry: id,
    exit: end,
  };
}

interface ReadCatch {
  readonly errors?: readonly string[];
  readonly when?: (error: CodeView['error'], view: CodeView) => unknown;
}

/** Which errors are meant; all of them if nothing is said. */
function readCatch(found: Findings, value: unknown): ReadCatch {
  const known = ['errors', 'when'];
  const { errors, when } = readOptions(found, `catch of "${found.node}"`, known, value);
  const codes: readonly unknown[] = Array.isArray(errors) ? errors : [errors];
  const isList = Array.isArray(errors) && codes.length > 0 && codes.every(isText);
  if (errors !== undefined && !isList) {
    const rule = `the catch.errors of "${found.node}" are a list of codes, one or more texts`;
    complain(found, 'try.bad-errors', `${rule}; came ${codes.map(show).join(', ') || 'none'}`);
  }
  const asked =
    when === undefined ? undefined : readPure(found, 'catch.when', 'the error and the view', when);
  return {
    ...(isList && { errors: [...codes] as readonly string[] }),
    ...(asked && { when: asked as NonNullable<ReadCatch['when']> }),
  };
}

export function drawFail(region: Region, name: unknown, error: unknown): Piece {
  const found = begin(name);
  const id = found.node;
  const asks = typeof error === 'function';
  const settings = asks ? {} : { error: readError(found, error) };
  return {
    nodes: [nodeIn(region, id, 'fail', settings)],
    code: asks ? [[id, readClosure(found, 'error', error)]] : [],
    diagnostics: found.list,
    entry: id,
  };
}

/** What is raised by those who give no code of their own. */
const CODE_DEFAULT = 'flow.failed';
const ERROR = ['code', 'message', 'details'];

function readError(found: Findings, error: unknown): JsonObject {
  if (isText(error)) return { code: CODE_DEFAULT, message: error };
  const what = `fail "${found.node}"`;
  if (!isRecord(error)) {
    const message = `${what} takes a text, { code, message, details } or a closure`;
    complain(found, 'fail.bad-error', `${message}; came ${show(error)}`);
    return {};
  }
  const { code, details, ...rest } = readOptions(found, what, ERROR, error);
  const { message = isText(code) ? code : CODE_DEFAULT } = rest;
  for (const [part, value] of Object.entries({ code, message })) {
    if (isText(value)) continue;
    complain(found, 'fail.bad-error', `the ${part} of ${what} is a text; came ${show(value)}`);
  }
  const rule = { code: 'fail.bad-error', what: `the details of ${what}` };
  return given({
    code: isText(code) ? code : CODE_DEFAULT,
    message: isText(message) ? message : CODE_DEFAULT,
    details: readJsonObject(found, rule, details),
  });
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
