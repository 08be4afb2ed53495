/** A step as a piece of the draft: its handler, and what is to happen when that fails. */
import type { JsonObject } from '../../base/json.ts';
import {
  begin,
  complain,
  type Findings,
  isRecord,
  readHandler,
  readOptions,
  show,
} from './checks.ts';
import { readLimit } from './limit-options.ts';
import { type Handler, nodeIn, type Piece, type Region } from './path.ts';
import { given, readTimeLimit, readWord } from './readers.ts';
import { readRetry } from './retry-options.ts';

const OPTIONS = [
  ...['retry', 'timeout', 'deadline', 'undo', 'priority', 'onFailure', 'transactional'],
  'limit',
];

export function drawStep(region: Region, name: unknown, work: unknown, options: unknown): Piece {
  const found = begin(name);
  const id = found.node;
  const asked = readOptions(found, `step "${id}"`, OPTIONS, options);
  const { retry, when } = readRetry(found, 'retry', asked['retry']);
  const undo = readUndo(found, asked['undo']);
  const onFailure = {
    code: 'step.bad-on-failure',
    what: `the onFailure of "${id}"`,
    words: ['incident'],
  };
  const limited = { code: 'step.bad-limit', what: `the limit of "${id}"` };
  const settings = given({
    priority: readPriority(found, asked['priority']),
    retry,
    timeoutMs: readTime(found, 'timeout', asked['timeout']),
    deadlineMs: readTime(found, 'deadline', asked['deadline']),
    undo: undo?.settings,
    onFailure: readWord(found, onFailure, asked['onFailure']),
    transactional: readTransactional(found, asked['transactional']),
    limit: readLimit(found, limited, asked['limit']),
  });
  return {
    nodes: [nodeIn(region, id, 'step', settings)],
    handlers: [
      ...readHandler(found, work),
      ...named(`${id}/:when`, when),
      ...(undo?.handlers ?? []),
    ],
    diagnostics: found.list,
    entry: id,
    exit: id,
  };
}

/** Nothing is kept of a plain no: it is what a step is. */
function readTransactional(found: Findings, asked: unknown): true | undefined {
  if (asked === undefined || asked === false) return undefined;
  if (asked === true) return true;
  const rule = `"transactional" of "${found.node}" is true or false`;
  complain(found, 'step.bad-transactional', `${rule}; came ${show(asked)}`);
  return undefined;
}

interface ReadUndo {
  readonly settings: JsonObject;
  readonly handlers: NamedHandlers;
}

type NamedHandlers = readonly (readonly [string, Handler])[];

/** A function, or one with a retry and a timeout of its own. */
function readUndo(found: Findings, undo: unknown): ReadUndo | undefined {
  if (undo === undefined) return undefined;
  const what = `undo of "${found.node}"`;
  const options: Readonly<Record<string, unknown>> = isRecord(undo)
    ? readOptions(found, what, ['do', 'retry', 'timeout'], undo)
    : { do: undo };
  const { do: work, timeout } = options;
  if (typeof work !== 'function') {
    const rule = `the ${what} is a function, or { do, retry, timeout } with one`;
    complain(found, 'step.bad-undo', `${rule}; came ${show(work)}`);
  }
  const { retry, when } = readRetry(found, 'undo.retry', options['retry']);
  const id = `${found.node}/:undo`;
  return {
    settings: given({ retry, timeoutMs: readTime(found, 'undo.timeout', timeout) }),
    handlers: [...named(id, work as Handler), ...named(`${id}/:when`, when)],
  };
}

function named(id: string, handler: Handler | undefined): NamedHandlers {
  return handler === undefined ? [] : [[id, handler]];
}

function readTime(found: Findings, option: string, value: unknown): number | undefined {
  const code = `step.bad-${option.replace('undo.', '')}`;
  return readTimeLimit(found, { code, what: `the ${option} of "${found.node}"` }, value);
}

function readPriority(found: Findings, priority: unknown): number | undefined {
  if (Number.isSafeInteger(priority)) return priority as number;
  if (priority !== undefined) {
    const message = `the priority of "${found.node}" is a whole number; came ${show(priority)}`;
    complain(found, 'step.bad-priority', message);
  }
  return undefined;
}
