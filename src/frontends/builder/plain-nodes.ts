/** The nodes that open no region: each method of the builder as a piece of the draft. */
import { parseDuration } from '../../base/duration.ts';
import {
  begin,
  complain,
  type Findings,
  readClosure,
  readHandler,
  readOptions,
  show,
} from './checks.ts';
import { nodeIn, type Piece, type Region } from './path.ts';

export function drawStep(region: Region, name: unknown, work: unknown, options: unknown): Piece {
  const found = begin(name);
  const { priority } = readOptions(found, `step "${found.node}"`, ['priority'], options);
  const whole = Number.isSafeInteger(priority);
  if (priority !== undefined && !whole) {
    const message = `the priority of "${found.node}" is a whole number; came ${show(priority)}`;
    complain(found, 'step.bad-priority', message);
  }
  const settings = whole ? { priority: priority as number } : {};
  return {
    nodes: [nodeIn(region, found.node, 'step', settings)],
    handlers: readHandler(found, work),
    diagnostics: found.list,
    entry: found.node,
    exit: found.node,
  };
}

export function drawSet(region: Region, name: unknown, value: unknown, options: unknown): Piece {
  const found = begin(name);
  const { in: where = 'scope' } = readOptions(found, `set "${found.node}"`, ['in'], options);
  if (where !== 'scope' && where !== 'instance') {
    const message = `"${found.node}" sets in 'scope' or in 'instance'; came ${show(where)}`;
    complain(found, 'set.bad-place', message);
  }
  return {
    nodes: [nodeIn(region, found.node, 'set', { in: where === 'instance' ? where : 'scope' })],
    code: [[found.node, readClosure(found, 'value', value)]],
    diagnostics: found.list,
    entry: found.node,
    exit: found.node,
  };
}

export function drawSleep(region: Region, name: unknown, duration: unknown): Piece {
  const found = begin(name);
  const asks = typeof duration === 'function';
  const ms = asks ? undefined : readDuration(found, 'sleep.bad-duration', duration);
  return {
    nodes: [nodeIn(region, found.node, 'sleep', ms === undefined ? {} : { ms })],
    code: asks ? [[found.node, readClosure(found, 'duration', duration)]] : [],
    diagnostics: found.list,
    entry: found.node,
    exit: found.node,
  };
}

export function drawWait(region: Region, name: unknown, options: unknown): Piece {
  const found = begin(name);
  const what = `waitFor "${found.node}"`;
  const { event, key, timeout } = readOptions(found, what, ['event', 'key', 'timeout'], options);
  const timeoutMs =
    timeout === undefined ? undefined : readDuration(found, 'wait.bad-timeout', timeout);
  const asks = typeof key === 'function';
  if (key !== undefined && !asks && (typeof key !== 'string' || key === '')) {
    const message = `the key of "${found.node}" is a text or a closure; came ${show(key)}`;
    complain(found, 'wait.bad-key', message);
  }
  const settings = {
    event: readEvent(found, event),
    ...(asks ? { keyCode: true } : typeof key === 'string' ? { key } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
  return {
    nodes: [nodeIn(region, found.node, 'wait', settings)],
    code: asks ? [[found.node, readClosure(found, 'key', key)]] : [],
    diagnostics: found.list,
    entry: found.node,
    exit: found.node,
  };
}

export function drawTerminate(region: Region, name: unknown, output: unknown): Piece {
  const found = begin(name);
  const asks = output !== undefined;
  return {
    nodes: [nodeIn(region, found.node, 'terminate', { output: asks ? 'code' : 'none' })],
    code: asks ? [[found.node, readClosure(found, 'output', output)]] : [],
    diagnostics: found.list,
    entry: found.node,
  };
}

/** A type of message comes as text or as what `event()` makes. */
function readEvent(found: Findings, event: unknown): string {
  const type: unknown =
    typeof event === 'object' && event !== null ? Reflect.get(event, 'type') : event;
  if (typeof type === 'string' && type !== '') return type;
  const message = `"${found.node}" waits for an event, a text or event('…'); came ${show(event)}`;
  complain(found, 'wait.no-event', message);
  return '';
}

function readDuration(found: Findings, code: string, value: unknown): number | undefined {
  // What is neither is named by us: the parser would write it as JSON, and not all can be.
  const plain = typeof value === 'string' || typeof value === 'number';
  const parsed = parseDuration(plain ? value : show(value));
  if (parsed.ok) return parsed.value;
  complain(found, code, `"${found.node}": ${parsed.problem}`);
  return undefined;
}
